import { Resolver } from 'node:dns/promises';

/** The texts of the TXT records of a name; none when there is no record, undefined when nobody said so. */
export type FindTexts = (name: string) => Promise<string[] | undefined>;

const TRY_MS = 1000;
const TRIES = 2;
const MAX_MS = 3000;

/** What a server says of a name that has no such record. */
const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks DNS, for three seconds at most.
 * @param servers addresses, each with a port where it is not 53; none: those of the system
 */
export function createFindTexts(servers: readonly string[]): FindTexts {
  return async (name) => {
    // One for each question: it keeps answers, and a record that was just made is to be found.
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
