import type { Knex } from 'knex';

type Operation = 'insert' | 'update' | 'delete';

interface EventTrigger {
  table: string;
  on: Operation;
  /** Query that selects company, type and data. `added` has the rows after the change, `removed` the rows before it. */
  events: string;
  /** Whether to skip rows that are deleted with their learner, group or policy, whose deletion is already an event. */
  ofExisting?: true;
}

const ROWS: Record<Operation, string> = {
  insert: 'new table as added',
  update: 'old table as removed new table as added',
  delete: 'old table as removed',
};

const json = (fields: string) => `jsonb_build_object(${fields})`;
const time = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const event = (rows: 'added' | 'removed', type: string, data: string, rest = '') =>
  `select ${rows}.company_id, '${type}', ${json(data)} from ${rows} ${rest}`;

const MEMBER = `'groupId', group_id, 'learnerId', learner_id`;
const ASSIGNMENT = `'policyId', policy_id, 'learnerId', learner_id`;
const attempt = (row: string) =>
  `'attemptId', ${row}.attempt_id, 'learnerId', ${row}.learner_id, 'courseId', ${row}.course_id`;

const LEARNERS: EventTrigger[] = [
  { table: 'learners', on: 'insert', events: event('added', 'learner.created', `'learnerId', id`) },
  { table: 'learners', on: 'delete', events: event('removed', 'learner.deleted', `'learnerId', id`) },
  {
    table: 'learners',
    on: 'update',
    events: `
      select a.company_id, e.type, e.data from added a join removed r on r.company_id = a.company_id and r.id = a.id
       cross join lateral (
         select 'learner.updated', ${json(`'learnerId', a.id`)}
          where (a.email, a.first_name, a.last_name, a.external_learner_id, a.locale, a.department, a.job_title,
                 a.country, a.location, a.time_zone, a.manager_id, a.excluded_from_auto_enrol)
                is distinct from
                (r.email, r.first_name, r.last_name, r.external_learner_id, r.locale, r.department, r.job_title,
                 r.country, r.location, r.time_zone, r.manager_id, r.excluded_from_auto_enrol)
         union all
         select case when a.inactive then 'learner.deactivated' else 'learner.activated' end, ${json(`'learnerId', a.id`)}
          where a.inactive <> r.inactive
         union all
         select 'risk.level.changed', ${json(`'learnerId', a.id, 'level', public.risk_level(a.risk_score),
                                              'previousLevel', public.risk_level(r.risk_score)`)}
          where public.risk_level(a.risk_score) <> public.risk_level(r.risk_score)) as e (type, data)`,
  },
];

const GROUPS: EventTrigger[] = [
  { table: 'groups', on: 'insert', events: event('added', 'group.created', `'groupId', id`) },
  { table: 'groups', on: 'delete', events: event('removed', 'group.deleted', `'groupId', id`) },
  {
    table: 'groups',
    on: 'update',
    events: `
      select a.company_id, 'group.updated', ${json(`'groupId', a.id`)}
        from added a join removed r on r.company_id = a.company_id and r.id = a.id where a.name <> r.name`,
  },
  { table: 'group_learners', on: 'insert', events: event('added', 'group.member.added', MEMBER) },
  {
    table: 'group_learners',
    on: 'delete',
    events: event('removed', 'group.member.removed', MEMBER),
    ofExisting: true,
  },
  { table: 'group_managers', on: 'insert', events: event('added', 'group.manager.added', MEMBER) },
  {
    table: 'group_managers',
    on: 'delete',
    events: event('removed', 'group.manager.removed', MEMBER),
    ofExisting: true,
  },
];

const CREATED = json(`${attempt('a')}, 'enrollDate', a.enroll_date`);
const STARTED = json(`${attempt('a')}, 'startDate', a.start_date`);
const COMPLETED = json(`${attempt('a')}, 'finishDate', a.finish_date, 'passed', a.passed`);

const ENROLLMENTS: EventTrigger[] = [
  {
    table: 'enrollments',
    on: 'insert',
    events: `
      select a.company_id, 'enrollment.created', ${CREATED} from added a
      union all select a.company_id, 'enrollment.started', ${STARTED} from added a where a.start_date is not null
      union all select a.company_id, 'enrollment.completed', ${COMPLETED} from added a where a.finish_date is not null`,
  },
  {
    table: 'enrollments',
    on: 'delete',
    events: event('removed', 'enrollment.removed', attempt('removed')),
    ofExisting: true,
  },
  {
    // A changed attempt_id means a new attempt, or the previous attempt after the newest was removed. A grade that
    // arrives after the finish completes the enrolment again.
    table: 'enrollments',
    on: 'update',
    events: `
      select a.company_id, e.type, e.data
        from added a join removed r on r.company_id = a.company_id and r.learner_id = a.learner_id
         and r.course_id = a.course_id
       cross join lateral (
         select a.attempt_id <> r.attempt_id and a.attempt >= r.attempt,
                a.attempt_id <> r.attempt_id and a.attempt < r.attempt
       ) as now (is_new, is_previous)
       cross join lateral (
         select 'enrollment.removed', ${json(attempt('r'))} where now.is_previous
         union all
         select 'enrollment.created', ${CREATED} where now.is_new
         union all
         select 'enrollment.started', ${STARTED}
          where a.start_date is not null and (now.is_new or (not now.is_previous and r.start_date is null))
         union all
         select 'enrollment.completed', ${COMPLETED}
          where a.finish_date is not null
            and (now.is_new or (not now.is_previous
                                and (r.finish_date is null or (r.passed is null and a.passed is not null))))
       ) as e (type, data)`,
  },
];

const POLICIES: EventTrigger[] = [
  {
    // A past version that is recorded after a live version exists is not published.
    table: 'policy_versions',
    on: 'insert',
    events: event(
      'added',
      'policy.published',
      `'policyId', policy_id, 'versionId', id, 'majorVersion', major_version, 'minorVersion', minor_version`,
      `where recorded_at is null or not exists (
         select from policies p
          where p.company_id = added.company_id and p.id = added.policy_id and p.live_version_id is not null)`,
    ),
  },
  { table: 'policies', on: 'delete', events: event('removed', 'policy.deleted', `'policyId', id`) },
  {
    table: 'policy_results',
    on: 'insert',
    events: event('added', 'policy.assigned', ASSIGNMENT, 'where assigned_at is not null'),
  },
  {
    table: 'policy_results',
    on: 'delete',
    events: event('removed', 'policy.unassigned', ASSIGNMENT, 'where assigned_at is not null'),
    ofExisting: true,
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
    events: event(
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

const SIMULATIONS: EventTrigger[] = [
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

const TRIGGERS = [...LEARNERS, ...GROUPS, ...ENROLLMENTS, ...POLICIES, ...SIMULATIONS];

/**
 * Creates the triggers that write events, whoever changes a row. If nobody reads the events of a company, a trigger
 * does nothing but call `events_are_read`.
 *
 * NOTE: the rows of a trigger have no statistics, and Postgres keeps one plan for statements of any size. A nested loop
 * over both tables, chosen for one row, would not end for ten thousand. Without nested loops, Postgres before 18
 * estimates these joins as so costly that it would compile them to machine code on every call, which takes longer than
 * everything else.
 */
export async function up(knex: Knex): Promise<void> {
  for (const trigger of TRIGGERS) {
    const { table, on } = trigger;
    await knex.raw(emitter(trigger));
    await knex.raw(`
      revoke all on function emit_${table}_${on} from public;
      create trigger ${table}_emit_${on} after ${on} on ${table} referencing ${ROWS[on]}
        for each statement execute function emit_${table}_${on}()`);
  }
}

function emitter({ table, on, events, ofExisting }: EventTrigger): string {
  return `
    create function emit_${table}_${on}() returns trigger
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
        perform public.write_events${ofExisting ? '_of_existing' : ''}(company, types, facts);
      end loop;
      return null;
    end $$`;
}

export async function down(knex: Knex): Promise<void> {
  for (const { table, on } of TRIGGERS) await knex.raw(`drop function emit_${table}_${on} cascade`);
}
