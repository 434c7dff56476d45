import type { Knex } from 'knex';

/** Lets templates of simulations be items of campaigns, which begin a simulation in each round. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table campaign_items
      add column template_owner_id uuid,
      add column template_id uuid,
      -- The latest round in which the service began the simulation of a template, or tried to, and the day on which
      -- that round began; null before the first round.
      add column simulation_round smallint,
      add column simulation_began_on date,
      -- Reason why the service could not schedule the simulation of that round; null if it could.
      add column simulation_failure text,
      drop constraint campaign_items_check,
      add constraint campaign_items_check check (
        item_id = coalesce(course_id, policy_id, template_id) and num_nonnulls(course_id, policy_id, template_id) = 1),
      add constraint campaign_items_template_owner check (
        (template_id is null) = (template_owner_id is null)
        and (template_owner_id = managed_catalogue() or template_owner_id = company_id)),
      add constraint campaign_items_template foreign key (template_owner_id, template_id) references simulation_templates,
      add constraint campaign_items_round check (
        simulation_round > 0 and (simulation_round is null) = (simulation_began_on is null));
    create index campaign_items_of_template on campaign_items (template_id, company_id) where template_id is not null;

    -- The campaign, template and round that a simulation belongs to; null if no campaign began the simulation.
    alter table simulations
      add column campaign_id uuid,
      add column campaign_item_id uuid,
      add column campaign_round smallint,
      add constraint simulations_campaign foreign key (company_id, campaign_id) references campaigns on delete cascade,
      add constraint simulations_campaign_whole check (num_nulls(campaign_id, campaign_item_id, campaign_round) in (0, 3));
    create unique index simulations_campaign_round
      on simulations (campaign_id, company_id, campaign_item_id, campaign_round) where campaign_id is not null;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table simulations drop column campaign_id, drop column campaign_item_id, drop column campaign_round;
    delete from campaign_items where template_id is not null;
    alter table campaign_items
      drop constraint campaign_items_check,
      drop constraint campaign_items_template_owner,
      drop constraint campaign_items_round,
      drop column template_owner_id,
      drop column template_id,
      drop column simulation_round,
      drop column simulation_began_on,
      drop column simulation_failure,
      add constraint campaign_items_check check (
        item_id = coalesce(course_id, policy_id) and (course_id is null) <> (policy_id is null));`);
}
