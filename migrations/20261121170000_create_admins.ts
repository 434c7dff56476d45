import type { Knex } from 'knex';

/** Admins of a company. The token of an invited admin's setup link is stored as its SHA-256. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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
      primary key (company_id, id),
      check ((setup_token_hash is null) = (setup_expires_at is null)),
      -- Finishing the setup uses the link up.
      check (status = 'invited' or setup_token_hash is null)
    );
    create unique index admins_email on admins (company_id, lower(email));
    -- A setup link is followed before its company is known.
    create unique index admins_setup_token on admins (setup_token_hash);

    alter table admins enable row level security;
    create policy own_company on admins to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on admins to awareness_service;

    create function find_admin_setup(token_hash bytea)
      returns table (company_id uuid, company_name text, admin_id uuid, email text, first_name text, last_name text,
                     locale text)
      language sql stable security definer set search_path = public, pg_temp as $$
      select admins.company_id, companies.name, admins.id, admins.email, admins.first_name, admins.last_name,
             admins.locale
        from admins join companies on companies.id = admins.company_id
       where setup_token_hash = token_hash and setup_expires_at > now()
    $$;
    revoke all on function find_admin_setup(bytea) from public;
    grant execute on function find_admin_setup(bytea) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function find_admin_setup(bytea); drop table admins');
}
