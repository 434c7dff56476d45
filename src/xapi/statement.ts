import type { ErrorObject, ValidateFunction } from 'ajv';
import { createAjv } from '../contract/ajv.ts';
import { type FieldError, invalidField } from '../contract/errors.ts';
import { once } from '../http/once.ts';
import { formatValidationError } from '../contract/validation-messages.ts';
import { isIri, isIsoDuration, isLanguage, isMailto, isStatementId, parseMoment } from './statement-formats.ts';
import { statementSchema } from './statement-schema.ts';

/** The fields of a valid statement that are used here. */
export interface Statement {
  id?: string;
  actor: Actor;
  verb: { id: string };
  object: { objectType?: string; id?: string };
  result?: { score?: Score; success?: boolean; completion?: boolean };
  timestamp?: string;
}

export interface Actor {
  objectType?: string;
  mbox?: string;
  mbox_sha1sum?: string;
  openid?: string;
  account?: { homePage: string; name: string };
}

export interface Score {
  scaled?: number;
  raw?: number;
  min?: number;
  max?: number;
}

/** Maximum number of statements in a request; the same as the contract's limit on facts per call. */
export const MAX_STATEMENTS = 10_000;

/**
 * Reads the statements of a POST, either a single one or a list.
 * @throws {ApiError} `invalid_request` that names the first invalid field
 */
export function readStatements(body: unknown): Statement[] {
  const isList = Array.isArray(body);
  const given: unknown[] = isList ? body : [body];
  if (given.length > MAX_STATEMENTS) throw invalidField('body', `must have at most ${MAX_STATEMENTS} statements`);
  const statements = given.map((value, index) => readStatement(value, isList ? `body/${index}` : 'body'));
  const repeated = findRepeated(statements);
  if (repeated !== undefined)
    throw invalidField(`body/${repeated}/id`, 'must not be the id of another statement in this body');
  return statements;
}

/**
 * Reads the statement of a PUT request. Its id is the `statementId` of the query string.
 * @throws {ApiError} `invalid_request` that names the first invalid field
 */
export function readStatementWithId(body: unknown, id: string): Statement {
  const statement = readStatement(body, 'body');
  if (statement.id !== undefined && !isSameId(statement.id, id)) {
    throw invalidField('body/id', 'must equal query/statementId');
  }
  return { ...statement, id };
}

const validator = once((): ValidateFunction<Statement> => {
  // References by `$data` compare a score with its bounds.
  const ajv = createAjv({ $data: true });
  ajv.addFormat('iri', isIri);
  ajv.addFormat('mailto', isMailto);
  ajv.addFormat('statement-uuid', isStatementId);
  ajv.addFormat('language', isLanguage);
  ajv.addFormat('iso-duration', isIsoDuration);
  ajv.addFormat('moment', (value) => parseMoment(value) !== undefined);
  return ajv.compile<Statement>(statementSchema);
});

function readStatement(value: unknown, place: string): Statement {
  const validate = validator();
  if (validate(value)) return value;
  const { field, message } = toFieldError(validate.errors!);
  throw invalidField(place + field, message);
}

const FORMATS: Record<string, string> = {
  iri: 'must be an IRI with its scheme',
  mailto: 'must be mailto: followed by an e-mail address',
  'statement-uuid': 'must be a UUID',
  language: 'must be an RFC 5646 language tag',
  'iso-duration': 'must be an ISO 8601 duration',
  moment: 'must be an ISO 8601 timestamp with a UTC offset',
};

/**
 * Converts the outermost error, which is the most precise. The earlier errors belong to alternatives that the validator
 * tried.
 */
function toFieldError(errors: readonly ErrorObject[]): FieldError {
  const error = errors.findLast(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames')!;
  const { keyword, instancePath: path, propertyName, message = 'is invalid' } = error;
  const params = error.params as Record<string, string>;
  if (propertyName !== undefined) return { field: `${path}/${propertyName}`, message: FORMATS[params.format!]! };
  if (keyword === 'required') return { field: `${path}/${params.missingProperty}`, message: 'is required' };
  if (keyword === 'dependencies') return { field: `${path}/${params.missingProperty}`, message: 'is required' };
  if (keyword === 'additionalProperties') {
    return { field: `${path}/${params.additionalProperty}`, message: 'is not a property of xAPI 1.0.3; remove it' };
  }
  if (keyword === 'oneOf') return { field: path, message: 'must have one of mbox, mbox_sha1sum, openid and account' };
  if (keyword === 'not') return { field: path, message: 'must not have mbox, mbox_sha1sum, openid or account' };
  if (keyword === 'const') return { field: path, message: `must be ${params.allowedValue}` };
  if (keyword === 'false schema') return { field: path, message: 'is only for statements about an activity' };
  return { field: path, message: FORMATS[params.format!] ?? formatValidationError('', message) };
}

/** Returns the index of the first statement whose id an earlier statement has. */
function findRepeated(statements: readonly Statement[]): number | undefined {
  const seen = new Set<string>();
  const index = statements.findIndex(({ id }) => {
    if (id === undefined) return false;
    const isKnown = seen.has(id.toLowerCase());
    seen.add(id.toLowerCase());
    return isKnown;
  });
  return index < 0 ? undefined : index;
}

function isSameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
