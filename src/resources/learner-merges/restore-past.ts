import { identifier, list, type Sql, sql } from '../../db/sql.ts';
import { type Mutation, mutation, type Parameters } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { recordedRows } from './recorded-rows.ts';
import type { Merge } from './move-rows.ts';

// The past of two learners whose merge is undone. For the time before the merge, past reports again return the same as
// without it. If a row of the duplicate was changed or removed after the merge, its version is with the learner who
// stays, or missing.

/** Condition that a version `v` of the learner who stays was in force at the merge or later. */
const isSinceMerge = (p: Parameters<Merge>): Sql => sql`
  m.company_id = ${p.companyId} and m.id = ${p.mergeId} and v.company_id = ${p.companyId}
  and v.learner_id = ${p.intoLearnerId} and v.superseded_at >= m.merged_at`;

/** Removes the duplicate's memberships and attempts from the past of the learner who stays. */
const forgetPast: Mutation<Merge, object>[] = [
  mutation<Merge>(
    'merge_forget_memberships',
    (p) => sql`
      delete from membership_versions v using learner_merges m
       where ${isSinceMerge(p)} and v.recorded_at <= m.merged_at
         and v.group_id in (select old.group_id from ${recordedRows(p, { table: 'group_learners' })})
         and v.group_id not in (select old.group_id from ${recordedRows(p, { table: 'group_learners', isOfMerged: false })})`,
  ),
  mutation<Merge>(
    'merge_forget_attempts',
    (p) => sql`
      delete from attempt_versions v using learner_merges m
       where ${isSinceMerge(p)}
         and v.attempt_id in (
           select old.attempt_id from ${recordedRows(p, { table: 'enrollments' })}
           union all
           select old.attempt_id from ${recordedRows(p, { table: 'enrollment_attempts' })})`,
  ),
];

// The learner who stays had no such result at the time of the merge, so the version belongs to the duplicate's result.
const returnResults = mutation<Merge>(
  'merge_return_result_versions',
  (p) => sql`
    update policy_result_versions v set learner_id = ${p.learnerId} from learner_merges m
     where ${isSinceMerge(p)} and v.recorded_at < m.merged_at
       and v.policy_id in (select old.policy_id from ${recordedRows(p, { table: 'policy_results' })})
       and v.policy_id not in (select old.policy_id from ${recordedRows(p, { table: 'policy_results', isOfMerged: false })})`,
);

/** Tables whose rows have versions, with the tables of the versions, their keys and their other columns. */
const VERSIONED = [
  { tables: ['group_learners'], versions: 'membership_versions', key: ['group_id'], columns: [] },
  {
    tables: ['policy_results'],
    versions: 'policy_result_versions',
    key: ['policy_id'],
    columns: [
      ...['assigned_at', 'asked_at', 'reminded_at', 'sent_version_id', 'visited_at', 'visited_version_id', 'signed'],
    ],
  },
  {
    tables: ['enrollments', 'enrollment_attempts'],
    versions: 'attempt_versions',
    key: ['course_id', 'attempt_id'],
    columns: [
      ...['attempt', 'course_owner_id', 'enroll_date', 'start_date', 'finish_date', 'score', 'passed', 'asked_at'],
      ...['reminder_sent_at', 'mail_failed_at'],
    ],
  },
] as const;

/**
 * Inserts versions that end at the time of the merge, for rows that the duplicate had then and that were not restored.
 */
const restoreVersions = VERSIONED.flatMap(({ tables, versions, key, columns }) =>
  tables.map((table) =>
    mutation<Merge>(`merge_restore_versions_of_${table}`, (p) => {
      const all = ['company_id', 'learner_id', ...key, ...columns, 'recorded_at'].map(identifier);
      const hasRow = (other: string, isInForce: Sql) => sql`
        exists (select from ${identifier(other)} t
                 where t.company_id = ${p.companyId} and t.learner_id = ${p.learnerId}
                   and (${list(key.map((column) => sql`t.${identifier(column)}`))})
                       = (${list(key.map((column) => sql`old.${identifier(column)}`))})
                   and t.recorded_at < m.merged_at and ${isInForce})`;
      const isRestored = [
        ...tables.map((other) => hasRow(other, sql`true`)),
        hasRow(versions, sql`t.superseded_at >= m.merged_at`),
      ];
      return sql`
        insert into ${identifier(versions)} (${list(all)}, superseded_at)
        select ${list(all.map((column) => sql`old.${column}`))}, m.merged_at
          from learner_merges m cross join ${recordedRows(p, { table })}
         where m.company_id = ${p.companyId} and m.id = ${p.mergeId} and old.recorded_at < m.merged_at
           and not (${isRestored.reduce((all, one) => sql`${all} or ${one}`)})
        on conflict do nothing`;
    }),
  ),
);

/** Separates the past of both learners. The caller has moved their rows back. */
export async function restorePast(tenant: TenantWriter, merge: Merge): Promise<void> {
  for (const statement of [...forgetPast, returnResults, ...restoreVersions]) await tenant.mutate(statement, merge);
}
