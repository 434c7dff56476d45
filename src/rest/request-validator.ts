import type { Request, RequestHandler, Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { isJsonOnly, type OperationId, operations } from '../contract/contract.ts';
import { type NormalizedSchema, createNormalizer } from '../operations/normal-input.ts';
import { resolved } from '../operations/resolved-schema.ts';

type Step = (req: Request, res: Response, next: (error?: unknown) => void) => unknown;

/** What express-openapi-validator looks up for a request: the operation that it matches. */
interface Match {
  expressRoute: string;
  openApiRoute: string;
  pathParams: Record<string, string>;
  schema: Operation & { operationId: string };
  serial: number;
}

/** A request up to this size is told all its errors, a larger one only the first. */
const SMALL_BYTES = 8 * 1024;

/** What a schema may say of a text without refusing any. */
const TEXT_KEYWORDS = new Set(['type', 'description', 'example', 'examples', 'title']);

export type RequestValidator = (operationId: OperationId) => RequestHandler;

/**
 * Loads the contract into express-openapi-validator and returns a validator for each operation.
 *
 * Its own chain compiles every path of the document for every request to find the operation; ours is found once, here,
 * because the route already says which it is. That also proves at start what would otherwise be a 500 on each request:
 * that the document loads, and that literal and templated paths mean the operation that Express routes to.
 * Security is not its business: `authenticate` has run before it.
 *
 * The documented way, one `middleware()` over each operation's own part of the document, was measured on 27 November 2026 with
 * express-openapi-validator 5.6.2, in processor time: 7 µs more for each request, 72 to 94 ms on the first request of an
 * operation, which would hold the event loop for all companies, and 6.5 s and 44 MB for all operations at the start.
 * @throws when the document does not load or an operation is not where the operation table says.
 */
export async function loadRequestValidator(document: object): Promise<RequestValidator> {
  const first = chain(document, { allErrors: false });
  const every = chain(document, { allErrors: true });
  const matches = new Map<OperationId, Match>();
  for (const operationId of Object.keys(operations) as OperationId[]) {
    matches.set(operationId, await match(first.lookUp, operationId));
  }
  // Loads it now: on the first invalid request, that would hold the event loop for 100 ms.
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
        // Millions of wrong items would be millions of errors, so only a small request is told all of its own.
        void every.validate(req, res, (all) => next(all ?? error));
      });
    };
  };
}

/** Brings the body and the query of a request to the spellings of the contract. The pipeline does so with ids in paths. */
function createRequestNormalizer({ requestBody, parameters = [] }: Operation): (req: Request) => void {
  const ofBody = createNormalizer(requestBody?.content['application/json']?.schema ?? {});
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const properties = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]));
  const ofQuery = createNormalizer({ properties });
  return (req) => {
    if (ofBody) req.body = ofBody(req.body);
    // Express parses a query whenever it is asked for.
    if (ofQuery && req.url.includes('?'))
      Object.defineProperty(req, 'query', { value: ofQuery({ ...req.query }), writable: true });
  };
}

/** Whether a request without a query cannot be invalid and gets no default values. */
function isJudgedByQueryAlone({ requestBody, parameters = [] }: Operation): boolean {
  return !requestBody && parameters.every((parameter) => isAnyText(parameter) || isOptionalInQuery(parameter));
}

/** A part of the path, which is never empty. */
function isAnyText({ in: location, schema }: Parameter): boolean {
  return location === 'path' && Object.keys(schema).every((key) => TEXT_KEYWORDS.has(key)) && schema.type === 'string';
}

function isOptionalInQuery({ in: location, required = false, schema }: Parameter): boolean {
  return location === 'query' && !required && schema.default === undefined;
}

function isSmall(req: Request): boolean {
  return req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) <= SMALL_BYTES;
}

/** The steps of express-openapi-validator that find an operation and that validate a request of it. */
function chain(document: object, { allErrors }: { allErrors: boolean }): { lookUp: Step; validate: Step } {
  const steps = OpenApiValidator.middleware({
    apiSpec: selectRequests(document) as never,
    validateRequests: { allErrors },
    validateResponses: false,
    validateSecurity: false,
    validateApiSpec: false,
    // The quick formats take 30 February for a date.
    ajvFormats: { mode: 'full' },
    fileUploader: false,
  }) as unknown as Step[];
  return { lookUp: stepNamed(steps, 'metadataMiddleware'), validate: stepNamed(steps, 'requestMiddleware') };
}

/**
 * The contract without answers, webhooks, and what its readers check: bodies that are not JSON, and headers, which most
 * requests do not have. References are resolved; otherwise each referenced schema would be compiled at the start for
 * nothing.
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
