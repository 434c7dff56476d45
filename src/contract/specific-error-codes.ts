/** The error codes for conditions that a client handles in its own way, in addition to the generic code of their status. */
export const specificErrorCodes = {
  webhook_endpoint_limit_reached: {
    status: 400,
    when: 'The company already has the maximum number of webhook endpoints.',
    action: 'Delete an endpoint first.',
  },
  webhook_redelivery_running: {
    status: 400,
    when: 'A redelivery of a period to the endpoint is still running.',
    action: 'Retry when it has finished.',
  },
  email_taken: {
    status: 400,
    when: 'Another learner, or another admin, of the company already has the e-mail address.',
    action: 'Update that person, or use another address.',
  },
  email_provider_not_allowed: {
    status: 400,
    when: 'The e-mail address or the simulation domain belongs to a free e-mail provider.',
    action: 'Use an e-mail address or a domain that belongs to the company.',
  },
  email_domain_not_allowed: {
    status: 400,
    when: 'The company is locked to its domain, and the e-mail address is at another domain.',
    action: "Use an address at the company's domain, or ask the operator to change the lock.",
  },
  domain_not_locked: {
    status: 400,
    when: 'The domain to add for simulations is not the domain that the company is locked to.',
    action: 'Add the locked domain, or ask the operator to lock the company to this domain.',
  },
  external_learner_id_taken: {
    status: 400,
    when: 'Another learner of the company already has the `externalLearnerId`.',
    action: 'Update that learner, or use another value.',
  },
  learner_limit_reached: {
    status: 403,
    when: 'The plan has no seat left for another active learner.',
    action: 'Deactivate a learner, or ask the operator to raise the limit.',
  },
  learner_merged: {
    status: 400,
    when: 'A learner to merge has already been merged into another learner.',
    action: 'Merge the learner who replaced it: `currentLearnerId` in `GET /learner-merges`.',
  },
  learner_in_directory: {
    status: 400,
    when: 'A directory manages the learner who would be merged into another one.',
    action: 'Merge the other record into this learner, or remove the user from the directory first.',
  },
  merge_not_undoable: {
    status: 400,
    when: 'The merge is older than 30 days, or the learner who stays was merged into another one.',
    action: 'Undo the later merge first. After 30 days, correct the records one by one.',
  },
  learner_import_applied: {
    status: 400,
    when: 'The import was already applied or undone.',
    action: 'Create another import.',
  },
  learner_import_not_undoable: {
    status: 400,
    when: 'The import was not applied, or it was applied more than 24 hours ago.',
    action: 'Correct the learners with `PATCH /learners/bulk`.',
  },
  group_name_taken: {
    status: 400,
    when: 'Another group of the company already has the name.',
    action: 'Use that group, or another name.',
  },
  external_course_id_taken: {
    status: 400,
    when: 'Another course of the company already has the `externalId`.',
    action: 'Use that course, or another value.',
  },
  external_campaign_id_taken: {
    status: 400,
    when: 'Another campaign of the company already has the `externalId`.',
    action: 'Replace that campaign with `PUT /campaigns`, or use another value.',
  },
  campaign_locked: {
    status: 400,
    when: 'The campaign has started or ended, so it cannot be deleted or changed in this way.',
    action: 'Pause or end a campaign that has started. Create another one to replace one that has ended.',
  },
  course_in_use: {
    status: 400,
    when: 'The course to delete has enrolments or results.',
    action: 'Set `retired` to true instead.',
  },
  simulation_template_in_use: {
    status: 400,
    when: 'A scheduled or running simulation uses the template whose content is to change.',
    action: 'Wait until the simulation has ended, or cancel it.',
  },
  admin_already_active: {
    status: 400,
    when: 'The admin to invite again has already finished the setup.',
    action: 'Send no invitation; the admin can sign in to the console.',
  },
  last_admin: {
    status: 400,
    when: 'The call would leave the company without an active admin who is an owner.',
    action: 'Keep an active owner, or let another one finish the setup first.',
  },
  admin_in_directory: {
    status: 400,
    when: 'A directory provisions the admin whose role, name or address would change, or who would be deleted.',
    action: 'Change the user or the groups in the directory, or switch the provisioning off.',
  },
  role_name_taken: {
    status: 400,
    when: 'Another role of the company already has the name.',
    action: 'Use that role, or another name.',
  },
  role_in_use: {
    status: 400,
    when: 'An admin or an identity provider uses the role to delete.',
    action: 'Give the admin another role first, and remove the role from the identity provider.',
  },
  identity_provider_untested: {
    status: 400,
    when: 'Nobody has completed a test sign-in with the identity provider to switch on.',
    action: 'Complete a test sign-in in the console first.',
  },
  identity_provider_in_use: {
    status: 400,
    when: 'The identity provider is switched on, so its issuer or client cannot change.',
    action: 'Switch it off first, or create another identity provider.',
  },
  owner_passkey_missing: {
    status: 400,
    when: 'Admins would need a passkey for the console, and no active owner has one.',
    action: 'Let an active owner add a passkey in the console first.',
  },
  recent_sign_in_required: {
    status: 403,
    when: 'The person in the console last confirmed who they are more than ten minutes ago. API keys never get this error.',
    action: 'Confirm who you are in the console, then repeat the action.',
  },
  emergency_access_missing: {
    status: 400,
    when: 'Admins would have to sign in with an identity provider, and nobody could sign in without it.',
    action: 'Give an active owner with a passkey `emergencyAccess` first.',
  },
  no_draft: {
    status: 400,
    when: 'The policy or the template has no draft to publish or to discard.',
    action: 'Create a draft first, unless an earlier call has already completed the change.',
  },
  invalid_file: {
    status: 400,
    when: 'The uploaded PDF or SCORM package is damaged, unsafe or unsupported.',
    action: 'Correct what the message names, and upload the file again.',
  },
  template_not_published: {
    status: 400,
    when: 'The policy template to adopt has no published version.',
    action: 'Publish the template first.',
  },
  policy_not_live: {
    status: 400,
    when: 'A past version is recorded for a policy without a live version.',
    action: 'Publish the newest version first.',
  },
  policy_version_taken: {
    status: 400,
    when: 'Another version of the policy has the number or the `publishedAt` of the past version.',
    action: 'Use the number and the time of the past version, or delete the other version first.',
  },
  policy_version_in_use: {
    status: 400,
    when: 'The policy version to delete is live, was published in this service, or was sent, opened or signed.',
    action: 'Keep the version.',
  },
  api_key_not_active: {
    status: 400,
    when: 'The API key to rotate is revoked or has expired.',
    action: 'Create a new key.',
  },
  api_key_rotated: {
    status: 400,
    when: 'The API key to rotate has already been rotated.',
    action: 'Use the key that replaced it, or create a new key.',
  },
  api_key_limit_reached: {
    status: 403,
    when: 'The company already has the maximum number of active API keys.',
    action: 'Revoke a key first.',
  },
  cursor_expired: {
    status: 400,
    when: '`after` or `updatedSince` is older than the stored events or changes, or than the database.',
    action: 'Start again without `after`, or read the whole list again.',
  },
  changed_meanwhile: {
    status: 412,
    when: 'The resource has changed since you read the ETag of `If-Match`.',
    action: 'Read the resource again, then retry with its new ETag.',
  },
  idempotency_key_reused: {
    status: 400,
    when: 'Another call used the same `Idempotency-Key` in the last 24 hours.',
    action: 'Use a new key for each call.',
  },
  simulations_off: {
    status: 403,
    when: 'The operator has not enabled phishing simulations.',
    action: 'Ask the operator to enable them.',
  },
  domain_not_proved: {
    status: 403,
    when: 'No DNS record proves the domain that the company is locked to.',
    action: 'Publish the record of the simulation domain, then schedule again.',
  },
  simulation_not_draft: {
    status: 400,
    when: 'The simulation to change, schedule or delete is no longer a draft.',
    action: 'Cancel it if it is scheduled or running, and create another one.',
  },
  simulation_ended: {
    status: 400,
    when: 'The simulation to cancel is already completed.',
    action: 'Do nothing; the service sends no further messages of it.',
  },
  approval_not_needed: {
    status: 400,
    when: 'The simulation to approve is not scheduled, or needs no approval.',
    action: 'Read the simulation again before you approve it.',
  },
  admin_required: {
    status: 403,
    when: 'The caller that approves a simulation is not an admin who is signed in to the console.',
    action: 'Let an admin approve it in the console.',
  },
  admin_too_new: {
    status: 403,
    when: 'The account or the e-mail address of the approving admin was less than 24 hours old when the simulation was scheduled.',
    action: 'Let another admin approve it.',
  },
  admin_same_mailbox: {
    status: 403,
    when: 'An admin with the same mailbox as the approving admin has already approved the simulation.',
    action: 'Let an admin with another mailbox approve it.',
  },
} as const;
