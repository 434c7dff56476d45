import type { Knex } from 'knex';

/** The risk score of each company at the end of each day. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table risk_history (
      company_id uuid not null references companies (id),
      date date not null,
      average_score numeric(4, 1) not null check (average_score between 0 and 100),
      low_count integer not null check (low_count >= 0),
      moderate_count integer not null check (moderate_count >= 0),
      high_count integer not null check (high_count >= 0),
      critical_count integer not null check (critical_count >= 0),
      primary key (company_id, date)
    );
    alter table risk_history enable row level security;
    create policy own_company on risk_history to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on risk_history to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table risk_history');
}
