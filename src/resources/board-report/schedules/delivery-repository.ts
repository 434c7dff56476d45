import type { Schemas } from '../../../contract/contract.ts';
import { literal, sql } from '../../../db/sql.ts';
import { mutation, pagedQuery, type Parameters, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { createPersonToken, hashPersonToken } from '../../../identity/person-token.ts';
import { queuedJobsSql } from '../../../mail/outbox/outbox.ts';
import type { Days } from './schedule-rules.ts';

type Delivery = Schemas['BoardReportDelivery'];

/** Task that creates the reports of a company. Its payload names the company. */
export const MAKE_BOARD_REPORTS = 'make_board_reports';
/** Task that sends a message with a report. */
export const SEND_BOARD_REPORT = 'send_board_report';

// Includes messages that were lost and reports that were never drawn, because nothing else records their failure.
const delivery = (p: Parameters<object>) => sql`
  d.id, d.name, d.email, r.period_from as "periodFrom", r.period_to as "periodTo", d.recipient_id is null as requested,
  case when d.status <> 'queued' then d.status
       when r.drawn_at is not null then coalesce((
         select m.status from messages m where m.company_id = ${p.companyId} and m.id = d.id), 'failed')
       when r.created_at < now() - interval '48 hours' then 'failed'
       else 'queued' end as status,
  d.reason, d.created_at as "createdAt", d.settled_at as "settledAt"`;

export const listDeliveries = pagedQuery<{ boardScheduleId: string }, Delivery>(
  'board_delivery_list',
  { createdAt: 'timestamptz desc', id: 'uuid desc' },
  (p) => sql`
    select ${delivery(p)} from board_deliveries d
      join board_reports r on r.company_id = ${p.companyId} and r.id = d.report_id
     where d.company_id = ${p.companyId} and d.schedule_id = ${p.boardScheduleId}`,
);

const selectDelivery = mutation<{ id: string }, Delivery>(
  'board_delivery_by_id',
  (p) => sql`
    select ${delivery(p)} from board_deliveries d
      join board_reports r on r.company_id = ${p.companyId} and r.id = d.report_id
     where d.company_id = ${p.companyId} and d.id = ${p.id} for share of d`,
);

/** A report to create for a schedule. */
interface NewReport {
  reportId: string;
  boardScheduleId: string;
  /** Null for a report that an admin requested. */
  dueOn: string | null;
  from: string;
  to: string;
}

/** Inserts a report, unless the schedule already has one for the same due day. */
export const insertReport = mutation<NewReport, { id: string }>(
  'board_report_insert',
  (p) => sql`
    insert into board_reports (company_id, id, schedule_id, due_on, period_from, period_to)
    values (${p.companyId}, ${p.reportId}, ${p.boardScheduleId}, ${p.dueOn}::date, ${p.from}::date, ${p.to}::date)
    on conflict on constraint board_reports_once do nothing
    returning id`,
);

interface NewDeliveries {
  reportId: string;
  boardScheduleId: string;
  recipientIds: string[];
}

/** Inserts the emails of a report, one for each recipient. */
export const insertDeliveries = mutation<NewDeliveries>(
  'board_delivery_insert',
  (p) => sql`
    insert into board_deliveries (company_id, id, schedule_id, report_id, recipient_id, name, email)
    select ${p.companyId}, new_id(), ${p.boardScheduleId}, ${p.reportId}, t.id, t.name, t.email
      from board_recipients t
     where t.company_id = ${p.companyId} and t.schedule_id = ${p.boardScheduleId} and t.id = any(${p.recipientIds}::uuid[])`,
);

const insertRequested = mutation<
  Omit<NewDeliveries, 'recipientIds'> & { deliveryId: string; name: string; email: string }
>(
  'board_delivery_insert_requested',
  (p) => sql`
    insert into board_deliveries (company_id, id, schedule_id, report_id, name, email)
    values (${p.companyId}, ${p.deliveryId}, ${p.boardScheduleId}, ${p.reportId}, ${p.name}, ${p.email})`,
);

/** Inserts the email of a requested report. */
export async function insertRequestedDelivery(
  tenant: TenantWriter,
  mail: { deliveryId: string; reportId: string; boardScheduleId: string; name: string; email: string },
): Promise<Delivery> {
  await tenant.mutate(insertRequested, mail);
  return (await tenant.mutate(selectDelivery, { id: mail.deliveryId }))[0]!;
}

const requested = mutation<object, { age: number }>(
  'board_report_requested',
  (p) => sql`
    select extract(epoch from now() - created_at)::integer as age from board_reports
     where company_id = ${p.companyId} and due_on is null and created_at > now() - interval '1 day'
     order by created_at desc`,
);

/** Returns the ages in seconds of the reports that were requested within the last 24 hours, latest first. */
export async function listRequestAges(tenant: TenantWriter): Promise<number[]> {
  return (await tenant.mutate(requested, {})).map(({ age }) => age);
}

/** Queues the job that creates a requested report at once. */
export const queueMaking = mutation<{ reportId: string }>(
  'board_report_queue_making',
  (p) => sql`
    select count(*)::integer as queued from graphile_worker.add_jobs((
      select coalesce(array_agg((
        ${literal(MAKE_BOARD_REPORTS)}, json_build_object('companyId', company_id), null, null, null, null, 5, null
      )::graphile_worker.job_spec), '{}')
        from board_reports where company_id = ${p.companyId} and id = ${p.reportId}))`,
);

/** A schedule that is due. */
export interface DueSchedule extends Days {
  boardScheduleId: string;
}

/** Locks the schedules that are due on a day. */
export const lockDueSchedules = mutation<{ today: string }, DueSchedule>(
  'board_schedule_lock_due',
  (p) => sql`
    select id as "boardScheduleId", period, day, month from board_schedules
     where company_id = ${p.companyId} and not is_paused and next_on <= ${p.today}::date order by id for update`,
);

export const advanceSchedule = mutation<{ boardScheduleId: string; nextOn: string }>(
  'board_schedule_advance',
  (p) => sql`
    update board_schedules set next_on = ${p.nextOn}::date
     where company_id = ${p.companyId} and id = ${p.boardScheduleId}`,
);

export const listReceivers = query<{ boardScheduleId: string }, { id: string; email: string }>(
  'board_recipient_receivers',
  (p) => sql`
    select id, email from board_recipients
     where company_id = ${p.companyId} and schedule_id = ${p.boardScheduleId} and is_listed and unsubscribed_at is null
     order by id`,
);

/** Removes the files of a schedule's earlier reports, and the records of its emails that are older than two years. */
export const removeFormerFiles = mutation<{ boardScheduleId: string; reportId: string }>(
  'board_report_remove_former',
  (p) => sql`
    with removed as (
      delete from board_reports
       where company_id = ${p.companyId} and schedule_id = ${p.boardScheduleId}
         and created_at < now() - interval '17520 hours'
    )
    update board_reports r set pdf = null
     where r.company_id = ${p.companyId} and r.schedule_id = ${p.boardScheduleId} and r.id <> ${p.reportId}
       and r.pdf is not null and r.created_at < now() - interval '168 hours'`,
);

/** A report that has not been drawn yet. */
export interface UndrawnReport {
  reportId: string;
  language: 'en' | 'de' | 'fr';
  from: string;
  to: string;
}

export const listUndrawn = query<object, UndrawnReport>(
  'board_report_undrawn',
  (p) => sql`
    select r.id as "reportId", s.language, r.period_from as "from", r.period_to as "to"
      from board_reports r
      join board_schedules s on s.company_id = ${p.companyId} and s.id = r.schedule_id
     where r.company_id = ${p.companyId} and r.drawn_at is null and r.created_at > now() - interval '48 hours'
     order by r.created_at, r.id`,
);

/** Stores the file of a report, unless another worker has already stored it. */
export const storeFile = mutation<{ reportId: string; pdf: Buffer }, { id: string }>(
  'board_report_store_file',
  (p) => sql`
    update board_reports set pdf = ${p.pdf}, drawn_at = now()
     where company_id = ${p.companyId} and id = ${p.reportId} and drawn_at is null
    returning id`,
);

const listMails = mutation<{ reportId: string }, { id: string; unsubscribes: boolean }>(
  'board_delivery_of_report',
  (p) => sql`
    select id, recipient_id is not null as unsubscribes from board_deliveries
     where company_id = ${p.companyId} and report_id = ${p.reportId} and status = 'queued' order by id for update`,
);

interface NewMessages {
  ids: string[];
  tokens: (string | null)[];
  tokenHashes: (Buffer | null)[];
}

const queueMessages = mutation<NewMessages>(
  'board_delivery_queue',
  (p) => sql`
    with mail as (
      select * from unnest(${p.ids}::uuid[], ${p.tokens}::text[], ${p.tokenHashes}::bytea[]) as t (id, token, token_hash)
    ), inserted as (
      insert into messages (company_id, id, kind, to_address, setup_token)
      select ${p.companyId}, d.id, 'board_report', d.email, mail.token
        from mail join board_deliveries d on d.company_id = ${p.companyId} and d.id = mail.id
      returning company_id, id
    ), linked as (
      update board_deliveries d set token_hash = mail.token_hash
        from mail where d.company_id = ${p.companyId} and d.id = mail.id and mail.token_hash is not null
    ), queued as (
      select company_id, id, 5::smallint as priority from inserted
    )${queuedJobsSql(SEND_BOARD_REPORT)}`,
);

/**
 * Queues one message to each recipient of a report whose file is stored. Each message has a different unsubscribe
 * secret.
 */
export async function queueReportMessages(tenant: TenantWriter, reportId: string): Promise<void> {
  const mails = await tenant.mutate(listMails, { reportId });
  const tokens = mails.map(({ unsubscribes }) => (unsubscribes ? createPersonToken(tenant.companyId) : null));
  const tokenHashes = tokens.map((token) => token && hashPersonToken(token));
  await tenant.mutate(queueMessages, { ids: mails.map(({ id }) => id), tokens, tokenHashes });
}
