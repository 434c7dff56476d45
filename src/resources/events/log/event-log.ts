// The event log: what happened in a company, in a single order that readers can follow without missing an event.
//
// Writing. Triggers write a row for each event in the transaction of the change
// (migrations/*_create_event_triggers.ts); src/db/write-events.ts writes the events that no trigger sees. A row holds
// ids, times and numbers, never a name or an address. Rows are written only for companies whose events are being read.
// A read or a webhook endpoint marks the company as read for a month (event-readers.ts). The first reader of a company
// therefore finds no earlier events.
//
// Order. Events are ordered by the id of their transaction and, within it, by the id of the event. Transactions do not
// commit in the order of their ids. A reader therefore stops at the snapshot xmin: every transaction below the xmin has
// ended, so no more events can appear there. A later read returns the events of transactions that began after the
// oldest open transaction.
//
// Reading. `readEvents` returns the events after a position, and the position to continue from. Positions leave the
// service as cursors (event-cursor.ts), which also name the company and the log.
//
// Guarantees: no event is skipped, and no event is returned twice to a reader that continues from its last position.
//
// Failures:
// - A transaction that has written something and stays open delays the events of all transactions that began after it,
//   for all companies.
// - A position older than 30 days is `expired`, because daily partitions are dropped after that time.
// - A server that was promoted or restored has a new log, because it can reuse transaction ids. Clients' cursors then
//   expire. Webhook positions are stored in the database and name only the database, so they remain valid.
// - On Citus, transactions on different nodes have no common order, so parents cannot read the events of their
//   children.
//
// Not for: who made a change (src/audit/), or copies of lists, which need removed items and current values
// (changes.ts).
import type { Schemas } from '../../../contract/contract.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { pointQuery, type Parameters, query } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { ApiError } from '../../../contract/errors.ts';
import { AFTER_ALL_EVENTS, BEFORE_ALL_EVENTS, type EventPosition } from './event-cursor.ts';

export type EventType = Schemas['EventType'];

/**
 * Number of days for which events are kept, and for which events of a company are still written after the last read.
 */
export const EVENTS_KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

interface Horizon {
  transactionId: string;
  today: string;
  seats: number;
}

// Every transaction below `transactionId` has ended, so no more events can appear there. Counts the seats only in order
// to query a table of the company: on Citus, transaction ids are those of the node that holds the company's rows. A
// point query, because the primary serves point queries: a standby might not know of a transaction that has written
// nothing.
const horizon = pointQuery<object, Horizon>(
  'event_horizon',
  (p) => sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as "transactionId", (now() at time zone 'utc')::date as today,
           count(*)::integer as seats
      from company_seats where company_id = ${p.companyId}`,
);

// Counts the seats for the same reason as above. A server that was promoted or recovered to a point in time has a new
// timeline: it can reuse the id of a transaction that readers have passed. `log` is null on a standby.
const log = pointQuery<object, { log: string | null; seats: number }>(
  'event_log',
  (p) => sql`
    select concat_ws('/', (select system_identifier from pg_control_system()), current_database())
             || '/' || case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as log,
           count(*)::integer as seats
      from company_seats where company_id = ${p.companyId}`,
);

/**
 * Returns the name of the database's log. Positions are comparable only within a log.
 * @throws service_unavailable if the server has become a standby
 */
export async function readLogName(tenant: TenantReader): Promise<string> {
  const { log: name } = (await tenant.queryOne(log, {}))!;
  if (name === null)
    throw new ApiError('service_unavailable', 'The service is temporarily unavailable; try again later.');
  return name;
}

/**
 * Returns the name of the database without the timeline, for positions that are stored in this database. A database
 * that was recovered to a point in time, or a standby that took over, also has the positions as they were at that time.
 * @throws service_unavailable if the server has become a standby
 */
export async function readDatabaseName(tenant: TenantReader): Promise<string> {
  const name = await readLogName(tenant);
  return name.slice(0, name.lastIndexOf('/'));
}

interface EventsRequest {
  transactionId: string;
  eventId: string;
  /** First transaction that might still be open; events from this transaction onwards are not read. */
  before: string;
  /** Oldest day whose events are read. */
  fromDay: string;
  types: string[] | null;
  limit: number;
}

type EventRow = Omit<Schemas['Event'], 'data'> & { transactionId: string; data: Schemas['Event']['data'] };

const SAMPLES = { transactionId: '3', before: '9223372036854775807', types: null, fromDay: '2026-01-01' };

const columns = sql`e.company_id as "companyId", e.transaction_id::text as "transactionId", e.id, e.type, e.occurred_at as timestamp, e.data`;
const matchesRequest = (p: Parameters<EventsRequest>): Sql => sql`
  (e.transaction_id, e.id) > (${p.transactionId}::text::xid8, ${p.eventId}::uuid) and e.transaction_id < ${p.before}::text::xid8
  and e.day >= ${p.fromDay}::date and (${p.types}::text[] is null or e.type = any(${p.types}::text[]))`;

const ofCompany = query<EventsRequest, EventRow>(
  'event_after',
  (p) => sql`
    select ${columns} from events e where e.company_id = ${p.companyId} and ${matchesRequest(p)}
     order by e.transaction_id, e.id limit ${p.limit}`,
  SAMPLES,
);

const ofChildren = query<EventsRequest, EventRow>(
  'event_after_of_children',
  (p) => sql`
    select ${columns}
      from events_of_children(${p.transactionId}::text::xid8, ${p.eventId}, ${p.before}::text::xid8, ${p.fromDay}, ${p.types}, ${p.limit}) e
     order by e.transaction_id, e.id`,
  SAMPLES,
);

const together = query<object, object>(
  'event_together_of_children',
  () => sql`select from events_of_children('0', null, '0', 'infinity', null, 0)`,
);

/**
 * Requires that one database server has the events of all children.
 * @throws invalid_request if there are several servers, whose events have no common order
 */
export async function requireEventsOfChildren(tenant: TenantReader): Promise<void> {
  await tenant.queryAll(together, {});
}

const ofChildrenBetween = query<EventsRequest & EventPeriod, EventRow>(
  'event_between_of_children',
  (p) => sql`
    select ${columns}
      from events_of_children_between(${p.transactionId}::text::xid8, ${p.eventId}, ${p.before}::text::xid8, ${p.from}, ${p.to},
                                      ${p.types}, ${p.limit}) e
     order by e.transaction_id, e.id`,
  SAMPLES,
);

/** Period of events: `from` is inclusive, `to` exclusive. */
export interface EventPeriod {
  from: string;
  to: string;
}

/** Filters of a webhook endpoint. Empty lists match all events. */
export interface EndpointFilters {
  /** Endpoint whose own events are excluded, because otherwise each failed delivery would cause another event. */
  webhookEndpointId: string;
  simulationIds: string[];
  groupIds: string[];
}

// Looks up the members for each event: a list of all members would be read again for every hundred events.
const ofEndpoint = query<EventsRequest & EndpointFilters & EventPeriod, EventRow>(
  'event_of_endpoint',
  (p) => sql`
    select ${columns} from events e
     where e.company_id = ${p.companyId} and ${matchesRequest(p)}
       and e.day <= ${p.to}::timestamptz::date and e.occurred_at >= ${p.from}::timestamptz
       and e.occurred_at < ${p.to}::timestamptz
       and (e.data ->> 'webhookEndpointId')::uuid is distinct from ${p.webhookEndpointId}
       and (cardinality(${p.simulationIds}::uuid[]) = 0
            or (e.data ->> 'simulationId')::uuid = any(${p.simulationIds}::uuid[]))
       and (cardinality(${p.groupIds}::uuid[]) = 0
            or (e.data ->> 'groupId')::uuid = any(${p.groupIds}::uuid[])
            or exists (select from group_learners m
                        where m.company_id = ${p.companyId} and m.learner_id = (e.data ->> 'learnerId')::uuid
                          and m.group_id = any(${p.groupIds}::uuid[]) offset 0))
     order by e.transaction_id, e.id limit ${p.limit}`,
  { ...SAMPLES, from: '-infinity', to: 'infinity' },
);

const ALWAYS: EventPeriod = { from: '-infinity', to: 'infinity' };

export interface EventQuery {
  /** Position to continue from; undefined to start with the oldest stored event. */
  after?: EventPosition | undefined;
  limit: number;
  /** Event types to read; undefined for all. */
  types?: readonly string[] | undefined;
  /** Whether to read the events of all companies below, instead of the tenant's own events. */
  ofChildren: boolean;
  /** Filters of a webhook endpoint. They apply only to the company's own events. */
  endpoint?: EndpointFilters;
  /** Period to read; only for a webhook endpoint. */
  period?: EventPeriod;
}

/** Events in commit order, and the position after them. */
export interface ReadEvents {
  events: Schemas['Event'][];
  /** Position after each event. */
  positions: EventPosition[];
  next: EventPosition;
  hasMore: boolean;
}

/** Reason why reading cannot continue from a position. */
export type LostPosition = 'expired' | 'in the future';

/**
 * Returns the next events of a list. Skips none: a later read returns the events of transactions that are still open,
 * and of transactions that began after them.
 * @returns the reason if `after` is older than the stored events, or if this database has not reached `after`
 */
export async function readEvents(tenant: TenantReader, query: EventQuery): Promise<ReadEvents | LostPosition> {
  const { limit, types = null } = query;
  const { transactionId: before, today } = (await tenant.queryOne(horizon, {}))!;
  const after = query.after ?? {
    transactionId: '0',
    eventId: BEFORE_ALL_EVENTS,
    day: addDays(today, -EVENTS_KEPT_DAYS),
  };
  if (after.day < addDays(today, -EVENTS_KEPT_DAYS)) return 'expired';
  if (BigInt(after.transactionId) >= BigInt(before)) return 'in the future';
  // Does not use the day of the position: events that a transaction of many days has held back can be older than that
  // day.
  const fromDay = addDays(query.period?.from.slice(0, 10) ?? today, query.period ? -1 : -EVENTS_KEPT_DAYS - 1);
  const { transactionId, eventId } = after;
  const request = { transactionId, eventId, before, fromDay, types: types as string[] | null, limit };
  const rows = await findEvents(tenant, request, query);
  const positions = rows.map(({ transactionId, id, timestamp }) => ({
    transactionId,
    eventId: id,
    day: timestamp.slice(0, 10),
  }));
  const hasMore = rows.length === limit;
  const next = hasMore ? positions.at(-1)! : toEndPosition(before, today);
  return { events: rows.map(({ transactionId: _, ...event }) => event), positions, next, hasMore };
}

function findEvents(tenant: TenantReader, request: EventsRequest, query: EventQuery): Promise<EventRow[]> {
  const { ofChildren: isOfChildren, endpoint, period } = query;
  if (isOfChildren) {
    return period
      ? tenant.queryAll(ofChildrenBetween, { ...request, ...period })
      : tenant.queryAll(ofChildren, request);
  }
  return endpoint
    ? tenant.queryAll(ofEndpoint, { ...request, ...endpoint, ...(period ?? ALWAYS) })
    : tenant.queryAll(ofCompany, request);
}

/** Returns the position after all events that can be read now. */
export async function findEndOfLog(tenant: TenantReader): Promise<EventPosition> {
  const { transactionId, today } = (await tenant.queryOne(horizon, {}))!;
  return toEndPosition(transactionId, today);
}

function toEndPosition(before: string, day: string): EventPosition {
  return { transactionId: String(BigInt(before) - 1n), eventId: AFTER_ALL_EVENTS, day };
}

function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}
