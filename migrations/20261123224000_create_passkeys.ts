import type { Knex } from 'knex';

/**
 * The passkeys of admins: public keys, each with the counter of its device. Challenges are found by their hash, and gone
 * with their use: whoever answers one may be nobody yet, so they have no company.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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
    grant select, insert, delete, update (counter, last_used_at) on passkeys to awareness_service;

    create table passkey_challenges (
      hash bytea primary key,
      -- Who adds a passkey; null for who signs in.
      admin_id uuid,
      expires_at timestamptz(3) not null
    );
    create index passkey_challenges_expiry on passkey_challenges (expires_at);
    alter table passkey_challenges enable row level security;
    create policy service on passkey_challenges to awareness_service using (true) with check (true);
    grant select, insert, delete on passkey_challenges to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table passkey_challenges, passkeys');
}
