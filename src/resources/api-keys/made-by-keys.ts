/**
 * A leaked key might have created keys, sources and webhook endpoints, which keep working after it is revoked. Each of
 * them names the key that created it (`created_by`). The search follows keys that those keys created.
 */
import type { Schemas } from '../../contract/contract.ts';
import type { Mutation, Statement } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { activeOfKeys, findKeysMadeBy, revokeKeys } from './api-key-repository.ts';

type Created = Schemas['CreatedByApiKey'];

/** Statements about the working resources of one kind that keys created. */
interface MadeByKeys<R> {
  list: Statement<{ apiKeyIds: string[] }, R>;
  end: Mutation<{ apiKeyIds: string[] }, R>;
}

/** Resources other than keys that keys create. The repository of each resource has its statements. */
export interface MadeThings {
  sources: MadeByKeys<Schemas['Source']>;
  webhookEndpoints: MadeByKeys<Schemas['WebhookEndpoint']>;
}

interface KeyIds {
  /** Keys that the key created, directly or through other keys. */
  madeIds: string[];
  /** `madeIds` and the key itself: the possible creators of sources and endpoints. */
  makerIds: string[];
}

export async function findMadeByKey(tenant: TenantReader, apiKeyId: string): Promise<KeyIds> {
  const madeIds = await findKeysMadeBy(tenant, apiKeyId);
  return { madeIds, makerIds: [apiKeyId, ...madeIds] };
}

/** Returns the still working resources that a key created. */
export async function listWorking(
  tenant: TenantReader,
  { madeIds, makerIds }: KeyIds,
  { sources, webhookEndpoints }: MadeThings,
): Promise<Created> {
  return {
    apiKeys: await tenant.queryAll(activeOfKeys, { apiKeyIds: madeIds }),
    sources: await tenant.queryAll(sources.list, { apiKeyIds: makerIds }),
    webhookEndpoints: await tenant.queryAll(webhookEndpoints.list, { apiKeyIds: makerIds }),
  };
}

/** Ends the still working resources that a key created, and returns them. */
export async function endMadeByKey(
  tenant: TenantWriter,
  { madeIds, makerIds }: KeyIds,
  { sources, webhookEndpoints }: MadeThings,
): Promise<Created> {
  return {
    apiKeys: await tenant.mutate(revokeKeys, { apiKeyIds: madeIds }),
    sources: byId(await tenant.mutate(sources.end, { apiKeyIds: makerIds })),
    webhookEndpoints: byId(await tenant.mutate(webhookEndpoints.end, { apiKeyIds: makerIds })),
  };
}

function byId<T extends { id: string }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
