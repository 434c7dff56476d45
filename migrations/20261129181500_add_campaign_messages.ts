import type { Knex } from 'knex';
import { addConstraint } from '../src/db/migration-steps.ts';

// The migration consists only of steps that can be run again after a run was killed halfway.
export const config = { transaction: false };

const MESSAGES = [
  ...['admin_invite', 'admin_sign_in', 'api_key_expiring', 'api_key_leaked', 'webhook_failing', 'webhook_disabled'],
  ...['admin_added', 'admin_address_changed', 'admin_role_changed', 'passkey_added', 'api_key_created'],
  'keep_passkeys',
  ...['sign_in_settings_changed', 'admin_passkeys_changed', 'emergency_sign_in', 'admin_new_network'],
  ...['certificate_expiring', 'admin_provisioning_changed', 'last_owner_kept'],
  ...['course_enrollment', 'course_reminder', 'policy_request', 'policy_reminder', 'sign_in', 'policy_receipt'],
  ...['signature_voided', 'simulation', 'simulation_test', 'learner_address_changed', 'signature_restored'],
];
const OF_CAMPAIGNS = ['assignments_due', 'assignments_overdue'];

const list = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

/** Lets campaigns send messages to learners and to their managers. */
export async function up(knex: Knex): Promise<void> {
  const kinds = [...MESSAGES, ...OF_CAMPAIGNS];
  await addConstraint(knex, 'messages', 'messages_kinds_and_campaigns', `check (kind in (${list(kinds)}))`);
  await knex.raw('alter table messages drop constraint if exists messages_kinds');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from messages where kind in (${list(OF_CAMPAIGNS)})`);
  await addConstraint(knex, 'messages', 'messages_kinds', `check (kind in (${list(MESSAGES)}))`);
  await knex.raw('alter table messages drop constraint if exists messages_kinds_and_campaigns');
}
