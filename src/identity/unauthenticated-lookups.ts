import { toClientNetwork } from '../net/client-address.ts';
import { Bulkhead } from '../limits/bulkhead.ts';
import type { Origin } from '../auth/caller.ts';

/**
 * Anybody can make up the secret of a link, of a session or of a window, with the id of any company in it. So looking them up
 * takes no more than this of the connections, and is shared fairly by the addresses that ask.
 */
const slots = new Bulkhead({ max: 16, maxPerCompany: 12, maxBesideOthers: 4 });

/** Looks a secret up that nothing proves yet. @throws {ApiError} as a bulkhead does */
export function limitUnauthenticatedLookups<T>(
  { address }: Pick<Origin, 'address'>,
  work: () => Promise<T>,
): Promise<T> {
  return slots.run(toClientNetwork(address), undefined, work);
}
