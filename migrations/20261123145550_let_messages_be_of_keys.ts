import type { Knex } from 'knex';
import { addConstraint } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/** Messages to admins about keys. */
export async function up(knex: Knex): Promise<void> {
  await addConstraint(knex, 'messages', 'messages_kind', `check (kind in (${[...KINDS, OF_KEYS].join(', ')}))`);
  await addConstraint(
    knex,
    'messages',
    'messages_recipient',
    `check (${recipientOf(`kind in ('admin_invite', ${OF_KEYS})`)})`,
  );
  await knex.raw('alter table messages drop constraint if exists messages_kind_check');
  await knex.raw('alter table messages drop constraint if exists messages_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from messages where kind = ${OF_KEYS}`);
  await addConstraint(knex, 'messages', 'messages_kind_check', `check (kind in (${KINDS.join(', ')}))`);
  await addConstraint(knex, 'messages', 'messages_check', `check (${recipientOf(`kind = 'admin_invite'`)})`);
  await knex.raw('alter table messages drop constraint if exists messages_kind');
  await knex.raw('alter table messages drop constraint if exists messages_recipient');
}

const OF_KEYS = `'api_key_expiring'`;
const KINDS = [`'admin_invite'`, `'course_enrollment'`, `'course_reminder'`, `'policy_request'`, `'policy_reminder'`];

const recipientOf = (isToAdmin: string) =>
  `(${isToAdmin}) = (admin_id is not null) and (${isToAdmin}) = (learner_id is null)`;
