import type { Knex } from 'knex';

/**
 * How people come in: links that are mailed to them, and the sessions that links or passkeys begin. Of their secrets there
 * are hashes alone. A secret names its company, so both are found by their primary key.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.raw(createTable(table));
  await knex.raw(`
    comment on table person_sessions is 'Of learners and admins; when they end is also judged by last_used_at';
    alter table person_sessions add column last_used_at timestamptz(3) not null default now();
    grant update (last_used_at) on person_sessions to awareness_service;

    -- Who is deactivated, or gets another address, is out at once, and what was mailed to the old address opens nothing.
    create function end_sign_ins_of_learner() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
      begin
        delete from sign_in_links where company_id = new.company_id and learner_id = new.id;
        delete from person_sessions where company_id = new.company_id and learner_id = new.id;
        update messages set setup_token = null
         where company_id = new.company_id and learner_id = new.id and status = 'queued' and setup_token is not null;
        return null;
      end $$;
    create trigger learners_signed_out after update of inactive, email on learners for each row
      when (new.inactive and not old.inactive or lower(new.email) <> lower(old.email))
      execute function end_sign_ins_of_learner();

    create function end_sign_ins_of_admin() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
      begin
        delete from sign_in_links where company_id = new.company_id and admin_id = new.id;
        delete from person_sessions where company_id = new.company_id and admin_id = new.id;
        update messages set setup_token = null
         where company_id = new.company_id and admin_id = new.id and status = 'queued' and setup_token is not null
           and kind <> 'admin_invite';
        return null;
      end $$;
    create trigger admins_signed_out after update of status, email on admins for each row
      when (new.status <> old.status and new.status <> 'active' or lower(new.email) <> lower(old.email))
      execute function end_sign_ins_of_admin();
    revoke all on function end_sign_ins_of_learner(), end_sign_ins_of_admin() from public;
  `);
  for (const table of TABLES) await knex.raw(createPurge(table));
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.raw(`drop function purge_${table}(uuid, integer)`);
  await knex.raw(`
    drop trigger learners_signed_out on learners;
    drop trigger admins_signed_out on admins;
    drop function end_sign_ins_of_learner(), end_sign_ins_of_admin();
    drop table person_sessions, sign_in_links;
  `);
}

const TABLES = ['sign_in_links', 'person_sessions'];
const FIRST = `'00000000-0000-0000-0000-000000000000'`;

const createTable = (table: string) => `
  create table ${table} (
    company_id uuid not null references companies (id),
    token_hash bytea not null check (octet_length(token_hash) = 32),
    learner_id uuid,
    admin_id uuid,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    primary key (company_id, token_hash),
    constraint ${table}_learner foreign key (company_id, learner_id) references learners on delete cascade,
    constraint ${table}_admin foreign key (company_id, admin_id) references admins on delete cascade,
    constraint ${table}_of_one check ((learner_id is null) <> (admin_id is null))
  );
  create index ${table}_of_learner on ${table} (company_id, learner_id) where learner_id is not null;
  create index ${table}_of_admin on ${table} (company_id, admin_id) where admin_id is not null;
  create index ${table}_age on ${table} (company_id, expires_at);
  alter table ${table} enable row level security;
  create policy own_company on ${table} to awareness_service
    using (company_id = current_company()) with check (company_id = current_company());
  grant select, insert, delete on ${table} to awareness_service;`;

// Ends so many of one company in a call: of the first that has any, from one on. Returns that company, to go on from; null
// when none has any.
const createPurge = (table: string) => `
  create function purge_${table}(company uuid default ${FIRST}, most integer default 1000) returns uuid
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      ended timestamptz;
    begin
      select t.company_id into company from ${table} t
       where t.company_id >= company and t.expires_at < now() order by t.company_id limit 1;
      if company is null then
        return null;
      end if;
      select max(old.expires_at) into ended
        from (select t.expires_at from ${table} t where t.company_id = company and t.expires_at < now()
               order by t.expires_at limit greatest(most, 1)) as old;
      delete from ${table} t where t.company_id = company and t.expires_at <= ended;
      return company;
    end $$;
  revoke all on function purge_${table}(uuid, integer) from public;
  grant execute on function purge_${table}(uuid, integer) to awareness_service;`;
