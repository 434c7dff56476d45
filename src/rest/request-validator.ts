import type { Request, RequestHandler, Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { isJsonOnly, type OperationId, operations } from '../contract/contract.ts';
import { type NormalizedSchema, createNormalizer } from '../operations/normal-input.ts';
import { resolved } from '../operations/resolved-schema.ts';

type Step = (req: Request, res: Response, next: (error?: unknown) => void) => unknown;

/** The operation that express-openapi-validator finds for a request. */
interface Match {
  expressRoute: string;
  openApiRoute: string;
  pathParams: Record<string, string>;
  schema: Operation & { operationId: string };
  serial: number;
}

/**
 * Maximum size in bytes of a request whose response lists all errors; for a larger request, the response lists only the
 * first.
 */
const SMALL_BYTES = 8 * 1024;

/** Keywords that a schema can have if it accepts every string. */
const TEXT_KEYWORDS = new Set(['type', 'description', 'example', 'examples', 'title']);

export type RequestValidator = (operationId: OperationId) => RequestHandler;

/**
 * Loads the contract into express-openapi-validator and returns a validator for each operation.
 *
 * The library's own chain compiles every path of the document for every request to find the operation. Here the
 * operation is looked up once, because the route already determines it. The lookup also proves at start that the
 * document loads, and that literal and templated paths lead to the operation that Express routes to. Otherwise, a
 * mistake would be a 500 on each request. Security is checked earlier, by `authenticate`.
 *
 * The documented way is one `middleware()` for each operation's own part of the document. Measured on 27 November 2026
 * with express-openapi-validator 5.6.2, that way takes 7 µs more processor time for each request, and 72 to 94 ms on
 * the first request of an operation, which would block the event loop for all companies. Compiling all operations at
 * the start takes 6.5 s and 44 MB.
 * @throws if the document does not load, or if the library finds an operation at a different path than the operation
 *   table
 */
export async function loadRequestValidator(document: object): Promise<RequestValidator> {
  const first = chain(document, { allErrors: false });
  const every = chain(document, { allErrors: true });
  const matches = new Map<OperationId, Match>();
  for (const operationId of Object.keys(operations) as OperationId[]) {
    matches.set(operationId, await match(first.lookUp, operationId));
  }
  // Loads this chain now: on the first invalid request, it would block the event loop for 100 ms.
  await match(every.lookUp, 'getHealth');

  return (operationId) => {
    const operationMatch = matches.get(operationId)!;
    const judgesQueryAlone = isJudgedByQueryAlone(operationMatch.schema);
    const normalize = createRequestNormalizer(operationMatch.schema);
    return (req, res, next) => {
      normalize(req);
      if (judgesQueryAlone && !req.url.includes('?')) return next();
      (req as { openapi?: Match }).openapi = { ...operationMatch, pathParams: req.params as Record<string, string> };
      void first.validate(req, res, (error) => {
        if (!error || !isSmall(req)) return next(error);
        // Millions of invalid items would be millions of errors, so only a small request gets all its errors.
        void every.validate(req, res, (all) => next(all ?? error));
      });
    };
  };
}

/** Converts the body and the query to the contract's spellings. The pipeline converts ids in paths. */
function createRequestNormalizer({ requestBody, parameters = [] }: Operation): (req: Request) => void {
  const ofBody = createNormalizer(requestBody?.content['application/json']?.schema ?? {});
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const properties = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]));
  const ofQuery = createNormalizer({ properties });
  return (req) => {
    if (ofBody) req.body = ofBody(req.body);
    // Express parses the query each time it is read.
    if (ofQuery && req.url.includes('?'))
      Object.defineProperty(req, 'query', { value: ofQuery({ ...req.query }), writable: true });
  };
}

/** Reports whether a request without a query is always valid and gets no default values. */
function isJudgedByQueryAlone({ requestBody, parameters = [] }: Operation): boolean {
  return !requestBody && parameters.every((parameter) => isAnyText(parameter) || isOptionalInQuery(parameter));
}

/** Reports whether a parameter is a path segment that accepts any string; a segment is never empty. */
function isAnyText({ in: location, schema }: Parameter): boolean {
  return location === 'path' && Object.keys(schema).every((key) => TEXT_KEYWORDS.has(key)) && schema.type === 'string';
}

function isOptionalInQuery({ in: location, required = false, schema }: Parameter): boolean {
  return location === 'query' && !required && schema.default === undefined;
}

function isSmall(req: Request): boolean {
  return req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) <= SMALL_BYTES;
}

/** Returns the two steps of express-openapi-validator that find an operation and validate its requests. */
function chain(document: object, { allErrors }: { allErrors: boolean }): { lookUp: Step; validate: Step } {
  const steps = OpenApiValidator.middleware({
    apiSpec: selectRequests(document) as never,
    validateRequests: { allErrors },
    validateResponses: false,
    validateSecurity: false,
    validateApiSpec: false,
    // The fast formats accept 30 February as a date.
    ajvFormats: { mode: 'full' },
    fileUploader: false,
  }) as unknown as Step[];
  return { lookUp: stepNamed(steps, 'metadataMiddleware'), validate: stepNamed(steps, 'requestMiddleware') };
}

/**
 * Selects the part of the contract that validates requests. Omits responses, webhooks, bodies that are not JSON, and
 * headers, which their readers check and most requests lack. References are resolved; otherwise each referenced schema
 * would be compiled at the start for nothing.
 */
function selectRequests(document: object): object {
  const copy = structuredClone(document) as Contract;
  for (const operation of Object.values(copy.paths).flatMap((item) => Object.values(item))) {
    if (operation.requestBody && !isJsonOnly(Object.keys(operation.requestBody.content))) delete operation.requestBody;
    operation.responses = { default: { description: '' } };
  }
  const paths = resolved(copy.paths, copy);
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    operation.parameters = operation.parameters?.filter((parameter) => parameter.in !== 'header');
  }
  return { ...copy, paths, webhooks: {}, components: {} };
}

interface Contract {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: Body;
  responses: object;
}

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: NormalizedSchema & { type?: string; default?: unknown };
}

interface Body {
  content: Partial<Record<string, { schema?: NormalizedSchema }>>;
}

function stepNamed(steps: Step[], name: string): Step {
  const step = steps.find((candidate) => candidate.name === name);
  if (!step) throw new Error(`express-openapi-validator has no ${name}`);
  return step;
}

async function match(lookUp: Step, operationId: OperationId): Promise<Match> {
  const { method, path } = operations[operationId];
  const url = `/v1${path.replace(/\{\w+\}/g, 'x')}`;
  const app = { enabled: () => false };
  const probe = { method: method.toUpperCase(), originalUrl: url, path: url, baseUrl: '', app };
  await new Promise<void>((resolve, reject) => {
    lookUp(probe as unknown as Request, {} as Response, (error) =>
      error instanceof Error ? reject(error) : resolve(),
    );
  });
  const openapiMatch = (probe as { openapi?: Match }).openapi;
  if (openapiMatch?.schema.operationId !== operationId)
    throw new Error(`The contract has no ${operationId} at ${method} ${path}`);
  return openapiMatch;
}
