import type { Knex } from 'knex';

type Operation = 'insert' | 'update' | 'delete';

interface Note {
  kind: string;
  /** Selects company and id, and of pairs the target, from `added` and `removed`, the rows after and before. */
  rows: string;
}

interface Noting {
  table: string;
  on: Operation;
  notes: Note[];
}

const ROWS: Record<Operation, string> = {
  insert: 'new table as added',
  update: 'old table as removed new table as added',
  delete: 'old table as removed',
};

const changed = (columns: string) => `
  select company_id, id from (
    select company_id, id, ${columns} from added except select company_id, id, ${columns} from removed) as changed`;
/** What goes with a learner who is deleted is told by the learner. Never a join, which may read all learners for each row. */
const LEARNER_STAYS = `(
  select l.id from public.learners l
   where l.company_id = removed.company_id and l.id = removed.learner_id limit 1) is not null`;

const group = (rows: string): Note => ({ kind: 'group', rows: `select distinct company_id, group_id from ${rows}` });
const memberships = (rows: string): Note => ({ kind: 'learner', rows: `select company_id, learner_id from ${rows}` });

/** The rows of a table of pairs, whoever changes them. */
function pairs(table: string, kind: string, target: string): Noting[] {
  const of = (rows: string): Note[] => [{ kind, rows: `select company_id, learner_id, ${target} from ${rows}` }];
  return [
    { table, on: 'insert', notes: of('added') },
    { table, on: 'update', notes: of('added') },
    { table, on: 'delete', notes: of(`removed where ${LEARNER_STAYS}`) },
  ];
}

/** Whether a result says that a message failed depends on those that have failed, or were sent since. */
const messages = (rows: string): Note[] => [
  {
    kind: 'policy_result',
    rows: `select company_id, learner_id, s.policy_id from ${rows} cross join lateral unnest(subject_ids) as s (policy_id)
            where kind in ('policy_request', 'policy_reminder') and status in ('failed', 'sent') and learner_id is not null`,
  },
];

const ALL: Noting[] = [
  // What results and groups show of a learner is told apart from what only the list of learners shows.
  { table: 'learners', on: 'insert', notes: [{ kind: 'person', rows: 'select company_id, id from added' }] },
  { table: 'learners', on: 'delete', notes: [{ kind: 'person', rows: 'select company_id, id from removed' }] },
  {
    table: 'learners',
    on: 'update',
    notes: [
      { kind: 'person', rows: changed('email, first_name, last_name, external_learner_id, inactive') },
      { kind: 'learner', rows: changed('updated_at, locale, public.risk_level(risk_score)') },
    ],
  },
  { table: 'groups', on: 'insert', notes: [{ kind: 'group', rows: 'select company_id, id from added' }] },
  { table: 'groups', on: 'update', notes: [{ kind: 'group', rows: 'select company_id, id from added' }] },
  { table: 'groups', on: 'delete', notes: [{ kind: 'group', rows: 'select company_id, id from removed' }] },
  { table: 'group_learners', on: 'insert', notes: [group('added'), memberships('added')] },
  {
    table: 'group_learners',
    on: 'delete',
    notes: [group('removed'), memberships(`removed where ${LEARNER_STAYS}`)],
  },
  { table: 'group_managers', on: 'insert', notes: [group('added')] },
  { table: 'group_managers', on: 'delete', notes: [group('removed')] },
  ...pairs('enrollments', 'enrollment', 'course_id'),
  ...pairs('enrollment_attempts', 'enrollment', 'course_id'),
  ...pairs('policy_results', 'policy_result', 'policy_id'),
  { table: 'messages', on: 'update', notes: messages('added') },
  { table: 'messages', on: 'delete', notes: messages('removed') },
];

const nameOf = ({ table, on }: Noting) => `note_${table}_${on}`;

/** Notes whatever changes the lists of learners, groups and results, one row for each statement and kind. */
export async function up(knex: Knex): Promise<void> {
  for (const noting of ALL) await knex.raw(noter(noting));
  // What came before is not noted: a client that asks for it is told to read all.
  await knex.raw(`
    insert into changes (company_id, kind, id, at, ids)
    select id, 'begin', id, clock_timestamp(), '{}' from companies`);
}

function noter(noting: Noting): string {
  const { table, on, notes } = noting;
  return `
    create function ${nameOf(noting)}() returns trigger language plpgsql as $$
      declare
        company uuid;
        ids uuid[];
        targets uuid[];
      begin
        ${notes.map(noteOf).join('')}
        return null;
      end $$;
    revoke all on function ${nameOf(noting)}() from public;
    create trigger ${table}_noted_${on} after ${on} on ${table} referencing ${ROWS[on]}
      for each statement execute function ${nameOf(noting)}()`;
}

function noteOf({ kind, rows }: Note): string {
  // Groups are few, and what deletes many learners comes once for each: a row for each group, once in a transaction.
  if (kind === 'group')
    return `
        for company, ids in select e.company_id, array[e.id] from (${rows}) as e (company_id, id) loop
          perform public.note_changes(company, '${kind}', ids[1], ids, null);
        end loop;`;
  const hasTargets = kind === 'enrollment' || kind === 'policy_result';
  return `
        for company, ids, targets in
          select e.company_id, array_agg(e.id), ${hasTargets ? 'array_agg(e.target)' : 'null::uuid[]'}
            from (${rows}) as e (company_id, id${hasTargets ? ', target' : ''}) group by e.company_id
        loop
          perform public.note_changes(company, '${kind}', gen_random_uuid(), ids, targets);
        end loop;`;
}

export async function down(knex: Knex): Promise<void> {
  for (const noting of ALL) {
    await knex.raw(
      `drop trigger ${noting.table}_noted_${noting.on} on ${noting.table}; drop function ${nameOf(noting)}()`,
    );
  }
  await knex.raw(`delete from changes`);
}
