import { addInterval } from '../../../db/expressions.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { EventPosition } from '../../events/log/event-cursor.ts';
import type { EventPeriod } from '../../events/log/event-log.ts';

/** Position of an endpoint in the log. */
export interface LogPosition extends EventPosition {
  /** Database that the position belongs to; null if unknown. */
  log: string | null;
}

/** A period whose events are being sent again, and the position within it. */
export interface Replay extends EventPeriod {
  begunAt: string;
  transactionId: string;
  eventId: string;
}

/** An endpoint that this process has claimed for a batch. */
export interface ClaimedEndpoint {
  id: string;
  url: string;
  types: string[] | null;
  simulationIds: string[];
  groupIds: string[];
  ofChildren: boolean;
  sealedSecret: Buffer;
  /** Encrypted previous secret; null once it is no longer used for signing. */
  previousSealed: Buffer | null;
  place: LogPosition;
  /** The redelivery in progress; null if none was requested. */
  replay: Replay | null;
  failures: number;
  /** Response status of the last attempt; null if there was no attempt or no response. */
  lastStatus: number | null;
}

/** Claims an endpoint. Returns no row if another worker has claimed it, or if it is disabled or paused. */
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
  /** Number of attempts so far. */
  attempts: number;
  /** Whether the delivery has a row in `webhook_retries`. */
  isKept: boolean;
  /** Transaction of the event in the log; null if unknown. */
  transactionId: string | null;
}

/** Selects retries and test events that are due. */
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

/** Stores events for their next attempts, each due after its wait in seconds. */
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

/** Deletes the stored retries of events that were accepted or given up. */
export const dropDeliveries = mutation<{ webhookEndpointId: string; eventIds: string[] }>(
  'webhook_delivery_drop',
  (p) => sql`
    delete from webhook_retries
     where company_id = ${p.companyId} and endpoint_id = ${p.webhookEndpointId}
       and event_id = any(${p.eventIds}::uuid[])`,
);

/** State of an endpoint after a batch, with its new position in the log. */
export interface EndOfTurn extends LogPosition {
  webhookEndpointId: string;
  failures: number;
  /** Length of the pause in seconds; null for no pause. */
  pause: number | null;
  /** Whether the batch sent any event. */
  tried: boolean;
  lastStatus: number | null;
  /** Reason to disable the endpoint; null if it stays enabled. */
  disabledBecause: string | null;
}

/**
 * Ends the claim. If the endpoint was disabled in the meantime, it stays disabled. Returns no row if it was deleted.
 */
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
