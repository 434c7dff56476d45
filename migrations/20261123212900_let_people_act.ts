import type { Knex } from 'knex';
import { addConstraint } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/** Learners in the audit log, and the messages that people ask for themselves or get as a receipt. */
export async function up(knex: Knex): Promise<void> {
  await addConstraint(
    knex,
    'audit_log',
    'audit_log_actor_kind',
    `check (actor_type in (${list([...ACTORS, 'learner'])}))`,
  );
  await knex.raw('alter table audit_log drop constraint if exists audit_log_actor_is_known');
  await replaceKinds(
    knex,
    ['messages_kind', 'messages_recipient'],
    [...TO_ADMINS, ...NEW_TO_ADMINS],
    [...TO_LEARNERS, ...NEW_TO_LEARNERS],
  );
  await dropKinds(knex, ['messages_kinds', 'messages_recipients']);
}

/** The entries of learners stay. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from messages where kind in (${list([...NEW_TO_ADMINS, ...NEW_TO_LEARNERS])})`);
  await replaceKinds(knex, ['messages_kinds', 'messages_recipients'], TO_ADMINS, TO_LEARNERS);
  await dropKinds(knex, ['messages_kind', 'messages_recipient']);
  await knex.raw(`
    alter table audit_log drop constraint audit_log_actor_kind,
      add constraint audit_log_actor_is_known check (actor_type in (${list(ACTORS)})) not valid`);
}

const ACTORS = ['key', 'grant', 'admin', 'source', 'webhook_endpoint', 'operator'];
const TO_ADMINS = ['admin_invite', 'api_key_expiring', 'api_key_leaked', 'webhook_failing', 'webhook_disabled'];
const TO_LEARNERS = ['course_enrollment', 'course_reminder', 'policy_request', 'policy_reminder'];
const NEW_TO_ADMINS = ['admin_sign_in'];
const NEW_TO_LEARNERS = ['sign_in', 'policy_receipt'];

async function replaceKinds(knex: Knex, names: string[], toAdmins: string[], toLearners: string[]): Promise<void> {
  const isToAdmin = `kind in (${list(toAdmins)})`;
  const rules = [
    `check (kind in (${list([...toAdmins, ...toLearners])}))`,
    `check ((${isToAdmin}) = (admin_id is not null) and (${isToAdmin}) = (learner_id is null))`,
  ];
  for (const [place, rule] of rules.entries()) await addConstraint(knex, 'messages', names[place]!, rule);
}

async function dropKinds(knex: Knex, names: string[]): Promise<void> {
  for (const name of names) await knex.raw(`alter table messages drop constraint if exists ${name}`);
}

function list(values: string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
