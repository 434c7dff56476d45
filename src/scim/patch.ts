// SCIM reading: how requests of directories become fields of a user or a group.
//
// Entra, Okta and others send the same change in many forms. Both bodies (POST, PUT) and patches (PATCH) are first read
// into one form, a list of `AttributeChange`. The steps:
//
// 1. Names. Attribute names ignore case and lose the URN of a core schema. Attributes of unknown schemas are dropped
//    (urns.ts).
// 2. Operations. In a PATCH, each operation with a path is one change; an operation without a path is one change for
//    each attribute of its value. A body is a `replace` of each of its attributes, on top of a resource that is empty.
// 3. Filters. `emails[type eq "work"].value` limits the change to the values that match (filter-expression.ts).
// 4. Values. An object with a `value`, alone or in a list of one, counts as that value. Booleans can be text, and ids
//    can be numbers (values.ts).
// 5. Fields. user-reading.ts and group-reading.ts apply the changes in order. In the result, a missing field stays as
//    it is and null clears it.
// 6. Bounds. The texts must keep the bounds of the contract, in whichever form they came (valid-fields.ts).
//
// src/resources/directory/ then decides what becomes of the fields, such as the one address of a learner
// (address-changes.ts).
//
// Guarantees: reading uses no database, so an invalid request changes nothing. A PUT clears what it leaves out, except
// `active`. Attributes of RFC 7643 that the service does not store are accepted and ignored.
//
// Failures are a DirectoryError with the `scimType` of RFC 7644: `invalidPath` for an unknown attribute in a path,
// `mutability` for a read-only one, `noTarget`, `invalidValue`, `invalidFilter` or `invalidSyntax`. Operations, path
// lengths, comparisons and members have upper bounds (bounds.ts).
//
// Not for: filters of lists, which filter.ts reads, and responses (resource.ts).
import { DirectoryError } from '../resources/directory/directory-error.ts';
import { comparisonsIn, type ValueFilter } from '../resources/directory/value-filter.ts';
import { BOUNDS } from './bounds.ts';
import { invalidFilter, parseFilter } from './filter-expression.ts';
import { plainName } from './urns.ts';
import { toFieldMap, objectAt } from './values.ts';

/** One change of one attribute. */
export interface AttributeChange {
  op: 'add' | 'replace' | 'remove';
  /** A plain name, such as `name.givenname` or `enterprise.employeenumber`. */
  attribute: string;
  /** Which values are meant, such as those with `type eq "work"`; undefined for all. */
  filter: ValueFilter | undefined;
  value: unknown;
  /** Whether the client has named the attribute as a path, and not among others. */
  isPath: boolean;
}

const OPS = ['add', 'replace', 'remove'] as const;
/** A URN has the same characters as a name: told apart here, they would be tried at each colon. */
const PATH = /^([\w$][\w$.:-]*)(?:\[(.*)\](?:\.([\w$-]+))?)?$/;

/**
 * The changes of a PATCH, in order. An operation without a path is a change for each attribute of its value.
 * @throws {DirectoryError}
 */
export function readPatch(body: unknown): AttributeChange[] {
  const operations = toFieldMap(body)?.get('operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw new DirectoryError('invalidSyntax', 'Operations: must be a list of operations');
  if (operations.length > BOUNDS.operations)
    throw new DirectoryError('invalidSyntax', `Operations: must not be more than ${BOUNDS.operations}`);
  return operations.flatMap(readOperation);
}

function readOperation(operation: unknown): AttributeChange[] {
  const fields = objectAt('Operations', operation);
  const op = OPS.find((candidate) => candidate === String(fields.get('op')).toLowerCase());
  if (!op) throw new DirectoryError('invalidSyntax', 'op: must be add, replace or remove');
  const path = fields.get('path') ?? '';
  if (typeof path !== 'string') throw new DirectoryError('invalidPath', 'path: must be a string');
  const value = fields.get('value');
  if (path !== '') {
    const read = readPath(path);
    if (!read) throw new DirectoryError('invalidPath', `path: ${path.slice(0, 200)} cannot be read`);
    return read.map((one) => ({ ...one, op, value, isPath: true }));
  }
  if (op === 'remove') throw new DirectoryError('noTarget', 'path: is required to remove something');
  return listAttributeChanges(value, op);
}

/** The attributes of an object, each as a change. Their names may be paths; what is no name is passed over. */
export function listAttributeChanges(value: unknown, op: AttributeChange['op']): AttributeChange[] {
  if (!toFieldMap(value)) throw new DirectoryError('invalidSyntax', 'The value must be an object of attributes.');
  return Object.entries(value as object).flatMap(([name, one]) =>
    (readPath(name) ?? []).map((path) => ({ ...path, op, value: one as unknown, isPath: false })),
  );
}

/** Nothing for an attribute of a schema that is not known here; undefined for what is no path. */
function readPath(path: string): Pick<AttributeChange, 'attribute' | 'filter'>[] | undefined {
  if (path.length > BOUNDS.pathLength) return undefined;
  const [whole, name, filter, sub] = PATH.exec(path.trim()) ?? [];
  if (whole === undefined) return undefined;
  const plain = plainName(name!);
  if (plain === undefined) return [];
  const attribute = sub === undefined ? plain : `${plain}.${sub.toLowerCase()}`;
  return [{ attribute, filter: filter === undefined ? undefined : readValueFilter(filter) }];
}

/** More than anybody compares in one path: each is looked at for each address. */
const MAX_COMPARISONS = 20;

function readValueFilter(text: string): ValueFilter {
  const filter = parseFilter(text);
  if (comparisonsIn(filter).length > MAX_COMPARISONS)
    throw invalidFilter(`a path must not compare more than ${MAX_COMPARISONS} values`);
  return filter;
}

const READ_ONLY = ['id', 'meta', 'groups'];

/**
 * Refuses a path to what the service alone sets (RFC 7644, 3.5.2). Clients that send a whole resource as a value have it
 * there, too; it is passed over then, as in a PUT.
 * @throws {DirectoryError} `mutability`
 */
export function requireWritable(attribute: string): void {
  if (READ_ONLY.includes(attribute)) throw new DirectoryError('mutability', `path: ${attribute} is read-only`);
}
