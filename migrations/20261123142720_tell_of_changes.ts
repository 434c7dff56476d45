import type { Knex } from 'knex';

type Operation = 'insert' | 'update' | 'delete';

interface Telling {
  table: string;
  on: Operation;
  /** Selects company, type and data of the events from `added` and `removed`, the rows after and before. */
  events: string;
}

const ROWS: Record<Operation, string> = {
  insert: 'new table as added',
  update: 'old table as removed new table as added',
  delete: 'old table as removed',
};

const json = (fields: string) => `jsonb_build_object(${fields})`;
const time = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const of = (alias: string, type: string, data: string, rest = '') =>
  `select ${alias}.company_id, '${type}', ${json(data)} from ${alias} ${rest}`;

/** What goes with one of these that is deleted is no event. */
const unlessGone = (...owners: [table: string, column: string][]) =>
  owners
    .map(
      ([table, column]) =>
        `exists (select from public.${table} o where o.company_id = removed.company_id and o.id = removed.${column})`,
    )
    .join(' and ');
const LEARNER: [string, string] = ['learners', 'learner_id'];
const GROUP: [string, string] = ['groups', 'group_id'];
const POLICY: [string, string] = ['policies', 'policy_id'];

const GROUP_AND_LEARNER = `'groupId', group_id, 'learnerId', learner_id`;
const ATTEMPT = (alias: string) =>
  `'attemptId', ${alias}.attempt_id, 'learnerId', ${alias}.learner_id, 'courseId', ${alias}.course_id`;
const ASSIGNMENT = `'policyId', policy_id, 'learnerId', learner_id`;

const LEARNERS: Telling[] = [
  { table: 'learners', on: 'insert', events: of('added', 'learner.created', `'learnerId', id`) },
  { table: 'learners', on: 'delete', events: of('removed', 'learner.deleted', `'learnerId', id`) },
  {
    table: 'learners',
    on: 'update',
    events: `
      select a.company_id, e.type, e.data from added a join removed r on r.company_id = a.company_id and r.id = a.id
       cross join lateral (
         select 'learner.updated', ${json(`'learnerId', a.id`)}
          where (a.email, a.first_name, a.last_name, a.external_learner_id, a.locale, a.excluded_from_auto_enrol)
                is distinct from
                (r.email, r.first_name, r.last_name, r.external_learner_id, r.locale, r.excluded_from_auto_enrol)
         union all
         select case when a.inactive then 'learner.deactivated' else 'learner.activated' end, ${json(`'learnerId', a.id`)}
          where a.inactive <> r.inactive
         union all
         select 'risk.level.changed', ${json(`'learnerId', a.id, 'level', public.risk_level(a.risk_score),
                                              'previousLevel', public.risk_level(r.risk_score)`)}
          where public.risk_level(a.risk_score) <> public.risk_level(r.risk_score)) as e (type, data)`,
  },
];

const GROUPS: Telling[] = [
  { table: 'groups', on: 'insert', events: of('added', 'group.created', `'groupId', id`) },
  { table: 'groups', on: 'delete', events: of('removed', 'group.deleted', `'groupId', id`) },
  {
    table: 'groups',
    on: 'update',
    events: `
      select a.company_id, 'group.updated', ${json(`'groupId', a.id`)}
        from added a join removed r on r.company_id = a.company_id and r.id = a.id where a.name <> r.name`,
  },
  { table: 'group_learners', on: 'insert', events: of('added', 'group.member.added', GROUP_AND_LEARNER) },
  {
    table: 'group_learners',
    on: 'delete',
    events: of('removed', 'group.member.removed', GROUP_AND_LEARNER, `where ${unlessGone(GROUP, LEARNER)}`),
  },
  { table: 'group_managers', on: 'insert', events: of('added', 'group.manager.added', GROUP_AND_LEARNER) },
  {
    table: 'group_managers',
    on: 'delete',
    events: of('removed', 'group.manager.removed', GROUP_AND_LEARNER, `where ${unlessGone(GROUP, LEARNER)}`),
  },
];

const STARTED = `${ATTEMPT('a')}, 'startDate', a.start_date`;
const COMPLETED = `${ATTEMPT('a')}, 'finishDate', a.finish_date, 'passed', a.passed`;

const ENROLLMENTS: Telling[] = [
  {
    table: 'enrollments',
    on: 'insert',
    events: `
      select a.company_id, 'enrollment.created', ${json(`${ATTEMPT('a')}, 'enrollDate', a.enroll_date`)} from added a
      union all select a.company_id, 'enrollment.started', ${json(STARTED)} from added a where a.start_date is not null
      union all
      select a.company_id, 'enrollment.completed', ${json(COMPLETED)} from added a where a.finish_date is not null`,
  },
  {
    table: 'enrollments',
    on: 'delete',
    events: of('removed', 'enrollment.removed', ATTEMPT('removed'), `where ${unlessGone(LEARNER)}`),
  },
  {
    // Another attempt is a new one, or the one before when the newest was removed.
    table: 'enrollments',
    on: 'update',
    events: `
      select a.company_id, e.type, e.data
        from added a join removed r on r.company_id = a.company_id and r.learner_id = a.learner_id
         and r.course_id = a.course_id
       cross join lateral (
         select a.attempt_id <> r.attempt_id and a.attempt >= r.attempt, a.attempt_id <> r.attempt_id and a.attempt < r.attempt
       ) as now (is_new, is_back)
       cross join lateral (
         select 'enrollment.removed', ${json(ATTEMPT('r'))} where now.is_back
         union all
         select 'enrollment.created', ${json(`${ATTEMPT('a')}, 'enrollDate', a.enroll_date`)} where now.is_new
         union all
         select 'enrollment.started', ${json(STARTED)}
          where a.start_date is not null and (now.is_new or (not now.is_back and r.start_date is null))
         union all
         select 'enrollment.completed', ${json(COMPLETED)}
          where a.finish_date is not null and (now.is_new or (not now.is_back and r.finish_date is null))) as e (type, data)`,
  },
];

const POLICIES: Telling[] = [
  {
    table: 'policy_versions',
    on: 'insert',
    events: of(
      'added',
      'policy.published',
      `'policyId', policy_id, 'versionId', id, 'majorVersion', major_version, 'minorVersion', minor_version`,
    ),
  },
  { table: 'policies', on: 'delete', events: of('removed', 'policy.deleted', `'policyId', id`) },
  {
    table: 'policy_results',
    on: 'insert',
    events: of('added', 'policy.assigned', ASSIGNMENT, 'where assigned_at is not null'),
  },
  {
    table: 'policy_results',
    on: 'delete',
    events: of(
      'removed',
      'policy.unassigned',
      ASSIGNMENT,
      `where assigned_at is not null and ${unlessGone(POLICY, LEARNER)}`,
    ),
  },
  {
    table: 'policy_results',
    on: 'update',
    events: `
      select a.company_id, case when r.assigned_at is null then 'policy.assigned' else 'policy.unassigned' end,
             ${json(`'policyId', a.policy_id, 'learnerId', a.learner_id`)}
        from added a join removed r on r.company_id = a.company_id and r.id = a.id
       where (a.assigned_at is null) <> (r.assigned_at is null)`,
  },
  {
    table: 'signatures',
    on: 'insert',
    events: of(
      'added',
      'policy.signed',
      `${ASSIGNMENT}, 'versionId', version_id, 'signedAt', ${time('signed')}, 'offline', signed_offline`,
    ),
  },
];

const BECAME = `case a.status when 'running' then 'simulation.started' else 'simulation.' || a.status end`;
const milestones = (before: (column: string) => string) => `
  (values ${['sent', 'opened', 'visited', 'compromised', 'reported']
    .map((name) => `('${name}', ${before(`${name}_at`)}, a.${name}_at)`)
    .join(', ')}) as m (name, before, after)`;
const RECIPIENT = `'simulationId', a.simulation_id, 'recipientId', a.id, 'learnerId', a.learner_id`;
const REACHED = `'simulation.message.' || m.name, ${json(`${RECIPIENT}, 'occurredAt', ${time('m.after')}`)}`;

const SIMULATIONS: Telling[] = [
  {
    table: 'simulations',
    on: 'insert',
    events: `select a.company_id, ${BECAME}, ${json(`'simulationId', a.id`)} from added a
              where a.status in ('running', 'completed', 'cancelled')`,
  },
  {
    table: 'simulations',
    on: 'update',
    events: `select a.company_id, ${BECAME}, ${json(`'simulationId', a.id`)}
               from added a join removed r on r.company_id = a.company_id and r.id = a.id
              where a.status in ('running', 'completed', 'cancelled') and a.status <> r.status`,
  },
  {
    table: 'simulation_recipients',
    on: 'insert',
    events: `select a.company_id, ${REACHED} from added a cross join lateral ${milestones(() => 'null::timestamptz')}
              where m.after is not null`,
  },
  {
    table: 'simulation_recipients',
    on: 'update',
    events: `
      select a.company_id, e.type, e.data
        from added a join removed r on r.company_id = a.company_id and r.simulation_id = a.simulation_id
         and r.learner_id = a.learner_id
       cross join lateral ${milestones((column) => `r.${column}`)}
       cross join lateral (
         select ${REACHED} where m.before is null and m.after is not null
         union all
         select 'simulation.result.withdrawn', ${json(`${RECIPIENT}, 'milestone', m.name`)}
          where m.before is not null and m.after is null) as e (type, data)`,
  },
];

const ALL = [...LEARNERS, ...GROUPS, ...ENROLLMENTS, ...POLICIES, ...SIMULATIONS];

const nameOf = ({ table, on }: Telling) => `tell_of_${table}_${on}`;

/**
 * The changes of rows that are events, whoever makes them. A company whose events nobody reads pays for the question alone.
 *
 * NOTE: the rows of a trigger have no statistics, and a plan is kept for statements of any size. A nested loop over both
 * tables, chosen for one row, would not end for ten thousand. Without nested loops, Postgres before 18 takes these joins for
 * so costly that it would compile them to machine code on every call, which takes longer than all else.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function risk_level(score smallint) returns text language sql immutable parallel safe
      return case when score < 25 then 'low' when score < 50 then 'moderate' when score < 75 then 'high'
                  else 'critical' end`);
  for (const telling of ALL) await knex.raw(teller(telling));
}

function teller(telling: Telling): string {
  const { table, on, events } = telling;
  return `
    create function ${nameOf(telling)}() returns trigger
      language plpgsql ${on === 'update' ? 'set enable_nestloop = off set jit = off' : ''} as $$
      declare
        session uuid := public.current_company();
        company uuid;
        types text[];
        facts jsonb[];
      begin
        if session is not null and not public.events_are_read(session) then return null; end if;
        for company in
          select session where session is not null
          union all
          select c.company_id from (select distinct company_id from ${on === 'delete' ? 'removed' : 'added'}
                                     where session is null) as c
           where public.events_are_read(c.company_id)
        loop
          select array_agg(e.type), array_agg(e.data) into types, facts
            from (${events}) as e (company_id, type, data) where e.company_id = company;
          perform public.write_events(company, types, facts);
        end loop;
        return null;
      end $$;
    revoke all on function ${nameOf(telling)}() from public;
    create trigger ${table}_told_${on} after ${on} on ${table} referencing ${ROWS[on]}
      for each statement execute function ${nameOf(telling)}()`;
}

export async function down(knex: Knex): Promise<void> {
  for (const telling of ALL) {
    await knex.raw(
      `drop trigger ${telling.table}_told_${telling.on} on ${telling.table}; drop function ${nameOf(telling)}()`,
    );
  }
  await knex.raw('drop function risk_level(smallint)');
}
