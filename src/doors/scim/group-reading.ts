import { DirectoryError } from '../../resources/directory/directory-error.ts';
import type { GroupFields } from '../../resources/directory/directory-group-handlers.ts';
import { BOUNDS } from './bounds.ts';
import { type AttributeChange, attributesOf, readPatch } from './patch.ts';
import { requireValidFields } from './valid-fields.ts';
import { fieldsOf, listOf, textAt } from './values.ts';

const NOT_KEPT = new Set(['id', 'schemas', 'meta']);

/** A group as a POST or a PUT has it. @throws {DirectoryError} */
export function readGroup(body: unknown): GroupFields {
  return applied({ externalId: null, displayName: null, memberIds: [] }, attributesOf(body, 'replace'));
}

/** What a PATCH says of a group. @throws {DirectoryError} */
export function readGroupPatch(body: unknown): GroupFields {
  return applied({}, readPatch(body));
}

/** What becomes of members: all others go, or some come and some go. */
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
  else if (attribute === 'externalid') fields.externalId = textAt('externalId', value);
  else if (attribute === 'members' || attribute === 'members.value') changeMembers(members, { attribute, ...change });
  else if (change.isPath && !NOT_KEPT.has(attribute))
    throw new DirectoryError('invalidPath', `path: a group has no ${attribute}`);
}

function changeMembers(members: Members, { op, conditions, value }: AttributeChange): void {
  const given = [...conditions.map((condition) => memberOf(condition)), ...listOf(value).map(idOf)];
  if (op === 'add') return given.forEach((id) => add(members, id));
  if (op === 'replace') {
    Object.assign(members, { all: new Set(given), added: new Set(), removed: new Set() } satisfies Members);
  } else if (given.length === 0) members.all = new Set();
  else given.forEach((id) => remove(members, id));
}

function add({ all, added, removed }: Members, id: string): void {
  if (all) return void all.add(id);
  added.add(id);
  removed.delete(id);
}

function remove({ all, added, removed }: Members, id: string): void {
  if (all) return void all.delete(id);
  removed.add(id);
  added.delete(id);
}

/** The member of `members[value eq "…"]`. */
function memberOf({ attribute, value }: AttributeChange['conditions'][number]): string {
  if (attribute === 'value' && typeof value === 'string') return value;
  throw new DirectoryError('invalidFilter', 'path: members are found by value');
}

function idOf(member: unknown): string {
  const id = typeof member === 'string' ? member : fieldsOf(member)?.get('value');
  if (typeof id === 'string' && id.length <= BOUNDS.memberLength) return id;
  throw new DirectoryError('invalidValue', 'members: each has the id of a user as its value');
}

function memberFields({ all, added, removed }: Members): GroupFields {
  const fields = all
    ? { memberIds: [...all] }
    : { ...(added.size > 0 && { addedIds: [...added] }), ...(removed.size > 0 && { removedIds: [...removed] }) };
  if (Object.values(fields).some(({ length }) => length > BOUNDS.members))
    throw new DirectoryError('invalidValue', `members: must not be more than ${BOUNDS.members} in one request`);
  return fields;
}
