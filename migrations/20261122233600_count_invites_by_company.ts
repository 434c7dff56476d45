import type { Knex } from 'knex';

/**
 * Invitations to an address are counted by company too, so that one company cannot take another's place. What counts
 * stays as it is for the release before: it goes on calling `lock_invites`, which takes the same locks.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- How many seconds ago invitations of the last day were queued, the latest first. Whoever asks for the same company
    -- or the same address waits until the transaction ends, so that two calls never take the same last place.
    create function lock_invite_places(address text)
      returns table (from_company double precision[], to_address double precision[], of_company double precision[])
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        hash bytea := address_hash(address);
        counted record;
      begin
        select * into counted from lock_invites(address);
        -- A statement of its own, which sees what was committed while it waited for the locks.
        return query select
          array(select extract(epoch from clock_timestamp() - queued_at)::double precision from mail_log
                 where is_invite and company_id = current_company() and mail_log.address_hash = hash
                   and queued_at > now() - interval '1 day' order by 1),
          counted.to_address, counted.of_company;
      end $$;
    revoke all on function lock_invite_places(text) from public;
    grant execute on function lock_invite_places(text) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function lock_invite_places(text)');
}
