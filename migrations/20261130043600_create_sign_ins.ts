import type { Knex } from 'knex';

/**
 * Creates the sign-in log: who signed in to the pages, and which attempts failed, for 180 days. The service appends to
 * it, and cannot change or delete entries.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sign_ins (
      company_id uuid not null references companies (id),
      occurred_at timestamptz(3) not null default clock_timestamp(),
      id uuid not null default new_id(),
      kind text not null check (kind in ('learner', 'admin')),
      -- No foreign key, because entries outlive the person. Null if a failed attempt was for an unknown person.
      person_id uuid,
      method text not null,
      -- Whether the person signed in, or confirmed in a session who they are.
      action text not null default 'sign_in' check (action in ('sign_in', 'confirmation')),
      -- Null if the sign-in succeeded.
      reason text,
      address text,
      -- The /24 or /56 network of the IP address, by which a sign-in from a new network is recognised.
      network text,
      user_agent text check (length(user_agent) <= 300),
      primary key (company_id, occurred_at, id),
      check (person_id is not null or reason is not null)
    );
    create index sign_ins_of_person on sign_ins (company_id, person_id, occurred_at, id);
    create index sign_ins_failed on sign_ins (company_id, occurred_at, id) where reason is not null;
    alter table sign_ins enable row level security;
    create policy own_company on sign_ins to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select on sign_ins to awareness_service;
    -- The service cannot date entries.
    grant insert (company_id, kind, person_id, method, action, reason, address, network, user_agent) on sign_ins to awareness_service;

    -- Deletes entries of one company that are older than 180 days, about max_rows per call. Returns the company to
    -- continue from, or null after the last company.
    create function purge_sign_ins(company uuid default '00000000-0000-0000-0000-000000000000',
        max_rows integer default 1000)
      returns uuid
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      -- Not a parameter, because any caller could then delete all entries.
      oldest timestamptz := now() - interval '180 days';
      ended timestamptz;
    begin
      perform require_at_least('max_rows', max_rows, 1);
      select t.company_id into company from sign_ins t
       where t.company_id >= company and t.occurred_at < oldest order by t.company_id limit 1;
      if company is null then
        return null;
      end if;
      select max(old.occurred_at) into ended
        from (select t.occurred_at from sign_ins t where t.company_id = company and t.occurred_at < oldest
               order by t.occurred_at limit max_rows) as old;
      delete from sign_ins t where t.company_id = company and t.occurred_at <= ended;
      return company;
    end $$;

    revoke all on function purge_sign_ins from public;
    grant execute on function purge_sign_ins to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function purge_sign_ins; drop table sign_ins');
}
