import type { Knex } from 'knex';

/** What callers change of a table. Statements that set `updated_at` alone, for what belongs to a row, still move it. */
const CHANGED: Readonly<Record<string, string>> = {
  groups: 'name',
  courses:
    'name, display_name, subject, difficulty, description, duration_minutes, pass_mark, locales, external_id, retired_at',
  policies:
    'signature_type, signature_start_date, signature_interval_length, signature_interval_unit, signature_use_default',
  policy_templates: 'is_global, companies',
  simulation_templates: 'name, delivery_method, difficulty, locales, content, retired_at',
  simulations: 'name, delivery_method, start_date, end_date, plan, training_course_id, training_course_owner_id',
};

/**
 * An update that changes nothing leaves `updated_at` as it is, and with it the tag of the thing: who has read it has read
 * what it is. Generated columns have no value yet before an update.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function keep_updated_at() returns trigger language plpgsql set search_path = public, pg_temp as $$
      declare
        ignored text[] := '{updated_at,custom_of}';
      begin
        if to_jsonb(new) - ignored = to_jsonb(old) - ignored then
          new.updated_at := old.updated_at;
        end if;
        return new;
      end $$;
    revoke all on function keep_updated_at() from public`);
  for (const [table, columns] of Object.entries(CHANGED)) {
    await knex.raw(`
      create trigger ${table}_unchanged before update of ${columns} on ${table}
        for each row execute function keep_updated_at()`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of Object.keys(CHANGED)) await knex.raw(`drop trigger ${table}_unchanged on ${table}`);
  await knex.raw('drop function keep_updated_at()');
}
