import type { Request, Response } from 'express';
import { type KeyedOperationId, operations } from '../contract/contract.ts';
import { invalidField } from '../contract/errors.ts';
import type { StoredResponse, IdempotencyContext } from '../operations/idempotency.ts';
import { IdempotencyKey } from '../operations/idempotency-key.ts';
import { sendJson, textOf } from '../http/response/respond.ts';

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
    const key = keyOf(String(given));
    if (key === undefined)
      throw invalidField('header/idempotency-key', 'must be 1 to 255 visible ASCII characters, bare or in quotes');
    return { key: new IdempotencyKey(key, secretsKeys), textOf };
  };
}

export function sendStored(res: Response, { text, isReplay }: StoredResponse): void {
  if (isReplay) res.setHeader(REPLAYED_HEADER, 'true');
  sendJson(res, 200, text);
}

const MAX_LENGTH = 255;
const BARE = /^[\x21\x23-\x7e][\x21-\x7e]*$/;
/** A string of structured fields (RFC 8941), without spaces. */
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;

/** The key that a header names, bare or in quotes; undefined when it names none. */
export function keyOf(header: string): string | undefined {
  const [, quoted] = QUOTED.exec(header) ?? [];
  const key = quoted === undefined ? BARE.exec(header)?.[0] : quoted.replaceAll(/\\(.)/g, '$1');
  return key !== undefined && key.length <= MAX_LENGTH ? key : undefined;
}
