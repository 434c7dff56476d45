import type { Knex } from 'knex';
import { addConstraint } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/** The message of a simulation to a recipient. */
export async function up(knex: Knex): Promise<void> {
  await replaceKinds(knex, ['messages_kinds', 'messages_recipients'], [...TO_LEARNERS, NEW_TO_LEARNERS]);
  await dropKinds(knex, ['messages_kind', 'messages_recipient']);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from messages where kind = '${NEW_TO_LEARNERS}'`);
  await replaceKinds(knex, ['messages_kind', 'messages_recipient'], TO_LEARNERS);
  await dropKinds(knex, ['messages_kinds', 'messages_recipients']);
}

const TO_ADMINS = [
  ...['admin_invite', 'admin_sign_in'],
  ...['api_key_expiring', 'api_key_leaked', 'webhook_failing', 'webhook_disabled'],
];
const TO_LEARNERS = [
  ...['course_enrollment', 'course_reminder', 'policy_request', 'policy_reminder'],
  ...['sign_in', 'policy_receipt'],
];
const NEW_TO_LEARNERS = 'simulation';

async function replaceKinds(knex: Knex, names: string[], toLearners: string[]): Promise<void> {
  const isToAdmin = `kind in (${list(TO_ADMINS)})`;
  const rules = [
    `check (kind in (${list([...TO_ADMINS, ...toLearners])}))`,
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
