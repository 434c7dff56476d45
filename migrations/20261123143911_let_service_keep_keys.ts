import type { Knex } from 'knex';

/**
 * The service lists, makes and ends the keys of a company. It reads no hash, and cannot change what a key may, whose it
 * is or what it is made of.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_keys add column replaced_by uuid references api_keys on delete set null;
    create policy own_company on api_keys to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select (id, company_id, public_id, name, scopes, created_at, expires_at, last_used_at, revoked_at, replaced_by),
          insert (id, company_id, public_id, key_hash, name, scopes, expires_at),
          update (expires_at, revoked_at, replaced_by)
      on api_keys to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    revoke all on api_keys from awareness_service;
    drop policy own_company on api_keys;
    alter table api_keys drop column replaced_by;
  `);
}
