import type { Knex } from 'knex';

/** Templates that policies are made from: a company's own, those of whoever manages it, and the managed catalogue. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table policy_templates (
      -- A company, or the managed catalogue.
      company_id uuid not null,
      id uuid not null,
      name text not null,
      category text,
      locales text[] not null,
      file_id uuid,
      published_at timestamptz(3),
      -- With whom an MSP or a distributor shares it: all its tenants, or those named alone.
      is_global boolean not null default false,
      companies uuid[] not null default '{}',
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      constraint policy_templates_file foreign key (company_id, file_id) references policy_files,
      check (published_at is null or file_id is not null)
    );
    create index policy_templates_file on policy_templates (company_id, file_id);

    create table policy_template_drafts (
      company_id uuid not null,
      template_id uuid not null,
      name text not null,
      category text,
      locales text[] not null,
      file_id uuid not null,
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, template_id),
      constraint policy_template_drafts_template foreign key (company_id, template_id)
        references policy_templates on delete cascade,
      constraint policy_template_drafts_file foreign key (company_id, file_id) references policy_files
    );
    create index policy_template_drafts_file on policy_template_drafts (company_id, file_id);

    -- What a company may make policies from: its own templates, and the published ones of the catalogue and of those who
    -- manage it. Row-level security shows it its own alone; this is the one way to the others.
    create function visible_templates() returns table (
        owner_id uuid, id uuid, source text, name text, category text, locales text[], file_id uuid,
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

    -- Takes over what a template that the company may see has published: its file is copied, and its name and category
    -- come along. The template is locked, so that all of it is of one version.
    create function adopt_template(template uuid, reference uuid)
      returns table (file_id uuid, name text, category text)
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      adopted record;
    begin
      perform from policy_templates t join visible_templates() v on v.owner_id = t.company_id and v.id = t.id
        where t.id = template for share of t;
      select f.*, c.content, t.name, t.category into adopted
        from visible_templates() v
        join policy_templates t on t.company_id = v.owner_id and t.id = v.id
        join policy_files f on f.company_id = t.company_id and f.id = t.file_id
        join file_contents c on c.company_id = f.company_id and c.sha256 = f.sha256
       where v.id = template and t.published_at is not null;
      if not found then return; end if;
      -- The update of nothing locks a content that is there already against being dropped.
      insert into file_contents (company_id, sha256, content)
        values (current_company(), adopted.sha256, adopted.content)
        on conflict (company_id, sha256) do update set sha256 = excluded.sha256;
      insert into policy_files (company_id, id, sha256, file_name, size_bytes, page_count, expires_at)
        values (current_company(), reference, adopted.sha256, adopted.file_name, adopted.size_bytes,
                adopted.page_count, now() + interval '1 day');
      return query select reference, adopted.name, adopted.category;
    end $$;
    revoke all on function visible_templates(), adopt_template(uuid, uuid) from public;
    grant execute on function visible_templates(), adopt_template(uuid, uuid) to awareness_service;
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
    drop function visible_templates(), adopt_template(uuid, uuid);
    drop table policy_template_drafts, policy_templates;
  `);
}

const TENANT_TABLES = ['policy_templates', 'policy_template_drafts'];
