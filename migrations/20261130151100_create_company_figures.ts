import type { Knex } from 'knex';

/**
 * Creates the figures of each company that another company manages, as counted last night. Counting hundreds
 * of companies for one report would take minutes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table company_figures (
      company_id uuid primary key references companies (id),
      counted_at timestamptz(3) not null,
      -- Null if there are too few people.
      average_risk_score numeric(4, 1) check (average_risk_score between 0 and 100),
      -- Null if the company has no module with assignments.
      overdue_learners integer check (overdue_learners >= 0),
      -- Share of the active learners, to four decimals; null if there are no learners.
      overdue_rate numeric(5, 4) check (overdue_rate between 0 and 1),
      -- Messages of simulations in the last 365 days; null if the company lacks the module.
      sent_count integer check (sent_count >= 0),
      click_rate numeric(5, 4) check (click_rate between 0 and 1),
      report_rate numeric(5, 4) check (report_rate between 0 and 1),
      breached_accounts integer check (breached_accounts >= 0),
      last_activity_at timestamptz(3)
    );
    alter table company_figures enable row level security;
    create policy own_company on company_figures to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update on company_figures to awareness_service;

    -- Returns the figures of the companies below this one, which row-level security hides from it.
    create function figures_of_children() returns setof company_figures
      language sql stable security definer set search_path = public, pg_temp as $$
      select f.* from company_figures f join companies c on c.id = f.company_id
       where c.managed_by @> array[current_company()] and c.account_type in ('tenant', 'prospect')
    $$;
    revoke all on function figures_of_children from public;
    grant execute on function figures_of_children to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function figures_of_children; drop table company_figures cascade;');
}
