import type { Knex } from 'knex';

/**
 * The bytes of the answers that a company has in `idempotency_keys`, by the hour in which they were stored. A row is used
 * again 26 hours later, when its answers have ended, so that nothing has to be purged. What is stored before the migration
 * is not counted, and ends within a day.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table idempotency_bytes (
      company_id uuid not null references companies (id),
      slot smallint not null check (slot between 0 and 25),
      hour timestamptz not null,
      bytes bigint not null check (bytes >= 0),
      primary key (company_id, slot)
    );
    comment on column idempotency_bytes.slot is 'The hour, counted from 1970, modulo 26';
    alter table idempotency_bytes enable row level security;
    create policy own_company on idempotency_bytes to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update (hour, bytes) on idempotency_bytes to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table idempotency_bytes');
}
