import type { Knex } from 'knex';

/**
 * Systems that may record one kind of fact for a company, each with a secret of its own. Of a secret that is only compared
 * there is a hash; one that signs is there encrypted, too, with a key that the database does not have.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sources (
      company_id uuid not null references companies (id),
      id uuid not null,
      name text not null check (char_length(name) between 1 and 200),
      kind text not null check (kind in ('gophish', 'xapi', 'reported_messages')),
      secret_hash bytea not null check (octet_length(secret_hash) = 32),
      sealed_secret bytea,
      previous_hash bytea,
      previous_sealed bytea,
      previous_until timestamptz(3),
      rotated_at timestamptz(3),
      last_used_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      check ((kind = 'gophish') = (sealed_secret is not null)),
      check ((previous_hash is null) = (previous_until is null))
    );
    comment on column sources.previous_hash is 'Of the secret before, which is good until previous_until';
    create index sources_id on sources (id);

    alter table sources enable row level security;
    create policy own_company on sources to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete,
          update (secret_hash, sealed_secret, previous_hash, previous_sealed, previous_until, rotated_at, last_used_at)
      on sources to awareness_service;

    -- Finds a source before its company is known, with what its secrets are held against.
    create function find_source(source_id uuid)
      returns table (key_id uuid, company_id uuid, account_type text, modules text[], kind text, secret_hash bytea,
                     sealed_secret bytea, previous_hash bytea, previous_sealed bytea)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        return query
          select s.id, s.company_id, c.account_type,
                 enabled_modules(c.smlearn, c.smphish, c.smpolicy, c.smbreachproenabled), s.kind, s.secret_hash,
                 s.sealed_secret, case when s.previous_until > now() then s.previous_hash end,
                 case when s.previous_until > now() then s.previous_sealed end
            from sources s join companies c on c.id = s.company_id
           where s.id = source_id;
      end $$;
    revoke all on function find_source(uuid) from public;
    grant execute on function find_source(uuid) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function find_source(uuid); drop table sources');
}
