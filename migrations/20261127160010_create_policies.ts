import type { Knex } from 'knex';

/**
 * Creates policies and policy templates: drafts, published versions and their files. Each content is stored once per
 * company.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Contents of files, stored once per company. purge_files deletes contents that no file refers to.
    create table file_contents (
      -- The company that owns the content, or the managed catalogue.
      company_id uuid not null,
      sha256 bytea not null check (length(sha256) = 32),
      content bytea not null,
      primary key (company_id, sha256)
    );
    -- No compression, because PDFs are already compressed.
    alter table file_contents alter column content set storage external;
    alter table file_contents enable row level security;
    create policy own_company on file_contents to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on file_contents to awareness_service;

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
    create index policy_files_content on policy_files (sha256, company_id);
    alter table policy_files enable row level security;
    create policy own_company on policy_files to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on policy_files to awareness_service;

    create table policies (
      company_id uuid not null references companies (id),
      id uuid not null,
      -- The name in the live version; before the first version, the name that the policy was created with.
      name text not null,
      category text,
      owner_name text,
      owner_email text,
      is_public boolean not null,
      file_id uuid,
      -- The number of the live version; before the first version is published, the number that it will get.
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
      signature_set_on date,
      primary key (company_id, id),
      constraint policies_file foreign key (company_id, file_id) references policy_files,
      check ((live_version_id is null) = (published_at is null)),
      check (live_version_id is null or file_id is not null),
      constraint policies_signature_set_on check ((signature_type is null) = (signature_set_on is null))
    );
    create index policies_file on policies (file_id, company_id) where file_id is not null;
    alter table policies enable row level security;
    create policy own_company on policies to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on policies to awareness_service;
    create trigger policies_unchanged before update of signature_type, signature_start_date,
      signature_interval_length, signature_interval_unit, signature_use_default on policies
      for each row execute function guard_updated_at();

    create table policy_versions (
      company_id uuid not null,
      id uuid not null,
      policy_id uuid not null,
      major_version integer not null,
      minor_version integer not null,
      name text not null,
      file_id uuid not null,
      published_at timestamptz(3) not null default clock_timestamp(),
      -- Time at which a version that another system published was recorded; null if it was published in the service.
      recorded_at timestamptz(3),
      primary key (company_id, id),
      unique (company_id, policy_id, id),
      unique (company_id, policy_id, major_version, minor_version),
      constraint policy_versions_file foreign key (company_id, file_id) references policy_files,
      constraint policy_versions_policy foreign key (company_id, policy_id) references policies on delete cascade
    );
    create index policy_versions_file on policy_versions (file_id, company_id);
    alter table policy_versions enable row level security;
    create policy own_company on policy_versions to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on policy_versions to awareness_service;
    alter table policies add constraint policies_live_version foreign key (company_id, id, live_version_id)
        references policy_versions (company_id, policy_id, id);

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
      constraint policy_drafts_file foreign key (company_id, file_id) references policy_files,
      constraint policy_drafts_policy foreign key (company_id, policy_id) references policies on delete cascade
    );
    create index policy_drafts_file on policy_drafts (company_id, file_id);
    alter table policy_drafts enable row level security;
    create policy own_company on policy_drafts to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on policy_drafts to awareness_service;

    -- Templates for companies' policies. A template is shared with all child companies, with the listed child
    -- companies, or with nobody.
    create table policy_templates (
      -- The company that owns the template, or the managed catalogue.
      company_id uuid not null,
      id uuid not null,
      name text not null,
      category text,
      locales text[] not null,
      file_id uuid,
      published_at timestamptz(3),
      -- Whether an MSP or a distributor shares the template with all tenants and prospects below it. Otherwise, it
      -- shares the template only with those in companies.
      is_global boolean not null default false,
      companies uuid[] not null default '{}',
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      constraint policy_templates_file foreign key (company_id, file_id) references policy_files,
      check (published_at is null or file_id is not null),
      constraint policy_templates_sharing check (not is_global or cardinality(companies) = 0)
    );
    create index policy_templates_file on policy_templates (file_id, company_id) where file_id is not null;
    alter table policy_templates enable row level security;
    create policy own_company on policy_templates to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on policy_templates to awareness_service;
    create trigger policy_templates_unchanged before update of is_global, companies on policy_templates
      for each row execute function guard_updated_at();

    create table policy_template_drafts (
      company_id uuid not null,
      template_id uuid not null,
      name text not null,
      category text,
      locales text[] not null,
      file_id uuid not null,
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, template_id),
      constraint policy_template_drafts_file foreign key (company_id, file_id) references policy_files,
      constraint policy_template_drafts_template foreign key (company_id, template_id)
        references policy_templates on delete cascade
    );
    create index policy_template_drafts_file on policy_template_drafts (company_id, file_id);
    alter table policy_template_drafts enable row level security;
    create policy own_company on policy_template_drafts to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on policy_template_drafts to awareness_service;

    -- Returns the templates that a company can see: its own, and the published ones of the catalogue and of the
    -- companies that manage it. Row-level security shows a company only its own templates; only this function shows the
    -- others.
    create function visible_templates()
      returns table(owner_id uuid, id uuid, source text, name text, category text, locales text[], file_id uuid,
        published_at timestamptz, is_global boolean, companies uuid[], created_at timestamptz, updated_at timestamptz)
      language sql stable security definer set search_path = public, pg_temp as $$
      select t.company_id, t.id, 'own', t.name, t.category, t.locales, t.file_id, t.published_at, t.is_global,
             t.companies, t.created_at, t.updated_at
        from policy_templates t where t.company_id = current_company()
      union all
      select t.company_id, t.id, 'managed', t.name, t.category, t.locales, null, t.published_at, false, '{}',
             t.created_at, t.updated_at
        from policy_templates t where t.company_id = managed_catalogue() and t.published_at is not null
      union all
      select t.company_id, t.id, 'shared', t.name, t.category, t.locales, null, t.published_at, false, '{}',
             t.created_at, t.updated_at
        from companies me
        join policy_templates t on t.company_id = any(me.managed_by) and t.published_at is not null
             and case when cardinality(t.companies) > 0 then me.id = any(t.companies) else t.is_global end
       where me.id = current_company() and me.account_type in ('tenant', 'prospect')
    $$;

    -- Returns the published content of a template that the company can see. The service copies it under its own rights:
    -- on Citus a function with the owner's rights runs in another session, which sees nothing of the calling
    -- transaction.
    create function published_template(template uuid)
      returns table(name text, category text, sha256 bytea, content bytea, file_name text, size_bytes integer,
        page_count integer)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    declare
      owner uuid;
    begin
      select v.owner_id into owner from visible_templates() v where v.id = template;
      return query
        select t.name, t.category, c.sha256, c.content, f.file_name, f.size_bytes, f.page_count
          from policy_templates t
          join policy_files f on f.company_id = owner and f.id = t.file_id
          join file_contents c on c.company_id = owner and c.sha256 = f.sha256
         where t.company_id = owner and t.id = template and t.published_at is not null;
    end $$;

    -- Deletes expired files that nothing uses, then contents without a file. Skips rows that another transaction has
    -- locked to use them.
    create function purge_files() returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      company uuid;
    begin
      for company in select distinct company_id from policy_files where expires_at < now() loop
        with unused as (
          select f.id from policy_files f where f.company_id = company and expires_at < now()
           and not exists (select from policies p where p.company_id = company and p.file_id = f.id)
           and not exists (select from policy_drafts d where d.company_id = company and d.file_id = f.id)
           and not exists (select from policy_versions v where v.company_id = company and v.file_id = f.id)
           and not exists (select from policy_templates t where t.company_id = company and t.file_id = f.id)
           and not exists (select from policy_template_drafts d where d.company_id = company and d.file_id = f.id)
           for update of f skip locked
        )
        delete from policy_files f using unused where f.company_id = company and f.id = unused.id;
      end loop;
      for company in
        select distinct c.company_id from file_contents c
         where not exists (select from policy_files f where f.company_id = c.company_id and f.sha256 = c.sha256)
      loop
        with unused as (
          select c.sha256 from file_contents c where c.company_id = company
           and not exists (select from policy_files f where f.company_id = company and f.sha256 = c.sha256)
           for update of c skip locked
        )
        delete from file_contents c using unused where c.company_id = company and c.sha256 = unused.sha256;
      end loop;
    end $$;

    revoke all on function visible_templates, published_template, purge_files from public;
    grant execute on function visible_templates, published_template, purge_files to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table policy_template_drafts, policy_templates, policy_drafts, policy_versions, policies, policy_files,
      file_contents cascade;
    drop function purge_files, published_template, visible_templates cascade;`);
}
