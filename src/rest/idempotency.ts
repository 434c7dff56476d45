import type { Request, Response } from 'express';
import { type KeyedOperationId, operations } from '../contract/contract.ts';
import { invalidField } from '../contract/errors.ts';
import type { StoredResponse, IdempotencyContext } from '../operations/idempotency.ts';
import { IdempotencyKey } from '../operations/idempotency-key.ts';
import { sendJson, serializeResponse } from '../http/response/respond.ts';
import { parseIdempotencyKey } from './idempotency-rules.ts';

/** Says that an answer is one of before. */
export const REPLAYED_HEADER = 'Idempotency-Replayed';

/** What is done once for a request with an `Idempotency-Key`; undefined for all others. */
export type ReadIdempotencyKey = (operationId: KeyedOperationId, req: Request) => IdempotencyContext | undefined;

/**
 * Reads the header where the contract has it.
 * @throws {ApiError} `invalid_request` when it is sent twice, or names no key
 */
export function createIdempotencyReader(secretsKeys: readonly Buffer[]): ReadIdempotencyKey {
  return (operationId, req) => {
    const given = req.headers['idempotency-key'];
    if (given === undefined || !operations[operationId].idempotencyKey) return undefined;
    // Two headers come as one with a comma and a space, which no key has.
    const key = parseIdempotencyKey(String(given));
    if (key === undefined)
      throw invalidField('header/idempotency-key', 'must be 1 to 255 visible ASCII characters, bare or in quotes');
    return { key: new IdempotencyKey(key, secretsKeys), serialize: serializeResponse };
  };
}

export function sendStored(res: Response, { text, isReplay }: StoredResponse): void {
  if (isReplay) res.setHeader(REPLAYED_HEADER, 'true');
  sendJson(res, 200, text);
}
