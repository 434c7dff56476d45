import { toClientNetwork } from '../net/client-address.ts';
import { Bulkhead } from '../limits/bulkhead.ts';
import type { Origin } from '../auth/caller.ts';

/**
 * Slots for lookups by a secret. Anybody can make up the secret of a link, a session or a package window, with the id
 * of any company in it. Lookups therefore use only a few connections, which networks share fairly.
 */
const slots = new Bulkhead({ max: 16, maxPerCompany: 12, maxWithOthers: 4 });

/** Runs a lookup by an unverified secret in a slot. @throws {ApiError} as `Bulkhead.run` does */
export function limitUnauthenticatedLookups<T>(
  { address }: Pick<Origin, 'address'>,
  work: () => Promise<T>,
): Promise<T> {
  return slots.run(toClientNetwork(address), undefined, work);
}
