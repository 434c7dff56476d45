import type { Schemas } from '../../../contract/contract.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { mutation, pagedQuery, type Parameters, query } from '../../../db/statement.ts';

interface AttemptedDeliveries {
  webhookEndpointId: string;
  ids: string[];
  eventIds: string[];
  types: string[];
  companies: string[];
  transactionIds: (string | null)[];
  numbers: number[];
  times: string[];
  durations: number[];
  delivered: boolean[];
  statuses: (number | null)[];
  errors: (string | null)[];
  answers: string[];
  /** Seconds until the next attempt; null if there is no next attempt. */
  waits: (number | null)[];
}

/** Records all attempts of a batch. */
export const insertAttempts = mutation<AttemptedDeliveries>(
  'webhook_delivery_attempts_record',
  (p) => sql`
    insert into webhook_delivery_attempts (company_id, endpoint_id, id, event_id, event_type, number, tried_at, duration_ms, delivered,
                               status, error, answer, next_try_at, event_company_id, event_transaction_id)
    select ${p.companyId}::uuid, ${p.webhookEndpointId}::uuid, t.id, t.event_id, t.type, t.number, t.tried_at, t.duration,
           t.delivered, t.status, t.error, t.answer, statement_timestamp() + t.wait * interval '1 second',
           t.company, t.transaction_id::xid8
      from unnest(${p.ids}::uuid[], ${p.eventIds}::uuid[], ${p.types}::text[], ${p.numbers}::integer[],
                  ${p.times}::timestamptz[], ${p.durations}::integer[], ${p.delivered}::boolean[],
                  ${p.statuses}::integer[], ${p.errors}::text[], ${p.answers}::text[], ${p.waits}::float8[],
                  ${p.companies}::uuid[], ${p.transactionIds}::text[])
             as t (id, event_id, type, number, tried_at, duration, delivered, status, error, answer, wait, company, transaction_id)
    on conflict do nothing`,
  { errors: [null, null], waits: [5, null], transactionIds: ['3', null] },
);

type DeliveryRow = Schemas['WebhookDelivery'];
type OfEndpoint = { webhookEndpointId: string };

/** Sort order of attempts. A later attempt has a higher id. */
const NEWEST_FIRST = { id: 'uuid desc' } as const;

const attemptsWhere = (p: Parameters<OfEndpoint>, also: Sql): Sql => sql`
  select id, event_id as "eventId", event_type as "eventType", number, tried_at as "triedAt", duration_ms as "durationMs",
         case when delivered then 'delivered' else 'failed' end as outcome, status, error, answer,
         next_try_at as "nextTryAt"
    from webhook_delivery_attempts where company_id = ${p.companyId} and endpoint_id = ${p.webhookEndpointId} and ${also}`;

// One statement per filter, so that each finds its rows through an index under any plan.
export const listAttempts = pagedQuery<OfEndpoint, DeliveryRow>('webhook_delivery_attempts', NEWEST_FIRST, (p) =>
  attemptsWhere(p, sql`true`),
);
export const listDelivered = pagedQuery<OfEndpoint, DeliveryRow>(
  'webhook_delivery_attempts_delivered',
  NEWEST_FIRST,
  (p) => attemptsWhere(p, sql`delivered`),
);
export const listFailed = pagedQuery<OfEndpoint, DeliveryRow>('webhook_delivery_attempts_failed', NEWEST_FIRST, (p) =>
  attemptsWhere(p, sql`not delivered`),
);
export const listAttemptsOfEvent = pagedQuery<OfEndpoint & { eventId: string; outcome: string | null }, DeliveryRow>(
  'webhook_delivery_attempts_of_event',
  NEWEST_FIRST,
  (p) =>
    attemptsWhere(
      p,
      sql`event_id = ${p.eventId}::uuid
          and (${p.outcome}::text is null or delivered = (${p.outcome}::text = 'delivered'))`,
    ),
);

/** Finds the log positions of events that were sent to the endpoint. */
export const positionsOfAttempts = query<
  OfEndpoint & { eventIds: string[] },
  { company: string; transactionId: string; id: string }
>(
  'webhook_delivery_attempts_places',
  (p) => sql`
    select distinct on (event_id) event_company_id::text as company, event_transaction_id::text as "transactionId", event_id as id
      from webhook_delivery_attempts
     where company_id = ${p.companyId} and endpoint_id = ${p.webhookEndpointId} and event_id = any(${p.eventIds}::uuid[])
       and event_transaction_id is not null
     order by event_id, event_transaction_id desc`,
);
