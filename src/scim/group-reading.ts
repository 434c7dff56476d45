import { DirectoryError } from '../resources/directory/directory-error.ts';
import type { GroupFields } from '../resources/directory/directory-group-handlers.ts';
import { comparisonsIn, matchesFilter, type ValueFilter } from '../resources/directory/value-filter.ts';
import { BOUNDS } from './bounds.ts';
import { type AttributeChange, listAttributeChanges, readPatch, requireWritable } from './patch.ts';
import { requireValidFields } from './valid-fields.ts';
import { externalIdAt, toFieldMap, toList, textAt } from './values.ts';

const IGNORED_ATTRIBUTES = new Set(['schemas']);

/** Reads the group of a POST or a PUT; see patch.ts. @throws {DirectoryError} */
export function readGroup(body: unknown): GroupFields {
  return applied({ externalId: null, displayName: null, memberIds: [] }, listAttributeChanges(body, 'replace'));
}

/** Reads the changes that a PATCH makes to a group. @throws {DirectoryError} */
export function readGroupPatch(body: unknown): GroupFields {
  return applied({}, readPatch(body));
}

/** Changes to the members: either the complete new list, or members to add and to remove. */
interface Members {
  all: Set<string> | undefined;
  added: Set<string>;
  removed: Set<string>;
}

function applied(before: GroupFields, changes: readonly AttributeChange[]): GroupFields {
  const fields = { ...before };
  const members: Members = { all: before.memberIds && new Set(), added: new Set(), removed: new Set() };
  for (const change of changes) apply(fields, members, change);
  requireValidFields(fields);
  return { ...fields, ...memberFields(members) };
}

function apply(fields: GroupFields, members: Members, { attribute, ...change }: AttributeChange): void {
  const value = change.op === 'remove' ? null : change.value;
  if (attribute === 'displayname') fields.displayName = textAt('displayName', value);
  else if (attribute === 'externalid') fields.externalId = externalIdAt('externalId', value);
  else if (attribute === 'members' || attribute === 'members.value') changeMembers(members, { attribute, ...change });
  else if (change.isPath && !IGNORED_ATTRIBUTES.has(attribute)) {
    requireWritable(attribute.split('.')[0]!);
    throw new DirectoryError('invalidPath', `\`path\` is invalid: a group has no ${attribute}.`);
  }
}

function changeMembers(members: Members, { op, filter, value }: AttributeChange): void {
  const given = toList(value).map(readMemberId);
  const meant = filter ? readMembers(filter) : undefined;
  const isList = value !== null && value !== undefined;
  if (op === 'remove') remove(members, meant ?? (isList ? given : 'all'));
  if (op === 'replace') remove(members, meant ?? 'all');
  if (op === 'add' && meant !== 'all') add(members, meant ?? []);
  if (op !== 'remove') add(members, given);
}

function add({ all, added, removed }: Members, ids: readonly string[]): void {
  for (const id of ids) {
    (all ?? added).add(id);
    removed.delete(id);
  }
}

function remove(members: Members, ids: readonly string[] | 'all'): void {
  if (ids === 'all') {
    Object.assign(members, { all: new Set(), added: new Set(), removed: new Set() } satisfies Members);
    return;
  }
  const { all, added, removed } = members;
  for (const id of ids) {
    (all ?? added).delete(id);
    if (!all) removed.add(id);
  }
}

/**
 * Reads the members of `members[value eq "…"]`. Groups are too large to check each member. A filter must therefore
 * match either only members that it names, or all members. A made-up member represents all members that the filter does
 * not name.
 * @throws {DirectoryError} `invalidFilter`
 */
function readMembers(filter: ValueFilter): string[] | 'all' {
  const comparisons = comparisonsIn(filter);
  const isExact = comparisons.every(
    ({ attribute, operator }) =>
      attribute === 'type' || (attribute === 'value' && ['eq', 'ne', 'pr'].includes(operator)),
  );
  const named = comparisons.flatMap(({ attribute, value }) =>
    attribute === 'value' ? [String(value).toLowerCase()] : [],
  );
  const isMeant = (value: string) => matchesFilter(filter, { value, type: 'User' });
  const meant = [...new Set(named)].filter(isMeant);
  if (isExact && !isMeant('another')) return meant;
  if (isExact && named.every(isMeant)) return 'all';
  throw new DirectoryError('invalidFilter', '`path` must select members by value.');
}

function readMemberId(member: unknown): string {
  const id = typeof member === 'string' ? member : toFieldMap(member)?.get('value');
  if (typeof id === 'string' && id.length <= BOUNDS.memberLength) return id.toLowerCase();
  throw new DirectoryError('invalidValue', 'Each of `members` must have the id of a user as its value.');
}

function memberFields({ all, added, removed }: Members): GroupFields {
  const fields = all
    ? { memberIds: [...all] }
    : { ...(added.size > 0 && { addedIds: [...added] }), ...(removed.size > 0 && { removedIds: [...removed] }) };
  if (Object.values(fields).some(({ length }) => length > BOUNDS.members))
    throw new DirectoryError('invalidValue', `\`members\` must have at most ${BOUNDS.members} members in one request.`);
  return fields;
}
