/**
 * A key that has leaked can have been used to make keys, sources and webhook endpoints that go on working when it is revoked.
 * Each of them names the key that made it (`created_by`), so they are found from there, through the keys that keys have made.
 */
import type { Schemas } from '../../contract/contract.ts';
import type { Mutation, Statement } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { activeOfKeys, findKeysMadeBy, revokeKeys } from './api-key-repository.ts';

type Created = Schemas['CreatedByApiKey'];

/** Statements about what keys have made that still works. */
interface MadeByKeys<R> {
  list: Statement<{ apiKeyIds: string[] }, R>;
  end: Mutation<{ apiKeyIds: string[] }, R>;
}

/** What keys make beside keys: each in the repository of its own resource. */
export interface MadeThings {
  sources: MadeByKeys<Schemas['Source']>;
  webhookEndpoints: MadeByKeys<Schemas['WebhookEndpoint']>;
}

interface KeyIds {
  /** The keys that a key made, and those made, and so on. */
  madeIds: string[];
  /** The same with the key itself: what made sources and endpoints. */
  makerIds: string[];
}

export async function findMadeByKey(tenant: TenantReader, apiKeyId: string): Promise<KeyIds> {
  const madeIds = await findKeysMadeBy(tenant, apiKeyId);
  return { madeIds, makerIds: [apiKeyId, ...madeIds] };
}

/** Returns what still works of what a key made. */
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

/** Ends what still works of what a key made, and returns it. */
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
