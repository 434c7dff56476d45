import { readFileSync } from 'node:fs';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { closeExtensibleEnums, type JsonObject } from '../../contract-gate/src/index.ts';

type Json = Record<string, unknown>;
interface Operation {
  operationId: string;
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: { $ref: string } }> }>;
}

/** Returns a description of a response's first breach of the contract, or undefined. */
type CheckResponse = (method: string, path: string, status: number, type: string, text: string) => string | undefined;

/**
 * Statuses that every operation can return without declaring them: wrong method, header too large, no handler yet. A
 * 500 is never allowed.
 */
const ANY_OPERATION = [405, 431, 501];
/** Media types of lists other than JSON, each with the media type under which the contract declares it. */
const SHAPES = new Map([
  ['text/csv', 'text/csv'],
  ['application/jsonl', 'application/jsonl'],
  ['application/x-ndjson', 'application/jsonl'],
]);
const checkRest = checkerOf('openapi.json', { prefix: '/v1', json: 'application/json', error: 'ErrorResponse' });
const checkScim = checkerOf('scim.json', { prefix: '/scim/v2', json: 'application/scim+json', error: 'Error' });

/**
 * Checks a response against the contract of its path: the status is declared, the body matches the schema of the
 * status, and it has no undeclared field.
 */
export const checkResponse: CheckResponse = (method, path, ...answer) => {
  return (path.startsWith('/scim/v2') ? checkScim : checkRest)(method, path, ...answer);
};

interface Transport {
  prefix: string;
  /** The media type of JSON responses. */
  json: string;
  /** The schema of errors. */
  error: string;
}

function checkerOf(file: string, { prefix, json, error }: Transport): CheckResponse {
  const text = readFileSync(new URL(`../../generated/${file}`, import.meta.url), 'utf8');
  const document = closeExtensibleEnums(JSON.parse(text) as JsonObject) as unknown as Json & {
    paths: Record<string, Record<string, Operation>>;
    components: { responses: Json; schemas: Json };
  };
  closeObjects(document.components.schemas);
  const ajv = new Ajv2020.default({ strict: false, allErrors: true });
  addFormats.default(ajv, { mode: 'full' });
  ajv.addSchema(document, 'contract');
  const compiled = new Map<string, ValidateFunction>();
  const literalFirst = Object.entries(document.paths)
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)
    .map(([template, operations]) => ({
      pattern: new RegExp(`^${prefix}${template.replace(/\{\w+\}/g, '[^/]+')}$`),
      operations,
    }));

  function findOperation(method: string, path: string): Operation | undefined {
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    return literalFirst.find(({ pattern }) => pattern.test(path))?.operations[verb];
  }

  function schemaOf(operation: Operation, status: number): string | undefined {
    const declared = operation.responses[status] ?? operation.responses.default!;
    const response = (
      declared.$ref ? document.components.responses[declared.$ref.split('/').pop()!] : declared
    ) as Operation['responses'][string];
    return response.content?.[json]?.schema.$ref;
  }

  return (method, path, status, type, body) => {
    const operation = findOperation(method, path);
    if (operation && status === 200 && operation.operationId === 'getOpenApiDocument') return undefined;
    if (status === 200 && operation?.responses[200]?.content?.['application/pdf']) {
      return type === 'application/pdf' && body.startsWith('%PDF-') ? undefined : `No PDF, but ${type}`;
    }
    if (status === 200 && operation?.responses[200]?.content?.['application/zip']) {
      return type === 'application/zip' && body.startsWith('PK') ? undefined : `No ZIP file, but ${type}`;
    }
    const shape = SHAPES.get(type.split(';')[0]!);
    if (status === 200 && shape && operation?.responses[200]?.content?.[shape]) return undefined;
    if (operation?.responses[status] && !schemaOf(operation, status)) {
      return body === '' ? undefined : `${operation.operationId} declares no body for ${status}`;
    }
    if (!type.startsWith(json)) return `The content type is ${type}`;
    const ref = operation ? schemaOf(operation, status) : `#/components/schemas/${error}`;
    if (operation && !operation.responses[status] && !ANY_OPERATION.includes(status)) {
      return `${operation.operationId} does not declare ${status}`;
    }
    const validate = compiled.get(ref!) ?? ajv.compile({ $ref: `contract${ref}` });
    compiled.set(ref!, validate);
    if (validate(JSON.parse(body))) return undefined;
    return `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`;
  };
}

/** Disallows undeclared fields in objects, because each of them is a leak. */
function closeObjects(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const object = schema as Json;
  if (object.type === 'object' && object.properties && object.additionalProperties === undefined) {
    object.additionalProperties = false;
  }
  Object.values(object).forEach(closeObjects);
}
