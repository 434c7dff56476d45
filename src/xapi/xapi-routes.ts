import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { DeniedCallAudit } from '../auth/denied-call-audit.ts';
import { operations } from '../contract/contract.ts';
import { formatFieldError, invalidField } from '../contract/errors.ts';
import { requireOpenTo } from '../operations/invoke.ts';
import { sendPreflight, refuseMethod, requireStarted } from '../http/guards.ts';
import { jsonBody, storableText } from '../http/body/json-body.ts';
import { withoutEmptySegments } from '../http/connection/plain-path.ts';
import type { Readiness } from '../http/readiness.ts';
import { getRequestContext, releaseBody } from '../http/request-context.ts';
import { sendJson } from '../http/response/respond.ts';
import type { SharedServices } from '../http/shared-services.ts';
import { type OutcomeWitnesses, reportOutcomes } from './outcomes.ts';
import { type Recorded, recordStatements } from './record.ts';
import { authenticateSource } from './source-authentication.ts';
import { readStatements, readStatementWithId, type Statement } from './statement.ts';
import { isStatementId } from './statement-formats.ts';

export interface XapiOptions extends OutcomeWitnesses {
  readiness: Readiness;
}

const VERSION_HEADER = 'X-Experience-API-Version';
/** Version of the standard, as responses name it. */
const VERSION = '1.0.3';
const SENT_HEADERS = `Authorization, Content-Type, ${VERSION_HEADER}`;
const VERSIONS = ['1.0.0', '1.0.1', '1.0.2', VERSION];

/**
 * Serves the statements of xAPI 1.0.3 that learning systems send. Course results in them are recorded as results of the
 * contract. Statements themselves are not stored, so there is no GET.
 */
export function xapiRoutes(options: XapiOptions, shared: SharedServices): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { bodyLimitBytes } = operations.recordCourseResults;
  const callers: RequestHandler[] = [
    requireStarted(options.readiness),
    authenticateSource(shared.sources, shared.countFailure),
    shared.budget.limit,
    requireVersion,
  ];
  const bodies: RequestHandler[] = [
    requireOpen(shared.deniedCalls),
    jsonBody({ required: true, maxBytes: bodyLimitBytes, threads: shared.threads }),
    storableText,
  ];
  const record = recorder(options, shared);
  router.use(withoutEmptySegments('/xapi'));
  router.use('/xapi', (_req, res, next) => {
    res.setHeader(VERSION_HEADER, VERSION);
    // Content in a browser, on the origin of any learning system, sends the source's credentials itself.
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Expose-Headers', `${VERSION_HEADER}, Retry-After`);
    next();
  });
  router.options('/xapi/about', (_req, res) => sendPreflight(res, 'GET, HEAD', SENT_HEADERS));
  router.options('/xapi/statements', (_req, res) => sendPreflight(res, 'POST, PUT', SENT_HEADERS));
  router.get('/xapi/about', (_req, res) => sendJson(res, 200, JSON.stringify({ version: VERSIONS })));
  router.all('/xapi/about', refuseMethod('GET', 'HEAD'));
  router.all('/xapi/statements', callers);
  router.post('/xapi/statements', takesParameters(), ...bodies, async (req, res) => {
    const recorded = await record(req, res, readStatements(req.body));
    if (recorded) sendJson(res, 200, JSON.stringify(recorded.ids));
  });
  router.put('/xapi/statements', takesParameters('statementId'), ...bodies, async (req, res) => {
    const recorded = await record(req, res, [readStatementWithId(req.body, readStatementId(req))]);
    if (recorded) res.status(204).end();
  });
  router.all('/xapi/statements', refuseMethod('POST', 'PUT'));
  return router;
}

/** Records statements. If a statement reuses another's id, sends the response and returns undefined. */
function recorder(witnesses: OutcomeWitnesses, { invoke }: SharedServices) {
  return async (req: Request, res: Response, statements: Statement[]): Promise<Recorded | undefined> => {
    const isList = Array.isArray(req.body);
    const recorded = await recordStatements(invoke, getRequestContext(res).caller!, statements);
    releaseBody(req, res);
    reportOutcomes(res, recorded.outcomes, witnesses);
    const reused = recorded.outcomes.indexOf('event_id_reused');
    if (reused < 0) return recorded;
    refuseReused(res, isList ? `body/${reused}/id` : 'body/id');
    return undefined;
  };
}

/** Responds with the status of xAPI for a reused id; the contract has no such status. */
function refuseReused(res: Response, field: string): void {
  const message = 'is already the id of another statement';
  const fault = { field, message };
  const error = { code: 'event_id_reused', message: formatFieldError(fault), details: [fault] };
  sendJson(res, 409, JSON.stringify({ error }));
}

/** Requires the version header, as the standard does for every path except `about`. */
const requireVersion: RequestHandler = (req, _res, next) => {
  const isKnown = /^1\.0(\.\d+)?$/.test(req.get(VERSION_HEADER) ?? '');
  next(isKnown ? undefined : invalidField(`header/${VERSION_HEADER.toLowerCase()}`, 'must be 1.0 or 1.0.x'));
};

/** Rejects a request whose source cannot call the operation, before its body is read. */
function requireOpen(deniedCalls: DeniedCallAudit): RequestHandler {
  const operationId = 'recordCourseResults';
  return async (_req, res, next) => {
    const caller = getRequestContext(res).caller!;
    await deniedCalls.record({ operationId, caller, input: {} }, () => requireOpenTo(caller, operationId));
    next();
  };
}

function takesParameters(...names: string[]): RequestHandler {
  return (req, _res, next) => {
    const other = Object.keys(req.query).find((name) => !names.includes(name));
    next(
      other === undefined ? undefined : invalidField(`query/${other}`, 'is not a parameter of this method; remove it'),
    );
  };
}

function readStatementId(req: Request): string {
  const { statementId } = req.query;
  if (typeof statementId === 'string' && isStatementId(statementId)) return statementId;
  throw invalidField('query/statementId', 'must be a UUID');
}
