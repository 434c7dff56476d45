import type { Schemas } from '../../../contract/contract.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import { companyZone, toCompanyDay, toDayStart } from '../../learners/shared/company-days.ts';
import type { DayRange } from '../../simulations/sending/plan-rules.ts';
import { audience } from '../audience.ts';

/** A template among the items of a campaign, with the facts that decide when its simulation starts. */
export interface TemplateItem {
  campaignId: string;
  templateId: string;
  templateName: string;
  campaignName: string;
  status: Schemas['CampaignStatus'];
  /** Time of the evaluation: now, or the start of a campaign that has not started. */
  at: string;
  /** The company's calendar date at that time. */
  today: string;
  timeZone: string;
  startedOn: string;
  dueDays: number | null;
  dueDate: string | null;
  /** Number of months between two rounds; null if the campaign does not repeat. */
  repeatMonths: number | null;
  /** Whether all active learners get the simulation. */
  isForEveryone: boolean;
  /**
   * The latest round that the service has started or tried to start, and its first day; null before the first round.
   */
  lastRound: number | null;
  lastBeganOn: string | null;
  hasFailed: boolean;
  /** Days on which no learner of the company gets messages. */
  excludedDays: DayRange[];
}

/** Finds the templates among the items of a campaign that has not ended, in the order of the items. */
export const templateItems = query<{ campaignId: string }, TemplateItem>(
  'campaign_template_items',
  (p) => sql`
    select c.id as "campaignId", i.item_id as "templateId", t.name as "templateName", c.name as "campaignName", c.status,
           n.at, ${toCompanyDay(p, sql`n.at`)}::text as today, ${companyZone(p)} as "timeZone",
           coalesce(c.started_on, ${toCompanyDay(p, sql`n.at`)})::text as "startedOn",
           c.due_days as "dueDays", c.due_date::text as "dueDate",
           case when c.repeats_yearly then 12 else c.repeat_months end as "repeatMonths",
           c.everyone and c.includes_newcomers
             and not exists (select from campaign_conditions f
                              where f.company_id = ${p.companyId} and f.campaign_id = c.id and f.excludes) as "isForEveryone",
           i.simulation_round as "lastRound", i.simulation_began_on::text as "lastBeganOn",
           i.simulation_failure is not null as "hasFailed", coalesce((
             select jsonb_agg(jsonb_build_object('fromDate', x.from_date, 'toDate', x.to_date) order by x.from_date, x.to_date)
               from simulation_exclusions x
              where x.company_id = ${p.companyId} and x.from_date is not null), '[]') as "excludedDays"
      from campaigns c
     cross join lateral (
       select case when c.started_on is null then greatest(now(), c.start_at) else now() end as at) as n
      join campaign_items i on i.company_id = ${p.companyId} and i.campaign_id = c.id and i.removed_at is null
      join simulation_templates t on t.owner_id = i.template_owner_id and t.id = i.template_id
     where c.company_id = ${p.companyId} and c.id = ${p.campaignId} and c.status <> 'ended'
     order by i.position`,
);

interface AudiencePage {
  campaignId: string;
  afterId: string;
  limit: number;
}

/**
 * Reads learners in the order of their ids, and whether each of them gets a simulation of the campaign. If newcomers
 * are excluded, only learners who have an assignment of the campaign, or were sent an earlier simulation of it, get
 * one. Before the first assignment or simulation, only learners who were created by the end of the first day do.
 */
export const audiencePage = query<AudiencePage, { id: string; isIncluded: boolean }>(
  'campaign_simulation_audience',
  (p) => sql`
    select l.id, exists (select from ${audience(p)} as in_audience)
             and (c.includes_newcomers
                  or (c.assigned_at is null
                      and (c.started_on is null or l.created_at < ${toDayStart(p, sql`(c.started_on + 1)`)})
                      and not exists (select from simulations s where s.company_id = ${p.companyId} and s.campaign_id = c.id))
                  or exists (select from campaign_assignments a
                              where a.company_id = ${p.companyId} and a.learner_id = l.id and a.campaign_id = c.id)
                  or exists (select from simulation_recipients r
                               join simulations s on s.company_id = ${p.companyId} and s.id = r.simulation_id
                                and s.campaign_id = c.id
                              where r.company_id = ${p.companyId} and r.learner_id = l.id)) as "isIncluded"
      from (select * from learners where company_id = ${p.companyId} and id > ${p.afterId}
             order by id limit ${p.limit}::integer) as l
      join campaigns c on c.company_id = ${p.companyId} and c.id = ${p.campaignId}
     order by l.id`,
);

interface RoundOfTemplate {
  campaignId: string;
  templateId: string;
  round: number;
  /** First day of the round. */
  beganOn: string;
}

/** Records that the simulation of a round has started. */
export const recordRound = mutation<RoundOfTemplate>(
  'campaign_record_simulation_round',
  (p) => sql`
    update campaign_items
       set simulation_round = ${p.round}, simulation_began_on = ${p.beganOn}, simulation_failure = null
     where company_id = ${p.companyId} and campaign_id = ${p.campaignId} and item_id = ${p.templateId}`,
);

/** Records why the simulation of a round has not started, unless another worker has started it. */
export const recordFailure = mutation<RoundOfTemplate & { failure: string }>(
  'campaign_record_simulation_failure',
  (p) => sql`
    update campaign_items i
       set simulation_round = ${p.round}, simulation_began_on = ${p.beganOn}, simulation_failure = ${p.failure}
     where i.company_id = ${p.companyId} and i.campaign_id = ${p.campaignId} and i.item_id = ${p.templateId}
       and not exists (select from simulations s
                        where s.company_id = ${p.companyId} and s.campaign_id = i.campaign_id
                          and s.campaign_item_id = i.item_id and s.campaign_round = ${p.round})`,
);

/** Sets the first day of the latest round to today, if that round began before the given day. */
export const postponeRounds = mutation<Pick<RoundOfTemplate, 'campaignId' | 'beganOn'> & { today: string }>(
  'campaign_postpone_simulation_rounds',
  (p) => sql`
    update campaign_items set simulation_began_on = ${p.today}
     where company_id = ${p.companyId} and campaign_id = ${p.campaignId} and simulation_began_on < ${p.beganOn}`,
  { beganOn: '2026-11-30', today: '2026-11-30' },
);

/** Locks the open simulations of a campaign that is paused or ended, and of templates that were removed from it. */
export const lockStopped = mutation<{ campaignId: string }, { id: string }>(
  'campaign_lock_stopped_simulations',
  (p) => sql`
    select s.id from simulations s
      join campaigns c on c.company_id = ${p.companyId} and c.id = s.campaign_id
      join campaign_items i on i.company_id = ${p.companyId} and i.campaign_id = s.campaign_id
       and i.item_id = s.campaign_item_id
     where s.company_id = ${p.companyId} and s.campaign_id = ${p.campaignId} and s.status in ('scheduled', 'running')
       and (c.status in ('paused', 'ended') or i.removed_at is not null)
     order by s.id for no key update of s`,
);
