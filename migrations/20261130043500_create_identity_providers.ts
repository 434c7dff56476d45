import type { Knex } from 'knex';

/** Creates identity providers, the people whom they have identified, and admins who can sign in without them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table admins add column emergency_access boolean not null default false;
    -- The identity provider's id of its session; null if it has reported none.
    alter table person_sessions add column provider_session text;
    -- The provider's id of the person, and the attributes of the NameID if SAML has reported it. Null for other methods.
    alter table person_sessions add column provider_subject text;
    alter table person_sessions add column name_id_attributes jsonb;
    create index person_sessions_of_provider on person_sessions (company_id, provider_id) where provider_id is not null;

    create table identity_providers (
      company_id uuid not null references companies (id),
      id uuid not null,
      name text not null,
      protocol text not null check (protocol in ('oidc', 'saml')),
      issuer text not null,
      client_id text not null,
      sealed_client_secret bytea,
      -- The key that signs messages to a SAML provider, and its certificate. Null until the first use.
      sealed_signing_key bytea,
      signing_certificate text,
      -- The names of claims: email, firstName, lastName and groups.
      claims jsonb not null,
      -- The roles of admins by group, in order: objects with group, role and roleId.
      roles jsonb not null,
      creates_learners boolean not null,
      admins text not null default 'off' check (admins in ('off', 'optional', 'required')),
      learners text not null default 'off' check (learners in ('off', 'optional', 'required')),
      tested_at timestamptz(3),
      -- The metadata of a SAML provider: entityId, signInUrl, certificates and logout. Null for OpenID Connect.
      saml jsonb,
      -- URL from which the metadata is read. Null if the request contained the metadata.
      metadata_url text,
      certificates_expire_at timestamptz(3),
      -- Smallest number of days before certificates_expire_at at which the admins were notified.
      expiry_notice_days smallint,
      created_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      constraint identity_providers_tested check (tested_at is not null or admins = 'off' and learners = 'off'),
      constraint identity_providers_saml check (
        (protocol = 'saml') = (saml is not null) and (saml is null) = (certificates_expire_at is null)
        and (metadata_url is null or saml is not null)),
      constraint identity_providers_key check ((sealed_signing_key is null) = (signing_certificate is null))
    );
    create index identity_providers_expiring on identity_providers (certificates_expire_at, company_id)
      where certificates_expire_at is not null;
    create index identity_providers_of_admins on identity_providers (company_id, id) where admins = 'required';
    create index identity_providers_of_learners on identity_providers (company_id, id) where learners = 'required';
    alter table identity_providers enable row level security;
    create policy own_company on identity_providers to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on identity_providers to awareness_service;

    -- The people whom a provider has identified, by its id of the person. An entry is stale once the person's e-mail
    -- address has changed, because the provider's account might then belong to somebody else. The entry is kept, so
    -- that the id of somebody who was renamed does not open the account of the next holder of the address.
    create table provider_identities (
      company_id uuid not null references companies (id),
      provider_id uuid not null,
      kind text not null check (kind in ('learner', 'admin')),
      subject text not null,
      person_id uuid not null,
      learner_id uuid,
      admin_id uuid,
      stale boolean not null default false,
      -- Whether the entry came with a merge, so that the person has another id of the provider.
      merged boolean not null default false,
      created_at timestamptz(3) not null default now(),
      primary key (company_id, provider_id, kind, subject),
      constraint provider_identities_provider foreign key (company_id, provider_id) references identity_providers
        on delete cascade,
      constraint provider_identities_admin foreign key (company_id, admin_id) references admins on delete cascade,
      constraint provider_identities_learner foreign key (company_id, learner_id) references learners on delete cascade,
      constraint provider_identities_person check (
        coalesce(learner_id, admin_id) = person_id and num_nonnulls(learner_id, admin_id) = 1
        and (kind = 'admin') = (admin_id is not null))
    );
    create unique index provider_identities_once on provider_identities (company_id, person_id, provider_id)
      where not merged;
    create index provider_identities_of_learner on provider_identities (company_id, learner_id)
      where learner_id is not null;
    create index provider_identities_of_admin on provider_identities (company_id, admin_id) where admin_id is not null;
    alter table provider_identities enable row level security;
    create policy own_company on provider_identities to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on provider_identities to awareness_service;

    -- The SAML assertions that have signed a person in, kept until they expire, so that none can be used twice.
    create table used_assertions (
      company_id uuid not null references companies (id),
      provider_id uuid not null,
      assertion_hash bytea not null check (octet_length(assertion_hash) = 32),
      expires_at timestamptz(3) not null,
      primary key (company_id, provider_id, assertion_hash),
      constraint used_assertions_provider foreign key (company_id, provider_id) references identity_providers
        on delete cascade
    );
    create index used_assertions_age on used_assertions (company_id, provider_id, expires_at);
    alter table used_assertions enable row level security;
    create policy own_company on used_assertions to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on used_assertions to awareness_service;

    -- Adds a job for each company with a provider in use whose certificates expire within 30 days, once for each day.
    create function queue_for_expiring_certificates(task text, day date) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform queue_daily_jobs(task, day, array(
        select distinct company_id from identity_providers
         where certificates_expire_at <= now() + interval '30 days' and (admins <> 'off' or learners <> 'off')));
    end $$;

    -- Finds the identity providers of the companies with an e-mail domain, for people who are not signed in. Only the
    -- operator sets the domain of a company.
    create function find_identity_providers(mail_domain text)
      returns table(company_id uuid, company_name text, id uuid, name text, admins text, learners text)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      return query
        select p.company_id, c.name, p.id, p.name, p.admins, p.learners
          from companies c join identity_providers p on p.company_id = c.id
         where c.domain = lower(mail_domain) and (p.admins <> 'off' or p.learners <> 'off') order by c.name, p.company_id, p.id limit 20;
    end $$;
    create index companies_domain on companies (domain) where domain is not null;
    revoke all on function find_identity_providers, queue_for_expiring_certificates from public;
    grant execute on function find_identity_providers, queue_for_expiring_certificates to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function find_identity_providers, queue_for_expiring_certificates;
    drop index companies_domain;
    drop table used_assertions;
    drop table provider_identities;
    drop table identity_providers;
    drop index person_sessions_of_provider;
    alter table person_sessions drop column provider_session, drop column provider_subject,
      drop column name_id_attributes;
    alter table admins drop column emergency_access;`);
}
