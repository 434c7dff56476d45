import type { Knex } from 'knex';

const JOINED = `
        delete from webhook_tries t
         where t.company_id = company and t.endpoint_id = endpoint and (t.tried_at < ends or not is_there)
           and t.id in (select o.id from webhook_tries o where o.company_id = company and o.endpoint_id = endpoint
                         order by o.id limit greatest(most, 1));`;

const IN_ORDER = `
        select o.id into last from webhook_tries o where o.company_id = company and o.endpoint_id = endpoint
         order by o.id offset greatest(most, 1) - 1 limit 1;
        delete from webhook_tries t
         where t.company_id = company and t.endpoint_id = endpoint and (last is null or t.id <= last)
           and (t.tried_at < ends or not is_there);`;

const purge = (deletion: string): string => `
    create or replace function purge_webhook_tries(days integer, after uuid[], most integer default 5000) returns uuid[]
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        company uuid;
        endpoint uuid;
        last uuid;
        ends timestamptz := now() - greatest(days, 1) * interval '1 day';
        is_there boolean;
        deleted integer;
      begin
        select t.company_id, t.endpoint_id into company, endpoint from webhook_tries t
         where (t.company_id, t.endpoint_id) > (after[1], after[2]) order by t.company_id, t.endpoint_id limit 1;
        if company is null then
          return null;
        end if;
        is_there := exists (select from webhook_endpoints e where e.company_id = company and e.id = endpoint);${deletion}
        get diagnostics deleted = row_count;
        return case when deleted = greatest(most, 1) then after else array[company, endpoint] end;
      end $$`;

/** Deletes up to a place in the index, and joins nothing: without statistics a join of thousands takes seconds. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(purge(IN_ORDER));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(purge(JOINED));
}
