import type { Wording } from './wording.ts';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export const en: Wording = {
  greeting: (name) => `Hello ${name},`,
  adminInvite: ({ company, contact, setupUrl, expiresAt }) => ({
    subject: `Your invitation to administer security awareness at ${company}`,
    paragraphs: [
      `You are invited to administer the security awareness programme of ${company}.`,
      `Please confirm your name to finish the setup. The link works once, until ${date.format(expiresAt)} (UTC).`,
    ],
    action: { label: 'Finish setup', url: setupUrl },
    footer: `You are receiving this message because an administrator of ${company} has invited you. If you did not expect it, ignore it or ask ${contact}.`,
  }),
  signIn: ({ company, contact, signInUrl }) => ({
    subject: `Your link to the security awareness training of ${company}`,
    paragraphs: [
      `Somebody, most likely you, has asked for a link to your security awareness training at ${company}.`,
      'It signs you in without a password, and works for a day. Please do not pass it on.',
    ],
    action: { label: 'Go to my training', url: signInUrl },
    footer: `If you did not ask for this link, ignore this message. Questions? Ask ${contact}.`,
  }),
  adminSignIn: ({ company, contact, signInUrl }) => ({
    subject: `Your link to the console of ${company}`,
    paragraphs: [
      `Somebody, most likely you, has asked for a link to administer the security awareness programme of ${company}.`,
      'It signs you in without a password. It works once, for 30 minutes. Please do not pass it on.',
    ],
    action: { label: 'Sign in', url: signInUrl },
    footer: `If you did not ask for this link, ignore this message. Nobody was signed in. Questions? Ask ${contact}.`,
  }),
  keepPasskeys: ({ company, contact, keepUrl }) => ({
    subject: `Keep your passkeys for the console of ${company}`,
    paragraphs: [
      `Your e-mail address for the console of ${company} has changed. Somebody who is signed in with the new address wants to keep the passkeys from before the change.`,
      'If that is you, open the link in the browser in which you are signed in. It works once, for an hour. Please do not pass it on.',
    ],
    action: { label: 'Keep the passkeys', url: keepUrl },
    footer: `If it is not you, ignore this message: the passkeys then end. Questions? Ask ${contact}.`,
  }),
  course_enrollment: (company) => ({
    one: (name) => `New training for you: “${name}”`,
    many: (count) => `New training for you: ${count} courses`,
    beforeOne: `${company} has enrolled you in this security awareness course:`,
    beforeMany: `${company} has enrolled you in these security awareness courses:`,
    action: 'Go to my training',
  }),
  course_reminder: () => ({
    one: (name) => `Reminder: please finish “${name}”`,
    many: (count) => `Reminder: please finish ${count} courses`,
    beforeOne: 'This is a reminder about a security awareness course that you have not finished yet:',
    beforeMany: 'This is a reminder about the security awareness courses that you have not finished yet:',
    action: 'Go to my training',
  }),
  policy_request: (company) => ({
    one: (name) => `Please read and sign “${name}”`,
    many: (count) => `Please read and sign ${count} policies`,
    beforeOne: `${company} asks you to read and sign this policy:`,
    beforeMany: `${company} asks you to read and sign these policies:`,
    action: 'Read and sign',
  }),
  policy_reminder: () => ({
    one: (name) => `Reminder: please sign “${name}”`,
    many: (count) => `Reminder: please sign ${count} policies`,
    beforeOne: 'This is a reminder about a policy that you have not signed yet:',
    beforeMany: 'This is a reminder about the policies that you have not signed yet:',
    action: 'Read and sign',
  }),
  assignments_due: (company) => ({
    one: (name) => `Please finish: “${name}”`,
    many: (count) => `Please finish: ${count} courses and policies`,
    beforeOne: `${company} asks you to finish this course, or to read and sign this policy:`,
    beforeMany: `${company} asks you to finish these courses, and to read and sign these policies:`,
    action: 'Go to my training',
  }),
  dueAssignment: ({ name, dueOn, isOverdue }) =>
    `“${name}”, ${isOverdue ? 'overdue since the end of' : 'due by'} ${day.format(new Date(dueOn))}`,
  assignments_overdue: (company) => ({
    one: (name) => `Overdue in your team: “${name}”`,
    many: (count) => `Overdue in your team: ${count} courses and policies`,
    beforeOne: `Somebody in your team at ${company} has not finished or signed this in time:`,
    beforeMany: `People in your team at ${company} have not finished or signed this in time:`,
    advice: 'Please remind them. You get this message once a week while something is overdue.',
  }),
  overdueAssignment: ({ learnerName, name, dueOn }) =>
    `${learnerName}: “${name}”, was due by ${day.format(new Date(dueOn))}`,
  moreOverdue: (count) => (count === 1 ? 'And one more.' : `And ${count} more.`),
  questionsTo: (name) => `Questions about this? Ask ${name}.`,
  policy_receipt: (company) => ({
    one: (name) => `Your receipt: you have signed “${name}”`,
    many: (count) => `Your receipt: you have signed ${count} policies`,
    beforeOne: `You have read and signed this policy of ${company}:`,
    beforeMany: `You have read and signed these policies of ${company}:`,
    action: 'Go to my training',
  }),
  receipt: ({ version, signed, sha256 }) =>
    `Version ${version}, signed on ${date.format(new Date(signed))} (UTC). SHA-256 of the file: ${sha256}. Keep this message as your receipt. If it was not you who signed, please let us know at once.`,
  signature_voided: (company) => ({
    one: (name) => `Your signature on “${name}” no longer counts`,
    many: (count) => `Your signatures on ${count} policies no longer count`,
    beforeOne: `${company} has voided a signature that you gave on this policy:`,
    beforeMany: `${company} has voided signatures that you gave on these policies:`,
    action: 'Go to my training',
  }),
  signature_restored: (company) => ({
    one: (name) => `Your signature on “${name}” counts again`,
    many: (count) => `Your signatures on ${count} policies count again`,
    beforeOne: `${company} has restored a signature that you gave on this policy. Our earlier message about it no longer applies:`,
    beforeMany: `${company} has restored signatures that you gave on these policies. Our earlier messages about them no longer apply:`,
    action: 'Go to my training',
  }),
  voidedSignature: ({ policyName, version, signed, isToSign }) =>
    `Your signature on “${policyName}”, version ${version}, from ${date.format(new Date(signed))} (UTC) no longer counts. ${isToSign ? 'Please read and sign the policy again.' : 'You do not have to sign the policy again.'}`,
  api_key_expiring: (company) => ({
    one: (name) => `An API key expires soon: ${name}`,
    many: (count) => `${count} API keys expire soon`,
    beforeOne: `This API key of ${company} stops working at the time shown:`,
    beforeMany: `These API keys of ${company} stop working at the times shown:`,
    advice:
      'Whatever still uses a key needs a new one before then. Rotate keys through the API, or ask your operator to.',
  }),
  api_key_leaked: (company) => ({
    one: (name) => `An API key has leaked and was revoked: ${name}`,
    many: (count) => `${count} API keys have leaked and were revoked`,
    beforeOne: `Somebody found this API key of ${company} and reported it. It was revoked at the time shown:`,
    beforeMany: `Somebody found these API keys of ${company} and reported them. They were revoked at the times shown:`,
    advice:
      'Anything after an arrow was created with the key and still works: end it, unless you recognise it. Whatever used a key needs a new one. Find out where the key was exposed, and check the audit log to see what it was used for.',
  }),
  api_key_created: (company) => ({
    one: (name) => `A new API key: ${name}`,
    many: (count) => `${count} new API keys`,
    beforeOne: `Somebody with permission to do so has created this API key of ${company}:`,
    beforeMany: `Somebody with permission to do so has created these API keys of ${company}:`,
    advice: 'If none of you expected it, revoke it in the console. The audit log shows who created it.',
  }),
  admin_added: (company) => ({
    one: (name) => `A new admin: ${name}`,
    many: (count) => `${count} new admins`,
    beforeOne: `This person has been invited to administer the security awareness programme of ${company}:`,
    beforeMany: `These people have been invited to administer the security awareness programme of ${company}:`,
    advice: 'If none of you expected it, remove the admin. The audit log shows who sent the invitation.',
  }),
  admin_address_changed: (company) => ({
    one: (name) => `An admin’s e-mail address has changed: ${name}`,
    many: (count) => `${count} admins’ e-mail addresses have changed`,
    beforeOne: `Links to the console of ${company} for this admin now go to another address. Sessions have ended. Passkeys work again only if the admin confirms them within seven days:`,
    beforeMany: `Links to the console of ${company} for these admins now go to other addresses. Sessions have ended. Passkeys work again only if the admins confirm them within seven days:`,
    advice: 'If this was not intended, change the address back. The audit log shows who changed it.',
  }),
  admin_role_changed: (company) => ({
    one: (name) => `An admin’s permissions have changed: ${name}`,
    many: (count) => `The permissions of ${count} admins have changed`,
    beforeOne: `This admin of ${company} has another role, more permissions or emergency access now:`,
    beforeMany: `These admins of ${company} have other roles, more permissions or emergency access now:`,
    advice:
      'If this was not intended, change the role in the console, under “Admins”. The audit log shows who changed it.',
  }),
  certificate_expiring: (company) => ({
    one: (name) => `A certificate of your identity provider expires soon: ${name}`,
    many: (count) => `Certificates of ${count} identity providers expire soon`,
    beforeOne: `The certificates of this identity provider of ${company} that are stored here expire at the time shown:`,
    beforeMany: `The certificates of these identity providers of ${company} that are stored here expire at the times shown:`,
    advice:
      'The provider will probably sign with a new certificate by then. Nobody can sign in with that one until it is stored here: export the current metadata at the provider, and add it in the console, under “Authentication”.',
  }),
  sign_in_settings_changed: (company) => ({
    one: (name) => `Sign-in settings have changed: ${name}`,
    many: (count) => `The settings of ${count} identity providers have changed`,
    beforeOne: `This identity provider of ${company} was added, changed or deleted:`,
    beforeMany: `These identity providers of ${company} were added, changed or deleted:`,
    advice: 'If none of you did this, check the settings at once. The audit log shows who changed them.',
  }),
  admin_passkeys_changed: (company) => ({
    one: (name) => `The rule for passkeys has changed: ${name}`,
    many: () => 'The rule for passkeys has changed',
    beforeOne: `The setting whether admins of ${company} need a passkey for the console was changed:`,
    beforeMany: `The setting whether admins of ${company} need a passkey for the console was changed:`,
    advice:
      'The console shows the rule under “Authentication”. If none of you did this, check the settings at once. The audit log shows who changed them.',
  }),
  admin_provisioning_changed: (company) => ({
    one: (name) => `The provisioning of admins has changed: ${name}`,
    many: () => 'The provisioning of admins has changed',
    beforeOne: `The setting which groups of the directory make people admins of ${company} was changed:`,
    beforeMany: `The setting which groups of the directory make people admins of ${company} was changed:`,
    advice: 'If none of you did this, check the settings at once. The audit log shows who changed them.',
  }),
  last_owner_kept: (company) => ({
    one: (name) => `The last owner stays an admin: ${name}`,
    many: (count) => `${count} owners stay admins`,
    beforeOne: `The directory would have removed the last active owner of ${company}, who therefore keeps the role:`,
    beforeMany: `The directory would have removed the last active owners of ${company}, who therefore keep the role:`,
    advice: 'Make another person an owner in the directory. The directory then removes this one by itself.',
  }),
  emergency_sign_in: (company) => ({
    one: (name) => `Sign-in without the identity provider: ${name}`,
    many: (count) => `${count} sign-ins without the identity provider`,
    beforeOne: `This admin of ${company} has signed in with a passkey, although admins must use the identity provider:`,
    beforeMany: `These admins of ${company} have signed in with passkeys, although admins must use the identity provider:`,
    advice: 'If this was no emergency, remove the passkey of the admin in the console, under “Admins”.',
  }),
  passkey_added: (company) => ({
    one: (name) => `A new passkey: ${name}`,
    many: (count) => `${count} new passkeys`,
    beforeOne: `This passkey now signs in to the console of ${company}:`,
    beforeMany: `These passkeys now sign in to the console of ${company}:`,
    advice: 'If the admin does not recognise it, remove it in the console, under the admin’s passkeys.',
  }),
  admin_new_network: (company) => ({
    one: () => `A sign-in from a new network`,
    many: (count) => `${count} sign-ins from new networks`,
    beforeOne: `You have signed in to the console of ${company} from a network that you did not use before:`,
    beforeMany: `You have signed in to the console of ${company} from networks that you did not use before:`,
    advice:
      'If this was not you, secure your mailbox first. Then end all your sessions in the console, under “Passkeys”, and check the API keys.',
  }),
  addressChanged: ({ company, contact }) => ({
    subject: `The e-mail address for your training at ${company} has changed`,
    paragraphs: [
      `${company} has stored another e-mail address for you. Links to your security awareness training go there from now on, and no longer to this address.`,
      'If you expected this, there is nothing to do. If not, please let us know at once: whoever reads the other mailbox can take training and sign policies in your name.',
    ],
    footer: `You are receiving this message once, because this was your address until now. Questions? Ask ${contact}.`,
  }),
  webhook_failing: (company) => ({
    one: (name) => `A webhook endpoint is not accepting events: ${name}`,
    many: (count) => `${count} webhook endpoints are not accepting events`,
    beforeOne: `This webhook endpoint of ${company} has not accepted any event since the time shown:`,
    beforeMany: `These webhook endpoints of ${company} have not accepted any event since the times shown:`,
    advice:
      'Events wait, and are sent once the endpoint responds with success again. After three days without success, it is switched off.',
  }),
  webhook_disabled: (company) => ({
    one: (name) => `A webhook endpoint was switched off: ${name}`,
    many: (count) => `${count} webhook endpoints were switched off`,
    beforeOne: `This webhook endpoint of ${company} no longer receives events. It accepted none for three days, or responded that it no longer exists:`,
    beforeMany: `These webhook endpoints of ${company} no longer receive events. They accepted none for three days, or responded that they no longer exist:`,
    advice:
      'Switch an endpoint on again through the API. It then receives the events since it stopped, from the last 30 days at most.',
  }),
  personalLink:
    'The link is only for you and signs you in without a password. Please do not pass it on. It works for 14 days.',
  trainingFooter: (company, contact) =>
    `You are receiving this message because ${company} has enrolled you in its security awareness programme. Questions? Ask ${contact}.`,
  managerFooter: (company, contact) =>
    `You are receiving this message because you manage people in the security awareness programme of ${company}. Questions? Ask ${contact}.`,
  adminFooter: (company, contact) =>
    `You are receiving this message because you administer the security awareness programme of ${company}. Questions? Ask ${contact}.`,
};
