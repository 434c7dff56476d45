import type { Knex } from 'knex';

/** Approving an application with a key, and ending that, leave an entry in the audit log of the company of the key. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The grant is in its table already, where nobody has been given its tokens.
    create function approve_grant(grant_id text, client text, host text, request_id text, address text) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        approved record;
      begin
        update oauth_grants g set client_name = client, redirect_host = host from api_keys k
         where g.id = grant_id and k.id = g.api_key_id
        returning g.client_id, k.id, k.company_id into approved;
        if not found then return; end if;
        update oauth_clients c set approved_at = now() where c.id = approved.client_id;
        insert into audit_log (company_id, actor_type, actor_id, actor_company_id, operation, outcome, targets, fields,
                               request_id, address)
        values (approved.company_id, 'key', approved.id, approved.company_id, 'approveGrant', 'done',
                jsonb_build_array(jsonb_build_object('field', 'grantId', 'count', 1, 'ids', array[grant_id])), '{}',
                request_id, address);
      end $$;

    -- Its tokens go with it.
    create function end_grant(grant_id text, request_id text, address text) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        ended record;
      begin
        for ended in
          delete from oauth_grants g using api_keys k where g.id = grant_id and k.id = g.api_key_id returning k.company_id
        loop
          insert into audit_log (company_id, actor_type, actor_id, actor_company_id, operation, outcome, targets, fields,
                                 request_id, address)
          values (ended.company_id, 'grant', grant_id, ended.company_id, 'endGrant', 'done',
                  jsonb_build_array(jsonb_build_object('field', 'grantId', 'count', 1, 'ids', array[grant_id])), '{}',
                  request_id, address);
        end loop;
      end $$;
    revoke all on function approve_grant(text, text, text, text, text), end_grant(text, text, text) from public;
    grant execute on function approve_grant(text, text, text, text, text), end_grant(text, text, text) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function approve_grant(text, text, text, text, text), end_grant(text, text, text)');
}
