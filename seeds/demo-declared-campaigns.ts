import type { Knex } from 'knex';
import { courseId, courseNamed, ownerId } from './demo-course-rows.ts';
import { companyId, companyOf, fixedId, numberIn } from './demo-ids.ts';

const CREATED_AT = '2025-02-10T09:00:00.000Z';
const LEARNER = '018df51f-9660-7000-8300-000000000018';
const START = '2027-01-11T08:00:00.000Z';
const DATES = { created_at: '2026-11-02T08:30:00.000Z', updated_at: '2026-11-02T08:30:00.000Z' };

/**
 * Inserts two campaigns of the tenant. One runs: the worker of the demo assigns its course, and the seed only its first
 * assignment, which examples name. The other one waits for its start.
 */
export async function insertCampaigns(transaction: Knex.Transaction): Promise<void> {
  const company = companyOf('tenant');
  const idOf = (index: number) => fixedId(Date.parse(CREATED_AT), 'safeguard', numberIn(company, index));
  const [waiting, running, assignment] = [idOf(3), idOf(4), idOf(5)];
  const company_id = companyId(company);
  const course = courseNamed('ai-tools-and-deepfakes');
  const common = { company_id, everyone: true, includes_newcomers: true, keeps_open: false, due_days: 14 };
  await transaction('campaigns').insert([
    {
      ...{ ...common, ...DATES, id: waiting, name: 'Security basics', status: 'scheduled', repeats_yearly: true },
      ...{ start_at: START, evaluate_at: START },
    },
    {
      ...{ ...common, ...DATES, id: running, name: 'AI tools and deepfakes', status: 'running', repeats_yearly: false },
      ...{
        start_at: DATES.created_at,
        started_on: '2026-11-02',
        evaluate_at: DATES.created_at,
      },
    },
  ]);
  const item = { company_id, item_id: courseId(course), course_id: courseId(course), course_owner_id: ownerId(course) };
  await transaction('campaign_items').insert(
    [waiting, running].map((campaign_id) => ({ ...item, campaign_id, position: 1 })),
  );
  await transaction('campaign_assignments').insert({
    ...{ company_id, id: assignment, campaign_id: running, item_id: item.item_id, learner_id: LEARNER, round: 1 },
    ...{
      assigned_at: DATES.created_at,
      due_on: '2026-12-07',
      due_at: '2026-12-08T00:00:00Z',
      results_from: '2026-11-02',
    },
  });
}
