// A SCIM user has a list of postal addresses. A learner has only a country and a place of work, which responses show as
// one address, of type `work` and primary. A request changes them through the address that matches: in a list the
// primary address, or the one of type `work` if none is primary; in a path, the address that the filter of the path
// selects. Other addresses, such as those of type `home`, are accepted and not stored.
import type { UserFields } from '../resources/directory/directory-user-rules.ts';
import { countryCode, countryNamed, countryOfAlpha3 } from '../contract/geography.ts';
import { matchesFilter } from '../resources/directory/value-filter.ts';
import type { AttributeChange } from './patch.ts';
import { identifierAt, toFieldMap, toList } from './values.ts';

const STORED = { type: 'work', primary: true };

type PostalAddress = ReadonlyMap<string, unknown>;

/**
 * Reads a country as directories send it: Okta sends alpha-2 codes, Entra ID any string in the profile, mostly English
 * names, and others alpha-3 codes. Any other value counts as none, so that it does not block the user.
 */
export function readCountry(raw: unknown): string | null {
  const text = typeof raw === 'string' ? raw : '';
  return countryCode(text) ?? countryOfAlpha3(text) ?? countryNamed(text) ?? null;
}

function readLocality(raw: unknown): string | null {
  return identifierAt('addresses.locality', raw);
}

/** Sets the country or the place of the stored address, if the change selects it. */
export function setAddressPart(fields: UserFields, part: 'country' | 'locality', change: AttributeChange): void {
  if (!isStored(change)) return;
  const value = change.op === 'remove' ? null : change.value;
  if (part === 'country') fields.country = readCountry(value);
  else fields.location = readLocality(value);
}

/**
 * Applies a change to whole addresses. `add`, and any change with a filter, keeps parts that the new address omits;
 * every other change clears them.
 */
export function setPostalAddresses(fields: UserFields, change: AttributeChange): void {
  if (!isStored(change)) return;
  const { op, filter, value } = change;
  const address = op === 'remove' ? undefined : selectAddress(value, filter !== undefined);
  const keepsParts = op !== 'remove' && (op === 'add' || filter !== undefined);
  if (!keepsParts || address?.has('country')) fields.country = readCountry(address?.get('country'));
  if (!keepsParts || address?.has('locality')) fields.location = readLocality(address?.get('locality'));
}

function isStored({ filter }: AttributeChange): boolean {
  return !filter || matchesFilter(filter, STORED);
}

/** Returns the primary address of a list, otherwise the address of type `work`. */
function selectAddress(value: unknown, isSelected: boolean): PostalAddress | undefined {
  const addresses = toList(value).flatMap((one) => toFieldMap(one) ?? []);
  if (isSelected) return addresses[0];
  return addresses.find((one) => isPrimary(one.get('primary'))) ?? addresses.find((one) => isOfWork(one.get('type')));
}

function isOfWork(type: unknown = 'work'): boolean {
  return type === null || (typeof type === 'string' && type.toLowerCase() === 'work');
}

function isPrimary(raw: unknown): boolean {
  return raw === true || (typeof raw === 'string' && raw.trim().toLowerCase() === 'true');
}
