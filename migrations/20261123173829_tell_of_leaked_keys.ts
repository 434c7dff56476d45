import type { Knex } from 'knex';

/** Revokes found keys as before, with a job for each of their companies, whose admins are told. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    revoking(
      `
        jobs graphile_worker.job_spec[];`,
      `
        select array_agg((
          'tell_leaked_keys', json_build_object('companyId', of_company.id, 'keyIds', of_company.key_ids), null, null, null,
          null, 20, null
        )::graphile_worker.job_spec) into jobs from (
          select k.company_id as id, array_agg(k.id) as key_ids from api_keys k
           where k.key_hash = any (hashes) and k.revoked_at is null group by k.company_id) as of_company;
        perform graphile_worker.add_jobs(jobs);`,
    ),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(revoking('', ''));
}

const revoking = (declared: string, queued: string) => `
    create or replace function revoke_keys(hashes bytea[], request_id text, address text) returns void
      language plpgsql security definer set search_path = public, pg_temp as $function$
      declare
        found_key record;${declared}
      begin
        -- Also an update of no row has every process look all keys up again.
        if not exists (select from api_keys where key_hash = any (hashes) and revoked_at is null) then
          return;
        end if;${queued}
        for found_key in
          update api_keys set revoked_at = now() where key_hash = any (hashes) and revoked_at is null
          returning company_id, id
        loop
          insert into audit_log (company_id, actor_type, actor_id, actor_company_id, operation, outcome, targets, fields,
                                 request_id, address)
          values (found_key.company_id, 'key', found_key.id, found_key.company_id, 'revokeLeakedKeys', 'done',
                  jsonb_build_array(jsonb_build_object('field', 'keys', 'count', 1, 'ids', array[found_key.id])),
                  '{keys}', request_id, address);
        end loop;
      end $function$`;
