import type { Knex } from 'knex';
import { companies, type CompanyName, id, learnerId, ownCourseId } from './world.ts';

/** Returns the id of a company's campaign, which is paused and assigns the company's own course to learner 4. */
export function campaignId(company: CompanyName): string {
  return id('d', 0x8000 + Object.keys(companies).indexOf(company));
}

/** Returns the id of the only assignment of the campaign. */
export function assignmentId(company: CompanyName): string {
  return id('d', 0x8100 + Object.keys(companies).indexOf(company));
}

export async function createCampaign(knex: Knex, company: CompanyName): Promise<void> {
  const company_id = companies[company];
  const campaign = { company_id, campaign_id: campaignId(company) };
  const courseId = ownCourseId(company);
  await knex('campaigns').insert({
    ...{
      company_id,
      id: campaignId(company),
      external_id: 'basics',
      name: 'Basics',
      status: 'paused',
      everyone: false,
    },
    ...{ includes_newcomers: true, keeps_open: false, start_at: '2026-03-02T08:30:00Z', due_days: 14 },
    ...{ started_on: '2026-03-02', repeats_yearly: false, assigned_at: '2026-03-02T08:30:05Z' },
  });
  await knex('campaign_conditions').insert({
    ...{ ...campaign, position: 0, excludes: false, learner_ids: [learnerId(company, 4)] },
  });
  await knex('campaign_items').insert({
    ...{ ...campaign, item_id: courseId, position: 1, course_owner_id: company_id, course_id: courseId },
  });
  await knex('campaign_assignments').insert({
    ...{ ...campaign, id: assignmentId(company), item_id: courseId, learner_id: learnerId(company, 4), round: 1 },
    ...{ condition: 0, due_on: '2026-03-16', due_at: '2026-03-17T00:00:00Z', results_from: '2026-03-02' },
    ...{ due_soon_at: '2026-03-10T00:00:00Z', overdue_at: '2026-03-17T00:00:00Z' },
  });
  await knex('campaign_changes').insert({ company_id, learner_id: learnerId(company, 4) });
  await knex('campaign_mail_days').insert({ company_id, learner_id: learnerId(company, 4), mailed_on: '2026-03-02' });
  await knex('campaign_digests').insert({ company_id, time_zone: 'Europe/Berlin', next_at: '2099-01-05T08:00:00Z' });
}
