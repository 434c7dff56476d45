import type { Knex } from 'knex';

/** Admins are told of an endpoint that takes nothing for a day, and of one that was switched off for it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_endpoints
      add column failing_since timestamptz(3),
      add column admins_told text check (admins_told in ('failing', 'disabled'));
    comment on column webhook_endpoints.failing_since is 'When the first of the turns in a row ended in which nothing was taken';
    comment on column webhook_endpoints.admins_told is 'What its admins were last told of; null since it works';
    grant update (admins_told) on webhook_endpoints to awareness_service;

    create function keep_failing_since() returns trigger language plpgsql as $$
      begin
        if new.failures > 0 then
          new.failing_since := coalesce(old.failing_since, statement_timestamp());
        else
          new.failing_since := null;
          if new.disabled_because is null then new.admins_told := null; end if;
        end if;
        return new;
      end $$;
    revoke all on function keep_failing_since() from public;
    create trigger webhook_endpoints_failing before update on webhook_endpoints for each row
      when (new.failures <> old.failures or new.disabled_because is distinct from old.disabled_because)
      execute function keep_failing_since();

    -- A job for each company that has an endpoint to tell of, one at a time.
    create function queue_for_failing_webhooks(task text) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        jobs graphile_worker.job_spec[];
      begin
        select array_agg((
          task, json_build_object('companyId', company_id), null, null, null, task || ':' || company_id, 20, null
        )::graphile_worker.job_spec) into jobs from (
          select distinct company_id from webhook_endpoints
           where disabled_because in ('gone', 'failing') and admins_told is distinct from 'disabled'
              or disabled_because is null and admins_told is null and failing_since <= now() - interval '1 day') as of_companies;
        perform graphile_worker.add_jobs(coalesce(jobs, '{}'), true);
      end $$;
    revoke all on function queue_for_failing_webhooks(text) from public;
    grant execute on function queue_for_failing_webhooks(text) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function queue_for_failing_webhooks(text);
    drop trigger webhook_endpoints_failing on webhook_endpoints;
    drop function keep_failing_since();
    alter table webhook_endpoints drop column admins_told, drop column failing_since;
  `);
}
