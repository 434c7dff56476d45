import type { Knex } from 'knex';

/**
 * Creates running totals, which triggers maintain, so that a page does not count 100,000 rows again: how many learners
 * each course, policy and group has, and the sum of the risk scores of active learners.
 *
 * A total is the sum of its rows. Each statement that changes a total adds a row with the difference, and updates no
 * row. Two transactions therefore never wait for each other, and neither can miss the other's change. About one change
 * in a hundred adds up the rows of its total. A deleted policy or group has no later change, so its rows are deleted
 * with it.
 *
 * Each total depends on single rows of one table. Counts of assignments include inactive learners, because a
 * transaction that deactivates a learner does not see an assignment that another one is adding. Readers subtract the
 * assignments of inactive learners.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table running_totals (
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
    alter table running_totals enable row level security;
    create policy own_company on running_totals to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    -- The privilege to update is needed to lock rows.
    grant select, insert, update, delete on running_totals to awareness_service;

    -- Replaces the rows of a total by their sum, or by none if it is zero, except those that another transaction is adding up.
    create function add_up_total(company uuid, subject uuid) returns void
      language plpgsql set search_path = public, pg_temp as $$
    declare
      ids uuid[];
    begin
      select array_agg(id) into ids from (
        select id from running_totals where company_id = company and subject_id = subject for update skip locked) as f;
      with taken as (
        delete from running_totals where company_id = company and subject_id = subject and id = any(ids) returning *
      )
      insert into running_totals (company_id, subject_id, kind, ${COLUMNS})
      select company, subject, kind, ${COLUMNS.split(', ').map(toSum).join(', ')} from taken group by kind
      having ${COLUMNS.split(', ')
        .map((column) => `${toSum(column)} <> 0`)
        .join(' or ')};
    end $$;

    ${TOTALS.map(createTriggers).join('\n')}
    ${Object.values(SUBJECTS).map(deleteWithSubject).join('\n')}
    ${TOTALS.map(fill).join('\n')}

    create index learners_inactive on learners (company_id, id) where inactive;
    -- Only the mean of the risk scores read it.
    drop index learners_risk_scores;`);
}

export async function down(knex: Knex): Promise<void> {
  const functions = [
    ...TOTALS.map(({ table }) => `record_totals_of_${table}`),
    ...Object.values(SUBJECTS).map((table) => `delete_totals_of_${table}`),
  ].join(', ');
  await knex.raw(`
    create index learners_risk_scores on learners (company_id, risk_score) where not inactive;
    drop index learners_inactive;
    drop function ${functions}, add_up_total cascade;
    drop table running_totals;`);
}

/** Totals of a table: SQL expressions for a row. */
interface RunningTotals {
  table: string;
  kind: string;
  subject: string;
  columns: Record<string, string>;
}

const TOTALS: RunningTotals[] = [
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

/** Tables whose deleted rows take their totals with them, by kind. A course with enrolments is never deleted. */
const SUBJECTS: Record<string, string> = { policy: 'policies', group: 'groups' };

const COLUMNS = 'assigned, started, completed, passed, risk_scores';

function toSum(column: string): string {
  return `sum(${column})`;
}

function selectRows({ subject, columns }: RunningTotals, source: string, sign = ''): string {
  const values = Object.entries(columns).map(([name, value]) => `${sign}(${value}) as ${name}`);
  return `select company_id, ${subject} as subject_id, ${values.join(', ')} from ${source}`;
}

/** Inserts the sums of rows by total, except totals that do not change. */
function insertSums({ kind, columns }: RunningTotals, rows: string): string {
  const names = Object.keys(columns);
  return `
    insert into running_totals (company_id, subject_id, kind, ${names.join(', ')})
    select company_id, subject_id, '${kind}', ${names.map(toSum).join(', ')}
      from (${rows}) as r group by company_id, subject_id
    having ${names.map((name) => `sum(${name}) <> 0`).join(' or ')}`;
}

/** A trigger with transition tables cannot have a column list, so a function compares the totals of each update. */
function createTriggers(totals: RunningTotals): string {
  const { table } = totals;
  const added = selectRows(totals, 'added');
  const removed = selectRows(totals, 'removed', '-');
  const insertAndAddUp = (rows: string, otherwise = '') => `
        for total in ${insertSums(totals, rows)} returning company_id, subject_id loop
          if random() < 0.01 then perform add_up_total(total.company_id, total.subject_id);${otherwise}
          end if;
        end loop;`;
  const subjects = SUBJECTS[totals.kind];
  const deleteIfGone =
    subjects &&
    `
          elsif not exists (
            select from ${subjects} s where s.company_id = total.company_id and s.id = total.subject_id) then
            delete from running_totals k where k.company_id = total.company_id and k.subject_id = total.subject_id;`;
  return `
    create function record_totals_of_${table}() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    declare
      total record;
    begin
      if tg_op = 'INSERT' then ${insertAndAddUp(added)}
      elsif tg_op = 'DELETE' then ${insertAndAddUp(removed, deleteIfGone)}
      else ${insertAndAddUp(`${added} union all ${removed}`)}
      end if;
      return null;
    end $$;
    create trigger ${table}_totals_added after insert on ${table}
      referencing new table as added for each statement execute function record_totals_of_${table}();
    create trigger ${table}_totals_removed after delete on ${table}
      referencing old table as removed for each statement execute function record_totals_of_${table}();
    create trigger ${table}_totals_changed after update on ${table}
      referencing old table as removed new table as added
      for each statement execute function record_totals_of_${table}();
    revoke all on function record_totals_of_${table} from public;`;
}

const fill = (totals: RunningTotals): string => `${insertSums(totals, selectRows(totals, totals.table))};`;

/**
 * Deletes the totals of subjects whose rows were deleted before. Rows that are deleted by cascade come later, and their
 * trigger deletes the total.
 */
function deleteWithSubject(table: string): string {
  return `
    create function delete_totals_of_${table}() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      delete from running_totals
       where company_id = any(array(select company_id from removed)) and subject_id = any(array(select id from removed));
      return null;
    end $$;
    create trigger ${table}_totals_deleted after delete on ${table}
      referencing old table as removed for each statement execute function delete_totals_of_${table}();
    revoke all on function delete_totals_of_${table} from public;`;
}
