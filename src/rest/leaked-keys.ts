import type { RequestHandler } from 'express';
import { type Data, operations, type Schemas } from '../contract/contract.ts';
import { requireStarted } from '../http/guards.ts';
import type { Readiness } from '../http/readiness.ts';
import { named, getRequestOrigin } from '../http/request-context.ts';
import { sendData } from '../http/response/respond.ts';
import type { SharedServices } from '../http/shared-services.ts';
import { jsonBody } from '../http/body/json-body.ts';
import type { RequestValidator } from './request-validator.ts';
import { segmentRouter } from './segment-router.ts';

interface LeakedKeysOptions {
  readiness: Readiness;
  validator: RequestValidator;
}

/**
 * Accepts leaked keys that somebody found. The response reveals nothing about them. Calls per IP address are limited.
 */
export function leakedKeysRoute(
  { readiness, validator }: LeakedKeysOptions,
  { keys, countAnonymous }: Pick<SharedServices, 'keys' | 'countAnonymous'>,
): RequestHandler {
  const operationId = 'revokeLeakedKeys';
  const { method, path, bodyLimitBytes } = operations[operationId];
  const count: RequestHandler = async (req, res, next) => {
    await countAnonymous(req, res);
    next();
  };
  const act: RequestHandler = async (req, res) => {
    const { keys: texts } = req.body as Schemas['RevokeLeakedKeysInput'];
    await keys.revoke(texts, getRequestOrigin(req, res));
    const data: Data<typeof operationId> = { received: texts.length };
    await sendData(res, data);
  };
  const body = jsonBody({ required: true, maxBytes: bodyLimitBytes });
  const steps = [named(operationId), requireStarted(readiness), count, body, validator(operationId), act];
  return segmentRouter([{ method, path, steps }]);
}
