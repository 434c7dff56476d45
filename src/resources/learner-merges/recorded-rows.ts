import { identifier, list, literal, type Sql, sql } from '../../db/sql.ts';
import { type Mutation, mutation, type Parameters } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { RECORDED_TABLES, RECORDED_OF_BOTH, type RecordedTable } from './merged-tables.ts';

interface RecordParameters {
  mergeId: string;
  learnerId: string;
  isOfMerged: boolean;
}

/** Inserts rows of a learner into the records of a merge. Does nothing if there are no such rows. */
const recordAs = (
  name: string,
  table: string,
  condition: (p: Parameters<RecordParameters>) => Sql,
  row = sql`to_jsonb(t)`,
) =>
  mutation<RecordParameters, { count: number }>(
    `merge_keep_${name}`,
    (p) => sql`
      insert into learner_merge_records (company_id, merge_id, table_name, is_of_merged, rows)
      select ${p.companyId}, ${p.mergeId}, ${literal(name)}, ${p.isOfMerged}, kept.rows
        from (select jsonb_agg(${row}) as rows from ${identifier(table)} t
               where t.company_id = ${p.companyId} and ${condition(p)}) as kept
       where kept.rows is not null
      on conflict do nothing
      returning jsonb_array_length(rows) as count`,
  );

const recordOfLearner = (name: string, table: string) =>
  recordAs(name, table, (p) => sql`t.learner_id = ${p.learnerId}`);

const TABLES = Object.keys(RECORDED_TABLES) as RecordedTable[];
const recordMutations = new Map<string, Mutation<RecordParameters, { count: number }>>([
  ...TABLES.map((table) => [table, recordOfLearner(table, table)] as const),
  ['learners', recordAs('learners', 'learners', (p) => sql`t.id = ${p.learnerId}`)],
  // Keeps only the ids of other people, so that no other data of theirs remain after their deletion.
  [
    'reports',
    recordAs('reports', 'learners', (p) => sql`t.manager_id = ${p.learnerId}`, sql`jsonb_build_object('id', t.id)`),
  ],
  ['earlier_merges', recordAs('earlier_merges', 'learner_merges', (p) => sql`t.current_learner_id = ${p.learnerId}`)],
  // Results of the learner who stays, as they are after the merge.
  ['joined_results', recordOfLearner('joined_results', 'policy_results')],
]);

async function record(tenant: TenantWriter, name: string, kept: RecordParameters): Promise<number> {
  return (await tenant.mutate(recordMutations.get(name)!, kept))[0]?.count ?? 0;
}

/**
 * Keeps the duplicate's rows, and the rows of the learner who stays that the merge changes. Returns the number of the
 * duplicate's rows by table.
 */
export async function recordRows(
  tenant: TenantWriter,
  mergeId: string,
  { learnerId, intoLearnerId }: { learnerId: string; intoLearnerId: string },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const name of [...TABLES, 'learners', 'reports', 'earlier_merges'])
    counts.set(name, await record(tenant, name, { mergeId, learnerId, isOfMerged: true }));
  for (const name of RECORDED_OF_BOTH)
    await record(tenant, name, { mergeId, learnerId: intoLearnerId, isOfMerged: false });
  return counts;
}

/** Keeps the policy results of the learner who stays, as they are after the merge has joined them. */
export async function recordJoinedResults(tenant: TenantWriter, mergeId: string, learnerId: string): Promise<void> {
  await record(tenant, 'joined_results', { mergeId, learnerId, isOfMerged: false });
}

/** Selects rows that a merge has kept, as a table `old` with the columns of the original table. */
export function recordedRows(
  p: Parameters<{ mergeId: string }>,
  { table, name = table, isOfMerged = true }: { table: string; name?: string; isOfMerged?: boolean },
): Sql {
  return sql`
    (select old.* from learner_merge_records r
      cross join lateral jsonb_populate_recordset(null::${identifier(table)}, r.rows) as old
      where r.company_id = ${p.companyId} and r.merge_id = ${p.mergeId} and r.table_name = ${literal(name)}
        and r.is_of_merged = ${isOfMerged ? sql`true` : sql`false`}) as old`;
}

/** Condition that the rows `a` and `b` have the same values in the columns. */
export function haveSame(columns: readonly string[], a: string, b: string): Sql {
  const columnsOf = (row: string) => list(columns.map((column) => sql`${identifier(row)}.${identifier(column)}`));
  return sql`(${columnsOf(a)}) is not distinct from (${columnsOf(b)})`;
}
