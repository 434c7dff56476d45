import { Resolver } from 'node:dns/promises';

/** Returns the strings of a name's TXT records; empty if there is no record, undefined if DNS did not respond. */
export type FindTexts = (name: string) => Promise<string[] | undefined>;

const TRY_MS = 1000;
const TRIES = 2;
const MAX_MS = 3000;

/** DNS error codes for a name without a TXT record. */
const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Creates a lookup function that takes three seconds at most.
 * @param servers IP addresses of DNS servers, each with its port unless it is 53; if empty, the system's servers are
 *   used
 */
export function createFindTexts(servers: readonly string[]): FindTexts {
  return async (name) => {
    // Creates a new resolver for each lookup, because a resolver caches results, and a record that was just created
    // must be found.
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), MAX_MS);
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch (error) {
      return NO_RECORD.has((error as NodeJS.ErrnoException).code!) ? [] : undefined;
    } finally {
      clearTimeout(deadline);
    }
  };
}
