import type { Knex } from 'knex';

/**
 * Milestones may be derived anew from what was seen: an update that sets `judged_at` moves them freely, and one that takes
 * a milestone back says when. Any other update keeps to the first time of each, as before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table simulation_recipients
      add column judged_at timestamptz(3),
      add column withdrawn_at timestamptz(3);
    grant insert, update (scheduled_at, sent_at, opened_at, visited_at, compromised_at, reported_at, judged_at, withdrawn_at)
      on simulation_recipients to awareness_service;
    ${keepMilestones('new.judged_at is not distinct from old.judged_at')}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${keepMilestones('true')}
    revoke insert, update (scheduled_at, sent_at, opened_at, visited_at, compromised_at, reported_at, judged_at, withdrawn_at)
      on simulation_recipients from awareness_service;
    alter table simulation_recipients drop column judged_at, drop column withdrawn_at;
  `);
}

/** @param isPlain when an update is held to what is stored */
function keepMilestones(isPlain: string): string {
  return `
    create or replace function keep_milestones() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'UPDATE' then
        if (old.company_id, old.simulation_id, old.learner_id, old.id)
           <> (new.company_id, new.simulation_id, new.learner_id, new.id) then
          raise exception 'a message stays whose it is'
            using errcode = 'check_violation', constraint = 'simulation_recipients_forward';
        end if;
        if ${isPlain} then
          if (old.scheduled_at is not null and new.scheduled_at is null)
             or (old.sent_at is not null and new.sent_at is null)
             or (old.opened_at is not null and new.opened_at is null)
             or (old.visited_at is not null and new.visited_at is null)
             or (old.compromised_at is not null and new.compromised_at is null)
             or (old.reported_at is not null and new.reported_at is null) then
            raise exception 'a milestone that is reached stays'
              using errcode = 'check_violation', constraint = 'simulation_recipients_forward';
          end if;
          if old.sent_at is not null then new.scheduled_at := old.scheduled_at; end if;
          -- The first time counts: an event that comes again, or late, changes nothing.
          new.sent_at := coalesce(old.sent_at, new.sent_at);
          new.opened_at := coalesce(old.opened_at, new.opened_at);
          new.visited_at := coalesce(old.visited_at, new.visited_at);
          new.compromised_at := coalesce(old.compromised_at, new.compromised_at);
          new.reported_at := coalesce(old.reported_at, new.reported_at);
        end if;
      end if;
      -- Who gave data away was on the page, and who was on the page has seen the message.
      new.visited_at := coalesce(new.visited_at, new.compromised_at);
      new.opened_at := coalesce(new.opened_at, new.visited_at);
      return new;
    end $$;`;
}
