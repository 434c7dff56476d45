import { DirectoryError } from './directory-error.ts';
import { equalitiesIn, matchesFilter, type ValueFilter } from './value-filter.ts';

/*
 * A user of SCIM has a list of addresses, and a learner has one address. A request is read as changes of the list, which
 * are done in order on the list of the one stored address, of type `work` and primary. From what the list is in the end
 * one address is chosen. So a change of another address than the stored one leaves that as it is, unless it makes the
 * other one primary or the stored one goes.
 */

export interface Address {
  value?: string | undefined;
  type?: string | undefined;
  primary?: boolean | undefined;
}

/** A change of a user's addresses. Without a filter it means all of them. */
export type AddressChange =
  | { op: 'replace-all' | 'add'; addresses: Address[] }
  | { op: 'remove'; filter?: ValueFilter | undefined }
  /** Sets parts of the addresses; without one that matches, a new one has them. Null clears a part. */
  | { op: 'set'; filter?: ValueFilter | undefined; parts: { [Part in keyof Address]: Address[Part] | null } };

const MAX_ADDRESSES = 100;

/** The address that a learner has after some changes; undefined for none. @throws {DirectoryError} for too many */
export function changedAddress(stored: string | undefined, changes: readonly AddressChange[]): string | undefined {
  let addresses: Address[] = stored === undefined ? [] : [{ value: stored, type: 'work', primary: true }];
  for (const change of changes) {
    addresses = changed(addresses, change);
    if (addresses.length > MAX_ADDRESSES)
      throw new DirectoryError('invalidValue', `emails: must not be more than ${MAX_ADDRESSES}`);
  }
  return chosen(addresses)?.value;
}

function changed(before: Address[], change: AddressChange): Address[] {
  switch (change.op) {
    case 'replace-all':
      return change.addresses;
    case 'add':
      return added(before, change.addresses);
    case 'remove':
      return before.filter((address) => !isMeant(address, change.filter));
    case 'set':
      return set(before, change);
  }
}

function isMeant(address: Address, filter: ValueFilter | undefined): boolean {
  return !filter || matchesFilter(filter, { ...address, primary: address.primary ?? false });
}

/** One that is there already takes on what is said of it. */
function added(before: Address[], additions: readonly Address[]): Address[] {
  const isPrimaryAdded = additions.some(({ primary }) => primary);
  const after = before.map((one) => (isPrimaryAdded ? { ...one, primary: false } : one));
  for (const addition of additions) {
    const place = after.findIndex(({ value }) => isSame(value, addition.value));
    if (place < 0) after.push(addition);
    else after[place] = { ...after[place], ...addition, value: after[place]!.value };
  }
  return after;
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a.toLowerCase() === b?.toLowerCase();
}

function set(before: Address[], { filter, parts }: Extract<AddressChange, { op: 'set' }>): Address[] {
  const meant = filter ? before.filter((one) => isMeant(one, filter)) : [chosen(before) ?? []].flat();
  if (parts.value === null) return before.filter((one) => !meant.includes(one));
  const withParts = (one: Address): Address => {
    const entries = Object.entries({ ...one, ...parts }).map(([part, value]) => [part, value ?? undefined]);
    return Object.fromEntries(entries) as Address;
  };
  const others = before.map((one) => (parts.primary && !meant.includes(one) ? { ...one, primary: false } : one));
  if (meant.length > 0) return others.map((one) => (meant.includes(one) ? withParts(one) : one));
  const isAdded = Object.values(parts).some((value) => value !== null);
  return isAdded ? [...others, withParts(filter ? toAddress(filter) : {})] : before;
}

/** The address that a filter describes, such as one of type `home`. */
function toAddress(filter: ValueFilter): Address {
  const { type, primary } = equalitiesIn(filter);
  return {
    ...(typeof type === 'string' && { type }),
    ...(primary !== undefined && { primary: String(primary).toLowerCase() === 'true' }),
  };
}

/** The primary address, else the one of type `work`, else the first. */
function chosen(addresses: readonly Address[]): Address | undefined {
  const usable = addresses.filter(({ value }) => value !== undefined);
  const ofWork = usable.find(({ type = 'work' }) => type.toLowerCase() === 'work');
  return usable.find(({ primary }) => primary) ?? ofWork ?? usable[0];
}
