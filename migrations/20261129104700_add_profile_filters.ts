import type { Knex } from 'knex';

/** Columns of learners that reports show, besides the key. A change of one creates a new version. */
const FORMER = ['email', 'first_name', 'last_name', 'external_learner_id', 'inactive'];
const PROFILE = ['department', 'job_title', 'country', 'location', 'time_zone', 'manager_id'];
/** Columns derived from the others; versions keep them, because lookups of versions use them. */
const KEYS = ['department_key', 'location_key'];

/**
 * Lets lists and reports find learners by department, country, place of work and risk level, also as of a past day.
 *
 * Under row-level security, Postgres uses an index only for leakproof conditions, such as comparisons of strings. The
 * folded strings are therefore columns, like `email_key`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    -- Returns the string by which departments and places are compared: without case, accents and surplus white space,
    -- and at most 600 characters long, because an index entry has at most 2,700 bytes.
    create function profile_key(text) returns text
      language sql immutable parallel safe
      return left(btrim(regexp_replace(fold_words($1), '\s+', ' ', 'g')), 600);

    alter table learners
      add column department_key text generated always as (profile_key(department)) stored,
      add column location_key text generated always as (profile_key(location)) stored,
      add column risk_level text not null generated always as (risk_level(risk_score)) stored;
    create index learners_department on learners (company_id, department_key, id) where department_key is not null;
    create index learners_location on learners (company_id, location_key, id) where location_key is not null;
    create index learners_country on learners (company_id, country, id) where country is not null;
    create index learners_risk_level on learners (company_id, risk_level, id);

    -- Not a generated column, because undoing a merge inserts whole rows.
    alter table learner_versions
      ${[...PROFILE, ...KEYS].map((column) => `add column ${column} ${column === 'manager_id' ? 'uuid' : 'text'}`).join(', ')};
    create index learner_versions_department on learner_versions (company_id, department_key, learner_id)
      where department_key is not null;
    create index learner_versions_location on learner_versions (company_id, location_key, learner_id)
      where location_key is not null;
    create index learner_versions_country on learner_versions (company_id, country, learner_id)
      where country is not null;
    -- The values of older versions are unknown. They get the first known values, as other fields do.
    update learner_versions v
       set (${[...PROFILE, ...KEYS].join(', ')}) =
           (select ${[...PROFILE, ...KEYS].map((column) => `l.${column}`).join(', ')} from learners l
             where l.company_id = v.company_id and l.id = v.learner_id)`);
  await knex.raw(keepVersions([...FORMER, ...PROFILE], KEYS));
  await knex.raw(indexChanges([...FORMER, ...PROFILE], []));
}

/** Recreates the triggers of migration create_versions that keep the former versions of learners. */
function keepVersions(columns: string[], keys: string[]): string {
  const isChanged = columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');
  const kept = [...columns, ...keys];
  return `
    drop trigger learners_versioned on learners;
    create trigger learners_versioned before update on learners
      for each row when (${isChanged}) execute function record_version();
    create or replace function keep_learners_updated() returns trigger
      language plpgsql set search_path = public, pg_temp set enable_nestloop = off as $$
    begin
      insert into learner_versions (company_id, learner_id, ${kept.join(', ')}, recorded_at, superseded_at)
      select r.company_id, r.id, ${kept.map((column) => `r.${column}`).join(', ')}, r.recorded_at, a.recorded_at
        from removed r join added a on a.company_id = r.company_id and a.id = r.id
       where a.recorded_at > r.recorded_at
      on conflict do nothing;
      return null;
    end $$`;
}

/**
 * Recreates the function of migration create_sync_index_triggers that indexes changed learners: fields that reports show are
 * changes of a person.
 */
function indexChanges(personColumns: string[], learnerColumns: string[]): string {
  const index = (kind: string, columns: string[]) => `
      for company, ids in
        select e.company_id, array_agg(e.id)
          from (select company_id, id from (
                  select company_id, id, ${columns.join(', ')} from added
                  except select company_id, id, ${columns.join(', ')} from removed) as changed) as e
         group by e.company_id
      loop
        perform public.index_changes(company, '${kind}', gen_random_uuid(), ids, null);
      end loop;`;
  return `
    create or replace function index_learners_update() returns trigger language plpgsql as $$
    declare
      company uuid;
      ids uuid[];
    begin
      ${index('person', personColumns)}
      ${index('learner', ['updated_at', 'locale', ...learnerColumns, 'public.risk_level(risk_score)'])}
      return null;
    end $$`;
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(indexChanges(FORMER, PROFILE));
  await knex.raw(keepVersions(FORMER, []));
  await knex.raw(`
    alter table learner_versions ${[...PROFILE, ...KEYS].map((column) => `drop column ${column}`).join(', ')};
    alter table learners drop column department_key, drop column location_key, drop column risk_level;
    drop index learners_country;
    drop function profile_key`);
}
