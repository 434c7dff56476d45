import type { Knex } from 'knex';

/**
 * Builds an SQL function that deletes expired rows of one company, about max_rows per call. The function returns the
 * company to continue from, or null after the last company.
 */
const purgeExpired = (name: string, table: string): string => `
    create function ${name}(company uuid default '00000000-0000-0000-0000-000000000000', max_rows integer default 1000)
      returns uuid
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      ended timestamptz;
    begin
      perform require_at_least('max_rows', max_rows, 1);
      select t.company_id into company from ${table} t
       where t.company_id >= company and t.expires_at < now() order by t.company_id limit 1;
      if company is null then
        return null;
      end if;
      select max(old.expires_at) into ended
        from (select t.expires_at from ${table} t where t.company_id = company and t.expires_at < now()
               order by t.expires_at limit max_rows) as old;
      delete from ${table} t where t.company_id = company and t.expires_at <= ended;
      return company;
    end $$;
`;

/**
 * Creates admins, their roles, and the links, sessions and passkeys for signing in. Links and sessions are found by the
 * hash of their secret. People who become inactive or whose e-mail address changes are signed out everywhere.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A company's own roles. The built-in roles and their scopes are in src/auth/roles.ts.
    create table roles (
      company_id uuid not null references companies (id),
      id uuid not null,
      name text not null,
      description text,
      scopes text[] not null check (cardinality(scopes) > 0),
      created_at timestamptz(3) not null default now(),
      primary key (company_id, id)
    );
    create unique index roles_name on roles (lower(name), company_id);
    alter table roles enable row level security;
    create policy own_company on roles to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on roles to awareness_service;

    -- setup_token_hash is the SHA-256 of the token in an invited admin's setup link.
    create table admins (
      company_id uuid not null references companies (id),
      id uuid not null,
      email text not null,
      first_name text not null,
      last_name text not null,
      locale text,
      status text not null check (status in ('invited', 'active')),
      invited_at timestamptz(3),
      setup_token_hash bytea,
      setup_expires_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      -- Time at which the email last changed; null if it has never changed.
      email_changed_at timestamptz(3),
      -- Time at which the admin finished the setup; null for an invited admin, or if that time was not recorded.
      activated_at timestamptz(3),
      role text not null default 'owner'
        check (role in ('owner', 'administrator', 'author', 'analyst', 'auditor', 'manager', 'custom')),
      role_id uuid,
      -- Time at which the role or its scopes last changed; null if they never have.
      role_changed_at timestamptz(3),
      primary key (company_id, id),
      constraint admins_role_id_fkey foreign key (company_id, role_id) references roles (company_id, id),
      check ((role = 'custom') = (role_id is not null)),
      check ((setup_token_hash is null) = (setup_expires_at is null)),
      check (status = 'invited' or setup_token_hash is null)
    );
    -- Not unique: on Citus a unique index must include the company, and 256 random bits need no constraint.
    create index admins_setup_link on admins (setup_token_hash);
    create index admins_role on admins (company_id, role_id) where role_id is not null;
    create unique index admins_email on admins (lower(email), company_id);
    alter table admins enable row level security;
    create policy own_company on admins to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on admins to awareness_service;

    create function find_admin_setup(token_hash bytea)
      returns table(company_id uuid, company_name text, admin_id uuid, email text, first_name text, last_name text,
        locale text)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      return query
        select a.company_id, c.name, a.id, a.email, a.first_name, a.last_name, a.locale
          from admins a join companies c on c.id = a.company_id
         where a.setup_token_hash = token_hash and a.setup_expires_at > now();
    end $$;

    create table sign_in_links (
      company_id uuid not null references companies (id),
      token_hash bytea not null check (octet_length(token_hash) = 32),
      learner_id uuid,
      admin_id uuid,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      -- Time at which an admin signed in with the link, which then no longer works; null for an unused link, and for the
      -- links of learners.
      used_at timestamptz(3),
      primary key (company_id, token_hash),
      constraint sign_in_links_admin foreign key (company_id, admin_id) references admins on delete cascade,
      constraint sign_in_links_learner foreign key (company_id, learner_id) references learners on delete cascade,
      constraint sign_in_links_of_one check ((learner_id is null) <> (admin_id is null))
    );
    create index sign_in_links_of_learner on sign_in_links (company_id, learner_id) where learner_id is not null;
    create index sign_in_links_of_admin on sign_in_links (company_id, admin_id) where admin_id is not null;
    create index sign_in_links_age on sign_in_links (company_id, expires_at);
    alter table sign_in_links enable row level security;
    create policy own_company on sign_in_links to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on sign_in_links to awareness_service;
    grant update (used_at) on sign_in_links to awareness_service;

    -- Sessions of learners and admins, which end at expires_at, or earlier if last_used_at is too long ago.
    create table person_sessions (
      company_id uuid not null references companies (id),
      token_hash bytea not null check (octet_length(token_hash) = 32),
      learner_id uuid,
      admin_id uuid,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      last_used_at timestamptz(3) not null default now(),
      -- Id that people see in lists and URLs; the secret and its hash are never shown.
      id uuid not null default new_id(),
      method text not null check (method in ('sign_in_link', 'passkey', 'setup', 'identity_provider')),
      -- IP address and browser of the sign-in; null if unknown.
      address text,
      user_agent text check (length(user_agent) <= 300),
      provider_id uuid, -- Identity provider of the sign-in, which the session outlives; null for other methods.
      -- Time and method of the latest proof of who the person is; the method is null unless it confirmed the session.
      proved_at timestamptz(3) not null default now(),
      proved_by text check (proved_by in ('sign_in_link', 'passkey', 'identity_provider')),
      primary key (company_id, token_hash),
      constraint person_sessions_admin foreign key (company_id, admin_id) references admins on delete cascade,
      constraint person_sessions_learner foreign key (company_id, learner_id) references learners on delete cascade,
      constraint person_sessions_of_one check ((learner_id is null) <> (admin_id is null))
    );
    create index person_sessions_of_learner on person_sessions (company_id, learner_id) where learner_id is not null;
    create index person_sessions_of_admin on person_sessions (company_id, admin_id) where admin_id is not null;
    create index person_sessions_age on person_sessions (company_id, expires_at);
    alter table person_sessions enable row level security;
    create policy own_company on person_sessions to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on person_sessions to awareness_service;
    grant update (last_used_at, proved_at, proved_by) on person_sessions to awareness_service;
    create trigger person_sessions_used before update of last_used_at on person_sessions
      for each statement execute function commit_without_waiting();

    -- The public keys of passkeys, each with the signature counter of its authenticator.
    create table passkeys (
      company_id uuid not null references companies (id),
      id uuid not null,
      admin_id uuid not null,
      credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
      public_key bytea not null,
      counter bigint not null,
      name text not null,
      created_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3),
      primary key (company_id, id),
      constraint passkeys_credential unique (company_id, credential_id),
      constraint passkeys_admin foreign key (company_id, admin_id) references admins on delete cascade
    );
    create index passkeys_of_admin on passkeys (company_id, admin_id);
    alter table passkeys enable row level security;
    create policy own_company on passkeys to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on passkeys to awareness_service;
    grant update (counter, last_used_at) on passkeys to awareness_service;

    -- Passkey challenges, found by their hash and used once. They belong to no company, because the company is unknown
    -- before the sign-in.
    create table passkey_challenges (
      hash bytea primary key,
      -- The admin who adds a passkey or confirms who they are; null for a sign-in.
      admin_id uuid,
      expires_at timestamptz(3) not null
    );
    create index passkey_challenges_expiry on passkey_challenges (expires_at);
    alter table passkey_challenges enable row level security;
    create policy service on passkey_challenges to awareness_service using (true) with check (true);
    grant select, insert, delete on passkey_challenges to awareness_service;

    -- The devices on which people have signed in, by the hash of a long-lived cookie. Limits on mailed links count a
    -- person's own devices separately, so that strangers cannot use up the person's limit.
    create table known_devices (
      company_id uuid not null references companies (id),
      token_hash bytea not null check (octet_length(token_hash) = 32),
      person_id uuid not null,
      learner_id uuid,
      admin_id uuid,
      expires_at timestamptz(3) not null,
      primary key (company_id, token_hash, person_id),
      constraint known_devices_admin foreign key (company_id, admin_id) references admins on delete cascade,
      constraint known_devices_learner foreign key (company_id, learner_id) references learners on delete cascade,
      constraint known_devices_person check (
        coalesce(learner_id, admin_id) = person_id and num_nonnulls(learner_id, admin_id) = 1)
    );
    create index known_devices_of_learner on known_devices (company_id, learner_id) where learner_id is not null;
    create index known_devices_of_admin on known_devices (company_id, admin_id) where admin_id is not null;
    create index known_devices_age on known_devices (company_id, expires_at);
    alter table known_devices enable row level security;
    create policy own_company on known_devices to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on known_devices to awareness_service;
    grant update (expires_at) on known_devices to awareness_service;

    -- Finds the active learners with an e-mail address, in up to 20 companies. A sign-in form sends only the address,
    -- which can belong to learners of several companies.
    create function find_learners_by_email(address text) returns table(company_id uuid, learner_id uuid)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      return query
        select l.company_id, l.id from learners l
         where l.email_key = lower(address) and not l.inactive order by l.company_id limit 20;
    end $$;

    create function find_admins_by_email(address text) returns table(company_id uuid, admin_id uuid)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      return query
        select a.company_id, a.id from admins a
         where lower(a.email) = lower(address) and a.status = 'active' order by a.company_id limit 20;
    end $$;

    ${purgeExpired('purge_sign_in_links', 'sign_in_links')}
    ${purgeExpired('purge_person_sessions', 'person_sessions')}
    ${purgeExpired('purge_known_devices', 'known_devices')}
    -- Ends the sign-ins of an admin who is no longer active or whose e-mail address changes: links, sessions and
    -- passkeys of the previous address must not open the account.
    create function end_sign_ins_of_admin() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      delete from passkeys where company_id = new.company_id and admin_id = new.id;
      update provider_identities set stale = true where company_id = new.company_id and admin_id = new.id;
      delete from sign_in_links where company_id = new.company_id and admin_id = new.id;
      delete from person_sessions where company_id = new.company_id and admin_id = new.id;
      delete from known_devices where company_id = new.company_id and admin_id = new.id;
      update messages set setup_token = null
       where company_id = new.company_id and admin_id = new.id and status = 'queued' and setup_token is not null
         and kind <> 'admin_invite';
      return null;
    end $$;
    create trigger admins_signed_out after update of status, email on admins
      for each row
      when (new.status <> old.status and new.status <> 'active' or lower(new.email) <> lower(old.email))
      execute function end_sign_ins_of_admin();

    -- Ends the sign-ins of learners whose e-mail address or status changes. Runs once per statement, because thousands
    -- of learners can change at once. Updates the messages learner by learner, and hides the company from the planner
    -- with a subquery: for a company that is missing from the statistics, Postgres expects no messages, and would
    -- compare all of them with each learner.
    create function end_sign_ins_of_learners() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    declare
      company uuid;
      ids uuid[];
      one uuid;
    begin
      for company, ids in
        select company_id, array_agg(id)
          from (select company_id, id, email_key, inactive from added
                except select company_id, id, email_key, inactive from removed) as changed
         group by company_id
      loop
        delete from sign_in_links where company_id = company and learner_id = any(ids);
        update provider_identities set stale = true where company_id = company and learner_id = any(ids);
        delete from person_sessions where company_id = company and learner_id = any(ids);
        delete from known_devices where company_id = company and learner_id = any(ids);
        foreach one in array ids loop
          update messages set setup_token = null
           where company_id = (select company) and learner_id = one and status = 'queued' and setup_token is not null;
        end loop;
      end loop;
      return null;
    end $$;
    create trigger learners_signed_out after update on learners
      referencing old table as removed new table as added
      for each statement execute function end_sign_ins_of_learners();

    revoke all on function find_admin_setup, find_learners_by_email, find_admins_by_email, purge_sign_in_links,
      purge_person_sessions, purge_known_devices, end_sign_ins_of_admin, end_sign_ins_of_learners from public;
    grant execute on function find_admin_setup, find_learners_by_email, find_admins_by_email,
      purge_sign_in_links, purge_person_sessions, purge_known_devices to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table known_devices, passkey_challenges, passkeys, person_sessions, sign_in_links, admins, roles cascade;
    drop function end_sign_ins_of_learners, end_sign_ins_of_admin, purge_known_devices, purge_person_sessions,
      purge_sign_in_links, find_admins_by_email, find_learners_by_email, find_admin_setup cascade;`);
}
