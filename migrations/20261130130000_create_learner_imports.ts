import type { Knex } from 'knex';

/** Creates the imports of learners and their rows. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table learner_imports (
      company_id uuid not null references companies (id),
      id uuid not null default new_id(),
      name text check (char_length(name) between 1 and 200),
      status text not null default 'draft' check (status in ('draft', 'checked', 'applied', 'undone')),
      columns text[] not null,
      mapping jsonb not null default '[]',
      counts jsonb not null default '{}',
      actor_type text not null,
      actor_id text not null,
      stored_at timestamptz(3) not null default now(),
      applied_at timestamptz(3),
      undone_at timestamptz(3),
      undo jsonb,
      primary key (company_id, id)
    );
    create index learner_imports_ended on learner_imports (stored_at, company_id);
    alter table learner_imports enable row level security;
    create policy own_company on learner_imports to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on learner_imports to awareness_service;
    grant update (status, mapping, counts, applied_at, undone_at, undo) on learner_imports to awareness_service;

    create table learner_import_rows (
      company_id uuid not null,
      import_id uuid not null,
      number integer not null,
      cells jsonb not null,
      fate text not null default 'unchecked'
        check (fate in ('unchecked', 'new', 'changed', 'unchanged', 'rejected', 'skipped')),
      -- The row of a deleted learner is deleted, because its cells hold personal data.
      learner_id uuid,
      faults jsonb not null default '[]',
      changes jsonb not null default '[]',
      undo_outcome text check (undo_outcome in ('deactivated', 'restored', 'partly_restored', 'kept')),
      kept_fields text[] not null default '{}',
      undo_message text,
      primary key (company_id, import_id, number),
      constraint learner_import_rows_import foreign key (company_id, import_id)
        references learner_imports on delete cascade,
      constraint learner_import_rows_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    create index learner_import_rows_of_fate on learner_import_rows (import_id, fate, number, company_id);
    create index learner_import_rows_of_learner on learner_import_rows (learner_id, company_id)
      where learner_id is not null;
    alter table learner_import_rows enable row level security;
    create policy own_company on learner_import_rows to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on learner_import_rows to awareness_service;
    grant update (fate, learner_id, faults, changes, undo_outcome, kept_fields, undo_message) on learner_import_rows
      to awareness_service;

    -- Deletes imports 30 days after they were created.
    create function purge_learner_imports(company uuid default '00000000-0000-0000-0000-000000000000',
                                          max_rows integer default 10) returns uuid
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform require_at_least('max_rows', max_rows, 1);
      select i.company_id into company from learner_imports i
       where i.company_id >= company and i.stored_at < now() - interval '720 hours' order by i.company_id limit 1;
      if company is null then
        return null;
      end if;
      delete from learner_imports i
       where i.company_id = company and i.id in (
         select o.id from learner_imports o
          where o.company_id = company and o.stored_at < now() - interval '720 hours'
          order by o.stored_at limit max_rows);
      return company;
    end $$;
    revoke all on function purge_learner_imports from public;
    grant execute on function purge_learner_imports to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function purge_learner_imports;
    drop table learner_import_rows, learner_imports;`);
}
