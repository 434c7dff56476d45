import type { Knex } from 'knex';

type Operation = 'insert' | 'update' | 'delete';

interface CampaignTrigger {
  table: string;
  on: Operation;
  /**
   * Query that selects the company and the learner of relevant rows; `added` has the rows after the change, `removed`
   * the rows before it.
   */
  learners: string;
  /** Name of the function that is called with the company and its learners. */
  then: 'record_campaign_changes' | 'complete_assignments';
}

const ROWS: Record<Operation, string> = {
  insert: 'new table as added',
  update: 'old table as removed new table as added',
  delete: 'old table as removed',
};
const ADDED = 'select company_id, learner_id from added';
const REMOVED = 'select company_id, learner_id from removed';

/** Columns that an audience or a due date depends on. */
const OF_LEARNER = 'id, company_id, inactive, department_key, location_key, country, manager_id, time_zone, risk_level';

const differs = (columns: string) => `
  select company_id, learner_id from (
    select company_id, learner_id, ${columns} from added except select company_id, learner_id, ${columns} from removed
  ) as changed`;

const changes = (table: string, on: Operation, learners: string): CampaignTrigger => ({
  ...{ table, on, learners },
  then: 'record_campaign_changes',
});
const results = (table: string, on: Operation, learners: string): CampaignTrigger => ({
  ...{ table, on, learners },
  then: 'complete_assignments',
});

const TRIGGERS: CampaignTrigger[] = [
  changes('learners', 'insert', 'select company_id, id from added'),
  changes(
    'learners',
    'update',
    `select company_id, id from (select ${OF_LEARNER} from added except select ${OF_LEARNER} from removed) as changed`,
  ),
  changes('group_learners', 'insert', ADDED),
  changes('group_learners', 'delete', REMOVED),
  changes('simulation_recipients', 'insert', `${ADDED} where coalesce(visited_at, compromised_at) is not null`),
  changes('simulation_recipients', 'update', differs('coalesce(visited_at, compromised_at) is not null')),
  results('enrollments', 'insert', `${ADDED} where finish_date is not null`),
  results('enrollments', 'update', differs('attempt_id, finish_date, passed')),
  results('enrollments', 'delete', `${REMOVED} where finish_date is not null`),
  results('enrollment_attempts', 'update', differs('attempt_id, finish_date, passed')),
  results('signatures', 'insert', ADDED),
  results('signatures', 'update', differs('policy_id, signed, voided_at')),
];

const EVENT = `jsonb_build_object(
  'assignmentId', a.id, 'campaignId', a.campaign_id, 'learnerId', a.learner_id,
  'item', jsonb_build_object('type', case when a.results_from is null then 'policy' else 'course' end, 'id', a.item_id),
  'round', a.round, 'dueAt', to_char(a.due_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/**
 * Events of assignments `a` that were inserted, or changed from `r`. If a learner returns to the audience, the
 * assignment counts as new.
 */
const EVENTS: Record<'insert' | 'update', string> = {
  insert: `select a.company_id, 'assignment.created', ${EVENT} from added a`,
  update: `
    select a.company_id, e.type, ${EVENT}
      from added a join removed r on r.company_id = a.company_id and r.id = a.id
     cross join lateral (
       select 'assignment.created' where a.ended_at is null and r.ended_at is not null
       union all
       select 'assignment.completed' where a.completed_at is not null and r.completed_at is null
       union all
       select 'assignment.waived' where a.waived_at is not null and r.waived_at is null
       union all
       select 'assignment.ended' where a.ended_at is not null and r.ended_at is null
       union all
       select 'assignment.reopened'
        where (a.completed_at is null and r.completed_at is not null) or (a.waived_at is null and r.waived_at is not null)
       union all
       select 'assignment.due_soon' where a.due_soon_at is not null and r.due_soon_at is null
       union all
       select 'assignment.overdue' where a.overdue_at is not null and r.overdue_at is null) as e (type)`,
};

/** Creates a trigger that writes events like the triggers of migration create_event_triggers. */
const emitEvents = (on: 'insert' | 'update') => `
    create function emit_campaign_assignments_${on}() returns trigger
      language plpgsql ${on === 'update' ? 'set enable_nestloop = off set jit = off' : ''} as $$
    declare
      company uuid;
      types text[];
      facts jsonb[];
    begin
      for company in select distinct company_id from added loop
        if public.events_are_read(company) then
          select array_agg(e.type), array_agg(e.data) into types, facts
            from (${EVENTS[on]}) as e (company_id, type, data) where e.company_id = company;
          perform public.write_events(company, types, facts);
        end if;
      end loop;
      return null;
    end $$;
    revoke all on function emit_campaign_assignments_${on} from public;
    create trigger campaign_assignments_emit_${on} after ${on} on campaign_assignments referencing ${ROWS[on]}
      for each statement execute function emit_campaign_assignments_${on}();`;

function createTrigger({ table, on, learners, then }: CampaignTrigger): string {
  return `
    create function campaigns_${table}_${on}() returns trigger
      language plpgsql as $$
    declare
      company uuid;
      ids uuid[];
    begin
      for company, ids in
        select c.company_id, array_agg(distinct c.learner_id) from (${learners}) as c (company_id, learner_id)
         group by c.company_id
      loop
        perform public.${then}(company, ids);
      end loop;
      return null;
    end $$;
    revoke all on function campaigns_${table}_${on} from public;
    create trigger ${table}_campaigns_${on} after ${on} on ${table} referencing ${ROWS[on]}
      for each statement execute function campaigns_${table}_${on}();`;
}

/**
 * Creates the triggers of campaigns: results and signatures complete assignments, changes of learners are recorded for the
 * worker, and changes of assignments are events.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Completes the open assignments of learners that have a result or signature, and opens those whose result or
    -- signature was voided. The worker then plans messages about them. The company's time zone decides the day of a result.
    -- Postgres estimates a lower cost for the known length of the list, so without the setting it plans the query again
    -- in each call: planning takes 50 times longer than the execution for one learner.
    create function complete_assignments(company uuid, learners uuid[]) returns void
      language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
    declare
      changed_ids uuid[];
      done_times timestamptz[];
      opened uuid[];
    begin
      if not exists (select from campaign_assignments a where a.company_id = company) then return; end if;
      -- Rows are found by their ids only. If Postgres joined them with the table, it could read all assignments of
      -- the company for each learner, because its statistics do not know a company that has just grown.
      select array_agg(d.id), array_agg(d.done_at) into changed_ids, done_times
        from (
          select o.id, o.campaign_id, o.completed_at, case
                   when o.results_from is not null then (
                     select case when f.day = (now() at time zone z.name)::date then now()
                                 else f.day::timestamp at time zone z.name end
                       from (select min(t.finish_date) as day from (
                               select e.finish_date, e.passed from enrollments e
                                where e.company_id = company and e.learner_id = o.learner_id and e.course_id = o.item_id
                               union all
                               select k.finish_date, k.passed from enrollments e join enrollment_attempts k
                                   on k.company_id = company and k.learner_id = o.learner_id and k.course_id = o.item_id
                                  and k.attempt < e.attempt
                                where e.company_id = company and e.learner_id = o.learner_id and e.course_id = o.item_id
                             ) as t where t.finish_date >= o.results_from and t.passed is distinct from false) as f)
                   else (select min(s.signed) from signatures s
                          where s.company_id = company and s.learner_id = o.learner_id and s.policy_id = o.item_id
                            and s.voided_at is null and s.signed >= o.signatures_from)
                 end as done_at
            from (select coalesce((select c.time_zone from company_settings c where c.company_id = company), 'UTC') as name
                 ) as z
           cross join unnest(learners) as asked (learner_id)
           cross join lateral (
             select distinct on (n.campaign_id, n.item_id) n.* from campaign_assignments n
              where n.company_id = company and n.learner_id = asked.learner_id
              order by n.campaign_id, n.item_id, n.round desc
             offset 0) as o
           where o.waived_at is null and o.ended_at is null
        ) as d
       where (d.completed_at is null) <> (d.done_at is null)
         and (d.done_at is not null
              or (select c.status from campaigns c where c.company_id = company and c.id = d.campaign_id) <> 'ended');
      if changed_ids is null then return; end if;
      with changed as (
        update campaign_assignments a
           set completed_at = done_times[array_position(changed_ids, a.id)],
               mail_at = case when done_times[array_position(changed_ids, a.id)] is null then a.mail_at end
         where a.company_id = company and a.id = any(changed_ids)
           and (a.completed_at is null) <> (done_times[array_position(changed_ids, a.id)] is null)
        returning a.learner_id, a.completed_at)
      select array_agg(distinct learner_id) filter (where completed_at is null) into opened from changed;
      if opened is not null then
        perform record_campaign_changes(company, opened);
        perform move_due_dates(company, opened);
      end if;
    end $$;

    create function has_active_campaigns(company uuid) returns boolean
      language plpgsql stable set search_path = public, pg_temp as $$
    begin
      return exists (select from campaigns c
                      where c.company_id = company and c.status in ('scheduled', 'running'));
    end $$;

    create function record_campaign_changes(company uuid, learners uuid[]) returns void
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if has_active_campaigns(company) then
        insert into campaign_changes (company_id, learner_id)
        select company, learner_id from unnest(learners) as changed (learner_id);
      end if;
    end $$;

    -- Returns companies whose campaigns have something to do.
    create function due_campaigns(max_rows integer) returns table(company_id uuid)
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform require_at_least('max_rows', max_rows, 1);
      return query
        select d.company_id from (
          select c.company_id from campaigns c where c.evaluate_at <= now()
          union
          select c.company_id from campaigns c
           where c.status = 'running' and exists (select from campaign_changes d where d.company_id = c.company_id)
          union
          select a.company_id from campaign_assignments a
           where a.due_soon_at is null and a.due_at <= now() + interval '7 days'
             and a.completed_at is null and a.waived_at is null and a.ended_at is null
          union
          select a.company_id from campaign_assignments a
           where a.overdue_at is null and a.due_at <= now()
             and a.completed_at is null and a.waived_at is null and a.ended_at is null
          union
          select g.company_id from campaign_digests g where g.next_at <= now()
          union
          select c.company_id from campaigns c
           where c.status = 'running'
             and exists (select from campaign_assignments a where a.company_id = c.company_id and a.mail_at <= now())) as d
         order by random() limit max_rows;
    end $$;
    revoke all on function complete_assignments, record_campaign_changes, due_campaigns, has_active_campaigns
      from public;
    grant execute on function complete_assignments, record_campaign_changes, due_campaigns, has_active_campaigns to awareness_service;
    ${TRIGGERS.map(createTrigger).join('')}
    ${emitEvents('insert')}
    ${emitEvents('update')}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${TRIGGERS.map(({ table, on }) => `drop function campaigns_${table}_${on} cascade;`).join('\n    ')}
    drop function emit_campaign_assignments_insert, emit_campaign_assignments_update cascade;
    drop function record_campaign_changes, complete_assignments, due_campaigns, has_active_campaigns cascade;`);
}
