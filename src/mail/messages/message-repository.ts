// The content of messages. A queued message refers to people, courses and policies only by id. Right before each
// attempt, this folder reads their current data and composes the email from them.
//
// - `findQueuedMessages` (this file) reads the messages of a batch: one statement for the rows, one for the company and
//   its logo, and one each for receipts (receipts.ts), campaigns (campaign-messages.ts) and overdue teams
//   (overdue-team.ts). Notices to admins are rare, and each takes its own statement (notice-subjects.ts).
// - `compose` (compose.ts) builds the email in the language of its reader, from the texts in src/mail/wording/.
//
// Guarantees: each attempt composes the same Message-ID and Date. Names from the database appear as a single line of
// text without links (one-line.ts). The email refers to no file and loads no picture from a server (inline-logo.ts).
//
// Not for: phishing emails (src/resources/simulations/sending/compose-phishing-email.ts) and board reports
// (src/resources/board-report/schedules/compose-board-mail.ts), which have their own content.
import { courseNameFor, fullName, IS_QUEUED, SIGNED_IN_FORCE } from '../../db/expressions.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters, query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { type DueAssignment, findDueAssignments } from './campaign-messages.ts';
import { findNoticeSubjects } from './notice-subjects.ts';
import {
  findReceipts,
  findVoidedSignatures,
  voidedSignatures,
  type Receipt,
  type VoidedSignature,
} from './receipts.ts';
import { type AdminNoticeKind, isNotice } from '../outbox/notice-kinds.ts';
import type { LearnerMessageKind } from '../outbox/outbox.ts';
import { findOverdueAssignments, type OverdueAssignment } from './overdue-team.ts';
import { learnerZone } from './working-hours.ts';

/** A message with current data: names and addresses might have changed since it was queued. */
export interface MessageRow {
  id: string;
  kind:
    | 'admin_invite'
    | 'admin_sign_in'
    | 'keep_passkeys'
    | 'sign_in'
    | 'learner_address_changed'
    | AdminNoticeKind
    | LearnerMessageKind;
  createdAt: string;
  /** The name that the company shows to its learners. */
  companyName: string;
  /** Background of buttons; null for the service's colour. */
  brandColor: string | null;
  /** E-mail address for replies; null for the operator's address. */
  brandReplyTo: string | null;
  /** The logo; null if mail programs do not show its type. */
  brandLogo: Buffer | null;
  brandLogoFacts: { mediaType: string; width: number; height: number } | null;
  email: string;
  firstName: string;
  name: string;
  locale: string | null;
  inactive: boolean;
  /** Id of the reader, if the reader is a learner. */
  learnerId: string | null;
  /** Whether the learner's e-mail address is undeliverable. */
  isUndeliverable: boolean;
  /** Whether the message goes to the person's previous e-mail address. */
  isToFormerAddress: boolean;
  /** Secret of the setup or sign-in link in the message; null if the message has none. */
  setupToken: string | null;
  setupTokenHash: Buffer | null;
  setupExpiresAt: string | null;
  /** The courses, policies, keys, admins, passkeys or webhook endpoints that the message was queued for. */
  subjectIds: string[];
  /**
   * Names of the subjects that still matter: those that the learner must finish or sign, those that the learner has
   * signed (in a receipt), those with a voided signature (in a message about it), or those that concern admins.
   */
  subjectNames: string[];
  /** The learner's signatures; only in a receipt. */
  receipts?: Receipt[];
  /** The learner's signatures that no longer count; only in a message about them. */
  voidedSignatures?: VoidedSignature[];
  /** Time zone of the learner, or of the company. */
  timeZone: string;
  /** Last day of the learner's leave, in `timeZone`; null if no leave is known. */
  absentUntil: string | null;
  /** Open assignments of the learner; only in a campaign message. */
  assignments?: DueAssignment[];
  /** Overdue assignments of the reader's learners; only in a message to a manager. */
  overdue?: OverdueAssignment[];
}

/**
 * Selects the courses or policies of a message `m` that the learner must still finish or sign, in order. For a receipt,
 * selects the policies that the learner has signed; for a message about voided signatures, the policies of these
 * signatures.
 * @param course expression to select for a course `c`
 * @param policy expression to select for a policy `p`
 */
function subjectsLeft(p: Parameters<object>, course: Sql, policy: Sql): Sql {
  return sql`array(
    select ${course} from enrollments e
      join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
     where e.company_id = ${p.companyId} and e.learner_id = m.learner_id and e.course_id = any(m.subject_ids)
       and m.kind like 'course%' and e.finish_date is null
    union all
    select ${policy} from policy_results r
      join policies p on p.company_id = r.company_id and p.id = r.policy_id
     where r.company_id = ${p.companyId} and r.learner_id = m.learner_id and r.policy_id = any(m.subject_ids)
       and case when m.kind = 'policy_receipt' then r.signed is not null
                else m.kind like 'policy%' and r.assigned_at is not null and not ${SIGNED_IN_FORCE} end
    union all
    select ${policy} from policies p
     where p.company_id = ${p.companyId} and p.id = any(m.subject_ids) and m.kind = 'signature_voided'
       and exists (${voidedSignatures(p)} and s.policy_id = p.id)
    union all
    select ${policy} from policies p
     where p.company_id = ${p.companyId} and p.id = any(m.subject_ids) and m.kind = 'signature_restored'
       and exists (select from signature_events g
                    where g.company_id = ${p.companyId} and g.learner_id = m.learner_id and g.policy_id = p.id
                      and g.is_own and g.voided_at is null)
     order by 1)`;
}

interface MessagesParams {
  messageIds: readonly string[];
}

/** Company data in messages. */
type CompanyPart = Pick<MessageRow, 'companyName' | 'brandColor' | 'brandReplyTo' | 'brandLogo' | 'brandLogoFacts'>;

// A separate statement, so that a batch of messages reads the logo once.
const companyPart = query<object, CompanyPart>(
  'message_company',
  (p) => sql`
    select coalesce(b.brand_name, k.name) as "companyName", b.brand_color as "brandColor",
           b.brand_reply_to as "brandReplyTo", b.brand_logo_facts as "brandLogoFacts",
           case when b.brand_logo_facts ->> 'mediaType' <> 'image/webp' then b.brand_logo end as "brandLogo"
      from companies k
      left join company_settings b on b.company_id = ${p.companyId}
     where k.id = ${p.companyId}`,
);

const queuedMessages = query<
  MessagesParams,
  Omit<MessageRow, keyof CompanyPart | 'receipts' | 'voidedSignatures' | 'assignments' | 'overdue'>
>(
  'message_queued',
  (p) => sql`
    select m.id, m.kind, m.created_at as "createdAt",
           coalesce(m.to_address, a.email, l.email) as email, m.to_address is not null as "isToFormerAddress",
           coalesce(a.first_name, l.first_name) as "firstName",
           coalesce(${fullName(sql`a`)}, ${fullName(sql`l`)}) as name,
           coalesce(a.locale, l.locale) as locale,
           m.learner_id as "learnerId", coalesce(l.mail_status = 'undeliverable', false) as "isUndeliverable",
           coalesce(l.inactive, false) as inactive, ${learnerZone(p)} as "timeZone",
           l.absent_until::text as "absentUntil",
           m.setup_token as "setupToken", a.setup_token_hash as "setupTokenHash", a.setup_expires_at as "setupExpiresAt",
           coalesce(m.subject_ids, '{}') as "subjectIds",
           ${subjectsLeft(p, courseNameFor(sql`c`, sql`l.locale`), sql`p.name`)} as "subjectNames"
      from messages m
      left join admins a on a.company_id = m.company_id and a.id = m.admin_id
      left join learners l on l.company_id = m.company_id and l.id = m.learner_id
     where m.company_id = ${p.companyId} and m.id = any(${p.messageIds}::uuid[]) and ${IS_QUEUED}`,
);

/** Returns the given messages that are still queued, with their current data. */
export async function findQueuedMessages(
  tenant: TenantReader,
  messageIds: readonly string[],
  now = new Date(),
): Promise<MessageRow[]> {
  const rows = await tenant.queryAll(queuedMessages, { messageIds });
  const company = rows.length > 0 ? await tenant.queryOne(companyPart, {}) : undefined;
  const messages = company === undefined ? [] : rows.map((row) => ({ ...row, ...company }));
  /** Returns the details of all messages of one kind, grouped by message id, from one statement. */
  const detailsOf = async <T>(
    kind: LearnerMessageKind,
    find: (ids: string[]) => Promise<(T & { messageId: string })[]>,
  ) => {
    const ids = messages.flatMap((message) => (message.kind === kind ? [message.id] : []));
    return ids.length === 0
      ? new Map<string, (T & { messageId: string })[]>()
      : Map.groupBy(await find(ids), ({ messageId }) => messageId);
  };
  const receipts = await detailsOf('policy_receipt', (ids) => findReceipts(tenant, ids));
  const voided = await detailsOf('signature_voided', (ids) => findVoidedSignatures(tenant, ids));
  const due = await detailsOf('assignments_due', (ids) => findDueAssignments(tenant, ids, now));
  const overdue = await detailsOf('assignments_overdue', (ids) => findOverdueAssignments(tenant, ids, now));
  const namesOf = (assignments: readonly { name: string }[]) => assignments.map(({ name }) => name);
  const addDetails = async (message: (typeof messages)[number]): Promise<MessageRow> => {
    const { id, kind } = message;
    if (kind === 'policy_receipt') return { ...message, receipts: receipts.get(id) ?? [] };
    if (kind === 'signature_voided') return { ...message, voidedSignatures: voided.get(id) ?? [] };
    if (kind === 'assignments_due') {
      const assignments = due.get(id) ?? [];
      return { ...message, assignments, subjectNames: namesOf(assignments) };
    }
    if (kind === 'assignments_overdue') {
      const assignments = overdue.get(id) ?? [];
      return { ...message, overdue: assignments, subjectNames: namesOf(assignments) };
    }
    if (!isNotice(kind)) return message;
    return { ...message, subjectNames: await findNoticeSubjects(tenant, { ...message, kind }) };
  };
  return Promise.all(messages.map(addDetails));
}

const selectStatus = query<{ messageId: string }, { status: string }>('message_status', (p, knex) =>
  knex('messages').select('status').where({ company_id: p.companyId, id: p.messageId }),
);

export async function findStatus(tenant: TenantReader, messageId: string): Promise<string | undefined> {
  return (await tenant.queryOne(selectStatus, { messageId }))?.status;
}

// The queue belongs to no company. A separate statement, because on Citus the queue and the messages of a company are
// on different nodes.
const job = query<{ jobId: string }, { id: string }>(
  'message_job',
  (p) => sql`select j.id::text from graphile_worker.jobs j where j.id = ${p.jobId}::bigint`,
);

/** Reports whether the database server that answers has a job. */
export async function findJob(tenant: TenantReader, jobId: string): Promise<boolean> {
  return (await tenant.queryOne(job, { jobId })) !== undefined;
}

/**
 * Locks messages, so that statements that rely on them wait (`namedWithinHour`). Read the messages again after locking
 * them.
 */
export const lockMessages = mutation<MessagesParams>(
  'message_lock',
  (p) => sql`
    select id from messages where company_id = ${p.companyId} and id = any(${p.messageIds}::uuid[])
     order by id for update`,
);

/**
 * Removes completed subjects from queued messages to learners. Messages to admins and campaign messages keep all their
 * subjects.
 */
export const narrowMessages = mutation<MessagesParams>(
  'message_narrow',
  (p) => sql`
    update messages m set subject_ids = ${subjectsLeft(p, sql`c.id`, sql`p.id`)}
     where m.company_id = ${p.companyId} and m.id = any(${p.messageIds}::uuid[]) and ${IS_QUEUED}
       and m.learner_id is not null
       and m.kind not like 'assignments%'`,
);

/** Records why an attempt failed. Another attempt follows. */
export const postponeMessage = mutation<{ messageId: string; reason: string; attempts: number }>(
  'message_postpone',
  (p) => sql`
    update messages m set reason = ${p.reason}, attempts = ${p.attempts}
     where m.company_id = ${p.companyId} and m.id = ${p.messageId} and ${IS_QUEUED}`,
);
