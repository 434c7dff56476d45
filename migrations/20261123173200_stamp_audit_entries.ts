import type { Knex } from 'knex';

/** The database says when an entry was made, and which id it has: the service cannot date one back. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    revoke insert on audit_log from awareness_service;
    grant insert (company_id, actor_type, actor_id, actor_company_id, operation, outcome, code, targets, fields, request_id,
                  address) on audit_log to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    revoke insert (company_id, actor_type, actor_id, actor_company_id, operation, outcome, code, targets, fields, request_id,
                   address) on audit_log from awareness_service;
    grant insert on audit_log to awareness_service;
  `);
}
