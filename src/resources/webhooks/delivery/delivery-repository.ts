import { addInterval } from '../../../db/expressions.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { EventPosition } from '../../events/log/event-cursor.ts';
import type { EventPeriod } from '../../events/log/event-log.ts';

/** Where an endpoint stands in the log. */
export interface LogPosition extends EventPosition {
  /** The database that the place is of; null when that is not known. */
  log: string | null;
}

/** A time whose events are sent again, and where that stands. */
export interface Replay extends EventPeriod {
  begunAt: string;
  transactionId: string;
  eventId: string;
}

/** An endpoint whose turn it is. */
export interface ClaimedEndpoint {
  id: string;
  url: string;
  types: string[] | null;
  simulationIds: string[];
  groupIds: string[];
  ofChildren: boolean;
  sealedSecret: Buffer;
  /** Null when it signs no more. */
  previousSealed: Buffer | null;
  place: LogPosition;
  /** Null when nothing is sent again. */
  replay: Replay | null;
  failures: number;
  /** Of its last try; null if it was not tried, or there was no answer. */
  lastStatus: number | null;
}

/** No row when another worker has it, or when it is off or paused. */
export const claimEndpoint = mutation<{ webhookEndpointId: string; seconds: number }, ClaimedEndpoint>(
  'webhook_claim',
  (p) => sql`
    with claimed as (
      update webhook_endpoints
         set claimed_until = statement_timestamp() + ${p.seconds}::integer * interval '1 second'
       where company_id = ${p.companyId} and id = ${p.webhookEndpointId} and disabled_because is null
         and coalesce(paused_until, '-infinity') <= statement_timestamp()
         and coalesce(claimed_until, '-infinity') <= statement_timestamp()
      returning *
    )
    select id, url, types, simulation_ids as "simulationIds", group_ids as "groupIds", of_children as "ofChildren",
           sealed_secret as "sealedSecret",
           case when previous_until > statement_timestamp() then previous_sealed end as "previousSealed",
           jsonb_build_object('transactionId', cursor_transaction_id::text, 'eventId', cursor_event, 'day', cursor_day, 'log', cursor_timeline)
             as place,
           case when replay_begun_at is not null then
             jsonb_build_object('begunAt', replay_begun_at, 'from', replay_from, 'to', replay_to,
                                'transactionId', replay_transaction_id::text, 'eventId', replay_event) end as replay, failures, last_status as "lastStatus"
      from claimed`,
);

export interface Delivery {
  eventId: string;
  body: string;
  /** How often it was tried. */
  attempts: number;
  /** Whether it stands in the table of what was not taken. */
  isKept: boolean;
  /** The transaction of the event in the log; null where it is not known. */
  transactionId: string | null;
}

/** What was not taken, or is a test, and is due. */
export const dueDeliveries = query<{ webhookEndpointId: string; limit: number }, Delivery>(
  'webhook_delivery_due',
  (p) => sql`
    select event_id as "eventId", body, attempts, true as "isKept", null::text as "transactionId" from webhook_retries
     where company_id = ${p.companyId} and endpoint_id = ${p.webhookEndpointId} and next_try_at <= statement_timestamp()
     order by next_try_at limit ${p.limit}`,
);

interface StoredRetries {
  webhookEndpointId: string;
  eventIds: string[];
  bodies: string[];
  attempts: number[];
  waits: number[];
}

/** Keeps events for their next try, in so many seconds. */
export const keepDeliveries = mutation<StoredRetries>(
  'webhook_delivery_keep',
  (p) => sql`
    insert into webhook_retries as d (company_id, endpoint_id, event_id, body, attempts, next_try_at)
    select ${p.companyId}::uuid, ${p.webhookEndpointId}::uuid, k.event_id, k.body, k.attempts,
           statement_timestamp() + k.wait * interval '1 second'
      from unnest(${p.eventIds}::uuid[], ${p.bodies}::text[], ${p.attempts}::integer[], ${p.waits}::float8[])
             as k (event_id, body, attempts, wait)
    on conflict (company_id, endpoint_id, event_id) do update
      set attempts = excluded.attempts, next_try_at = excluded.next_try_at`,
  { waits: [5, 5] },
);

/** Forgets what was taken or is given up. */
export const dropDeliveries = mutation<{ webhookEndpointId: string; eventIds: string[] }>(
  'webhook_delivery_drop',
  (p) => sql`
    delete from webhook_retries
     where company_id = ${p.companyId} and endpoint_id = ${p.webhookEndpointId}
       and event_id = any(${p.eventIds}::uuid[])`,
);

/** With the place where to go on. */
export interface EndOfTurn extends LogPosition {
  webhookEndpointId: string;
  failures: number;
  /** In seconds; null for no pause. */
  pause: number | null;
  /** Whether something was sent. */
  tried: boolean;
  lastStatus: number | null;
  /** Null while it stays on. */
  disabledBecause: string | null;
}

/** Gives the endpoint back. One that was switched off meanwhile stays off; no row when it was removed. */
export const endTurn = mutation<EndOfTurn, { id: string }>(
  'webhook_end_turn',
  (p) => sql`
    update webhook_endpoints
       set claimed_until = null, cursor_transaction_id = ${p.transactionId}::text::xid8, cursor_event = ${p.eventId}, cursor_day = ${p.day},
           cursor_timeline = ${p.log},
           next_poll_at = ${addInterval(sql`t.now`, sql`case when replay_begun_at is null then interval '1 hour' else interval '0' end`)},
           failures = ${p.failures}, paused_until = statement_timestamp() + ${p.pause}::float8 * interval '1 second',
           last_tried_at = case when ${p.tried}::boolean then t.now else last_tried_at end,
           last_status = case when ${p.tried}::boolean then ${p.lastStatus}::integer else last_status end,
           disabled_because = coalesce(${p.disabledBecause}, disabled_because)
      from (select statement_timestamp() as now) as t
     where company_id = ${p.companyId} and id = ${p.webhookEndpointId}
    returning id`,
  { transactionId: '3', pause: 1, disabledBecause: 'gone' },
);
