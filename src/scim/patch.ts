// SCIM reading: converts the requests of directories to fields of a user or a group.
//
// Entra, Okta and others send the same change in many forms. Both bodies (POST, PUT) and patches (PATCH) are first read
// into one form, a list of `AttributeChange`. The steps:
//
// 1. Names. Attribute names ignore case and lose the URN of a core schema. Attributes of unknown schemas are dropped
//    (urns.ts).
// 2. Operations. In a PATCH, each operation with a path is one change; an operation without a path is one change for
//    each attribute of its value. A body is a `replace` of each of its attributes, on top of an empty resource.
// 3. Filters. `emails[type eq "work"].value` limits the change to the values that match (filter-expression.ts).
// 4. Values. An object with a `value`, by itself or in a list of one, counts as that value. Booleans can be strings,
//    and ids can be numbers (values.ts).
// 5. Fields. user-reading.ts and group-reading.ts apply the changes in order. In the result, a missing field keeps its
//    value and null clears it.
// 6. Bounds. The strings must respect the contract's limits, regardless of the form in which they were sent
//    (valid-fields.ts).
//
// src/resources/directory/ then applies the fields. For example, it chooses the learner's only e-mail address
// (address-changes.ts).
//
// Guarantees: reading uses no database, so an invalid request changes nothing. A PUT clears the attributes that it
// leaves out, except `active` and `absentUntil`. Attributes of RFC 7643 that the service does not store are accepted and ignored.
//
// Failures are a DirectoryError with the `scimType` of RFC 7644: `invalidPath` for an unknown attribute in a path,
// `mutability` for a read-only attribute, `noTarget`, `invalidValue`, `invalidFilter` or `invalidSyntax`. Operations,
// path lengths, comparisons and members have upper bounds (bounds.ts).
//
// filter.ts reads the filters of lists, and resource.ts builds responses.
import { DirectoryError } from '../resources/directory/directory-error.ts';
import { comparisonsIn, type ValueFilter } from '../resources/directory/value-filter.ts';
import { BOUNDS } from './bounds.ts';
import { invalidFilter, parseFilter } from './filter-expression.ts';
import { plainName } from './urns.ts';
import { toFieldMap, objectAt } from './values.ts';

/** A change to an attribute. */
export interface AttributeChange {
  op: 'add' | 'replace' | 'remove';
  /** A plain name, such as `name.givenname` or `enterprise.employeenumber`. */
  attribute: string;
  /** Filter of the values to change, such as `type eq "work"`; undefined for all values. */
  filter: ValueFilter | undefined;
  value: unknown;
  /** Whether the client named the attribute as a path, not within a value. */
  isPath: boolean;
}

const OPS = ['add', 'replace', 'remove'] as const;
/** A URN has the same characters as a name. A pattern that separated them would backtrack at each colon. */
const PATH = /^([\w$][\w$.:-]*)(?:\[(.*)\](?:\.([\w$-]+))?)?$/;

/**
 * Reads the changes in a PATCH, in order.
 * @throws {DirectoryError}
 */
export function readPatch(body: unknown): AttributeChange[] {
  const operations = toFieldMap(body)?.get('operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw new DirectoryError('invalidSyntax', '`Operations` must be a non-empty array of operations.');
  if (operations.length > BOUNDS.operations)
    throw new DirectoryError('invalidSyntax', `\`Operations\` must have at most ${BOUNDS.operations} operations.`);
  return operations.flatMap(readOperation);
}

function readOperation(operation: unknown): AttributeChange[] {
  const fields = objectAt('Operations', operation);
  const op = OPS.find((candidate) => candidate === String(fields.get('op')).toLowerCase());
  if (!op) throw new DirectoryError('invalidSyntax', '`op` must be add, replace or remove.');
  const path = fields.get('path') ?? '';
  if (typeof path !== 'string') throw new DirectoryError('invalidPath', '`path` must be a string.');
  const value = fields.get('value');
  if (path !== '') {
    const read = readPath(path);
    if (!read) throw new DirectoryError('invalidPath', `\`path\` is malformed: ${path.slice(0, 200)}`);
    return read.map((one) => ({ ...one, op, value, isPath: true }));
  }
  if (op === 'remove') throw new DirectoryError('noTarget', '`path` is required with the op remove.');
  return listAttributeChanges(value, op);
}

/** Lists the attributes of an object as changes. Names can be paths; anything else is ignored. */
export function listAttributeChanges(value: unknown, op: AttributeChange['op']): AttributeChange[] {
  if (!toFieldMap(value)) throw new DirectoryError('invalidSyntax', 'The value must be an object of attributes.');
  return Object.entries(value as object).flatMap(([name, one]) =>
    (readPath(name) ?? []).map((path) => ({ ...path, op, value: one as unknown, isPath: false })),
  );
}

/** Returns an empty list for an attribute of an unknown schema, and undefined for a string that is not a path. */
function readPath(path: string): Pick<AttributeChange, 'attribute' | 'filter'>[] | undefined {
  if (path.length > BOUNDS.pathLength) return undefined;
  const [whole, name, filter, sub] = PATH.exec(path.trim()) ?? [];
  if (whole === undefined) return undefined;
  const plain = plainName(name!);
  if (plain === undefined) return [];
  const attribute = sub === undefined ? plain : `${plain}.${sub.toLowerCase()}`;
  return [{ attribute, filter: filter === undefined ? undefined : readValueFilter(filter) }];
}

/**
 * Maximum number of comparisons in a path. Each comparison is evaluated for each address, and real paths have fewer.
 */
const MAX_COMPARISONS = 20;

function readValueFilter(text: string): ValueFilter {
  const filter = parseFilter(text);
  if (comparisonsIn(filter).length > MAX_COMPARISONS)
    throw invalidFilter(`must compare at most ${MAX_COMPARISONS} values in a path`);
  return filter;
}

const READ_ONLY = ['id', 'meta', 'groups'];

/**
 * Rejects a path to an attribute that only the service sets (RFC 7644, 3.5.2). Clients that send a whole resource as a
 * value include such attributes; in that case, the attributes are ignored, as in a PUT.
 * @throws {DirectoryError} `mutability`
 */
export function requireWritable(attribute: string): void {
  if (READ_ONLY.includes(attribute))
    throw new DirectoryError('mutability', `\`path\` is invalid: ${attribute} is read-only.`);
}
