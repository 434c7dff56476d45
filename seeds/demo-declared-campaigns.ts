import type { Knex } from 'knex';
import { courseId, courseNamed, ownerId } from './demo-course-rows.ts';
import { companyId, findCompany, fixedId, numberIn } from './demo-ids.ts';

const CREATED_AT = '2025-02-10T09:00:00.000Z';
const LEARNER = '018df51f-9660-7000-8300-000000000018';
const START = '2027-01-11T08:00:00.000Z';
const DATES = { created_at: '2026-11-02T08:30:00.000Z', updated_at: '2026-11-02T08:30:00.000Z' };

/**
 * Inserts two campaigns of the tenant. One runs, with an assignment for each active learner who is enrolled in its
 * course. It includes no newcomers, and the worker does not evaluate it again for all learners, so that the demo's
 * figures stay the same. The other campaign has not started yet.
 */
export async function insertCampaigns(transaction: Knex.Transaction): Promise<void> {
  const company = findCompany('tenant');
  const idOf = (index: number) => fixedId(Date.parse(CREATED_AT), 'safeguard', numberIn(company, index));
  const [waiting, running, assignment] = [idOf(3), idOf(4), idOf(5)];
  const company_id = companyId(company);
  const course = courseNamed('mobile-devices');
  const common = { company_id, everyone: true, keeps_open: false, due_days: 14 };
  await transaction('campaigns').insert([
    {
      ...{ ...common, ...DATES, id: waiting, name: 'Security basics', status: 'scheduled', repeats_yearly: true },
      ...{ includes_newcomers: true, start_at: START, evaluate_at: START },
    },
    {
      ...{ ...common, ...DATES, id: running, name: 'Mobile devices', status: 'running', repeats_yearly: false },
      ...{
        includes_newcomers: false,
        start_at: DATES.created_at,
        started_on: '2026-11-02',
        assigned_at: DATES.created_at,
        evaluate_at: '2099-01-01T00:00:00Z',
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
  await transaction.raw(
    `insert into campaign_assignments (company_id, id, campaign_id, item_id, learner_id, round, assigned_at, due_on, due_at,
                                       results_from, completed_at, due_soon_at, overdue_at)
     select e.company_id, overlay(e.learner_id::text placing '8a' from 20 for 2)::uuid, :running, e.course_id, e.learner_id, 1,
            :start, date '2026-11-16', '2026-11-17Z', date '2026-10-19',
            case when e.passed then e.finish_date::timestamp at time zone 'UTC' end, '2026-11-09Z', '2026-11-17Z'
       from enrollments e join learners l on l.company_id = e.company_id and l.id = e.learner_id and not l.inactive
      where e.company_id = :company_id and e.course_id = :course and e.learner_id <> :learner`,
    { company_id, running, course: item.item_id, learner: LEARNER, start: DATES.created_at },
  );
}
