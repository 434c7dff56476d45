import { DirectoryError } from './directory-error.ts';
import { equalitiesIn, matchesFilter, type ValueFilter } from './value-filter.ts';

/*
 * A SCIM user has a list of e-mail addresses, but a learner has only one address. A request is parsed into changes to
 * the list. The changes are applied in order to a list that contains only the stored address, as the primary address of
 * type `work`. The learner's address is chosen from the final list. A change to a different address therefore leaves
 * the stored address unchanged, unless the different address becomes primary or the stored address is removed.
 */

export interface Address {
  value?: string | undefined;
  type?: string | undefined;
  primary?: boolean | undefined;
}

/**
 * A change to a user's addresses. Without a filter, `remove` applies to all addresses, and `set` to the one that
 * `chosen` returns.
 */
export type AddressChange =
  | { op: 'replace-all' | 'add'; addresses: Address[] }
  | { op: 'remove'; filter?: ValueFilter | undefined }
  /**
   * Sets parts of the matching addresses, or adds an address with these parts if none matches. Null clears a part; a
   * null `value` removes the matching addresses.
   */
  | { op: 'set'; filter?: ValueFilter | undefined; parts: { [Part in keyof Address]: Address[Part] | null } };

const MAX_ADDRESSES = 100;

/**
 * Returns the learner's address after the changes; undefined if none is left.
 * @throws {DirectoryError} for too many addresses
 */
export function changedAddress(stored: string | undefined, changes: readonly AddressChange[]): string | undefined {
  let addresses: Address[] = stored === undefined ? [] : [{ value: stored, type: 'work', primary: true }];
  for (const change of changes) {
    addresses = changed(addresses, change);
    if (addresses.length > MAX_ADDRESSES)
      throw new DirectoryError('invalidValue', `\`emails\` must have at most ${MAX_ADDRESSES} addresses.`);
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

/** Adds addresses. If an address already exists, updates it with the given parts. */
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

/** Returns the address that a filter describes, such as an address of type `home`. */
function toAddress(filter: ValueFilter): Address {
  const { type, primary } = equalitiesIn(filter);
  return {
    ...(typeof type === 'string' && { type }),
    ...(primary !== undefined && { primary: String(primary).toLowerCase() === 'true' }),
  };
}

/** Returns the primary address, otherwise the address of type `work`, otherwise the first one. */
function chosen(addresses: readonly Address[]): Address | undefined {
  const usable = addresses.filter(({ value }) => value !== undefined);
  const ofWork = usable.find(({ type = 'work' }) => type.toLowerCase() === 'work');
  return usable.find(({ primary }) => primary) ?? ofWork ?? usable[0];
}
