import type { RequestHandler } from 'express';
import {
  deprecations,
  isJsonOnly,
  type KeyedOperationId,
  type OperationId,
  operations,
  type SentFile,
  SentAttachment,
} from '../contract/contract.ts';
import type { DeprecatedUses } from '../auth/deprecated-uses.ts';
import type { DeniedCallAudit } from '../auth/denied-call-audit.ts';
import { StoredResponse } from '../operations/idempotency.ts';
import { type Invoke, requireOpenTo } from '../operations/invoke.ts';
import { ResultWithMeta } from '../db/rows.ts';
import { methodNotAllowed, requireStarted } from '../http/guards.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Authenticate } from '../http/authenticate.ts';
import { readCondition, sendTagged } from './conditional.ts';
import { deprecationSteps, type DeprecationSteps, recordDeprecatedUses } from './deprecations.ts';
import { jsonBody, type JsonBodyOptions, noBody, storableText } from '../http/body/json-body.ts';
import type { PackageLimits } from '../config/package-limits.ts';
import { findFileType, uploadHeaders, withUpload } from '../http/body/upload-body.ts';
import { splitResult } from '../operations/list-page.ts';
import { asksForPage, type PagedResult, readPage } from './list-pages.ts';
import { type ReadIdempotencyKey, sendStored } from './idempotency.ts';
import { getRequestContext, type Deprecation, named, releaseBody } from '../http/request-context.ts';
import type { RequestValidator } from './request-validator.ts';
import type { Signatures } from './signatures.ts';
import { type Route, segmentRouter } from './segment-router.ts';
import { permitCompression } from '../http/response/compression.ts';
import { sendData } from '../http/response/respond.ts';
import { listTypeFor, refuseUpdatedSince, sendList } from '../http/response/send-list.ts';
import { sendAttachment } from '../http/response/send-attachment.ts';
import type { ThreadPool } from '../http/thread-pool.ts';

export interface OperationRoutesOptions {
  readiness: Readiness;
  authenticate: Authenticate;
  signatures: Signatures;
  limit: RequestHandler;
  validator: RequestValidator;
  invoke: Invoke;
  readIdempotencyKey: ReadIdempotencyKey;
  deniedCalls: DeniedCallAudit;
  deprecatedUses: DeprecatedUses;
  threads: ThreadPool | undefined;
  packageLimits: PackageLimits;
}

/**
 * Routes every keyed operation of the contract: authenticate, limit, read the body, validate, act. The body of an
 * upload is read last, once everything except the file is valid.
 *
 * For any other method on these paths, the response lists the allowed methods.
 * @param before steps that run first for each operation
 */
export function operationRoutes(options: OperationRoutesOptions, before: readonly RequestHandler[]): RequestHandler {
  const keyed = literalPathsFirst();
  const paths = new Set(keyed.map((operationId) => operations[operationId].path));
  const routes = [
    ...keyed.map((operationId) => withFirst(before, createRoute(operationId, options))),
    ...[...paths].map((path) => withFirst(before, { path, steps: [otherMethod(allowedMethods(path))] })),
  ];
  return segmentRouter(routes);
}

/** Routes the other methods on the paths of operations without a key. */
export function otherSystemMethods(): RequestHandler {
  const unkeyed = Object.values(operations).filter((operation) => !operation.keyed);
  return segmentRouter(unkeyed.map(({ path }) => ({ path, steps: [otherMethod(allowedMethods(path))] })));
}

function withFirst(before: readonly RequestHandler[], { steps, ...route }: Route): Route {
  return { ...route, steps: [...before, ...steps] };
}

function createRoute(operationId: KeyedOperationId, options: OperationRoutesOptions): Route {
  const { method, path } = operations[operationId];
  const { authenticate, limit, readiness } = options;
  const { beforeBody, afterBody } = createDeprecationSteps(operationId, options);
  const first = [named(operationId), ...beforeBody, requireStarted(readiness)];
  if (isSigned(operationId)) return { method, path, steps: [...first, ...signedSteps(operationId, options)] };
  return {
    method,
    path,
    steps: [
      ...first,
      authenticate(operationId),
      limit,
      ...(operations[operationId].compressible ? [permitCompression] : []),
      ...actingSteps(operationId, options, afterBody),
    ],
  };
}

/** Builds the steps of a signed request. The signature covers the body, so the body is read before it is verified. */
function signedSteps(operationId: KeyedOperationId, options: OperationRoutesOptions): RequestHandler[] {
  const { signatures, limit, validator } = options;
  const body = jsonBody({ ...bodyOptions(operationId, options), verify: signatures.verify });
  return [signatures.findSource, body, limit, validator(operationId), storableText, actWith(operationId, options)];
}

function isSigned(operationId: KeyedOperationId): boolean {
  return operations[operationId].callers.some((caller) => caller === 'gophish');
}

function actingSteps(
  operationId: KeyedOperationId,
  options: OperationRoutesOptions,
  afterBody: readonly RequestHandler[],
): RequestHandler[] {
  const validate = options.validator(operationId);
  if (isUpload(operationId)) {
    const fileType = findFileType(operations[operationId].body!);
    const act = actWithUpload(operationId, fileType, options);
    return [openTo(operationId, options), uploadHeaders(fileType, options.packageLimits), ...afterBody, validate, act];
  }
  const act = actWith(operationId, options);
  if (operations[operationId].bodyLimitBytes === null) return [noBody, ...afterBody, validate, act];
  return [jsonBody(bodyOptions(operationId, options)), ...afterBody, validate, storableText, act];
}

function bodyOptions(operationId: KeyedOperationId, { threads }: OperationRoutesOptions): JsonBodyOptions {
  const { bodyRequired, bodyLimitBytes, bodyMaxItems } = operations[operationId];
  return { required: bodyRequired, maxBytes: bodyLimitBytes!, bounds: { maxItems: bodyMaxItems! }, threads };
}

function createDeprecationSteps(
  operationId: KeyedOperationId,
  { deprecatedUses }: OperationRoutesOptions,
): DeprecationSteps {
  const byOperation: Partial<Record<OperationId, readonly Deprecation[]>> = deprecations;
  const operationDeprecations = byOperation[operationId] ?? [];
  const { beforeBody, afterBody } = deprecationSteps(operationDeprecations);
  if (operationDeprecations.length > 0) afterBody.push(recordDeprecatedUses(deprecatedUses));
  return { beforeBody, afterBody };
}

function isUpload(operationId: KeyedOperationId): boolean {
  const { body } = operations[operationId];
  return body !== null && !isJsonOnly(body);
}

/** Rejects a request whose key cannot call the operation, before its body is read. */
function openTo(operationId: KeyedOperationId, { deniedCalls }: OperationRoutesOptions): RequestHandler {
  return async (req, res, next) => {
    const caller = getRequestContext(res).caller!;
    await deniedCalls.record({ operationId, caller, input: req.params }, () => requireOpenTo(caller, operationId));
    next();
  };
}

/** Responds to OPTIONS with 204, and to any other method with 405. Both responses list the allowed methods. */
function otherMethod(methods: string[]): RequestHandler {
  return (req, res) => {
    if (req.method !== 'OPTIONS') throw methodNotAllowed(methods);
    res.setHeader('Allow', methods.join(', ')).status(204).end();
  };
}

function actWith(
  operationId: KeyedOperationId,
  { invoke, readIdempotencyKey }: OperationRoutesOptions,
): RequestHandler {
  const { list, tagged } = operations[operationId];
  return async (req, res) => {
    const caller = getRequestContext(res).caller!;
    const input = { ...req.params, ...req.query, ...readCondition(operationId, req), body: req.body as unknown };
    const type = list && listTypeFor(req);
    if (type) refuseUpdatedSince(req);
    const answer = await invoke(operationId, caller, input, readIdempotencyKey(operationId, req));
    releaseBody(req, res);
    if (answer instanceof StoredResponse) return sendStored(res, answer);
    if (answer instanceof SentAttachment) return sendAttachment(res, answer, caller.companyId);
    const call = { operationId, req, caller };
    const isPart = answer instanceof ResultWithMeta || asksForPage(call);
    if (list) res.vary('Accept');
    if (tagged && !isPart && !type) return sendTagged(req, res, answer);
    const { data, meta, link }: PagedResult = asksForPage(call) ? await readPage(call, answer) : splitResult(answer);
    if (link) res.append('Link', link);
    await (type ? sendList(res, data, type, list) : sendData(res, data, meta));
  };
}

function actWithUpload(
  operationId: KeyedOperationId,
  fileType: string,
  { invoke, readIdempotencyKey, packageLimits: limits }: OperationRoutesOptions,
): RequestHandler {
  return async (req, res) => {
    const once = readIdempotencyKey(operationId, req);
    const caller = getRequestContext(res).caller!;
    const input = { ...req.params, ...req.query, ...readCondition(operationId, req) };
    const work = (file: SentFile) => invoke(operationId, caller, { ...input, file }, once);
    const data = await withUpload(req, res, { fileType, limits, work });
    if (data instanceof StoredResponse) return sendStored(res, data);
    await sendData(res, data);
  };
}

/** Sorts `/learners/bulk` before `/learners/{learnerId}`, because the first matching route wins. */
function literalPathsFirst(): KeyedOperationId[] {
  const keyed = Object.entries(operations).filter(([, operation]) => operation.keyed);
  const ids = keyed.map(([operationId]) => operationId as KeyedOperationId);
  return ids.sort((a, b) => templates(a) - templates(b));
}

function templates(operationId: OperationId): number {
  return operations[operationId].path.split('{').length;
}

function allowedMethods(path: string): string[] {
  const methods = Object.values(operations)
    .filter((operation) => operation.path === path)
    .map((operation) => operation.method.toUpperCase());
  if (methods.includes('GET')) methods.push('HEAD');
  return [...methods, 'OPTIONS'];
}
