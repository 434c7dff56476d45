import { hash } from 'node:crypto';
import type { AuditedCall } from '../audit/operation-audit-recorder.ts';
import { allOperations, type AnyOperationId, type SentFile } from '../contract/contract.ts';

/**
 * Builds a fingerprint of what a call requests: its operation, its path ids, its query, and its content or file. The
 * formatting of the JSON does not matter.
 *
 * The fingerprint covers only the scopes of the API key. Therefore no key gets a response that only another key could
 * request, and a key that was rotated between two tries gets the same response. If the response contains a secret, the
 * fingerprint also differs by key: a new API key lasts no longer than the key that created it, and a secret is shown
 * only to the key that requested it. The key's expiry is not included, because rotating the key changes it.
 */
export function buildFingerprint({ operationId, caller, input }: AuditedCall): Buffer {
  const { file, ...rest } = input as Record<string, unknown> & { file?: SentFile };
  const sent = file && { sha256: hash('sha256', file.bytes), fileName: file.fileName };
  const keyId = allOperations[operationId as AnyOperationId].answersSecret ? caller.keyId : null;
  const request = [operationId, caller.scopes?.toSorted() ?? null, keyId, inOrder(rest), sent ?? null];
  return hash('sha256', JSON.stringify(request), 'buffer');
}

/**
 * Copies a value with the fields of each object sorted by name. For ten thousand items, `stringify` with a replacer
 * takes ten times as long.
 */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) copy[name] = inOrder((value as Record<string, unknown>)[name]);
  return copy;
}
