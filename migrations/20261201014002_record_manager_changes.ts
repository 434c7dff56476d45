import type { Knex } from 'knex';

/**
 * Queries of the managers whose teams a change affects, `added` after and `removed` before, by table and operation.
 * Without a group, the teams are all groups of the manager.
 */
const MANAGERS = {
  group_managers: {
    insert: 'select company_id, learner_id, group_id from added',
    delete: 'select company_id, learner_id, group_id from removed',
  },
  // An inactive learner is nobody's manager. A join of the rows would keep the plan of the first statement in a session:
  // if that changed one row, a change of 20,000 learners took minutes.
  learners: {
    update: `
      select company_id, id, null::uuid from (
        select company_id, id, inactive from added except select company_id, id, inactive from removed) as changed`,
  },
} as const;

const ROWS = {
  insert: 'new table as added',
  update: 'old table as removed new table as added',
  delete: 'old table as removed',
};

const TRIGGERS = Object.entries(MANAGERS).flatMap(([table, queries]) =>
  Object.entries(queries).map(([on, managers]) => ({ table, on: on as keyof typeof ROWS, managers })),
);

/**
 * Records the learners whose effective manager might have changed, so that the worker evaluates the campaigns whose
 * audience has a condition on managers within a second.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function record_team_changes(company uuid, managers uuid[], managed_groups uuid[]) returns void
      language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
    begin
      if exists (select from campaign_conditions f
                   join campaigns c on c.company_id = company and c.id = f.campaign_id
                    and c.status in ('scheduled', 'running')
                  where f.company_id = company and f.manager_ids is not null) then
        managed_groups := coalesce(managed_groups, array(
          select g.group_id from group_managers g where g.company_id = company and g.learner_id = any(managers)));
        insert into campaign_changes (company_id, learner_id)
        select company, m.learner_id from group_learners m
         where m.company_id = company and m.group_id = any(managed_groups)
        union
        select company, l.id from learners l where l.company_id = company and l.manager_id = any(managers);
      end if;
    end $$;
    revoke all on function record_team_changes from public;
    grant execute on function record_team_changes to awareness_service;
    ${TRIGGERS.map(
      ({ table, on, managers }) => `
    create function campaign_teams_${table}_${on}() returns trigger
      language plpgsql as $$
    declare
      company uuid;
      ids uuid[];
      managed_groups uuid[];
    begin
      for company, ids, managed_groups in
        select c.company_id, array_agg(distinct c.learner_id), array_agg(distinct c.group_id) filter (where c.group_id is not null)
          from (${managers}) as c (company_id, learner_id, group_id)
         group by c.company_id
      loop
        perform public.record_team_changes(company, ids, managed_groups);
      end loop;
      return null;
    end $$;
    revoke all on function campaign_teams_${table}_${on} from public;
    create trigger ${table}_campaign_teams_${on} after ${on} on ${table} referencing ${ROWS[on]}
      for each statement execute function campaign_teams_${table}_${on}();`,
    ).join('')}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${TRIGGERS.map(({ table, on }) => `drop function campaign_teams_${table}_${on} cascade;`).join('\n    ')}
    drop function record_team_changes`);
}
