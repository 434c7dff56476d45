import type { Knex } from 'knex';

/**
 * Builds the function that ends the sign-ins of an admin. The parameter is the statement that it runs on the passkeys.
 */
const endSignIns = (passkeys: string): string => `
    create or replace function end_sign_ins_of_admin() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      ${passkeys}
      update provider_identities set stale = true where company_id = new.company_id and admin_id = new.id;
      delete from sign_in_links where company_id = new.company_id and admin_id = new.id;
      delete from person_sessions where company_id = new.company_id and admin_id = new.id;
      delete from known_devices where company_id = new.company_id and admin_id = new.id;
      update messages set setup_token = null
       where company_id = new.company_id and admin_id = new.id and status = 'queued' and setup_token is not null
         and kind <> 'admin_invite';
      return null;
    end $$;
`;

const REMOVE = 'delete from passkeys where company_id = new.company_id and admin_id = new.id;';

/**
 * Makes a change of an admin's e-mail address suspend the passkeys instead of removing them
 * (src/identity/suspended-passkeys.ts). Passkeys that are already suspended keep their end and their former address.
 * Also creates the triggers that write events of passkeys.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table passkeys
      -- Time at which a suspended passkey ends, and the admin's former e-mail address; null for a passkey that works.
      add expires_at timestamptz(3),
      add former_email text,
      -- SHA-256 and end of the link that restores the passkey, which was mailed to the former address; null if there is
      -- none.
      add link_hash bytea check (octet_length(link_hash) = 32),
      add link_expires_at timestamptz(3),
      add constraint passkeys_suspended check (
        (expires_at is null) = (former_email is null) and (link_hash is null) = (link_expires_at is null)
        and (link_hash is null or expires_at is not null));
    create index passkeys_age on passkeys (company_id, expires_at) where expires_at is not null;
    grant update (expires_at, former_email, link_hash, link_expires_at) on passkeys to awareness_service;

    ${endSignIns(`if new.status = 'active' then
        update passkeys
           set expires_at = coalesce(expires_at, now() + interval '7 days'),
               former_email = coalesce(former_email, old.email), link_hash = null, link_expires_at = null
         where company_id = new.company_id and admin_id = new.id;
      else
        ${REMOVE}
      end if;`)}
    -- Deletes passkeys of one company that have ended, about max_rows per call. Returns the company to continue from, or
    -- null after the last company.
    create function purge_passkeys(company uuid default '00000000-0000-0000-0000-000000000000',
        max_rows integer default 1000)
      returns uuid
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      ended timestamptz;
    begin
      perform require_at_least('max_rows', max_rows, 1);
      select k.company_id into company from passkeys k
       where k.company_id >= company and k.expires_at < now() order by k.company_id limit 1;
      if company is null then
        return null;
      end if;
      select max(old.expires_at) into ended
        from (select k.expires_at from passkeys k where k.company_id = company and k.expires_at < now()
               order by k.expires_at limit max_rows) as old;
      delete from passkeys k where k.company_id = company and k.expires_at <= ended;
      return company;
    end $$;
    revoke all on function purge_passkeys from public;
    grant execute on function purge_passkeys to awareness_service;

    -- A passkey begins to work when it is added or restored, and ends when it is suspended or removed. A passkey that
    -- is deleted with its admin has no event.
    create function emit_passkey_events() returns trigger language plpgsql as $$
      declare
        is_deleted constant boolean := tg_op = 'DELETE';
        passkey constant public.passkeys := case when is_deleted then old else new end;
      begin
        if not public.events_are_read(passkey.company_id) then return null; end if;
        if is_deleted and (passkey.expires_at is not null or not exists (
          select from public.admins a where a.company_id = passkey.company_id and a.id = passkey.admin_id)) then
          return null;
        end if;
        perform public.write_events(
          passkey.company_id,
          array[case when is_deleted or passkey.expires_at is not null then 'admin.passkey.removed'
                     else 'admin.passkey.added' end],
          array[jsonb_build_object('adminId', passkey.admin_id, 'passkeyId', passkey.id)]);
        return null;
      end $$;
    revoke all on function emit_passkey_events() from public;
    create trigger passkeys_emit_insert after insert on passkeys for each row execute function emit_passkey_events();
    create trigger passkeys_emit_update after update on passkeys for each row
      when ((new.expires_at is null) <> (old.expires_at is null)) execute function emit_passkey_events();
    create trigger passkeys_emit_delete after delete on passkeys for each row execute function emit_passkey_events();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger passkeys_emit_insert on passkeys;
    drop trigger passkeys_emit_update on passkeys;
    drop trigger passkeys_emit_delete on passkeys;
    drop function emit_passkey_events(), purge_passkeys;
    ${endSignIns(REMOVE)}
    alter table passkeys drop constraint passkeys_suspended, drop link_expires_at, drop link_hash, drop former_email,
      drop expires_at;
  `);
}
