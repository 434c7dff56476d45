import type { Knex } from 'knex';
import { addConstraint } from '../src/db/migration-steps.ts';

// The migration consists only of steps that can be run again after a run was killed halfway.
export const config = { transaction: false };

const KINDS = ['course_result', 'policy_signature', 'simulation_event', 'reported_message'];

const MESSAGES = [
  ...['admin_invite', 'admin_sign_in', 'api_key_expiring', 'api_key_leaked', 'webhook_failing', 'webhook_disabled'],
  ...[
    'admin_added',
    'admin_address_changed',
    'admin_role_changed',
    'sign_in_settings_changed',
    'admin_passkeys_changed',
    'admin_provisioning_changed',
    'last_owner_kept',
    'emergency_sign_in',
    'certificate_expiring',
    'keep_passkeys',
    'passkey_added',
    'admin_new_network',
    'api_key_created',
    'course_enrollment',
    'course_reminder',
  ],
  ...['policy_request', 'policy_reminder', 'sign_in', 'policy_receipt', 'signature_voided', 'simulation'],
  'simulation_test',
  'learner_address_changed',
];

const list = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

/** Lets simulation events be voided, corrections name them, and messages inform signers about restored signatures. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table simulation_events add column if not exists voided_at timestamptz(3)');
  await knex.raw('grant update (voided_at) on simulation_events to awareness_service');
  await addConstraint(knex, 'corrections', 'corrections_kind', `check (kind in (${list(KINDS)}))`);
  await knex.raw('alter table corrections drop constraint if exists corrections_kind_check');
  const kinds = [...MESSAGES, 'signature_restored'];
  await addConstraint(knex, 'messages', 'messages_kinds', `check (kind in (${list(kinds)}))`);
  await knex.raw('alter table messages drop constraint if exists messages_known_kinds');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from corrections where kind in ('simulation_event', 'reported_message')`);
  await addConstraint(knex, 'corrections', 'corrections_kind_check', `check (kind in (${list(KINDS.slice(0, 2))}))`);
  await knex.raw('alter table corrections drop constraint if exists corrections_kind');
  await knex.raw(`delete from messages where kind = 'signature_restored'`);
  await addConstraint(knex, 'messages', 'messages_known_kinds', `check (kind in (${list(MESSAGES)}))`);
  await knex.raw('alter table messages drop constraint if exists messages_kinds');
  await knex.raw('alter table simulation_events drop column if exists voided_at');
}
