import type { Knex } from 'knex';
import { addConstraint } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/** Messages to admins about webhook endpoints, and about keys that have leaked. */
export async function up(knex: Knex): Promise<void> {
  await replace(
    knex,
    ['messages_kinds', 'messages_recipients'],
    [...TO_ADMINS, ...NEW],
    ['messages_kind', 'messages_recipient'],
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from messages where kind in (${NEW.join(', ')})`);
  await replace(knex, ['messages_kind', 'messages_recipient'], TO_ADMINS, ['messages_kinds', 'messages_recipients']);
}

const TO_ADMINS = [`'admin_invite'`, `'api_key_expiring'`];
const TO_LEARNERS = [`'course_enrollment'`, `'course_reminder'`, `'policy_request'`, `'policy_reminder'`];
const NEW = [`'api_key_leaked'`, `'webhook_failing'`, `'webhook_disabled'`];

async function replace(knex: Knex, names: string[], toAdmins: string[], former: string[]): Promise<void> {
  const isToAdmin = `kind in (${toAdmins.join(', ')})`;
  const rules = [
    `check (kind in (${[...toAdmins, ...TO_LEARNERS].join(', ')}))`,
    `check ((${isToAdmin}) = (admin_id is not null) and (${isToAdmin}) = (learner_id is null))`,
  ];
  for (const [place, rule] of rules.entries()) await addConstraint(knex, 'messages', names[place]!, rule);
  for (const name of former) await knex.raw(`alter table messages drop constraint if exists ${name}`);
}
