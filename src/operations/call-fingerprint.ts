import { hash } from 'node:crypto';
import type { AuditedCall } from '../auth/audit-trail.ts';
import type { UploadedFile } from '../contract.ts';

/**
 * Differs when another thing is asked for: by the operation, the ids of its path, its query, its content or its file. How
 * the JSON was written does not matter, nor which key asks, as long as it may the same: so no key is answered what only
 * another one may ask for.
 */
export function fingerprintOf({ operationId, caller, input }: AuditedCall): Buffer {
  const { file, ...rest } = input as Record<string, unknown> & { file?: UploadedFile };
  const sent = file && { sha256: hash('sha256', file.bytes), fileName: file.fileName };
  const scopes = caller.scopes?.toSorted() ?? null;
  return hash('sha256', JSON.stringify([operationId, scopes, rest, sent ?? null], inOrder), 'buffer');
}

/** An object with its fields in the order of their names. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
