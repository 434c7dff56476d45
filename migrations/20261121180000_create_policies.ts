import type { Knex } from 'knex';

/**
 * Policies, their files and versions, and what each learner did with them.
 *
 * A content is stored once for each company; files refer to it, are what policies and templates name, and are dropped
 * when nothing uses them. What was signed outlives the policy in signature_records.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A UUIDv7, for rows that are made by the thousand in one statement: a random UUID with the time in front.
    create function new_id() returns uuid language sql volatile parallel safe as $$
      select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1),
        53, 1), 'hex')::uuid
    $$;

    create table file_contents (
      -- A company, or the managed catalogue.
      company_id uuid not null,
      sha256 bytea not null check (length(sha256) = 32),
      content bytea not null,
      primary key (company_id, sha256)
    );
    -- PDFs are compressed already.
    alter table file_contents alter column content set storage external;

    create table policy_files (
      company_id uuid not null,
      id uuid not null,
      sha256 bytea not null,
      file_name text,
      size_bytes integer not null check (size_bytes > 0),
      page_count integer not null check (page_count > 0),
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      constraint policy_files_content foreign key (company_id, sha256) references file_contents
    );
    create index policy_files_content on policy_files (company_id, sha256);

    create table signature_defaults (
      company_id uuid not null references companies (id),
      -- Whose settings they are, as long as it has the same and exists.
      policy_id uuid,
      type text not null check (type in ('fixed', 'lastSignature', 'newUsers', 'none')),
      start_date date,
      interval_length integer check (interval_length > 0),
      interval_unit text check (interval_unit in ('months', 'years')),
      primary key (company_id)
    );

    create table policies (
      company_id uuid not null references companies (id),
      id uuid not null,
      -- Of the live version; before the first, of the draft that the policy was created with.
      name text not null,
      category text,
      owner_name text,
      owner_email text,
      is_public boolean not null,
      file_id uuid,
      -- Before the first version is published, its number to be.
      major_version integer not null check (major_version >= 0),
      minor_version integer not null check (minor_version >= 0),
      live_version_id uuid,
      published_at timestamptz(3),
      signature_type text check (signature_type in ('fixed', 'lastSignature', 'newUsers', 'none')),
      signature_start_date date,
      signature_interval_length integer check (signature_interval_length > 0),
      signature_interval_unit text check (signature_interval_unit in ('months', 'years')),
      signature_use_default boolean not null default false,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      constraint policies_file foreign key (company_id, file_id) references policy_files,
      check ((live_version_id is null) = (published_at is null)),
      check (live_version_id is null or file_id is not null)
    );
    create index policies_file on policies (company_id, file_id);

    create table policy_drafts (
      company_id uuid not null,
      policy_id uuid not null,
      name text not null,
      category text,
      owner_name text,
      owner_email text,
      is_public boolean not null,
      file_id uuid not null,
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, policy_id),
      constraint policy_drafts_policy foreign key (company_id, policy_id) references policies on delete cascade,
      constraint policy_drafts_file foreign key (company_id, file_id) references policy_files
    );
    create index policy_drafts_file on policy_drafts (company_id, file_id);

    create table policy_versions (
      company_id uuid not null,
      id uuid not null,
      policy_id uuid not null,
      major_version integer not null,
      minor_version integer not null,
      name text not null,
      file_id uuid not null,
      published_at timestamptz(3) not null default clock_timestamp(),
      primary key (company_id, id),
      unique (company_id, policy_id, id),
      unique (company_id, policy_id, major_version, minor_version),
      constraint policy_versions_policy foreign key (company_id, policy_id) references policies on delete cascade,
      constraint policy_versions_file foreign key (company_id, file_id) references policy_files
    );
    create index policy_versions_file on policy_versions (company_id, file_id);
    alter table policies add constraint policies_live_version
      foreign key (company_id, id, live_version_id) references policy_versions (company_id, policy_id, id);

    create table policy_results (
      company_id uuid not null,
      id uuid not null,
      policy_id uuid not null,
      learner_id uuid not null,
      -- Null: not assigned any more; the row is kept for the signature in it.
      assigned_at timestamptz(3),
      -- When the learner was last asked to sign: a signature given before that is not in force.
      asked_at timestamptz(3),
      reminded_at timestamptz(3),
      sent_version_id uuid,
      visit timestamptz(3),
      visited_version_id uuid,
      signed timestamptz(3),
      signed_version_id uuid,
      signed_offline boolean not null default false,
      primary key (company_id, id),
      constraint policy_results_pair unique (company_id, learner_id, policy_id),
      constraint policy_results_learner foreign key (company_id, learner_id) references learners on delete cascade,
      constraint policy_results_policy foreign key (company_id, policy_id) references policies on delete cascade,
      constraint policy_results_sent foreign key (company_id, policy_id, sent_version_id)
        references policy_versions (company_id, policy_id, id),
      constraint policy_results_visited foreign key (company_id, policy_id, visited_version_id)
        references policy_versions (company_id, policy_id, id),
      constraint policy_results_signed foreign key (company_id, policy_id, signed_version_id)
        references policy_versions (company_id, policy_id, id),
      check ((assigned_at is null) = (asked_at is null)),
      check (assigned_at is not null or signed is not null),
      check ((visit is null) = (visited_version_id is null)),
      check ((signed is null) = (signed_version_id is null)),
      check (signed is not null or not signed_offline)
    );
    create index policy_results_policy on policy_results (company_id, policy_id);

    -- Who had signed what when the policy was deleted. It names people by themselves, since it outlives every row.
    create table signature_records (
      company_id uuid not null references companies (id),
      id uuid not null,
      policy_id uuid not null,
      policy_name text not null,
      version_id uuid not null,
      major_version integer not null,
      minor_version integer not null,
      file_sha256 bytea not null,
      learner_id uuid not null,
      learner_email text not null,
      learner_name text not null,
      signed timestamptz(3) not null,
      signed_offline boolean not null,
      policy_deleted_at timestamptz(3) not null default now(),
      primary key (company_id, id)
    );
  `);
  for (const table of TENANT_TABLES) {
    await knex.raw(`
      alter table ${table} enable row level security;
      create policy own_company on ${table} to awareness_service
        using (company_id = current_company()) with check (company_id = current_company());
      grant select, insert, update, delete on ${table} to awareness_service;
    `);
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table policies drop constraint policies_live_version;
    drop table ${TENANT_TABLES.toReversed().join(', ')};
    drop function new_id();
  `);
}

const TENANT_TABLES = [
  'file_contents',
  'policy_files',
  'signature_defaults',
  'policies',
  'policy_drafts',
  'policy_versions',
  'policy_results',
  'signature_records',
];
