import type { Handler, Input } from '../../contract.ts';
import { Rows } from '../../db/rows.ts';
import { cursorAt, placeOf } from './audit-cursor.ts';
import { type AuditLogFilter, listEntries } from './audit-log-repository.ts';

export const listAuditLog: Handler<'listAuditLog'> = async (input, tenant) => {
  const filter = filterOf(input);
  if (input.limit === undefined) return { entries: tenant.rows(listEntries, filter), nextCursor: null };
  const found = await tenant.all(listEntries, { ...filter, limit: input.limit + 1 });
  const page = found.slice(0, input.limit);
  return {
    entries: Rows.of(() => page.values()),
    nextCursor: found.length > page.length ? cursorAt(page.at(-1)!) : null,
  };
};

function filterOf(input: Input<'listAuditLog'>): AuditLogFilter {
  const { since, until, operation = null, actorId = null, outcome = null, cursor } = input;
  const place = cursor === undefined ? undefined : placeOf(cursor);
  const before = { beforeTime: place?.occurredAt ?? null, beforeId: place?.id ?? null };
  return { since: momentOf(since), until: momentOf(until), operation, actorId, outcome, ...before, limit: null };
}

/** In UTC: Postgres knows no offset of sixteen hours or more. */
function momentOf(time: string | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
