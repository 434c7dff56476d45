import { patch } from '../../../support/client.ts';
import { evaluate, runCampaign } from '../campaign-state.ts';
import { createLearner, forgetCampaigns, inDays, liveDays, nextWorkingDays, queueAt, sendAt } from './message-state.ts';

afterEach(forgetCampaigns);

test.each([
  ['removed', () => null],
  [
    'shortened',
    (first: number) =>
      inDays(first + 1)
        .toISOString()
        .slice(0, 10),
  ],
])('a leave that is %s after it has held a message back lets messages be sent again', async (_change, until) => {
  const learner = await createLearner();
  const leave = async (absentUntil: string | null) => {
    const changed = await patch(`/learners/${learner.id}`, { firstName: 'Radia', lastName: 'Perlman', absentUntil });
    expect(changed.status).toBe(200);
    await evaluate();
  };
  await runCampaign({ audience: { include: [{ learnerIds: [learner.id] }] }, due: { days: 5 } });
  const first = nextWorkingDays();
  await queueAt(inDays(first, '10:00'));
  await leave(inDays(100).toISOString().slice(0, 10));
  expect(await sendAt(inDays(first, '10:05'))).toEqual([]);
  await leave(until(first));
  expect((await liveDays(10, first)).length).toBeGreaterThan(0);
});
