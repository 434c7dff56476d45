/**
 * A leaked key might have created keys, sources and webhook endpoints, which keep working after the leaked key is
 * revoked. Each of these resources names the key that created it (`created_by`). The search also follows the keys that
 * those keys created.
 */
import type { Schemas } from '../../contract/contract.ts';
import type { Mutation, Statement } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { activeOfKeys, findKeysMadeBy, revokeKeys } from './api-key-repository.ts';

type Created = Schemas['CreatedByApiKey'];

/** Statements about the working resources of one kind that were created with keys. */
interface MadeByKeys<R> {
  list: Statement<{ apiKeyIds: string[] }, R>;
  end: Mutation<{ apiKeyIds: string[] }, R>;
}

/** Resources, other than keys, that were created with keys. The repository of each resource provides the statements. */
export interface MadeThings {
  sources: MadeByKeys<Schemas['Source']>;
  webhookEndpoints: MadeByKeys<Schemas['WebhookEndpoint']>;
}

interface KeyIds {
  /** Ids of the keys that the key created, directly or through other keys. */
  madeIds: string[];
  /** `madeIds` and the key itself: the possible creators of sources and endpoints. */
  makerIds: string[];
}

export async function findMadeByKey(tenant: TenantReader, apiKeyId: string): Promise<KeyIds> {
  const madeIds = await findKeysMadeBy(tenant, apiKeyId);
  return { madeIds, makerIds: [apiKeyId, ...madeIds] };
}

/** Returns the resources that a key created and that still work. */
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

/** Ends the resources that a key created and that still work, and returns them. */
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
