import type { Knex } from 'knex';

/** What processes tell each other: how often is called, and that a key has changed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Of no company: a key's id or an address, until its minute is over. A crash may lose it.
    create unlogged table call_counts (
      limiter text not null,
      counted text not null,
      count integer not null,
      resets_at timestamptz not null,
      primary key (limiter, counted)
    );
    grant select, insert, update, delete on call_counts to awareness_service;

    create function tell_of_keys() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        notify api_keys;
        return null;
      end $$;
    revoke all on function tell_of_keys() from public;
    create trigger tell_of_keys after delete or update of revoked_at, expires_at on api_keys
      for each statement execute function tell_of_keys();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger tell_of_keys on api_keys;
    drop function tell_of_keys();
    drop table call_counts;
  `);
}
