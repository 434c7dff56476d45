import type { Knex } from 'knex';

/** The MSPs of the companies below this one, whose rows row-level security does not show it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function msps_of_children() returns table (company_id uuid, id uuid, name text)
      language sql stable security definer set search_path = public, pg_temp as $$
      select c.id, m.id, m.name from companies c join companies m on m.id = c.parent_id and m.account_type = 'msp'
       where c.managed_by @> array[current_company()] and c.account_type in ('tenant', 'prospect')
    $$;
    revoke all on function msps_of_children() from public;
    grant execute on function msps_of_children() to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function msps_of_children()');
}
