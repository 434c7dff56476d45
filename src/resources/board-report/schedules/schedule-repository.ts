import type { Input, Schemas } from '../../../contract/contract.ts';
import { requireFound } from '../../../contract/errors.ts';
import { BY_ID } from '../../../db/keyset.ts';
import { asText, sql } from '../../../db/sql.ts';
import { mutation, pagedQuery, type Parameters, pointQuery } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import type { Days } from './schedule-rules.ts';

export type Schedule = Schemas['BoardReportSchedule'];

const schedule = (p: Parameters<object>) => sql`
  s.id, s.name, s.language, s.period, s.day, s.month, s.is_paused as paused,
  (select coalesce(json_agg(json_build_object(
            'id', r.id, 'name', r.name, 'email', r.email, 'unsubscribedAt', ${asText(sql`r.unsubscribed_at`)}
          ) order by lower(r.email)), '[]')
     from board_recipients r
    where r.company_id = ${p.companyId} and r.schedule_id = s.id and r.is_listed) as recipients,
  case when not s.is_paused then s.next_on end as "nextOn",
  (select max(b.created_at) from board_reports b
    where b.company_id = ${p.companyId} and b.schedule_id = s.id and b.due_on is not null) as "lastMadeAt",
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;

export const listSchedules = pagedQuery<object, Schedule>(
  'board_schedule_list',
  BY_ID,
  (p) => sql`select ${schedule(p)} from board_schedules s where s.company_id = ${p.companyId}`,
);

const byId = pointQuery<{ boardScheduleId: string }, Schedule>(
  'board_schedule_by_id',
  (p) => sql`
    select ${schedule(p)} from board_schedules s where s.company_id = ${p.companyId} and s.id = ${p.boardScheduleId}`,
);

/** @throws not_found */
export async function getSchedule(tenant: TenantReader, boardScheduleId: string): Promise<Schedule> {
  return requireFound(await tenant.queryOne(byId, { boardScheduleId }), 'schedule');
}

const lockPlaces = mutation<object>(
  'board_schedule_lock_places',
  (p) => sql`select from pg_advisory_xact_lock(hashtextextended('board schedules ' || ${p.companyId}::text, 0))`,
);

const count = mutation<object, { schedules: number }>(
  'board_schedule_count',
  (p) => sql`select count(*)::integer as schedules from board_schedules where company_id = ${p.companyId}`,
);

/** Returns the number of schedules. Until the transaction ends, no other transaction can create one. */
export async function lockScheduleCount(tenant: TenantWriter): Promise<number> {
  await tenant.mutate(lockPlaces, {});
  return (await tenant.mutate(count, {}))[0]!.schedules;
}

/** The stored columns of a schedule. */
export interface ScheduleColumns extends Days {
  boardScheduleId: string;
  name: string;
  language: Schedule['language'];
  isPaused: boolean;
  nextOn: string;
}

const SAMPLES = { language: 'en', period: 'month', day: 1, month: 1 } as const;

export const insertSchedule = mutation<ScheduleColumns>(
  'board_schedule_insert',
  (p) => sql`
    insert into board_schedules (company_id, id, name, language, period, day, month, is_paused, next_on)
    values (${p.companyId}, ${p.boardScheduleId}, ${p.name}, ${p.language}, ${p.period}, ${p.day}::smallint,
            ${p.month}::smallint, ${p.isPaused}, ${p.nextOn}::date)`,
  { ...SAMPLES },
);

const lock = mutation<{ boardScheduleId: string }, ScheduleColumns>(
  'board_schedule_lock',
  (p) => sql`
    select id as "boardScheduleId", name, language, period, day, month, is_paused as "isPaused", next_on as "nextOn"
      from board_schedules where company_id = ${p.companyId} and id = ${p.boardScheduleId} for update`,
);

/** Returns a schedule, and locks it until the transaction ends. @throws not_found */
export async function lockSchedule(tenant: TenantWriter, boardScheduleId: string): Promise<ScheduleColumns> {
  return requireFound((await tenant.mutate(lock, { boardScheduleId }))[0], 'schedule');
}

export const updateSchedule = mutation<ScheduleColumns>(
  'board_schedule_update',
  (p) => sql`
    update board_schedules
       set name = ${p.name}, language = ${p.language}, period = ${p.period}, day = ${p.day}::smallint,
           month = ${p.month}::smallint, is_paused = ${p.isPaused}, next_on = ${p.nextOn}::date,
           updated_at = statement_timestamp()
     where company_id = ${p.companyId} and id = ${p.boardScheduleId}`,
  { ...SAMPLES },
);

const remove = mutation<{ boardScheduleId: string }, { id: string }>(
  'board_schedule_remove',
  (p) => sql`
    delete from board_schedules where company_id = ${p.companyId} and id = ${p.boardScheduleId} returning id`,
);

/** Removes a schedule with its recipients and the records of its emails. @throws not_found */
export async function removeSchedule(tenant: TenantWriter, boardScheduleId: string): Promise<void> {
  requireFound((await tenant.mutate(remove, { boardScheduleId }))[0], 'schedule');
}

type Recipients = Input<'createBoardReportSchedule'>['body']['recipients'];

interface RecipientColumns {
  boardScheduleId: string;
  names: string[];
  emails: string[];
}

const unlistRecipients = mutation<RecipientColumns>(
  'board_recipient_unlist',
  (p) => sql`
    update board_recipients set is_listed = false
     where company_id = ${p.companyId} and schedule_id = ${p.boardScheduleId}
       and lower(email) <> all(select lower(e) from unnest(${p.emails}::text[], ${p.names}::text[]) as t (e, n))`,
);

const removeRecipients = mutation<{ boardScheduleId: string }>(
  'board_recipient_remove',
  (p) => sql`
    delete from board_recipients
     where company_id = ${p.companyId} and schedule_id = ${p.boardScheduleId} and not is_listed
       and unsubscribed_at is null`,
);

const upsertRecipients = mutation<RecipientColumns>(
  'board_recipient_upsert',
  (p) => sql`
    insert into board_recipients (company_id, id, schedule_id, name, email)
    select ${p.companyId}, new_id(), ${p.boardScheduleId}, name, email
      from unnest(${p.names}::text[], ${p.emails}::text[]) as new (name, email)
    on conflict (schedule_id, lower(email), company_id)
    do update set name = excluded.name, email = excluded.email, is_listed = true`,
);

/**
 * Replaces the recipients of a schedule. People who have unsubscribed stay unsubscribed, even if they are removed and
 * added again.
 */
export async function replaceRecipients(
  tenant: TenantWriter,
  boardScheduleId: string,
  recipients: Recipients,
): Promise<void> {
  const columns = {
    boardScheduleId,
    names: recipients.map(({ name }) => name),
    emails: recipients.map(({ email }) => email),
  };
  await tenant.mutate(unlistRecipients, columns);
  await tenant.mutate(removeRecipients, { boardScheduleId });
  await tenant.mutate(upsertRecipients, columns);
}
