import type { Knex } from 'knex';

/** Columns of learners that an audience or a due date depends on. */
const AUDIENCE = 'id, company_id, inactive, department_key, location_key, country, manager_id, time_zone, risk_level';

/** Fields whose changes are events of learners. */
const FIELDS = [
  ...['email', 'first_name', 'last_name', 'external_learner_id', 'locale', 'department', 'job_title', 'country'],
  ...['location', 'time_zone', 'manager_id', 'excluded_from_auto_enrol'],
];

/**
 * Adds the leave of learners, and the due dates that result from it. Separate columns of an assignment store the effect
 * of the leave, so that removing the leave restores the former due date.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The last day of the leave, in the learner's time zone.
    alter table learners add column absent_until date;

    alter table campaign_assignments
      -- Last day of the leave that the due date takes into account.
      add column absent_until date,
      -- The last day on which the assignment is not overdue because of the leave. The later of this day and the day
      -- from the other columns applies.
      add column leave_due_on date;

    -- Returns the last day for an assignment after a leave that has not ended today: the learner has at least as many days as
    -- a newcomer. Null if the learner is not on leave.
    create function due_after_leave(absent_until date, today date, due_days integer) returns date
      language sql immutable parallel safe
      return case when absent_until >= today then absent_until + 1 + least(due_days, 14) end;

    -- Moves the due dates of open assignments whose learners are on leave. If a leave is shortened or removed before its
    -- last day has passed, the due dates move back. A leave that has ended keeps its effect.
    create function move_due_dates(company uuid, learner_ids uuid[]) returns void
      language plpgsql set search_path = public, pg_temp as $$
    declare
      ids uuid[];
      absences date[];
      leave_days date[];
      last_days date[];
      reasons text[];
      times timestamptz[];
    begin
      if not exists (select from campaign_assignments a where a.company_id = company) then return; end if;
      select array_agg(o.id), array_agg(l.absent_until), array_agg(r.leave_due_on), array_agg(f.due_on), array_agg(f.because),
             array_agg(case when last.day = greatest(coalesce(o.extended_until, o.due_on), o.leave_due_on) then o.due_at
                            else day_start(last.day + 1, l.zone) end)
        into ids, absences, leave_days, last_days, reasons, times
        from unnest(learner_ids) as asked (id)
       cross join lateral (
         select p.absent_until, z.name as zone, (now() at time zone z.name)::date as today
           from learners p
          cross join lateral (
            select coalesce(p.time_zone, (select s.time_zone from company_settings s where s.company_id = company),
                            'UTC') as name) as z
          where p.company_id = company and p.id = asked.id
         offset 0) as l
       cross join lateral (
         select * from campaign_assignments
          where company_id = company and learner_id = asked.id order by item_id offset 0) as o
       cross join lateral (
         select c.due_days from campaigns c where c.company_id = company and c.id = o.campaign_id offset 0) as c
       -- The effect of an earlier leave that has ended is kept as a minimum.
       cross join lateral (
         select case when o.absent_until < l.today then greatest(o.due_on, o.leave_due_on) else o.due_on end as due_on,
                case when o.absent_until < l.today and o.leave_due_on > o.due_on then 'return'
                     else o.due_because end as because) as f
       cross join lateral (
         select due_after_leave(l.absent_until, least(l.today, l.absent_until), c.due_days) as leave_due_on) as r
       cross join lateral (select greatest(coalesce(o.extended_until, f.due_on), r.leave_due_on) as day) as last
       where o.completed_at is null and o.waived_at is null and o.ended_at is null
         and l.absent_until is distinct from o.absent_until
         and (l.absent_until >= l.today or o.absent_until >= l.today);
      if ids is null then return; end if;
      update campaign_assignments a
         set absent_until = n.absent_until, leave_due_on = n.leave_due_on, due_on = n.due_on, due_because = n.because,
             due_at = n.due_at,
             due_soon_at = case when n.due_at = a.due_at then a.due_soon_at end,
             overdue_at = case when n.due_at = a.due_at then a.overdue_at end
        from unnest(ids, absences, leave_days, last_days, reasons, times)
             as n (id, absent_until, leave_due_on, due_on, because, due_at)
       where a.company_id = company and a.id = any(ids) and a.id = n.id;
    end $$;
    revoke all on function due_after_leave, move_due_dates from public;
    grant execute on function due_after_leave, move_due_dates to awareness_service`);
  await knex.raw(recordChanges(`${AUDIENCE}, absent_until`, true));
  await knex.raw(emitChanges([...FIELDS, 'absent_until']));
  await knex.raw(selectDueTraining(true));
}

/** Recreates the function of migration create_campaign_triggers that records changed learners. */
function recordChanges(columns: string, movesDueDates: boolean): string {
  const changed = (compared: string) => `
        select c.company_id, array_agg(c.id)
          from (select ${compared} from added except select ${compared} from removed) as c group by c.company_id`;
  return `
    create or replace function campaigns_learners_update() returns trigger language plpgsql as $$
    declare
      company uuid;
      ids uuid[];
    begin
      for company, ids in ${changed(columns)}
      loop
        perform public.record_campaign_changes(company, ids);
      end loop;${
        movesDueDates
          ? `
      for company, ids in ${changed('id, company_id, absent_until')}
      loop
        perform public.move_due_dates(company, ids);
      end loop;`
          : ''
      }
      return null;
    end $$`;
}

/** Recreates the function of migration create_event_triggers that writes the events of changed learners. */
function emitChanges(fields: string[]): string {
  const row = (name: string) => `(${fields.map((field) => `${name}.${field}`).join(', ')})`;
  return `
    create or replace function emit_learners_update() returns trigger
      language plpgsql set enable_nestloop = off set jit = off as $$
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
        select c.company_id from (select distinct company_id from added where session is null) as c
         where public.events_are_read(c.company_id)
      loop
        select array_agg(e.type), array_agg(e.data) into types, facts
          from (
            select a.company_id, e.type, e.data
              from added a join removed r on r.company_id = a.company_id and r.id = a.id
             cross join lateral (
               select 'learner.updated', jsonb_build_object('learnerId', a.id)
                where ${row('a')} is distinct from ${row('r')}
               union all
               select case when a.inactive then 'learner.deactivated' else 'learner.activated' end,
                      jsonb_build_object('learnerId', a.id)
                where a.inactive <> r.inactive
               union all
               select 'risk.level.changed',
                      jsonb_build_object('learnerId', a.id, 'level', public.risk_level(a.risk_score),
                                         'previousLevel', public.risk_level(r.risk_score))
                where public.risk_level(a.risk_score) <> public.risk_level(r.risk_score)) as e (type, data)
          ) as e (company_id, type, data) where e.company_id = company;
        perform public.write_events(company, types, facts);
      end loop;
      return null;
    end $$`;
}

/** Recreates the function of migration create_simulation_sending that returns companies with recipients to enrol. */
function selectDueTraining(waitsForLeave: boolean): string {
  const isPresent = `
                          and not exists (
                            select from learners l
                             where l.company_id = r.company_id and l.id = r.learner_id
                               and l.absent_until >= (now() at time zone coalesce(l.time_zone, (
                                     select z.time_zone from company_settings z
                                      where z.company_id = r.company_id), 'UTC'))::date)`;
  return `
    create or replace function due_follow_up_training(minutes integer, max_rows integer) returns table(company_id uuid)
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform require_at_least('minutes', minutes, 0);
      perform require_at_least('max_rows', max_rows, 1);
      return query
        select s.company_id from simulations s
         where s.is_own and s.training_course_id is not null
           and exists (select from simulation_recipients r
                        where r.company_id = s.company_id and r.simulation_id = s.id and r.template_id is not null
                          and r.visited_at is not null and r.training_assigned_at is null
                          and coalesce(r.compromised_at, r.visited_at) < now() - minutes * interval '1 minute'${
                            waitsForLeave ? isPresent : ''
                          })
         group by s.company_id order by random() limit max_rows;
    end $$`;
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(selectDueTraining(false));
  await knex.raw(emitChanges(FIELDS));
  await knex.raw(recordChanges(AUDIENCE, false));
  await knex.raw(`
    drop function move_due_dates, due_after_leave;
    alter table campaign_assignments drop column absent_until, drop column leave_due_on;
    alter table learners drop column absent_until`);
}
