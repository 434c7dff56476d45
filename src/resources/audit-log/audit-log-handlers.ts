import type { Handler } from '../../contract/contract.ts';
import { listEntries } from './audit-log-repository.ts';

export const listAuditLog: Handler<'listAuditLog'> = (input, tenant) => {
  const { operation = null, actorId = null, outcome = null } = input;
  const filter = { since: toUtc(input.since), until: toUtc(input.until), operation, actorId, outcome };
  return { entries: tenant.stream(listEntries, filter), nextCursor: null };
};

/** Converts a time to UTC: Postgres rejects offsets of 16 hours and more. */
function toUtc(time: string | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
