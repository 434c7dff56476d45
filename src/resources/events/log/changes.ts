import { list, literal, type Sql, sql } from '../../../db/sql.ts';
import { pointQuery, type Parameters } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { ApiError, invalidField } from '../../../contract/errors.ts';
import { changesSince } from './changes-rules.ts';
import { nameOfLog } from './event-log.ts';
import { writeSyncToken } from './sync-token.ts';

/** What is noted of the changes of a company; see the migration that creates the log. */
type ChangeKind = 'person' | 'learner' | 'group' | 'enrollment' | 'policy_result';

/** Which changes a client asks for: those of a transaction or a later one, and of a time or later. */
export interface ChangesQuery {
  sinceTransactionId: string;
  sinceTime: string;
  /** Of courses there is no log, since those of the catalogue are every company's. */
  coursesSince: string;
}

/** For tests. */
export const CHANGE_SAMPLES = { sinceTransactionId: '3' };

const fromChanges = (p: Parameters<ChangesQuery>, kinds: readonly ChangeKind[], items: Sql): Sql => sql`
  from sync_index c cross join lateral ${items}
 where c.company_id = ${p.companyId} and c.kind in (${list(kinds.map((kind) => literal(kind)))})
   and c.transaction_id >= ${p.sinceTransactionId}::text::xid8 and c.at >= ${p.sinceTime}::timestamptz`;

/** Selects the ids of what has changed, or is removed, each once. */
export function changedIds(p: Parameters<ChangesQuery>, ...kinds: ChangeKind[]): Sql {
  return sql`select distinct i.id ${fromChanges(p, kinds, sql`unnest(c.ids) as i (id)`)}`;
}

/** The same for pairs of a learner and a course or policy. */
export function changedPairs(p: Parameters<ChangesQuery>, kind: 'enrollment' | 'policy_result'): Sql {
  const items = sql`unnest(c.ids, c.targets) as i (learner_id, target_id)`;
  return sql`select distinct i.learner_id, i.target_id ${fromChanges(p, [kind], items)}`;
}

interface Horizon {
  transactionId: string;
  now: string;
  begun: string | null;
}

// Every transaction below has ended. A lookup, since the primary answers those. Asks a table of the company: on Citus, the
// transactions are those of the node with its rows.
const horizon = pointQuery<object, Horizon>(
  'change_horizon',
  (p) => sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as "transactionId", now()::timestamptz(3) as now, max(at) as begun
      from sync_index where company_id = ${p.companyId} and kind = 'begin'`,
);

/** What to read, and what the client sends next time. */
export interface Since {
  asked: ChangesQuery;
  syncedUntil: string;
}

/**
 * Reads the parameter `updatedSince`. Must come before the lists that it is for: what is committed between is told twice
 * rather than never.
 * @throws cursor_expired or invalid_request
 */
export async function readSince(tenant: TenantReader, updatedSince: string): Promise<Since> {
  const [log, found] = await Promise.all([nameOfLog(tenant), tenant.queryOne(horizon, {})]);
  const { transactionId, now, begun } = found!;
  const readAt = Date.parse(now);
  const of = { companyId: tenant.companyId, log };
  const asked = changesSince(updatedSince, of, {
    transactionId,
    readAt,
    begunAt: begun === null ? null : Date.parse(begun),
  });
  if (asked === 'expired') {
    const message = 'is older than the changes kept, or than this database: read the whole list';
    const details = [{ field: 'query/updatedSince', message }];
    throw new ApiError('cursor_expired', `query/updatedSince: ${message}`, { details });
  }
  if (typeof asked === 'string') throw invalidField('query/updatedSince', asked);
  return { asked, syncedUntil: writeSyncToken(of, { transactionId, readAt }) };
}
