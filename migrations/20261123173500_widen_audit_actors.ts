import type { Knex } from 'knex';
import { addConstraint } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/** Actors that are no caller of the API: who runs the service, and the endpoint of a parent. */
export async function up(knex: Knex): Promise<void> {
  const kinds = `'key', 'grant', 'admin', 'source', 'webhook_endpoint', 'operator'`;
  await addConstraint(knex, 'audit_log', 'audit_log_actor_is_known', `check (actor_type in (${kinds}))`);
  await knex.raw('alter table audit_log drop constraint if exists audit_log_actor_type_check');
}

/** Their entries stay. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table audit_log drop constraint audit_log_actor_is_known,
      add constraint audit_log_actor_type_check check (actor_type in ('key', 'grant', 'admin', 'source')) not valid`);
}
