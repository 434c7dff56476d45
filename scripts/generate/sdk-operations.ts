import { CommandError } from '../../src/commands/command.ts';
import { listKeySchemes } from './callers.ts';
import { describePages } from './list-pages.ts';
import {
  type Json,
  type JsonObject,
  list,
  object,
  operationsIn,
  parametersOf,
  resolve,
  text,
} from '../../contract-gate/src/index.ts';

/**
 * Writes the client package's operations that a key can call: routes, and methods with the contract's types and
 * descriptions.
 */
export function sdkOperations(document: JsonObject): string {
  const operations = listOperations(document);
  const signatures = operations.map((operation) => buildSignature(document, operation));
  const envelopes = operations.filter(({ says }) => !sendsFile(says) && findData(document, says) !== undefined);
  const bodies = envelopes.map(({ id, says }) => ({ id, ...toType(findResponse(says), `${id}, envelope`) }));
  const names = [...new Set([...signatures, ...bodies].flatMap(({ schemas }) => schemas))].toSorted();
  const routes = operations.map((operation) => `${operation.id}: ${JSON.stringify(buildRoute(document, operation))},`);
  return `import type { CallOptions, PdfBody, ZipBody } from '../options.ts';
import type { ${names.join(', ')} } from './schemas.ts';

/** The version of the contract that this package was built from. */
export const contractVersion = ${JSON.stringify(object(document.info).version)};

export const operations = {\n${routes.join('\n')}\n} as const;

export type OperationId = keyof typeof operations;

export interface Operations {\n${signatures.map(({ code }) => code).join('\n\n')}\n}

/** The whole response body of each operation: \`data\` and the fields next to it. */
export interface Envelopes {\n${bodies.map(({ id, code }) => `${id}: ${code};`).join('\n')}\n}\n`;
}

interface Operation {
  id: string;
  method: string;
  path: string;
  says: JsonObject;
  parameters: JsonObject[];
}

function listOperations(document: JsonObject): Operation[] {
  return operationsIn(document)
    .filter(({ operation }) => isForKeys(document, operation))
    .map((found) => {
      const { path, method, operation: says } = found;
      const parameters = parametersOf(document, found);
      return { id: text(says.operationId), method: method.toUpperCase(), path, says, parameters };
    });
}

/** Reports whether an operation is in the client package. Operations that only sources can call are left out. */
export function isForKeys(document: JsonObject, operation: JsonObject): boolean {
  return list(operation.security).length === 0 || listKeySchemes(document, operation).length > 0;
}

function buildRoute(document: JsonObject, { method, path, says, parameters }: Operation): JsonObject {
  const upload = bodyTypes(says).find((type) => type in BODIES);
  const once = parameters.some(({ name }) => name === 'Idempotency-Key');
  if (sendsFile(says)) return { method, path, file: true };
  const pages = describePages(document, says, parameters);
  const bare = !findData(document, says);
  return {
    method,
    path,
    ...(upload !== undefined && { upload }),
    ...(once && { once }),
    ...(bare && { bare }),
    ...(pages !== null && { pages }),
  };
}

/** Returns the method's signature with its comment, and the schemas that it names. */
function buildSignature(document: JsonObject, operation: Operation): { code: string; schemas: string[] } {
  const { id, says, parameters } = operation;
  // The client sets headers itself, some of them from the options of a call.
  const inputs = parameters.filter((parameter) => parameter.in !== 'header');
  const fields = inputs.map((parameter) => ({
    name: text(parameter.name),
    comment: formatComment([parameter.description], parameter.deprecated === true),
    needed: parameter.required === true,
    type: toType(object(parameter.schema), `${id}, parameter ${text(parameter.name)}`),
  }));
  const request = object(says.requestBody);
  if (says.requestBody) {
    const needed = request.required === true;
    fields.push({ name: 'body', comment: '', needed, type: bodyType(id, says) });
  }
  const mark = fields.some(({ needed }) => needed) ? '' : '?';
  const shape = fields.map(({ name, comment, needed, type }) => `${comment}${name}${needed ? '' : '?'}: ${type.code};`);
  const input = fields.length > 0 ? `{\n${shape.join('\n')}\n}` : 'Record<string, never>';
  const answer = sendsFile(says)
    ? { code: 'Blob', schemas: [] }
    : toType(findData(document, says) ?? findResponse(says), `${id}, answer`);
  const comment = formatComment([says.summary, says.description], says.deprecated === true);
  return {
    code: `${comment}${id}(input${mark}: ${input}, options?: CallOptions): Promise<${answer.code}>;`,
    schemas: [...fields.map(({ type }) => type), answer].flatMap(({ schemas }) => schemas),
  };
}

interface Type {
  code: string;
  schemas: string[];
}

const SCALARS: Record<string, string> = { string: 'string', boolean: 'boolean', integer: 'number', number: 'number' };

/**
 * Returns the TypeScript type of a schema. Bodies have named schemas, so only a parameter can have an unnamed one.
 * @param where the owner of the schema, for the error message
 */
function toType(schema: JsonObject, where: string): Type {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.replace('#/components/schemas/', '');
    return { code: name, schemas: [name] };
  }
  if (schema.type === 'array') {
    const { code, schemas } = toType(object(schema.items), where);
    return { code: `${code}[]`, schemas };
  }
  if (schema.enum)
    return {
      code: list(schema.enum)
        .map((value) => JSON.stringify(value))
        .join(' | '),
      schemas: [],
    };
  const scalar = SCALARS[schema.type as string];
  if (scalar) return { code: scalar, schemas: [] };
  throw new CommandError(
    `${where}: the client package has no type for ${JSON.stringify(schema)}; name the schema in api/`,
  );
}

/** Types of bodies that are files, by their media types. */
const BODIES: Record<string, string> = { 'application/pdf': 'PdfBody', 'application/zip': 'ZipBody' };

function bodyTypes(says: JsonObject): string[] {
  return Object.keys(object(object(says.requestBody).content));
}

function bodyType(id: string, says: JsonObject): Type {
  const upload = bodyTypes(says).find((type) => type in BODIES);
  if (upload !== undefined) return { code: BODIES[upload]!, schemas: [] };
  return toType(object(object(object(object(says.requestBody).content)['application/json']).schema), `${id}, body`);
}

function sendsFile(says: JsonObject): boolean {
  const { content } = object(object(says.responses)['200']);
  return Object.keys(object(content)).some((type) => type in BODIES);
}

function findResponse(says: JsonObject): JsonObject {
  const response = object(object(says.responses)['200']);
  return object(object(object(response.content)['application/json']).schema);
}

/** Returns the schema of `data` in the response; undefined for a response without an envelope. */
function findData(document: JsonObject, says: JsonObject): JsonObject | undefined {
  const { data } = object(resolve(document, findResponse(says)).properties);
  return data === undefined ? undefined : object(data);
}

function formatComment(paragraphs: (Json | undefined)[], deprecated: boolean): string {
  const words = [...paragraphs.map((paragraph) => text(paragraph).trim()), ...(deprecated ? ['@deprecated'] : [])];
  const lines = words.filter(Boolean).join('\n\n').replaceAll('*/', '*\\/').split('\n');
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
