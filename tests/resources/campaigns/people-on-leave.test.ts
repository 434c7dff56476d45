import fc from 'fast-check';
import { get, patch, post } from '../../support/client.ts';
import { passDays } from '../../support/passing-time.ts';
import { learnerId } from '../../support/world.ts';
import { createLearner, waitPastMidnight } from '../reports/past-state.ts';
import { corrected } from '../corrections/correction-state.ts';
import { evaluate, finish, inDays, listAssignments, only, runCampaign } from './campaign-state.ts';

beforeAll(waitPastMidnight);

let learner: string;
let campaignId: string;

const set = async (absentUntil: string | null) => {
  const { status } = await patch(`/learners/${learner}`, { firstName: 'Past', lastName: 'Away', absentUntil });
  expect(status).toBe(200);
};
const read = async () => (await listAssignments(`campaignId=${campaignId}`))[0];
const explain = async () => (await get(`/assignments/${(await read()).id}`)).body.data.explanation.dueBecause;
const overdue = async () =>
  (await get(`/reports/overdue?by=department&campaignId=${campaignId}`)).body.data[0].overdueAssignments;
const overdueEvents = async () =>
  (await testService.query('select from campaign_assignments where campaign_id = $1 and overdue_at is not null', [
    campaignId,
  ])) as unknown[];

const begin = async (fields: object = {}) => {
  learner = await createLearner();
  campaignId = await runCampaign({ audience: only(learner), due: { days: 10 }, ...fields });
};

test('a leave moves the due date, nothing becomes overdue during it, and the former due date returns with null', async () => {
  await begin();
  await set(inDays(20));
  const moved = { dueOn: inDays(31), overdue: false, extendedUntil: null };
  expect([await read(), await explain()]).toMatchObject([moved, 'return']);
  await evaluate();
  await set(inDays(20));
  expect(await read()).toMatchObject(moved);
  await passDays(15);
  await evaluate();
  expect(await read()).toMatchObject({ dueOn: inDays(16), overdue: false });
  expect([await overdue(), (await overdueEvents()).length]).toEqual([0, 0]);
  await set(null);
  await evaluate();
  expect([await read(), await explain()]).toMatchObject([{ dueOn: inDays(-5), overdue: true }, 'days']);
  expect([await overdue(), (await overdueEvents()).length]).toEqual([1, 1]);
});

test('a leave whose last day has passed keeps its effect, and a leave until a past day has none', async () => {
  await begin();
  await set(inDays(-1));
  expect(await read()).toMatchObject({ dueOn: inDays(10) });
  await set(inDays(2));
  expect(await read()).toMatchObject({ dueOn: inDays(13) });
  await passDays(3);
  await set(null);
  await evaluate();
  expect([await read(), await explain()]).toMatchObject([{ dueOn: inDays(10) }, 'return']);
});

test('an extension and a leave do not shorten each other', async () => {
  await begin();
  const { id } = await read();
  const extend = (until: string | null) => post('/assignments/extend', { assignmentIds: [id], until });
  await extend(inDays(60));
  await set(inDays(20));
  expect([await read(), await explain()]).toMatchObject([{ dueOn: inDays(60) }, 'extended']);
  await extend(inDays(15));
  expect(await read()).toMatchObject({ dueOn: inDays(31), extendedUntil: inDays(15) });
  await set(null);
  expect([await read(), await explain()]).toMatchObject([{ dueOn: inDays(15) }, 'extended']);
});

test('an assignment made or opened again during a leave is due after it, even in a paused campaign', async () => {
  learner = await createLearner();
  await set(inDays(20));
  campaignId = await runCampaign({ audience: only(learner), due: { date: inDays(3) } });
  expect([await read(), await explain()]).toMatchObject([{ dueOn: inDays(35) }, 'return']);
  const { id } = await read();
  await post('/assignments/waive', { assignmentIds: [id], reason: 'On leave' });
  await set(inDays(30));
  await post('/assignments/restore', { assignmentIds: [id] });
  await evaluate();
  expect(await read()).toMatchObject({ dueOn: inDays(45) });
  await patch(`/campaigns/${campaignId}`, { status: 'paused' });
  await set(null);
  expect([await read(), await explain()]).toMatchObject([{ dueOn: inDays(3) }, 'date']);
});

test('a leave of another company changes nothing', async () => {
  await begin();
  const names = { firstName: 'Past', lastName: 'Away', absentUntil: inDays(20) };
  expect((await patch(`/learners/${learner}`, names, 'other')).status).toBe(404);
  expect((await patch(`/learners/${learnerId('other', 1)}`, names, 'other')).status).toBe(200);
  expect(await read()).toMatchObject({ dueOn: inDays(10) });
  await patch(`/learners/${learnerId('other', 1)}`, { ...names, absentUntil: null }, 'other');
});

/** A day of leave relative to today; null removes the leave. */
const day = fc.option(fc.integer({ min: -4, max: 25 }));
const step = fc.oneof(
  fc.record({ until: day }),
  fc.record({ pass: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ evaluate: fc.constant(true) }),
);

test('after any changes of leave, the due date is the latest one of the campaign and of leaves that were not removed', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
    await begin();
    let today = 0;
    // Leaves that have ended, and the current leave, by day since the start of the test.
    const ended: number[] = [];
    let current: number | null = null;
    for (const next of steps) {
      if ('pass' in next) {
        await passDays(next.pass);
        today += next.pass;
      } else if ('evaluate' in next) await evaluate();
      else {
        const until = next.until === null ? null : today + next.until;
        await set(next.until === null ? null : inDays(next.until));
        if (current !== null && current < today) ended.push(current);
        const wasOver = current === null || current < today;
        if (until !== null && until < today && wasOver) current = null;
        else current = until;
      }
      const due = Math.max(10, ...[...ended, ...(current === null ? [] : [current])].map((last) => last + 11));
      expect((await read()).dueOn).toBe(inDays(due - today));
    }
  });
  await fc.assert(property, { numRuns: 6, interruptAfterTimeLimit: 30_000 });
});

describe('an assignment that opens again during a leave is due after it', () => {
  test.each(['running', 'paused'])('when its result is voided in a %s campaign', async (status) => {
    await begin();
    const eventId = await finish(learner);
    await set(inDays(30));
    if (status === 'paused') await patch(`/campaigns/${campaignId}`, { status });
    await passDays(15);
    await evaluate();
    await corrected({ eventId, action: 'void' });
    expect(await read()).toMatchObject({ status: 'open', dueOn: inDays(26), overdue: false });
    await evaluate();
    expect(await overdueEvents()).toEqual([]);
  });

  test('when its waiver is withdrawn', async () => {
    await begin();
    const { id } = await read();
    await post('/assignments/waive', { assignmentIds: [id], reason: 'On leave' });
    await set(inDays(30));
    await passDays(15);
    await post('/assignments/restore', { assignmentIds: [id] });
    expect(await read()).toMatchObject({ status: 'open', dueOn: inDays(26), overdue: false });
  });
});
