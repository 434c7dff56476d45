import type { Knex } from 'knex';

/**
 * `managed_by` follows `parent_id`, whoever writes it: who stands above a company decides who reads it.
 *
 * One change of parents at a time, for two of them together could close a circle, or leave a company that is created
 * meanwhile below whom its parent had before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function derive_managers() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    declare
      above uuid := new.parent_id;
    begin
      new.managed_by := '{}';
      if above is not null or (tg_op = 'UPDATE' and old.parent_id is not null) then
        perform pg_advisory_xact_lock(hashtext('companies.parent_id'));
      end if;
      while above is not null loop
        if above = new.id or above = any(new.managed_by) then
          raise exception 'the company % would be below itself', new.id
            using errcode = 'check_violation', constraint = 'companies_no_circle';
        end if;
        new.managed_by := new.managed_by || above;
        select parent_id into above from companies where id = above;
      end loop;
      return new;
    end $$;

    create function derive_managers_below() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      update companies set parent_id = parent_id where managed_by @> array[new.id];
      return null;
    end $$;

    revoke all on function derive_managers(), derive_managers_below() from public;

    create trigger managers_derived before insert or update of parent_id, managed_by on companies
      for each row execute function derive_managers();
    create trigger managers_below_derived after update of parent_id on companies
      for each row when (old.parent_id is distinct from new.parent_id) execute function derive_managers_below();

    update companies set parent_id = parent_id;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger managers_derived on companies;
    drop trigger managers_below_derived on companies;
    drop function derive_managers(), derive_managers_below();
  `);
}
