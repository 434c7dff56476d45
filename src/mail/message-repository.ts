import { change, statement } from '../db/knex-statement.ts';
import type { TenantWriter } from '../db/tenant.ts';

/** A message with what it says as of now: names and addresses may have been corrected since it was queued. */
export interface MessageRow {
  id: string;
  kind: 'admin_invite' | 'course_enrollment' | 'course_reminder' | 'policy_request' | 'policy_reminder';
  created_at: string;
  company_name: string;
  email: string;
  first_name: string;
  last_name: string;
  locale: string | null;
  inactive: boolean;
  setup_token: string | null;
  setup_token_hash: Buffer | null;
  setup_expires_at: string | null;
  /** How many courses or policies it is about. */
  subject_count: number;
  /** Those of them that the learner still has to finish or sign, by name. */
  subject_names: string[];
}

/** The courses or policies of a message `m` that the learner still has to finish or sign: their ids or their names. */
const subjectsLeft = (column: 'id' | 'name'): string => `array(
  select c.${column === 'id' ? 'id' : 'display_name'} from enrollments e
    join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
   where e.company_id = m.company_id and e.learner_id = m.learner_id and e.course_id = any(m.subject_ids)
     and m.kind like 'course%' and e.finish_date is null
  union all select p.${column} from policy_results r
    join policies p on p.company_id = r.company_id and p.id = r.policy_id
   where r.company_id = m.company_id and r.learner_id = m.learner_id and r.policy_id = any(m.subject_ids)
     and m.kind like 'policy%' and r.assigned_at is not null and (r.signed >= r.asked_at) is not true
   order by 1)`;

const queued = statement<{ messageId: string }, MessageRow>('message_queued', (sql, param) =>
  sql('messages as m')
    .join('companies as k', 'k.id', 'm.company_id')
    .leftJoin('admins as a', { 'a.company_id': 'm.company_id', 'a.id': 'm.admin_id' })
    .leftJoin('learners as l', { 'l.company_id': 'm.company_id', 'l.id': 'm.learner_id' })
    .select('m.id', 'm.kind', 'm.created_at', 'k.name as company_name', 'm.setup_token')
    .select('a.setup_token_hash', 'a.setup_expires_at')
    .select(
      sql.raw('coalesce(a.email, l.email) as email'),
      sql.raw('coalesce(a.first_name, l.first_name) as first_name'),
      sql.raw('coalesce(a.last_name, l.last_name) as last_name'),
      sql.raw('coalesce(a.locale, l.locale) as locale'),
      sql.raw('coalesce(l.inactive, false) as inactive'),
      sql.raw('coalesce(cardinality(m.subject_ids), 0) as subject_count'),
      sql.raw(`${subjectsLeft('name')} as subject_names`),
    )
    .where({ 'm.company_id': param('companyId'), 'm.id': param('messageId'), 'm.status': sql.raw(`'queued'`) }),
);

/** The message if it still waits to be sent. */
export function findQueuedMessage(tenant: TenantWriter, messageId: string): Promise<MessageRow | undefined> {
  return tenant.find(queued, { messageId });
}

const lock = change<{ messageId: string }, object>('message_lock', (sql, param) =>
  sql('messages')
    .select('id')
    .where({ company_id: param('companyId'), id: param('messageId') })
    .forUpdate(),
);

/** Makes those wait who rely on the message, or waits for them. What is read of it before is out of date. */
export async function lockMessage(tenant: TenantWriter, messageId: string): Promise<void> {
  await tenant.run(lock, { messageId });
}

const narrow = change<{ messageId: string }, object>('message_narrow', (sql, param) =>
  sql('messages as m')
    .where({ 'm.company_id': param('companyId'), 'm.id': param('messageId'), 'm.status': 'queued' })
    .update({ subject_ids: sql.raw(subjectsLeft('id')) }),
);

/** Has the message be about nothing but what is left to do. */
export async function narrowMessage(tenant: TenantWriter, messageId: string): Promise<void> {
  await tenant.run(narrow, { messageId });
}

export type Settlement = { status: 'sent' } | { status: 'failed' | 'cancelled'; reason: string };

const settle = change<{ messageId: string; status: string; reason: string | null; attempts: number }, object>(
  'message_settle',
  (sql, param) =>
    sql('messages')
      .where({ company_id: param('companyId'), id: param('messageId'), status: sql.raw(`'queued'`) })
      .update({
        status: param('status'),
        reason: param('reason'),
        attempts: param('attempts'),
        setup_token: null,
        settled_at: sql.raw('now()'),
      }),
);

/** Ends a message, and forgets its secret. */
export async function settleMessage(
  tenant: TenantWriter,
  messageId: string,
  attempts: number,
  settlement: Settlement,
): Promise<void> {
  await tenant.run(settle, { messageId, attempts, reason: null, ...settlement });
}

const postpone = change<{ messageId: string; reason: string; attempts: number }, object>(
  'message_postpone',
  (sql, param) =>
    sql('messages')
      .where({ company_id: param('companyId'), id: param('messageId'), status: sql.raw(`'queued'`) })
      .update({ reason: param('reason'), attempts: param('attempts') }),
);

/** Notes why an attempt failed; there will be another. */
export async function postponeMessage(
  tenant: TenantWriter,
  messageId: string,
  attempts: number,
  reason: string,
): Promise<void> {
  await tenant.run(postpone, { messageId, attempts, reason });
}
