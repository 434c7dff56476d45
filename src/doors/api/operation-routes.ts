import { type RequestHandler, Router } from 'express';
import { deprecations, isJsonOnly, type KeyedOperationId, type OperationId, operations } from '../../contract.ts';
import { type Invoke, requireOpenTo } from '../../operations/invoke.ts';
import { methodNotAllowed, requireStarted } from '../../web/guards.ts';
import type { Readiness } from '../../web/readiness.ts';
import { deprecationSteps, type DeprecationSteps } from './deprecations.ts';
import { jsonBody, noBody, storableText } from './json-body.ts';
import { uploadHeaders, withUpload } from './pdf-body.ts';
import { contextOf, type Deprecation, named, releaseBody } from '../../web/request-context.ts';
import type { RequestValidator } from './request-validator.ts';
import { sendData } from '../../web/respond.ts';

export interface OperationRoutesOptions {
  readiness: Readiness;
  authenticate: RequestHandler;
  limit: RequestHandler;
  validator: RequestValidator;
  invoke: Invoke;
}

/**
 * Every keyed operation of the contract as a route: authenticate, limit, read the body, validate, act. The body of an
 * upload is read last, when nothing but the file can be wrong.
 * What no route takes, though its path is in the contract, is told which methods there are.
 */
export function operationRoutes(options: OperationRoutesOptions): Router {
  const { authenticate, limit, validator } = options;
  const started = requireStarted(options.readiness);
  const router = Router({ caseSensitive: true, strict: true });
  for (const operationId of literalPathsFirst()) {
    const { method, path } = operations[operationId];
    const { beforeBody, afterBody } = stepsOfDeprecations(operationId);
    const steps = isUpload(operationId)
      ? [openTo(operationId), uploadHeaders, validator(operationId), actWithUpload(operationId, options)]
      : [readerOf(operationId), ...afterBody, validator(operationId), storableText, actWith(operationId, options)];
    router[method](expressPath(path), named(operationId), ...beforeBody, started, authenticate, limit, ...steps);
  }
  for (const path of new Set(Object.values(operations).map((operation) => operation.path))) {
    router.all(expressPath(path), otherMethod(allowedMethods(path)));
  }
  return router;
}

function stepsOfDeprecations(operationId: KeyedOperationId): DeprecationSteps {
  const byOperation: Partial<Record<OperationId, readonly Deprecation[]>> = deprecations;
  return deprecationSteps(byOperation[operationId] ?? []);
}

function readerOf(operationId: KeyedOperationId): RequestHandler {
  const { bodyRequired, bodyLimitBytes } = operations[operationId];
  return bodyLimitBytes === null ? noBody : jsonBody({ required: bodyRequired, maxBytes: bodyLimitBytes });
}

function isUpload(operationId: KeyedOperationId): boolean {
  const { body } = operations[operationId];
  return body !== null && !isJsonOnly(body);
}

/** Refuses what the key alone decides. */
function openTo(operationId: KeyedOperationId): RequestHandler {
  return (_req, res, next) => {
    requireOpenTo(contextOf(res).caller!, operationId);
    next();
  };
}

/** A path of the contract with another method: 405; with OPTIONS: 204 and the methods that it has. */
function otherMethod(methods: string[]): RequestHandler {
  return (req, res) => {
    if (req.method !== 'OPTIONS') throw methodNotAllowed(methods);
    res.setHeader('Allow', methods.join(', ')).status(204).end();
  };
}

function actWith(operationId: KeyedOperationId, { invoke }: OperationRoutesOptions): RequestHandler {
  return async (req, res) => {
    const data = await invoke(operationId, contextOf(res).caller!, {
      ...req.params,
      ...req.query,
      body: req.body as unknown,
    });
    releaseBody(req, res);
    await sendData(res, data);
  };
}

function actWithUpload(operationId: KeyedOperationId, options: OperationRoutesOptions): RequestHandler {
  return async (req, res) => {
    const data = await withUpload(req, res, (file) => {
      return options.invoke(operationId, contextOf(res).caller!, { ...req.params, ...req.query, file });
    });
    await sendData(res, data);
  };
}

/** `/learners/bulk` before `/learners/{learnerId}`: Express takes the first route that matches. */
function literalPathsFirst(): KeyedOperationId[] {
  const keyed = Object.entries(operations).filter(([, operation]) => operation.keyed);
  const ids = keyed.map(([operationId]) => operationId as KeyedOperationId);
  return ids.sort((a, b) => templates(a) - templates(b));
}

function templates(operationId: OperationId): number {
  return operations[operationId].path.split('{').length;
}

/** `/learners/{learnerId}` -> `/learners/:learnerId` */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function allowedMethods(path: string): string[] {
  const methods = Object.values(operations)
    .filter((operation) => operation.path === path)
    .map((operation) => operation.method.toUpperCase());
  if (methods.includes('GET')) methods.push('HEAD');
  return [...methods, 'OPTIONS'];
}
