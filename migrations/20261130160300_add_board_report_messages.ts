import type { Knex } from 'knex';
import { addConstraint } from '../src/db/migration-steps.ts';

// The migration consists only of steps that can be run again after a run was killed halfway.
export const config = { transaction: false };

const TO_ADMINS = [
  ...['admin_invite', 'admin_sign_in', 'api_key_expiring', 'api_key_leaked', 'webhook_failing', 'webhook_disabled'],
  ...['admin_added', 'admin_address_changed', 'admin_role_changed', 'passkey_added', 'api_key_created'],
  ...['keep_passkeys', 'sign_in_settings_changed', 'admin_passkeys_changed', 'emergency_sign_in'],
  ...['admin_new_network', 'certificate_expiring', 'admin_provisioning_changed', 'last_owner_kept', 'simulation_test'],
];
const TO_LEARNERS = [
  ...['course_enrollment', 'course_reminder', 'policy_request', 'policy_reminder', 'sign_in', 'policy_receipt'],
  ...['signature_voided', 'simulation', 'learner_address_changed', 'signature_restored'],
  ...['assignments_due', 'assignments_overdue'],
];
const TO_ADDRESS = 'board_report';

const list = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

/** Lets board reports go to an e-mail address that belongs to no admin and no learner. */
export async function up(knex: Knex): Promise<void> {
  const kinds = list([...TO_ADMINS, ...TO_LEARNERS, TO_ADDRESS]);
  await addConstraint(knex, 'messages', 'messages_kinds_and_boards', `check (kind in (${kinds}))`);
  await addConstraint(
    knex,
    'messages',
    'messages_recipients_and_boards',
    `check ((kind in (${list(TO_ADMINS)})) = (admin_id is not null)
            and case when kind = '${TO_ADDRESS}' then learner_id is null
                     else (admin_id is null) = (learner_id is not null) end)`,
  );
  await knex.raw('alter table messages drop constraint if exists messages_kinds_and_campaigns');
  await knex.raw('alter table messages drop constraint if exists messages_known_recipients');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from messages where kind = '${TO_ADDRESS}'`);
  await addConstraint(
    knex,
    'messages',
    'messages_known_recipients',
    `check ((kind in (${list(TO_ADMINS)})) = (admin_id is not null) and (admin_id is null) = (learner_id is not null))`,
  );
  const kinds = list([...TO_ADMINS, ...TO_LEARNERS]);
  await addConstraint(knex, 'messages', 'messages_kinds_and_campaigns', `check (kind in (${kinds}))`);
  await knex.raw('alter table messages drop constraint if exists messages_kinds_and_boards');
  await knex.raw('alter table messages drop constraint if exists messages_recipients_and_boards');
}
