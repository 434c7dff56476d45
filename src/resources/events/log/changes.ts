// The sync index, for clients that keep a copy of a list: what has changed in a company since a client last asked.
//
// Triggers write one row for each statement that changed something, with the ids of all items that it changed
// (migrations/*_create_sync_index_triggers.ts). A list with `updatedSince` returns the current state of these items. If
// an id in the index is no longer in the list, it is returned as removed.
//
// `updatedSince` has two forms:
// - The `syncedUntil` of the previous response, which names the snapshot xmin of that read. Every transaction below the
//   xmin had ended by then, so reading from the xmin misses nothing. An item that changed around the time of the read
//   can be returned twice.
// - A time. A time is not a position in the commit order, so the read begins one hour earlier. A transaction that
//   commits more than an hour after its statement can be missed. Clients should continue with `syncedUntil`.
//
// Courses have no index, because all companies share the catalogue. The lists find courses by `updated_at`, starting
// one hour earlier.
//
// Guarantees: a client that continues from `syncedUntil` gets each change at least once. `readSince` runs before the
// lists that use it: a change that commits in between is returned twice rather than never.
//
// Failures: rows older than 30 days are deleted. An older token or time is rejected with `cursor_expired`, and so is a
// token from another log (see event-log.ts). The client must then read the whole list again. A token in the future is
// rejected with `invalid_request`.
//
// Not for: the order of changes, or their content. See event-log.ts for both.
import { list, literal, type Sql, sql } from '../../../db/sql.ts';
import { pointQuery, type Parameters } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { ApiError, formatFieldError, invalidField } from '../../../contract/errors.ts';
import { changesSince } from './changes-rules.ts';
import { readLogName } from './event-log.ts';
import { writeSyncToken } from './sync-token.ts';

/** Kinds of changes in the index; the migration that creates the index describes the kinds. */
type ChangeKind = 'person' | 'learner' | 'group' | 'enrollment' | 'policy_result';

/** Changes that a client requests: starting at a transaction, and starting at a time. */
export interface ChangesQuery {
  sinceTransactionId: string;
  sinceTime: string;
  /** Earliest update time of the courses to read. */
  coursesSince: string;
}

/** Sample parameters with which tests run the statements. */
export const CHANGE_SAMPLES = { sinceTransactionId: '3' };

const fromChanges = (p: Parameters<ChangesQuery>, kinds: readonly ChangeKind[], items: Sql): Sql => sql`
  from sync_index c cross join lateral ${items}
 where c.company_id = ${p.companyId} and c.kind in (${list(kinds.map((kind) => literal(kind)))})
   and c.transaction_id >= ${p.sinceTransactionId}::text::xid8 and c.at >= ${p.sinceTime}::timestamptz`;

/** Returns SQL that selects the ids of changed or removed items, without duplicates. */
export function changedIds(p: Parameters<ChangesQuery>, ...kinds: ChangeKind[]): Sql {
  return sql`select distinct i.id ${fromChanges(p, kinds, sql`unnest(c.ids) as i (id)`)}`;
}

/** Returns SQL that selects the changed or removed pairs of a learner and a course or policy, without duplicates. */
export function changedPairs(p: Parameters<ChangesQuery>, kind: 'enrollment' | 'policy_result'): Sql {
  const items = sql`unnest(c.ids, c.targets) as i (learner_id, target_id)`;
  return sql`select distinct i.learner_id, i.target_id ${fromChanges(p, [kind], items)}`;
}

interface Horizon {
  transactionId: string;
  now: string;
  seats: number;
}

// Every transaction below `transactionId` has ended. A point query, because the primary serves point queries. Reads a
// table of the company, because on Citus, transaction ids are those of the node that holds the company's rows.
const horizon = pointQuery<object, Horizon>(
  'change_horizon',
  (p) => sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as "transactionId", now()::timestamptz(3) as now,
           count(*)::integer as seats
      from company_seats where company_id = ${p.companyId}`,
);

/** Changes to read, and the token for the client's next call. */
export interface Since {
  changesQuery: ChangesQuery;
  syncedUntil: string;
}

/**
 * Reads the parameter `updatedSince`. Must run before the lists that use it.
 * @throws cursor_expired or invalid_request
 */
export async function readSince(tenant: TenantReader, updatedSince: string): Promise<Since> {
  const [log, horizonRow] = await Promise.all([readLogName(tenant), tenant.queryOne(horizon, {})]);
  const { transactionId, now } = horizonRow!;
  const readAt = Date.parse(now);
  const of = { companyId: tenant.companyId, log };
  const changesQuery = changesSince(updatedSince, of, { transactionId, readAt });
  if (changesQuery === 'expired') {
    const message = 'is older than the stored changes or than this database; read the whole list';
    const fault = { field: 'query/updatedSince', message };
    throw new ApiError('cursor_expired', formatFieldError(fault), { details: [fault] });
  }
  if (typeof changesQuery === 'string') throw invalidField('query/updatedSince', changesQuery);
  return { changesQuery, syncedUntil: writeSyncToken(of, { transactionId, readAt }) };
}
