import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { learnersToEvaluate } from '../../../src/resources/campaigns/learners-to-evaluate.ts';
import { patch, post } from '../../support/client.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { companies } from '../../support/world.ts';
import { policyId } from '../../support/world-policies.ts';
import { createLearner } from '../reports/past-state.ts';
import { evaluate, finish, inDays, listAssignments, only, phishing, runCampaign, sign } from './campaign-state.ts';

// A comparison that misses a learner leaves the learner's assignments wrong; one that finds too many slows each night.

const items = [phishing, { type: 'policy', id: policyId('tenant', 1) }];
const pool = openServicePool(1);
afterAll(() => pool.end());

async function findChanged(campaignId: string, learnerIds: string[]): Promise<string[]> {
  const tenant = new TenantAccess(pool).ofJob(companies.tenant);
  return (await tenant.queryAll(learnersToEvaluate, { learnerIds, campaignIds: [campaignId] })).map(({ id }) => id);
}

async function evaluateAgain(): Promise<void> {
  await testService.query(`update campaigns set evaluate_at = now() where status = 'running'`);
  await evaluate();
}

test.each([{}, { recurrence: { type: 'yearly' } }, { recurrence: { type: 'afterCompletion', months: 12 } }])(
  'the next evaluation finds no learner in any state without a change, with %j',
  async (fields) => {
    const learnerIds = await Promise.all(Array.from({ length: 6 }, () => createLearner()));
    const [finished, waived, absent, inactive, returned] = learnerIds as [string, string, string, string, string];
    const campaignId = await runCampaign({ items, audience: only(...learnerIds), ...fields });
    await finish(finished);
    await sign(finished);
    const assignmentIds = (await listAssignments(`learnerId=${waived}`)).map(({ id }) => id);
    await post('/assignments/extend', { assignmentIds: assignmentIds.slice(0, 1), until: inDays(40) });
    await post('/assignments/waive', { assignmentIds: assignmentIds.slice(1), reason: 'Not needed' });
    await patch(`/learners/${absent}`, { firstName: 'A', lastName: 'B', absentUntil: inDays(9) });
    await post('/learners/deactivate', { learnerIds: [inactive, returned] });
    await evaluate();
    await post('/learners/activate', { learnerIds: [returned] });
    await evaluate();
    expect(await findChanged(campaignId, learnerIds)).toEqual([]);
  },
);

test('the next evaluation finds and corrects a learner whose assignments or enrolments are not as the campaign asks', async () => {
  const learnerIds = await Promise.all(Array.from({ length: 2 }, () => createLearner()));
  const [one] = learnerIds as [string];
  const campaignId = await runCampaign({ items, audience: only(...learnerIds) });
  const changes = [
    `update campaign_assignments set due_at = due_at - interval '1 day'`,
    'update campaign_assignments set condition = 5',
    'update campaign_assignments set mail_at = null',
    'update campaign_assignments set completed_at = now()',
    `update campaign_assignments set ended_at = now(), ended_because = 'left_audience'`,
    `update campaign_assignments set absent_until = current_date + 9, leave_due_on = current_date + 20`,
    'delete from campaign_assignments',
    'delete from enrollments',
    'delete from policy_results',
  ];
  for (const change of changes) {
    await testService.query(`${change} where learner_id = $1`, [one]);
    expect({ change, found: await findChanged(campaignId, learnerIds) }).toEqual({ change, found: [one] });
    await evaluateAgain();
    expect({ change, found: await findChanged(campaignId, learnerIds) }).toEqual({ change, found: [] });
  }
});
