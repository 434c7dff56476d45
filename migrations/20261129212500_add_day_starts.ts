import type { Knex } from 'knex';

/**
 * Lets a day begin with the first of two midnights, and evaluates running campaigns again when the company's time zone
 * has changed, because due times depend on it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Returns the start of a day. If midnight occurs twice because clocks go back, Postgres would use the second one.
    create function day_start(day date, zone text) returns timestamptz
      language sql immutable parallel safe
      return case
        when ((day::timestamp at time zone zone) - interval '1 hour') at time zone zone = day::timestamp
        then (day::timestamp at time zone zone) - interval '1 hour'
        else day::timestamp at time zone zone
      end;
    revoke all on function day_start from public;
    grant execute on function day_start to awareness_service;

    create function evaluate_campaigns_again() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      update campaigns set evaluate_at = now(), evaluated_learner_id = null
       where company_id = new.company_id and status = 'running';
      return null;
    end $$;
    revoke all on function evaluate_campaigns_again from public;
    create trigger company_settings_campaigns_insert after insert on company_settings
      for each row when (new.time_zone is not null) execute function evaluate_campaigns_again();
    create trigger company_settings_campaigns_update after update on company_settings
      for each row when (new.time_zone is distinct from old.time_zone) execute function evaluate_campaigns_again();`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function evaluate_campaigns_again cascade;
    drop function day_start;`);
}
