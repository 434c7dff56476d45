import type { Knex } from 'knex';

/**
 * What was done in a company, by whom: an entry for each operation that is not a read, in the transaction of its change.
 * The service adds to it and reads it. Months are partitions, so that the oldest entries go without a delete.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_log (
      -- Refers to no company: that would lock its row for each entry.
      company_id uuid not null,
      occurred_at timestamptz(3) not null default clock_timestamp(),
      id uuid not null default new_id(),
      actor_type text not null check (actor_type in ('key', 'grant', 'admin', 'source')),
      actor_id text not null,
      actor_company_id uuid not null,
      operation text not null,
      outcome text not null check (outcome in ('done', 'denied')),
      code text,
      targets jsonb not null,
      fields text[] not null,
      request_id text,
      address text,
      primary key (company_id, occurred_at, id)
    ) partition by range (occurred_at);
    create table audit_log_default partition of audit_log default;

    alter table audit_log_default enable row level security;
    alter table audit_log enable row level security;
    create policy own_company on audit_log to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on audit_log to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table audit_log');
}
