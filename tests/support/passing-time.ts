/**
 * Returns the assignment that moves a timestamp column back by the interval `$1`. The assignment computes in UTC,
 * because on Citus an update of a column cannot depend on the session's time zone.
 */
export const earlier = (column: string): string =>
  `${column} = (${column} at time zone 'UTC' - $1::interval) at time zone 'UTC'`;

/** Tables from which reports on the past are computed. */
const RECORDED = [
  ...['learners', 'learner_versions', 'groups', 'group_versions', 'group_learners', 'membership_versions'],
  'membership_periods',
  ...['courses', 'course_versions', 'enrollments', 'enrollment_attempts', 'attempt_versions'],
  ...['course_result_events', 'corrections', 'policy_results', 'policy_result_versions', 'policy_versions'],
  ...['removed_policy_versions', 'signature_events', 'signatures', 'signature_names', 'messages'],
  ...['simulations', 'simulation_versions', 'simulation_recipients', 'simulation_recipient_versions'],
  ...['simulation_recipient_addresses', 'simulation_events', 'former_recipients', 'former_recipient_versions'],
  ...['learner_merges', 'learner_merge_records', 'campaigns', 'campaign_assignments'],
];

/** Names under which merges keep rows, with the table where it differs. */
const KEPT_NAMES = new Map([...RECORDED.map((table) => [table, table] as const), ['joined_results', 'policy_results']]);

/** Moves everything that was recorded back by some days, as if they had passed, without the triggers of the tables. */
export async function passDays(days: number): Promise<void> {
  const length = `interval '${days} days'`;
  const columns = (await testService.query(
    `select c.table_name as "table", array_agg(c.column_name::text) as names
       from information_schema.columns c
      where c.table_schema = 'public' and c.table_name = any($1) and c.is_generated = 'NEVER'
        and (c.data_type = 'date' or c.data_type like 'timestamp%') group by 1`,
    [RECORDED],
  )) as { table: string; names: string[] }[];
  expect(columns).toHaveLength(RECORDED.length);
  const moves = columns.map(({ table, names }) => {
    const moved = names.map((name) => `${name} = ${name} - ${length}`).join(', ');
    return `alter table ${table} disable trigger user; update ${table} set ${moved};
            alter table ${table} enable trigger user`;
  });
  const namesOf = new Map(columns.map(({ table, names }) => [table, names]));
  for (const [name, table] of KEPT_NAMES) {
    const moved = namesOf.get(table)!.map((column) => `'${column}', o.${column} - ${length}`);
    moves.push(`
      update learner_merge_records r
         set rows = (select coalesce(jsonb_agg(to_jsonb(o) || jsonb_build_object(${moved.join(', ')})), '[]')
                       from jsonb_populate_recordset(null::${table}, r.rows) as o)
       where r.table_name = '${name}'`);
  }
  await testService.query(moves.join('; '));
}

/** Moves everything that was recorded back by one day. */
export const passDay = (): Promise<void> => passDays(1);
