import type { Wording } from './wording.ts';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

export const en: Wording = {
  greeting: (name) => `Hello ${name},`,
  adminInvite: ({ company, contact, setupUrl, expiresAt }) => ({
    subject: `Your invitation to administer security awareness at ${company}`,
    paragraphs: [
      `You are invited to administer the security awareness programme of ${company}.`,
      `Please confirm your name to finish the setup. The link works once, until ${date.format(expiresAt)} (UTC).`,
    ],
    action: { label: 'Finish setup', url: setupUrl },
    footer: `You get this message because an administrator of ${company} has invited you. If you did not expect it, ignore it or ask ${contact}.`,
  }),
  signIn: ({ company, contact, signInUrl }) => ({
    subject: `Your link to the security awareness training of ${company}`,
    paragraphs: [
      `Somebody, most likely you, has asked for a link to your security awareness training at ${company}.`,
      'It signs you in without a password, and works for a day. Please do not pass it on.',
    ],
    action: { label: 'Go to my training', url: signInUrl },
    footer: `If you have not asked for this link, ignore this message. Questions? Ask ${contact}.`,
  }),
  adminSignIn: ({ company, contact, signInUrl }) => ({
    subject: `Your link to the console of ${company}`,
    paragraphs: [
      `Somebody, most likely you, has asked for a link to administer the security awareness programme of ${company}.`,
      'It signs you in without a password. It works once, for 30 minutes. Please do not pass it on.',
    ],
    action: { label: 'Sign in', url: signInUrl },
    footer: `If you have not asked for this link, ignore this message. Nobody was signed in. Questions? Ask ${contact}.`,
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
    beforeOne: 'This is a reminder of a security awareness course that you have not finished yet:',
    beforeMany: 'This is a reminder of the security awareness courses that you have not finished yet:',
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
    beforeOne: 'This is a reminder of a policy that you have not signed yet:',
    beforeMany: 'This is a reminder of the policies that you have not signed yet:',
    action: 'Read and sign',
  }),
  policy_receipt: (company) => ({
    one: (name) => `Your receipt: you have signed “${name}”`,
    many: (count) => `Your receipt: you have signed ${count} policies`,
    beforeOne: `You have read and signed this policy of ${company}:`,
    beforeMany: `You have read and signed these policies of ${company}:`,
    action: 'Go to my training',
  }),
  receipt: ({ version, signed, sha256 }) =>
    `Version ${version}, signed on ${date.format(new Date(signed))} (UTC). SHA-256 of the file: ${sha256}. Keep this message as your receipt. If it was not you who signed, please tell us at once.`,
  api_key_expiring: (company) => ({
    one: (name) => `An API key expires soon: ${name}`,
    many: (count) => `${count} API keys expire soon`,
    beforeOne: `This API key of ${company} stops working at the time that is given:`,
    beforeMany: `These API keys of ${company} stop working at the times that are given:`,
    advice: 'What still uses a key needs a new one before then. Keys are rotated over the API, or by your operator.',
  }),
  api_key_leaked: (company) => ({
    one: (name) => `An API key has leaked and was revoked: ${name}`,
    many: (count) => `${count} API keys have leaked and were revoked`,
    beforeOne: `Somebody has found this API key of ${company} and reported it. It was revoked at the time that is given:`,
    beforeMany: `Somebody has found these API keys of ${company} and reported them. They were revoked at the times that are given:`,
    advice:
      'What stands behind an arrow was made with the key and still works: end it, unless you know it. What used a key needs a new one. Find out where the key was shown, and read in the audit log what it was used for.',
  }),
  api_key_created: (company) => ({
    one: (name) => `A new API key: ${name}`,
    many: (count) => `${count} new API keys`,
    beforeOne: `Somebody who may do so has made this API key of ${company}:`,
    beforeMany: `Somebody who may do so has made these API keys of ${company}:`,
    advice: 'If none of you expects it, revoke it in the console. The audit log says who made it.',
  }),
  admin_added: (company) => ({
    one: (name) => `A new admin: ${name}`,
    many: (count) => `${count} new admins`,
    beforeOne: `This person has been invited to administer the security awareness programme of ${company}:`,
    beforeMany: `These people have been invited to administer the security awareness programme of ${company}:`,
    advice: 'If none of you expects it, remove the admin. The audit log says who sent the invitation.',
  }),
  admin_address_changed: (company) => ({
    one: (name) => `An admin has another e-mail address: ${name}`,
    many: (count) => `${count} admins have other e-mail addresses`,
    beforeOne: `Links to the console of ${company} for this admin now go to another address. Sessions and passkeys have ended:`,
    beforeMany: `Links to the console of ${company} for these admins now go to other addresses. Sessions and passkeys have ended:`,
    advice: 'If this was not intended, change the address back. The audit log says who changed it.',
  }),
  passkey_added: (company) => ({
    one: (name) => `A new passkey: ${name}`,
    many: (count) => `${count} new passkeys`,
    beforeOne: `This passkey now signs in to the console of ${company}:`,
    beforeMany: `These passkeys now sign in to the console of ${company}:`,
    advice: 'If the admin does not recognise it, remove it in the console, under the passkeys of the admin.',
  }),
  addressChanged: ({ company, contact }) => ({
    subject: `The e-mail address of your training at ${company} was changed`,
    paragraphs: [
      `${company} has stored another e-mail address for you. Links to your security awareness training go there from now on, and no longer to this address.`,
      'If you expect this, there is nothing to do. If not, please tell us at once: whoever reads the other mailbox can take training and sign policies in your name.',
    ],
    footer: `You get this message once, because this was your address so far. Questions? Ask ${contact}.`,
  }),
  webhook_failing: (company) => ({
    one: (name) => `A webhook endpoint takes no events: ${name}`,
    many: (count) => `${count} webhook endpoints take no events`,
    beforeOne: `This webhook endpoint of ${company} has taken no event since the time that is given:`,
    beforeMany: `These webhook endpoints of ${company} have taken no event since the times that are given:`,
    advice:
      'Events wait, and are sent when the endpoint answers with success again. After three days without one it is switched off.',
  }),
  webhook_disabled: (company) => ({
    one: (name) => `A webhook endpoint was switched off: ${name}`,
    many: (count) => `${count} webhook endpoints were switched off`,
    beforeOne: `This webhook endpoint of ${company} gets no more events. It took none for three days, or said that it is gone:`,
    beforeMany: `These webhook endpoints of ${company} get no more events. They took none for three days, or said that they are gone:`,
    advice:
      'An endpoint is switched on again over the API. It then gets the events since it stopped, of the last 30 days at most.',
  }),
  personalLink:
    'The link is yours alone and signs you in without a password. Please do not pass it on. It works for 14 days.',
  trainingFooter: (company, contact) =>
    `You get this message because ${company} has enrolled you in its security awareness programme. Questions? Ask ${contact}.`,
  adminFooter: (company, contact) =>
    `You get this message because you administer the security awareness programme of ${company}. Questions? Ask ${contact}.`,
};
