import type { Knex } from 'knex';

const time = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Builds the condition that at least one of the columns has changed. Compares the columns one by one, because pg_dump
 * prints a comparison of whole rows differently from its source.
 */
const anyChanged = (...columns: string[]): string =>
  columns.map((column) => `new.${column} is distinct from old.${column}`).join(' or ');

const CONFIGURATION = ['url', 'types', 'simulation_ids', 'group_ids', 'sealed_secret'];

/**
 * Creates the row triggers that write events of API keys and webhook endpoints. Almost every use of a key or an
 * endpoint updates its row, which is not an event; the conditions of the triggers skip these updates at no cost.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function emit_api_key_events() returns trigger language plpgsql as $$
      begin
        if not public.events_are_read(new.company_id) then return null; end if;
        perform public.write_events(new.company_id, array_agg(e.type), array_agg(e.data))
          from (
            select 'api_key.created', jsonb_build_object('apiKeyId', new.id, 'expiresAt', ${time('new.expires_at')})
             where tg_op = 'INSERT'
            union all
            select 'api_key.rotated', jsonb_build_object('apiKeyId', new.id, 'replacedBy', new.replaced_by,
                                                         'expiresAt', ${time('new.expires_at')})
             where tg_op = 'UPDATE' and new.replaced_by is not null and new.replaced_by is distinct from old.replaced_by
            union all
            select 'api_key.expiring', jsonb_build_object('apiKeyId', new.id, 'expiresAt', ${time('new.expires_at')})
             where tg_op = 'UPDATE' and new.expiry_notice_days is distinct from old.expiry_notice_days
            union all
            select 'api_key.revoked', jsonb_build_object('apiKeyId', new.id)
             where tg_op = 'UPDATE' and new.revoked_at is not null and old.revoked_at is null
          ) as e (type, data);
        return null;
      end $$;
    revoke all on function emit_api_key_events() from public;
    create trigger api_keys_emit_insert after insert on api_keys for each row execute function emit_api_key_events();
    create trigger api_keys_emit_update after update on api_keys for each row
      when (${anyChanged('replaced_by', 'expiry_notice_days', 'revoked_at')})
      execute function emit_api_key_events();

    create function emit_webhook_endpoint_events() returns trigger language plpgsql as $$
      declare
        is_deleted constant boolean := tg_op = 'DELETE';
        company constant uuid := case when is_deleted then old.company_id else new.company_id end;
      begin
        if not public.events_are_read(company) then return null; end if;
        perform public.write_events(company, array_agg(e.type), array_agg(e.data))
          from (
            select 'webhook_endpoint.created', jsonb_build_object('webhookEndpointId', new.id) where tg_op = 'INSERT'
            union all
            select 'webhook_endpoint.updated', jsonb_build_object('webhookEndpointId', new.id)
             where tg_op = 'UPDATE'
               and (${anyChanged(...CONFIGURATION)}
                    or new.disabled_because is null and old.disabled_because is not null)
            union all
            select 'webhook_endpoint.paused', jsonb_build_object('webhookEndpointId', new.id,
                                                                 'pausedUntil', ${time('new.paused_until')})
             where tg_op = 'UPDATE' and new.disabled_because is null
               and new.paused_until is distinct from old.paused_until
               and new.paused_until >= statement_timestamp() + interval '1 minute'
            union all
            select 'webhook_endpoint.disabled', jsonb_build_object('webhookEndpointId', new.id,
                                                                   'reason', new.disabled_because)
             where tg_op = 'UPDATE' and new.disabled_because is not null and old.disabled_because is null
            union all
            select 'webhook_endpoint.deleted', jsonb_build_object('webhookEndpointId', old.id) where is_deleted
          ) as e (type, data);
        return null;
      end $$;
    revoke all on function emit_webhook_endpoint_events() from public;
    create trigger webhook_endpoints_emit_insert after insert on webhook_endpoints
      for each row execute function emit_webhook_endpoint_events();
    create trigger webhook_endpoints_emit_update after update on webhook_endpoints for each row
      when (${anyChanged(...CONFIGURATION, 'paused_until', 'disabled_because')})
      execute function emit_webhook_endpoint_events();
    create trigger webhook_endpoints_emit_delete after delete on webhook_endpoints
      for each row execute function emit_webhook_endpoint_events();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger webhook_endpoints_emit_insert on webhook_endpoints;
    drop trigger webhook_endpoints_emit_update on webhook_endpoints;
    drop trigger webhook_endpoints_emit_delete on webhook_endpoints;
    drop trigger api_keys_emit_insert on api_keys;
    drop trigger api_keys_emit_update on api_keys;
    drop function emit_webhook_endpoint_events(), emit_api_key_events();
  `);
}
