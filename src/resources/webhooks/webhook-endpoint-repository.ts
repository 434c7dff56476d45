import type { Schemas } from '../../contract/contract.ts';
import { BY_ID } from '../../db/keyset.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pointQuery, pagedQuery, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { requireFound, requireExisting } from '../../contract/errors.ts';

type Endpoint = Schemas['WebhookEndpoint'];

const ENDPOINT = sql`
  id, url, types, simulation_ids as "simulationIds", group_ids as "groupIds", of_children as children, disabled_because is null as enabled, disabled_because as "disabledBecause",
  created_at as "createdAt", rotated_at as "rotatedAt", previous_until as "previousSecretUntil", failures,
  replay_from as "redeliveringFrom", replay_to as "redeliveringTo", paused_until as "pausedUntil", last_tried_at as "lastTriedAt", last_status as "lastStatus", created_by as "createdBy"`;

export const listEndpoints = pagedQuery<object, Endpoint>(
  'webhook_endpoints_of_company',
  BY_ID,
  (p) => sql`select ${ENDPOINT} from webhook_endpoints where company_id = ${p.companyId}`,
);

const byId = pointQuery<{ webhookEndpointId: string }, { ofChildren: boolean }>('webhook_endpoint_by_id', (p, knex) =>
  knex('webhook_endpoints')
    .where({ company_id: p.companyId, id: p.webhookEndpointId })
    .select({ ofChildren: 'of_children' }),
);

/** @throws not_found */
export async function requireEndpoint(
  tenant: TenantReader,
  webhookEndpointId: string,
): Promise<{ ofChildren: boolean }> {
  return requireFound(await tenant.queryOne(byId, { webhookEndpointId }), 'webhook endpoint');
}

export interface NewEndpoint {
  id: string;
  url: string;
  types: string[] | null;
  simulationIds: string[];
  groupIds: string[];
  ofChildren: boolean;
  sealedSecret: Buffer;
  transactionId: string;
  eventId: string;
  day: string;
  log: string;
  max: number;
  createdBy: string | null;
}

interface FilterIds {
  /** Id of the endpoint to change; null for a new endpoint. */
  webhookEndpointId: string | null;
  simulationIds: string[];
  groupIds: string[];
}

// Ids that the endpoint already names remain valid, even if their simulations and groups have been deleted.
const existingFilters = query<FilterIds, { field: 'simulationIds' | 'groupIds'; id: string }>(
  'webhook_filter_known',
  (p) => sql`
    select 'simulationIds' as field, id from simulations
     where company_id = ${p.companyId} and id = any(${p.simulationIds}::uuid[])
    union all
    select 'groupIds', id from groups where company_id = ${p.companyId} and id = any(${p.groupIds}::uuid[])
    union all
    select 'simulationIds', unnest(simulation_ids) from webhook_endpoints
     where company_id = ${p.companyId} and id = ${p.webhookEndpointId}
    union all
    select 'groupIds', unnest(group_ids) from webhook_endpoints
     where company_id = ${p.companyId} and id = ${p.webhookEndpointId}`,
);

/** @throws not_found naming the fields of unknown ids, such as `body/groupIds/2` */
export async function requireFilters(tenant: TenantReader, ids: FilterIds): Promise<void> {
  if (ids.simulationIds.length + ids.groupIds.length === 0) return;
  const existing = await tenant.queryAll(existingFilters, ids);
  for (const [thing, field] of [
    ['simulation', 'simulationIds'],
    ['group', 'groupIds'],
  ] as const) {
    const existingIds = existing.flatMap((one) => (one.field === field ? [one.id] : []));
    requireExisting(thing, ids[field], new Set(existingIds), `body/${field}`);
  }
}

/**
 * Locks the first endpoint of the company on behalf of all its endpoints, so that two calls cannot both take the last
 * free place.
 */
export const lockPlaces = mutation<object>(
  'webhook_endpoint_lock_places',
  (p) => sql`
    select id from webhook_endpoints where company_id = ${p.companyId} order by id limit 1 for no key update`,
);

/** Inserts an endpoint. Returns no row if the company has reached its limit. */
export const insertEndpoint = mutation<NewEndpoint, Endpoint>(
  'webhook_endpoint_insert',
  (p) => sql`
    insert into webhook_endpoints (company_id, id, url, types, simulation_ids, group_ids, of_children, sealed_secret,
                                   cursor_transaction_id, cursor_event, cursor_day, cursor_timeline, created_by)
    select ${p.companyId}::uuid, ${p.id}::uuid, ${p.url}, ${p.types}::text[], ${p.simulationIds}::uuid[],
           ${p.groupIds}::uuid[], ${p.ofChildren}::boolean, ${p.sealedSecret}::bytea, ${p.transactionId}::text::xid8,
           ${p.eventId}::uuid, ${p.day}::date, ${p.log}, ${p.createdBy}::uuid
     where (select count(*) from webhook_endpoints where company_id = ${p.companyId}) < ${p.max}::integer
    returning ${ENDPOINT}`,
  { transactionId: '3', max: 20 },
);

export interface EndpointChange {
  webhookEndpointId: string;
  /** URL of the endpoint; null for no change. */
  url: string | null;
  changesTypes: boolean;
  types: string[] | null;
  /** Simulations to filter events by; null for no change. */
  simulationIds: string[] | null;
  /** Groups to filter events by; null for no change. */
  groupIds: string[] | null;
  /** Whether to enable or disable the endpoint; null for no change. */
  enabled: boolean | null;
}

const update = mutation<EndpointChange, Endpoint>(
  'webhook_endpoint_update',
  (p) => sql`
    update webhook_endpoints
       set url = coalesce(${p.url}, url), types = case when ${p.changesTypes}::boolean then ${p.types}::text[] else types end,
           simulation_ids = coalesce(${p.simulationIds}::uuid[], simulation_ids),
           group_ids = coalesce(${p.groupIds}::uuid[], group_ids),
           disabled_because = case when ${p.enabled}::boolean then null
                                   when not ${p.enabled}::boolean then coalesce(disabled_because, 'requested')
                                   else disabled_because end,
           failures = case when ${p.enabled}::boolean then 0 else failures end,
           paused_until = case when ${p.enabled}::boolean then null else paused_until end,
           replay_begun_at = case when ${p.enabled}::boolean is distinct from false then replay_begun_at end,
           replay_from = case when ${p.enabled}::boolean is distinct from false then replay_from end,
           replay_to = case when ${p.enabled}::boolean is distinct from false then replay_to end,
           replay_transaction_id = case when ${p.enabled}::boolean is distinct from false then replay_transaction_id end,
           replay_event = case when ${p.enabled}::boolean is distinct from false then replay_event end
     where company_id = ${p.companyId} and id = ${p.webhookEndpointId}
    returning ${ENDPOINT}`,
);

/** @throws not_found */
export async function updateEndpoint(tenant: TenantWriter, changes: EndpointChange): Promise<Endpoint> {
  return requireFound((await tenant.mutate(update, changes))[0], 'webhook endpoint');
}

const rotate = mutation<{ webhookEndpointId: string; sealedSecret: Buffer }, Endpoint>(
  'webhook_endpoint_rotate',
  (p) => sql`
    update webhook_endpoints
       set previous_sealed = sealed_secret, previous_until = statement_timestamp() + interval '24 hours',
           sealed_secret = ${p.sealedSecret}, rotated_at = statement_timestamp()
     where company_id = ${p.companyId} and id = ${p.webhookEndpointId}
    returning ${ENDPOINT}`,
);

/**
 * Replaces the secret. The previous secret also signs for another day; older secrets are no longer used.
 * @throws not_found
 */
export async function rotateSecret(
  tenant: TenantWriter,
  rotated: { webhookEndpointId: string; sealedSecret: Buffer },
): Promise<Endpoint> {
  return requireFound((await tenant.mutate(rotate, rotated))[0], 'webhook endpoint');
}

const remove = mutation<{ webhookEndpointId: string }, { id: string }>('webhook_endpoint_remove', (p, knex) =>
  knex('webhook_endpoints').where({ company_id: p.companyId, id: p.webhookEndpointId }).delete().returning('id'),
);

/** @throws not_found */
export async function removeEndpoint(tenant: TenantWriter, webhookEndpointId: string): Promise<void> {
  requireFound((await tenant.mutate(remove, { webhookEndpointId }))[0], 'webhook endpoint');
}

const insertTest = mutation<{ webhookEndpointId: string; eventId: string; body: string }, { eventId: string }>(
  'webhook_endpoint_test',
  (p) => sql`
    insert into webhook_retries (company_id, endpoint_id, event_id, body, attempts, next_try_at)
    select ${p.companyId}::uuid, e.id, ${p.eventId}::uuid, ${p.body}, 0, statement_timestamp()
      from webhook_endpoints e where e.company_id = ${p.companyId} and e.id = ${p.webhookEndpointId}
    returning event_id as "eventId"`,
);

/** Queues a test event, which is not in the log. @throws not_found */
export async function queueTest(
  tenant: TenantWriter,
  test: { webhookEndpointId: string; eventId: string; body: string },
): Promise<{ eventId: string }> {
  return requireFound((await tenant.mutate(insertTest, test))[0], 'webhook endpoint');
}

interface Makers {
  apiKeyIds: string[];
}

/** Statements about enabled endpoints that given API keys have created. */
export const endpointsOfKeys = {
  list: query<Makers, Endpoint>(
    'webhook_endpoint_made_by_keys',
    (p) => sql`
      select ${ENDPOINT} from webhook_endpoints
       where company_id = ${p.companyId} and created_by = any(${p.apiKeyIds}::uuid[]) and disabled_because is null
       order by id`,
  ),
  end: mutation<Makers, Endpoint>(
    'webhook_endpoint_disable_made_by_keys',
    (p) => sql`
      update webhook_endpoints set disabled_because = 'requested'
       where company_id = ${p.companyId} and created_by = any(${p.apiKeyIds}::uuid[]) and disabled_because is null
      returning ${ENDPOINT}`,
  ),
};
