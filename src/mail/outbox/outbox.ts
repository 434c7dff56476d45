// The outbox: mail is queued in the transaction of the change that causes it, and is sent later.
//
// A statement that causes mail inserts rows into `messages` and adds a job for each row. Change, message and job commit
// together or not at all. Most statements about learners end with `learnerMessages`. A message refers to people by id
// and is `queued`, then `sent`, `failed` or `cancelled`. Names and addresses are read when the message is sent.
//
// Limits: messages of one kind name a course or policy to a learner at most once an hour. Addresses and companies have
// daily limits (mail-bounds.ts). The more messages of a company are waiting, the later its next messages are sent, so
// that companies take turns.
//
// For delivery, retries and cancellation, see src/mail/sending/send-message.ts.
import { literal, type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { writeEvents } from '../../db/write-events.ts';
import { toNoticeEvents } from './notice-events.ts';
import type { AdminNoticeKind } from './notice-kinds.ts';
import { MAX_OF_COMPANY_A_DAY, MAX_TO_LEARNER_A_DAY } from './mail-bounds.ts';

export type LearnerMessageKind =
  | ('course_enrollment' | 'course_reminder' | 'policy_request' | 'policy_reminder' | 'policy_receipt')
  | ('signature_voided' | 'signature_restored' | 'assignments_due' | 'assignments_overdue');

/** The task that sends a message. Its payload names the company and the message, without any content. */
export const SEND_MESSAGE = 'send_message';
/**
 * Number of messages of one company that share a priority. The company's next messages fall behind those of other
 * companies.
 */
const TURN_SIZE = 100;

/** Adds a job for each message of the CTE `queued`, which holds its priority, in the same transaction. */
export const queuedJobsSql = (task: string): Sql => sql`
  select count(*)::integer as queued from graphile_worker.add_jobs((
    select coalesce(array_agg((
      ${literal(task)}, json_build_object('companyId', company_id, 'messageId', id), null, null, null, null, priority, null
    )::graphile_worker.job_spec), '{}') from queued))`;

export const JOBS_OF_QUEUED = queuedJobsSql(SEND_MESSAGE);

interface LearnerMessages {
  kind: LearnerMessageKind;
  /** Name of a CTE with `learner_id` and the id of a course or policy. The learners must be locked. */
  recipients: Sql;
  /** Name of the column with the id of the course or policy. A learner gets one message about all subjects. */
  subject: Sql;
  /**
   * Whether all subjects, or those of recipients that meet a condition, are named again even if a message has named
   * them within the last hour.
   */
  isNewCause?: true | Sql;
}

/**
 * Builds the end of a statement, which queues one message for each learner. Cancels queued messages of the same kind
 * whose subjects the new message also names. Leaves out subjects that a message of this kind has named within the last
 * hour, and learners who have reached a daily limit.
 */
export function learnerMessages(p: Parameters<object>, messages: LearnerMessages): Sql {
  const { kind, recipients, subject, isNewCause = sql`false` } = messages;
  const targets =
    isNewCause === true
      ? sql`
    wanted as (
      select learner_id, array_agg(${subject} order by ${subject}) as subject_ids from ${recipients} group by learner_id
    )`
      : sql`${namedWithinHour(p, kind, recipients)}, wanted as (
      select learner_id, array_agg(${subject} order by ${subject}) as subject_ids from ${recipients}
       where ${isNewCause} or (learner_id, ${subject}) not in (select learner_id, subject_id from named)
       group by learner_id
    )`;
  return sql`${targets}, ${allowedTargetsSql(p)}, replaceable as (
      select m.id from allowed cross join lateral (
        select id from messages
         where company_id = ${p.companyId} and learner_id = allowed.learner_id and kind = ${literal(kind)}
           and status = 'queued' and subject_ids <@ allowed.subject_ids offset 0) as m
    ), superseded as (
      update messages m set status = 'cancelled', reason = 'replaced', settled_at = now(), setup_token = null
       where m.company_id = ${p.companyId} and m.status = 'queued' and (m.id in (select id from replaceable)) is true
    ), logged as (
      insert into mail_log (company_id, address_hash, is_invite)
      select ${p.companyId}, address_hash, false from allowed returning company_id
    ), inserted as (
      insert into messages (company_id, id, kind, learner_id, subject_ids)
      select ${p.companyId}, gen_random_uuid(), ${literal(kind)}, learner_id, subject_ids from allowed
      returning company_id, id
    ), ${queuedInTurns(p)} ${JOBS_OF_QUEUED}`;
}

/** Builds the CTE `queued` from a CTE `inserted`, with a lower priority the more messages of the company are queued. */
function queuedInTurns(p: Parameters<object>): Sql {
  return sql`queued as (
      select company_id, id,
             least(1 + ((select count(*) from messages where company_id = ${p.companyId} and status = 'queued')
                        + row_number() over ()) / ${literal(TURN_SIZE)}, 1000)::smallint as priority
        from inserted
    )`;
}

// NOTE: these parts filter by `not in` and `(… in …) is true`, which Postgres evaluates with a hash table, and look up
// the messages of each learner by index. Postgres does not know the length of these lists when it plans the statement.
// A join of two lists took minutes, because Postgres had estimated both as short.

/**
 * Selects the subjects that messages of the kind have named within the last hour. Locks these messages, so that the
 * worker does not cancel a message that this statement relies on (see `messagesToSend`). Messages that the worker has
 * just cancelled do not count.
 */
function namedWithinHour(p: Parameters<object>, kind: LearnerMessageKind, recipients: Sql): Sql {
  return sql`recent as (
      select m.learner_id, m.subject_ids from messages m
       where m.company_id = ${p.companyId} and m.created_at > now() - interval '1 hour' and m.kind = ${literal(kind)}
         and m.status in ('queued', 'sent') and (m.learner_id in (select learner_id from ${recipients})) is true
         for key share of m
    ), named as (
      select learner_id, unnest(subject_ids) as subject_id from recent
    )`;
}

const { base, eachLearner } = MAX_OF_COMPANY_A_DAY;

/**
 * Selects the targets that are within the daily limits and whose e-mail address is not undeliverable. The limit of an
 * address is exact, because the learners are locked. Parallel calls can together exceed the limit of the company.
 */
const allowedTargetsSql = (p: Parameters<object>): Sql => sql`allowed as (
      select w.learner_id, w.subject_ids, l.address_hash
        from wanted w cross join lateral (
          select address_hash(email) as address_hash, mail_status from learners
           where company_id = ${p.companyId} and id = w.learner_id offset 0) as l
       where l.mail_status <> 'undeliverable'
         and (select count(*) from mail_log
               where company_id = ${p.companyId} and address_hash = l.address_hash
                 and queued_at > now() - interval '1 day') < ${literal(MAX_TO_LEARNER_A_DAY)}
       limit greatest(0, ${literal(base)} + ${literal(eachLearner)}
                         * coalesce((select active from company_seats where company_id = ${p.companyId}), 0)
                - (select count(*) from mail_log
                    where company_id = ${p.companyId} and queued_at > now() - interval '1 day' and not is_invite))
    )`;

/** Maximum number of messages of one kind to one reader in 24 hours; keeps repeated changes from filling a mailbox. */
const MAX_NOTICES_A_DAY = 20;
const MAX_ADDRESS_NOTICES_A_DAY = 5;

interface NoticeLimit {
  /** Expression for the id of a message's reader. */
  reader: Sql;
  /** Array of the ids of the possible readers. */
  among: Sql;
  kind: Sql;
  max: number;
}

/** Selects the readers who have reached the daily limit of a kind of message. */
const atNoticeLimit = (p: Parameters<object>, { reader, among, kind, max }: NoticeLimit): Sql => sql`
  select ${reader} from messages
   where company_id = ${p.companyId} and ${reader} = any(${among}) and kind = ${kind}
     and created_at > now() - interval '1 day'
   group by ${reader} having count(*) >= ${literal(max)}`;

const activeAdmins = (p: Parameters<object>): Sql =>
  sql`array(select a.id from admins a where a.company_id = ${p.companyId} and a.status = 'active')`;

// The lock prevents an admin who is removed at the same time from breaking the foreign key of the message. Removals
// lock in the same order.
const queueNotices = mutation<{ kind: AdminNoticeKind; subjectIds: string[]; readerId: string | null }>(
  'message_queue_notices',
  (p) => sql`
    with readers as (
      select company_id, id from admins
       where company_id = ${p.companyId} and status = 'active' and (${p.readerId}::uuid is null or id = ${p.readerId}::uuid)
         and id not in (${atNoticeLimit(p, {
           reader: sql`admin_id`,
           among: activeAdmins(p),
           kind: sql`${p.kind}`,
           max: MAX_NOTICES_A_DAY,
         })})
       order by id for key share
    ), inserted as (
      insert into messages (company_id, id, kind, admin_id, subject_ids)
      select company_id, gen_random_uuid(), ${p.kind}, id, ${p.subjectIds}::uuid[] from readers
      returning company_id, id
    ), queued as (
      select company_id, id, 1::smallint as priority from inserted
    )${JOBS_OF_QUEUED}`,
  { kind: 'api_key_expiring' },
);

/**
 * Queues a message to each active admin who has not reached the daily limit of its kind, and writes the events that
 * accompany the notice. Call it in the transaction of the change.
 */
export async function queueAdminNotices(
  tenant: TenantWriter,
  kind: AdminNoticeKind,
  subjectIds: string[],
): Promise<void> {
  await tenant.mutate(queueNotices, { kind, subjectIds, readerId: null });
  await writeEvents(tenant, toNoticeEvents(kind, subjectIds));
}

/** Queues a message to an admin about their sign-in from a new network, within the same daily limit. */
export async function queueNewNetworkNotice(
  tenant: TenantWriter,
  { adminId, signInId }: { adminId: string; signInId: string },
): Promise<void> {
  await tenant.mutate(queueNotices, { kind: 'admin_new_network', subjectIds: [signInId], readerId: adminId });
}

interface FormerAddresses {
  learnerIds: string[];
  formerAddresses: string[];
}

// These notices do not count towards the limit of an e-mail address (mail_log). Otherwise, whoever changes an address
// could use up the limit first.
const queueAddressNotices = mutation<FormerAddresses>(
  'message_queue_address_changed',
  (p) => sql`
    with inserted as (
      insert into messages (company_id, id, kind, learner_id, to_address)
      select ${p.companyId}, gen_random_uuid(), 'learner_address_changed', learner_id, address
        from unnest(${p.learnerIds}::uuid[], ${p.formerAddresses}::text[]) as former (learner_id, address)
       where learner_id not in (
         ${atNoticeLimit(p, {
           reader: sql`learner_id`,
           among: sql`${p.learnerIds}::uuid[]`,
           kind: sql`'learner_address_changed'`,
           max: MAX_ADDRESS_NOTICES_A_DAY,
         })})
      returning company_id, id
    ), ${queuedInTurns(p)} ${JOBS_OF_QUEUED}`,
);

/** Queues a message to the previous address of each learner whose e-mail address changed. */
export async function queueLearnerAddressNotices(tenant: TenantWriter, former: FormerAddresses): Promise<void> {
  if (former.learnerIds.length > 0) await tenant.mutate(queueAddressNotices, former);
}

const queueToFormerAddress = mutation<{ adminId: string; formerAddress: string }>(
  'message_queue_to_former_address',
  (p) => sql`
    with inserted as (
      insert into messages (company_id, id, kind, admin_id, subject_ids, to_address)
      select company_id, gen_random_uuid(), 'admin_address_changed', id, array[id], ${p.formerAddress} from admins
       where company_id = ${p.companyId} and id = ${p.adminId}
      returning company_id, id
    ), queued as (
      select company_id, id, 1::smallint as priority from inserted
    )${JOBS_OF_QUEUED}`,
);

/** Queues messages about an admin's changed e-mail address: to each active admin, and to the previous address. */
export async function queueAdminAddressNotices(
  tenant: TenantWriter,
  { adminId, formerAddress }: { adminId: string; formerAddress: string },
): Promise<void> {
  await queueAdminNotices(tenant, 'admin_address_changed', [adminId]);
  await tenant.mutate(queueToFormerAddress, { adminId, formerAddress });
}
