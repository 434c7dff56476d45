import type { Knex } from 'knex';

const TABLES = ['api_keys', 'oauth_grants', 'person_sessions', 'sources'];

/**
 * Reads note when a key, a connection, a session or a source was last used. That waits for no disk and no standby: while
 * the standby is away changes wait for it, and reads would have waited with them. A crash may take along what was noted last,
 * and whatever else its transaction changes: so it changes nothing else.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function commit_without_waiting() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        perform set_config('synchronous_commit', 'off', true);
        return null;
      end $$;
    revoke all on function commit_without_waiting() from public`);
  for (const table of TABLES) {
    await knex.raw(`
      create trigger ${table}_used before update of last_used_at on ${table}
        for each statement execute function commit_without_waiting()`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.raw(`drop trigger ${table}_used on ${table}`);
  await knex.raw('drop function commit_without_waiting()');
}
