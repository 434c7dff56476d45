import type { Knex } from 'knex';

type Operation = 'insert' | 'update' | 'delete';

interface Change {
  kind: 'person' | 'learner' | 'group' | 'enrollment' | 'policy_result';
  /**
   * Query that selects company, id and, for pairs, target. `added` has the rows after the change, `removed` the rows
   * before it.
   */
  rows: string;
  /** Whether to skip rows that are deleted with their learner, which is indexed already. */
  ofExisting?: true;
}

interface IndexTrigger {
  table: string;
  on: Operation;
  changes: Change[];
}

const ROWS: Record<Operation, string> = {
  insert: 'new table as added',
  update: 'old table as removed new table as added',
  delete: 'old table as removed',
};

const changed = (columns: string) => `
  select company_id, id from (
    select company_id, id, ${columns} from added except select company_id, id, ${columns} from removed) as changed`;
const rows = (kind: Change['kind'], source: string): Change => ({ kind, rows: `select company_id, id from ${source}` });
const group = (source: string): Change => ({
  kind: 'group',
  rows: `select distinct company_id, group_id from ${source}`,
});
const member = 'select company_id, learner_id from';

function pairs(table: string, kind: Change['kind'], target: string): IndexTrigger[] {
  const select = `select company_id, learner_id, ${target} from`;
  return [
    { table, on: 'insert', changes: [{ kind, rows: `${select} added` }] },
    { table, on: 'update', changes: [{ kind, rows: `${select} added` }] },
    { table, on: 'delete', changes: [{ kind, rows: `${select} removed`, ofExisting: true }] },
  ];
}

/**
 * Builds the changes of policy results whose messages failed or were sent: a result shows a failure until a later
 * message is sent.
 */
const messages = (source: string): Change[] => [
  {
    kind: 'policy_result',
    rows: `select company_id, learner_id, s.policy_id from ${source} cross join lateral unnest(subject_ids) as s (policy_id)
            where kind in ('policy_request', 'policy_reminder') and status in ('failed', 'sent') and learner_id is not null`,
  },
];

const TRIGGERS: IndexTrigger[] = [
  // 'person' covers the fields of a learner that results and groups show, 'learner' those that only the list of
  // learners shows.
  { table: 'learners', on: 'insert', changes: [rows('person', 'added')] },
  { table: 'learners', on: 'delete', changes: [rows('person', 'removed')] },
  {
    table: 'learners',
    on: 'update',
    changes: [
      { kind: 'person', rows: changed('email, first_name, last_name, external_learner_id, inactive') },
      {
        kind: 'learner',
        rows: changed(`updated_at, locale, department, job_title, country, location, time_zone, manager_id,
                       public.risk_level(risk_score)`),
      },
    ],
  },
  { table: 'groups', on: 'insert', changes: [rows('group', 'added')] },
  { table: 'groups', on: 'update', changes: [rows('group', 'added')] },
  { table: 'groups', on: 'delete', changes: [rows('group', 'removed')] },
  {
    table: 'group_learners',
    on: 'insert',
    changes: [group('added'), { kind: 'learner', rows: `${member} added` }],
  },
  {
    table: 'group_learners',
    on: 'delete',
    changes: [group('removed'), { kind: 'learner', rows: `${member} removed`, ofExisting: true }],
  },
  { table: 'group_managers', on: 'insert', changes: [group('added')] },
  { table: 'group_managers', on: 'delete', changes: [group('removed')] },
  ...pairs('enrollments', 'enrollment', 'course_id'),
  ...pairs('enrollment_attempts', 'enrollment', 'course_id'),
  ...pairs('policy_results', 'policy_result', 'policy_id'),
  { table: 'messages', on: 'update', changes: messages('added') },
  { table: 'messages', on: 'delete', changes: messages('removed') },
];

/**
 * Creates the triggers that index changes to the lists of learners, groups and results: a row per statement and kind.
 */
export async function up(knex: Knex): Promise<void> {
  for (const { table, on, changes } of TRIGGERS) {
    await knex.raw(`
      create function index_${table}_${on}() returns trigger language plpgsql as $$
      declare
        company uuid;
        ids uuid[];
        targets uuid[];
      begin
        ${changes.map(indexing).join('')}
        return null;
      end $$;
      revoke all on function index_${table}_${on} from public;
      create trigger ${table}_index_${on} after ${on} on ${table} referencing ${ROWS[on]}
        for each statement execute function index_${table}_${on}()`);
  }
}

function indexing({ kind, rows, ofExisting }: Change): string {
  // There are few groups, but deleting many learners fires the trigger once for each learner. A group therefore gets
  // only one row per transaction.
  if (kind === 'group')
    return `
        for company, ids in select e.company_id, array[e.id] from (${rows}) as e (company_id, id) loop
          perform public.index_changes(company, '${kind}', ids[1], ids, null);
        end loop;`;
  const hasTargets = kind === 'enrollment' || kind === 'policy_result';
  return `
        for company, ids, targets in
          select e.company_id, array_agg(e.id), ${hasTargets ? 'array_agg(e.target)' : 'null::uuid[]'}
            from (${rows}) as e (company_id, id${hasTargets ? ', target' : ''}) group by e.company_id
        loop
          ${
            ofExisting
              ? `perform public.index_changes_of_existing(company, '${kind}', ids, targets);`
              : `perform public.index_changes(company, '${kind}', gen_random_uuid(), ids, targets);`
          }
        end loop;`;
}

export async function down(knex: Knex): Promise<void> {
  for (const { table, on } of TRIGGERS) await knex.raw(`drop function index_${table}_${on} cascade`);
}
