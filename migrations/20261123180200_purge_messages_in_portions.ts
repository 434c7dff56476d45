import type { Knex } from 'knex';

/**
 * Deletes so many settled messages of one company, and returns whether there may be more to delete. All at once would pass
 * the time-out of a statement where many are due.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function purge_messages(days integer, most integer) returns boolean
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        company uuid;
        ends timestamptz := now() - days * interval '1 day';
      begin
        select m.company_id into company from messages m where m.settled_at < ends limit 1;
        if company is null then return false; end if;
        delete from messages m using (
          select l.id from messages l where l.company_id = company and l.settled_at < ends limit greatest(most, 1)) as old
         where m.company_id = company and m.id = old.id;
        return true;
      end $$;
    revoke all on function purge_messages(integer, integer) from public;
    grant execute on function purge_messages(integer, integer) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function purge_messages(integer, integer)');
}
