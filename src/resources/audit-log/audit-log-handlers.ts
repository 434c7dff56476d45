import type { Handler } from '../../contract/contract.ts';
import { listEntries } from './audit-log-repository.ts';
import { toUtc } from './audit-log-rules.ts';

export const listAuditLog: Handler<'listAuditLog'> = (input, tenant) => {
  const { operation = null, actorId = null, outcome = null } = input;
  const filter = { since: toUtc(input.since), until: toUtc(input.until), operation, actorId, outcome };
  return { entries: tenant.stream(listEntries, filter), nextCursor: null };
};
