import type { Knex } from 'knex';

/**
 * Those who write tables that are on every node deadlock there, whatever the order of their rows: on Citus one begins when
 * the one before has ended. On one server nobody waits.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function take_turns_on_citus() returns void language plpgsql as $$
      begin
        if exists (select from pg_extension where extname = 'citus') then
          perform pg_advisory_xact_lock(hashtextextended('tables on every node', 0));
        end if;
      end $$;
    revoke all on function take_turns_on_citus() from public;
    grant execute on function take_turns_on_citus() to awareness_service`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function take_turns_on_citus()');
}
