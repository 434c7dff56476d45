import { Resolver } from 'node:dns/promises';
import { CommandError } from '../command.ts';

/** Lookups of DNS records. Each returns an empty list if there is no record. */
export interface DnsRecords {
  texts: (name: string) => Promise<string[]>;
  /** Mail servers of a domain, in order of preference. */
  exchanges: (name: string) => Promise<string[]>;
  addresses: (name: string) => Promise<string[]>;
}

const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA']);

/** Creates lookups. @param servers IP addresses of DNS servers; if empty, the system's servers */
export function createDnsRecords(servers: readonly string[]): DnsRecords {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const orNone = async <T>(lookup: Promise<T[]>): Promise<T[]> => {
    try {
      return await lookup;
    } catch (error) {
      if (NO_RECORD.has((error as NodeJS.ErrnoException).code!)) return [];
      throw new CommandError(`DNS did not respond (${(error as Error).message}); check DNS_SERVERS`, 1);
    }
  };
  return {
    texts: async (name) => (await orNone(resolver.resolveTxt(name))).map((parts) => parts.join('')),
    exchanges: async (name) => {
      const records = await orNone(resolver.resolveMx(name));
      return records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange);
    },
    addresses: async (name) => [...(await orNone(resolver.resolve4(name))), ...(await orNone(resolver.resolve6(name)))],
  };
}
