import type { Knex } from 'knex';

/**
 * What of the contract is deprecated and still used, by key. It has one row for each, so that it stays as small as the list
 * of what is deprecated.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table deprecated_uses (
      company_id uuid not null references companies (id),
      api_key_id uuid not null,
      operation_id text not null,
      part text not null,
      first_used_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3) not null default now(),
      primary key (company_id, api_key_id, operation_id, part)
    );
    alter table deprecated_uses enable row level security;
    create policy own_company on deprecated_uses to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on deprecated_uses to awareness_service;
    grant update (last_used_at) on deprecated_uses to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table deprecated_uses');
}
