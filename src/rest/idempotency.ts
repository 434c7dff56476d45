import type { Request, Response } from 'express';
import { type KeyedOperationId, operations } from '../contract/contract.ts';
import { invalidField } from '../contract/errors.ts';
import type { StoredResponse, IdempotencyContext } from '../operations/idempotency.ts';
import { IdempotencyKey } from '../operations/idempotency-key.ts';
import { sendJson, serializeResponse } from '../http/response/respond.ts';
import { parseIdempotencyKey } from './idempotency-rules.ts';

/** Header of a replayed response. */
export const REPLAYED_HEADER = 'Idempotency-Replayed';

/** Reads the context of a request with an `Idempotency-Key`; undefined for other requests. */
export type ReadIdempotencyKey = (operationId: KeyedOperationId, req: Request) => IdempotencyContext | undefined;

/**
 * Creates the function that reads the header if the contract defines the header for the operation.
 * @throws {ApiError} `invalid_request` if the header is sent twice or is not a valid key
 */
export function createIdempotencyReader(secretsKeys: readonly Buffer[]): ReadIdempotencyKey {
  return (operationId, req) => {
    const header = req.headers['idempotency-key'];
    if (header === undefined || !operations[operationId].idempotencyKey) return undefined;
    // Node joins two headers with a comma and a space, which no key contains.
    const key = parseIdempotencyKey(String(header));
    if (key === undefined)
      throw invalidField(
        'header/idempotency-key',
        'must be 1 to 255 visible ASCII characters, with or without double quotes around them',
      );
    return { key: new IdempotencyKey(key, secretsKeys), serialize: serializeResponse };
  };
}

export function sendStored(res: Response, { text, isReplay }: StoredResponse): void {
  if (isReplay) res.setHeader(REPLAYED_HEADER, 'true');
  sendJson(res, 200, text);
}
