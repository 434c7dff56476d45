import type { Knex } from 'knex';

/** Admins are told 30, 7 and 1 day before a key expires. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_keys add column expiry_told_days smallint;
    comment on column api_keys.expiry_told_days is 'How many days before the expiry its admins were last told of it.';
    grant select (expiry_told_days), update (expiry_told_days) on api_keys to awareness_service;

    -- A job for each company that has a key to tell of, once a day however often it is called.
    create function queue_for_expiring_keys(task text, day date) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        jobs graphile_worker.job_spec[];
      begin
        select array_agg((
          task, json_build_object('companyId', company_id, 'day', day), null, null, null,
          task || ':' || company_id || ':' || day, 20, null
        )::graphile_worker.job_spec) into jobs from (
          select distinct company_id from api_keys
           where revoked_at is null and replaced_by is null
             and expires_at between now() and now() + interval '30 days') as of_companies;
        perform graphile_worker.add_jobs(coalesce(jobs, '{}'), true);
      end $$;
    revoke all on function queue_for_expiring_keys(text, date) from public;
    grant execute on function queue_for_expiring_keys(text, date) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function queue_for_expiring_keys(text, date);
    alter table api_keys drop column expiry_told_days;
  `);
}
