import type { Knex } from 'knex';

/**
 * Creates figures that triggers keep, so that a page does not count 100,000 rows again: how many learners each
 * course, policy and group has, and the sum of the risk scores of active learners.
 *
 * A figure is the sum of its rows. Each statement that changes a figure adds a row with the difference, and updates no
 * row. Two transactions therefore never wait for each other, and neither can miss the other's change. About one change
 * in a hundred adds up the rows of its figure. A deleted policy or group has no later change, so its rows are deleted
 * with it.
 *
 * Each figure depends on single rows of one table. Counts of assignments include inactive learners, because a
 * transaction that deactivates a learner does not see an assignment that another one is adding. Readers subtract the
 * assignments of inactive learners.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table kept_figures (
      company_id uuid not null references companies (id) on delete cascade,
      -- The course, policy or group; the company itself for its risk scores.
      subject_id uuid not null,
      id uuid not null default new_id(),
      kind text not null check (kind in ('course', 'policy', 'group', 'risk')),
      assigned bigint not null default 0,
      started bigint not null default 0,
      completed bigint not null default 0,
      passed bigint not null default 0,
      risk_scores bigint not null default 0,
      primary key (company_id, subject_id, id)
    );
    alter table kept_figures enable row level security;
    create policy own_company on kept_figures to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    -- The privilege to update is needed to lock rows.
    grant select, insert, update, delete on kept_figures to awareness_service;

    -- Replaces the rows of a figure by their sum, or by none if it is zero, except those that another transaction is adding up.
    create function add_up_figure(company uuid, subject uuid) returns void
      language plpgsql set search_path = public, pg_temp as $$
    declare
      ids uuid[];
    begin
      select array_agg(id) into ids from (
        select id from kept_figures where company_id = company and subject_id = subject for update skip locked) as f;
      with taken as (
        delete from kept_figures where company_id = company and subject_id = subject and id = any(ids) returning *
      )
      insert into kept_figures (company_id, subject_id, kind, ${COLUMNS})
      select company, subject, kind, ${COLUMNS.split(', ').map(toSum).join(', ')} from taken group by kind
      having ${COLUMNS.split(', ')
        .map((column) => `${toSum(column)} <> 0`)
        .join(' or ')};
    end $$;

    ${FIGURES.map(createTriggers).join('\n')}
    ${Object.values(SUBJECTS).map(deleteWithSubject).join('\n')}
    ${FIGURES.map(fill).join('\n')}

    create index learners_inactive on learners (company_id, id) where inactive;
    -- Only the mean of the risk scores read it.
    drop index learners_risk_scores;`);
}

export async function down(knex: Knex): Promise<void> {
  const functions = [
    ...FIGURES.map(({ table }) => `keep_figures_of_${table}`),
    ...Object.values(SUBJECTS).map((table) => `delete_figures_of_${table}`),
  ].join(', ');
  await knex.raw(`
    create index learners_risk_scores on learners (company_id, risk_score) where not inactive;
    drop index learners_inactive;
    drop function ${functions}, add_up_figure cascade;
    drop table kept_figures;`);
}

/** Figures of a table: SQL expressions for a row. */
interface KeptFigures {
  table: string;
  kind: string;
  subject: string;
  columns: Record<string, string>;
}

const FIGURES: KeptFigures[] = [
  {
    table: 'enrollments',
    kind: 'course',
    subject: 'course_id',
    columns: {
      assigned: '1',
      started: '(start_date is not null)::integer',
      completed: '(finish_date is not null)::integer',
      passed: 'coalesce(passed, false)::integer',
    },
  },
  {
    table: 'policy_results',
    kind: 'policy',
    subject: 'policy_id',
    columns: {
      assigned: '(assigned_at is not null)::integer',
      // A signature counts if it is not older than the last request, as in SIGNED_IN_FORCE.
      completed: '(assigned_at is not null and coalesce(signed >= asked_at, false))::integer',
    },
  },
  { table: 'group_learners', kind: 'group', subject: 'group_id', columns: { assigned: '1' } },
  {
    table: 'learners',
    kind: 'risk',
    subject: 'company_id',
    columns: { risk_scores: 'case when inactive then 0 else risk_score end' },
  },
];

/** Tables whose deleted rows take their figures with them, by kind. A course with enrolments is never deleted. */
const SUBJECTS: Record<string, string> = { policy: 'policies', group: 'groups' };

const COLUMNS = 'assigned, started, completed, passed, risk_scores';

function toSum(column: string): string {
  return `sum(${column})`;
}

function selectRows({ subject, columns }: KeptFigures, source: string, sign = ''): string {
  const values = Object.entries(columns).map(([name, value]) => `${sign}(${value}) as ${name}`);
  return `select company_id, ${subject} as subject_id, ${values.join(', ')} from ${source}`;
}

/** Inserts the sums of rows by figure, except figures that do not change. */
function insertSums({ kind, columns }: KeptFigures, rows: string): string {
  const names = Object.keys(columns);
  return `
    insert into kept_figures (company_id, subject_id, kind, ${names.join(', ')})
    select company_id, subject_id, '${kind}', ${names.map(toSum).join(', ')}
      from (${rows}) as r group by company_id, subject_id
    having ${names.map((name) => `sum(${name}) <> 0`).join(' or ')}`;
}

/** Triggers can have no column list beside transition tables, so a function compares the figures of each update. */
function createTriggers(figures: KeptFigures): string {
  const { table } = figures;
  const added = selectRows(figures, 'added');
  const removed = selectRows(figures, 'removed', '-');
  const insertAndAddUp = (rows: string, otherwise = '') => `
        for figure in ${insertSums(figures, rows)} returning company_id, subject_id loop
          if random() < 0.01 then perform add_up_figure(figure.company_id, figure.subject_id);${otherwise}
          end if;
        end loop;`;
  const subjects = SUBJECTS[figures.kind];
  const deleteIfGone =
    subjects &&
    `
          elsif not exists (
            select from ${subjects} s where s.company_id = figure.company_id and s.id = figure.subject_id) then
            delete from kept_figures k where k.company_id = figure.company_id and k.subject_id = figure.subject_id;`;
  return `
    create function keep_figures_of_${table}() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    declare
      figure record;
    begin
      if tg_op = 'INSERT' then ${insertAndAddUp(added)}
      elsif tg_op = 'DELETE' then ${insertAndAddUp(removed, deleteIfGone)}
      else ${insertAndAddUp(`${added} union all ${removed}`)}
      end if;
      return null;
    end $$;
    create trigger ${table}_figures_added after insert on ${table}
      referencing new table as added for each statement execute function keep_figures_of_${table}();
    create trigger ${table}_figures_removed after delete on ${table}
      referencing old table as removed for each statement execute function keep_figures_of_${table}();
    create trigger ${table}_figures_changed after update on ${table}
      referencing old table as removed new table as added
      for each statement execute function keep_figures_of_${table}();
    revoke all on function keep_figures_of_${table} from public;`;
}

const fill = (figures: KeptFigures): string => `${insertSums(figures, selectRows(figures, figures.table))};`;

/**
 * Deletes the figures of subjects whose rows were deleted before. Rows that are deleted by cascade come later, and their
 * trigger deletes the figure.
 */
function deleteWithSubject(table: string): string {
  return `
    create function delete_figures_of_${table}() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      delete from kept_figures
       where company_id = any(array(select company_id from removed)) and subject_id = any(array(select id from removed));
      return null;
    end $$;
    create trigger ${table}_figures_deleted after delete on ${table}
      referencing old table as removed for each statement execute function delete_figures_of_${table}();
    revoke all on function delete_figures_of_${table} from public;`;
}
