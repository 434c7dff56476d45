import type { Knex } from 'knex';

/**
 * To whom messages were queued in the last day, for the bounds on mail. A deleted person's messages go with them, and an
 * address can move from one person to another; this log counts by address all the same. It holds no address, only its hash.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function address_hash(address text) returns bytea
      language sql stable parallel safe
      return sha256(convert_to(lower(address), 'UTF8'));

    create table mail_log (
      -- Refers to no company: what is kept for a day needs no check for each message of a bulk call.
      company_id uuid not null,
      address_hash bytea not null,
      is_invite boolean not null,
      -- Not now(): a transaction may wait for its place.
      queued_at timestamptz not null default clock_timestamp(),
      primary key (company_id, address_hash, queued_at)
    );
    -- Invitations to an address are counted over all companies.
    create index mail_log_invites on mail_log (address_hash, queued_at) where is_invite;
    create index mail_log_invites_of_company on mail_log (company_id, queued_at) where is_invite;

    alter table mail_log enable row level security;
    create policy own_company on mail_log to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on mail_log to awareness_service;

    -- How many seconds ago invitations of the last day were queued, the latest first. Whoever asks for the same company
    -- or the same address waits until the transaction ends, so that two calls never take the same last place.
    create function lock_invites(address text)
      returns table (to_address double precision[], of_company double precision[])
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        hash bytea := address_hash(address);
      begin
        perform pg_advisory_xact_lock(hashtextextended('invitations of ' || current_company(), 0));
        perform pg_advisory_xact_lock(hashtextextended('invitations to ' || encode(hash, 'hex'), 0));
        return query select
          array(select extract(epoch from clock_timestamp() - queued_at)::double precision from mail_log
                 where is_invite and mail_log.address_hash = hash and queued_at > now() - interval '1 day' order by 1),
          array(select extract(epoch from clock_timestamp() - queued_at)::double precision from mail_log
                 where is_invite and company_id = current_company() and queued_at > now() - interval '1 day' order by 1);
      end $$;
    revoke all on function lock_invites(text) from public;
    grant execute on function lock_invites(text) to awareness_service;

    create function sweep_mail_log() returns void
      language sql security definer set search_path = public, pg_temp
      as $$ delete from mail_log where queued_at < now() - interval '1 day' $$;
    revoke all on function sweep_mail_log() from public;
    grant execute on function sweep_mail_log() to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function sweep_mail_log(), lock_invites(text);
    drop table mail_log;
    drop function address_hash(text);
  `);
}
