import { hash } from 'node:crypto';
import type { AuditedCall } from '../audit/operation-audit-recorder.ts';
import { allOperations, type AnyOperationId, type SentFile } from '../contract/contract.ts';

/**
 * Differs when another thing is asked for: by the operation, the ids of its path, its query, its content or its file. How
 * the JSON was written does not matter, nor which key asks, as long as it may the same: so no key is answered what only
 * another one may ask for, and a key that was rotated between two tries gets the same answer. Where the answer holds a
 * secret, it also differs by the key: a new API key lasts no longer than the key that asked for it, and a secret is shown
 * to that key only. The expiry of the key is not part of it, since rotating the key itself changes that.
 */
export function buildFingerprint({ operationId, caller, input }: AuditedCall): Buffer {
  const { file, ...rest } = input as Record<string, unknown> & { file?: SentFile };
  const sent = file && { sha256: hash('sha256', file.bytes), fileName: file.fileName };
  const keyId = allOperations[operationId as AnyOperationId].answersSecret ? caller.keyId : null;
  const request = [operationId, caller.scopes?.toSorted() ?? null, keyId, inOrder(rest), sent ?? null];
  return hash('sha256', JSON.stringify(request), 'buffer');
}

/**
 * The same with the fields of each object in the order of their names. Copied first: for ten thousand items `stringify` with
 * a replacer takes ten times as long.
 */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) copy[name] = inOrder((value as Record<string, unknown>)[name]);
  return copy;
}
