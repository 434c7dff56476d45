import type { Caller } from '../../auth/caller.ts';
import type { ConsoleRuns } from './console-runs.ts';

/** The names of what a key made that still works. */
export interface MadeByKey {
  apiKeys: string[];
  sources: string[];
  webhookEndpoints: string[];
}

interface Made {
  createdBy: string | null;
}

/** Lists what a key made that still works, and what the keys that it made have made in turn. */
export async function listMadeByKey(runs: ConsoleRuns, caller: Caller, apiKeyId: string): Promise<MadeByKey> {
  const keys = await all(runs.items('listApiKeys', caller));
  const makers = new Set([apiKeyId]);
  const isMade = ({ createdBy }: Made) => createdBy !== null && makers.has(createdBy);
  for (let known = 0; known < makers.size;) {
    known = makers.size;
    for (const key of keys) if (isMade(key)) makers.add(key.id);
  }
  const sources = await all(runs.items('listSources', caller));
  const endpoints = await all(runs.items('listWebhookEndpoints', caller));
  return {
    apiKeys: keys.filter((key) => key.status === 'active' && isMade(key)).map(({ name }) => name),
    sources: sources.filter(isMade).map(({ name }) => name),
    webhookEndpoints: endpoints.filter((endpoint) => endpoint.enabled && isMade(endpoint)).map(({ url }) => url),
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}
