import { literal, sql } from '../db/sql.ts';
import { change } from '../db/statement.ts';
import { KINDS, type PersonKind } from '../auth/people.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { JOBS_OF_QUEUED } from './outbox.ts';

/** Links that a person may ask for: so nobody fills a mailbox. */
const MAX_AN_HOUR = 3;
const MAX_A_DAY = 10;

// They do not count as messages of the day: else a stranger could use up what courses and policies need.
const queueFor = (kind: PersonKind) => {
  const { table, column, mayEnter } = KINDS[kind];
  const message = literal(kind === 'admin' ? 'admin_sign_in' : 'sign_in');
  return change<{ personId: string }>(
    `message_queue_sign_in_of_${kind}`,
    (p) => sql`
    with person as (
      select p.company_id, p.id from ${table} p
       where p.company_id = ${p.companyId} and p.id = ${p.personId} and ${mayEnter} for no key update
    ), inserted as (
      insert into messages (company_id, id, kind, ${column})
      select company_id, gen_random_uuid(), ${message}, id from person
       where (select count(*) from messages
               where company_id = ${p.companyId} and ${column} = ${p.personId} and kind = ${message}
                 and created_at > now() - interval '1 hour') < ${literal(MAX_AN_HOUR)}
         and (select count(*) from messages
               where company_id = ${p.companyId} and ${column} = ${p.personId} and kind = ${message}
                 and created_at > now() - interval '1 day') < ${literal(MAX_A_DAY)}
      returning company_id, id
    ), queued as (
      select company_id, id, 0::smallint as priority from inserted
    )${JOBS_OF_QUEUED}`,
  );
};
const queues = { learner: queueFor('learner'), admin: queueFor('admin') };

/** Queues a mail with a sign-in link for a person who may come in, unless they had enough of them. */
export async function queueSignInMessage(tenant: TenantWriter, kind: PersonKind, personId: string): Promise<void> {
  await tenant.run(queues[kind], { personId });
}

// Keeps the person from being deleted first; who changes them for long holds no mail up. A message that is sent again has the
// link of before.
const mint = change<{ messageId: string; token: string; minutes: number }, { token: string | null }>(
  'message_mint_link',
  (p) => sql`
    with learner as (
      select id from learners where company_id = ${p.companyId} and id = (
        select learner_id from messages where company_id = ${p.companyId} and id = ${p.messageId}) for key share
    ), admin as (
      select id from admins where company_id = ${p.companyId} and id = (
        select admin_id from messages where company_id = ${p.companyId} and id = ${p.messageId}) for key share
    ), message as (
      update messages set setup_token = coalesce(setup_token, ${p.token})
       where company_id = ${p.companyId} and id = ${p.messageId} and status = 'queued'
         and (select count(*) from learner) + (select count(*) from admin) > 0
      returning setup_token, learner_id, admin_id
    ), link as (
      insert into sign_in_links (company_id, token_hash, learner_id, admin_id, expires_at)
      select ${p.companyId}, sha256(convert_to(setup_token, 'UTF8')), learner_id, admin_id,
             now() + ${p.minutes}::integer * interval '1 minute'
        from message
      on conflict (company_id, token_hash) do nothing
      returning company_id
    )
    select setup_token as token from message`,
);

/**
 * The secret of the link in a message, which is made when the message is first sent.
 * @returns undefined when the message or the person has gone
 */
export async function linkOfMessage(
  tenant: TenantWriter,
  link: { messageId: string; token: string; minutes: number },
): Promise<string | undefined> {
  return (await tenant.run(mint, link))[0]?.token ?? undefined;
}
