import type { Knex } from 'knex';

/**
 * The devices on which people have signed in, by the hash of a long-lived cookie, and who asked for a mailed link: the
 * person's own device, or a network. Bounds on links count each of them apart, so that no stranger uses up those of the person.
 * Devices end with the address, as links, sessions and passkeys do. Learners are treated by statement, since thousands change
 * at once.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table known_devices (
      company_id uuid not null references companies (id),
      token_hash bytea not null check (octet_length(token_hash) = 32),
      person_id uuid not null,
      learner_id uuid,
      admin_id uuid,
      expires_at timestamptz(3) not null,
      primary key (company_id, token_hash, person_id),
      constraint known_devices_person check (coalesce(learner_id, admin_id) = person_id and num_nonnulls(learner_id, admin_id) = 1),
      constraint known_devices_learner foreign key (company_id, learner_id) references learners on delete cascade,
      constraint known_devices_admin foreign key (company_id, admin_id) references admins on delete cascade
    );
    create index known_devices_of_learner on known_devices (company_id, learner_id) where learner_id is not null;
    create index known_devices_of_admin on known_devices (company_id, admin_id) where admin_id is not null;
    create index known_devices_age on known_devices (company_id, expires_at);
    alter table known_devices enable row level security;
    create policy own_company on known_devices to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete, update (expires_at) on known_devices to awareness_service;

    alter table messages add column asked_from text;
    comment on column messages.asked_from is 'Of a sign-in link: device, or the network that asked for it; null for other messages';

    create function purge_known_devices(company uuid default '00000000-0000-0000-0000-000000000000', most integer default 1000)
      returns uuid language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      ended timestamptz;
    begin
      select t.company_id into company from known_devices t
       where t.company_id >= company and t.expires_at < now() order by t.company_id limit 1;
      if company is null then
        return null;
      end if;
      select max(old.expires_at) into ended
        from (select t.expires_at from known_devices t where t.company_id = company and t.expires_at < now()
               order by t.expires_at limit greatest(most, 1)) as old;
      delete from known_devices t where t.company_id = company and t.expires_at <= ended;
      return company;
    end $$;
    revoke all on function purge_known_devices(uuid, integer) from public;
    grant execute on function purge_known_devices(uuid, integer) to awareness_service;

    create function end_sign_ins_of_learners() returns trigger language plpgsql set search_path = public, pg_temp as $$
      declare
        company uuid;
        ids uuid[];
      begin
        for company, ids in
          select company_id, array_agg(id)
            from (select company_id, id, email_key, inactive from added
                  except select company_id, id, email_key, inactive from removed) as changed
           group by company_id
        loop
          delete from sign_in_links where company_id = company and learner_id = any(ids);
          delete from person_sessions where company_id = company and learner_id = any(ids);
          delete from known_devices where company_id = company and learner_id = any(ids);
          update messages set setup_token = null
           where company_id = company and learner_id = any(ids) and status = 'queued' and setup_token is not null;
        end loop;
        return null;
      end $$;
    revoke all on function end_sign_ins_of_learners() from public;
    drop trigger learners_signed_out on learners;
    create trigger learners_signed_out after update on learners referencing old table as removed new table as added
      for each statement execute function end_sign_ins_of_learners();
  `);
  await knex.raw(
    endSignInsOfAdmin('delete from known_devices where company_id = new.company_id and admin_id = new.id;'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(endSignInsOfAdmin(''));
  await knex.raw(`
    drop trigger learners_signed_out on learners;
    create trigger learners_signed_out after update of inactive, email on learners for each row
      when (new.inactive and not old.inactive or lower(new.email) <> lower(old.email)) execute function end_sign_ins_of_learner();
    drop function end_sign_ins_of_learners();
    drop function purge_known_devices(uuid, integer);
    alter table messages drop column asked_from;
    drop table known_devices;
  `);
}

function endSignInsOfAdmin(also: string): string {
  return `
    create or replace function end_sign_ins_of_admin() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        delete from passkeys where company_id = new.company_id and admin_id = new.id;
        delete from sign_in_links where company_id = new.company_id and admin_id = new.id;
        delete from person_sessions where company_id = new.company_id and admin_id = new.id;
        ${also}
        update messages set setup_token = null
         where company_id = new.company_id and admin_id = new.id and status = 'queued' and setup_token is not null
           and kind <> 'admin_invite';
        return null;
      end $$`;
}
