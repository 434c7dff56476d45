import { expectError, get, post } from '../../support/client.ts';
import { passDays } from '../../support/passing-time.ts';
import { assignmentId } from '../../support/world-campaigns.ts';
import { unknownId } from '../../support/world.ts';
import { here, page, settled } from '../events/event-state.ts';
import { createLearner } from '../reports/past-state.ts';
import { evaluate, finish, inDays, listAssignments, only, runCampaign } from './campaign-state.ts';

let learner: string;
let campaignId: string;
let id: string;

beforeEach(async () => {
  learner = await createLearner();
  campaignId = await runCampaign({ audience: only(learner) });
  [{ id }] = (await listAssignments(`campaignId=${campaignId}`)) as [{ id: string }];
});

const read = async () => (await listAssignments(`campaignId=${campaignId}`))[0];
const enrolled = async () => (await get(`/learners/${learner}/course-results`)).body.data.length;
const change = async (action: string, fields: object = {}) => {
  const { body } = await post(`/assignments/${action}`, { assignmentIds: [id, unknownId], ...fields });
  return body.data;
};
const UNKNOWN = { assignmentId: unknownId, code: 'not_found', message: 'Assignment not found.' };

test('GET /assignments/{assignmentId} explains the assignment', async () => {
  const { body } = await get(`/assignments/${id}`);
  expect(body.data).toEqual({
    ...(await read()),
    explanation: {
      campaignName: 'Basics',
      conditionMet: expect.objectContaining({ learnerIds: [learner], groupIds: null }),
      dueBecause: 'days',
      repeatedBecause: null,
      messages: [],
    },
  });
  await post('/assignments/extend', { assignmentIds: [id], until: inDays(40) });
  expect((await get(`/assignments/${id}`)).body.data.explanation).toMatchObject({ dueBecause: 'extended' });
  expectError(await get(`/assignments/${assignmentId('other')}`), 404, 'not_found');
});

describe('POST /assignments/extend', () => {
  test('moves the due date, so that an overdue assignment is no longer overdue, and moves it back', async () => {
    await passDays(20);
    expect(await read()).toMatchObject({ overdue: true, dueOn: inDays(-6) });
    expect((await listAssignments(`campaignId=${campaignId}&assignmentStatus=overdue`)).length).toBe(1);
    expect(await change('extend', { until: inDays(5) })).toEqual({ changedIds: [id], skipped: [UNKNOWN] });
    expect(await read()).toMatchObject({ overdue: false, dueOn: inDays(5), extendedUntil: inDays(5) });
    await evaluate();
    expect(await read()).toMatchObject({ dueOn: inDays(5) });
    await change('extend', { until: null });
    expect(await read()).toMatchObject({ overdue: true, dueOn: inDays(-6), extendedUntil: null });
  });

  test('rejects a past day, and skips assignments that are completed or belong to another company', async () => {
    const past = await post('/assignments/extend', { assignmentIds: [id], until: inDays(-3) });
    expectError(past, 400, 'invalid_request', ['body/until']);
    await finish(learner);
    const { body } = await post('/assignments/extend', {
      assignmentIds: [id, assignmentId('other')],
      until: inDays(3),
    });
    expect(body.data.skipped).toMatchObject([{ code: 'not_open' }, { code: 'not_found' }]);
  });
});

describe('POST /assignments/waive and POST /assignments/restore', () => {
  test('ends the assignment and its enrolment with a reason, and opens both again', async () => {
    expect(await change('waive', { reason: 'On leave' })).toEqual({ changedIds: [id], skipped: [UNKNOWN] });
    expect(await read()).toMatchObject({ status: 'waived', waived: { reason: 'On leave' }, overdue: false });
    expect(await enrolled()).toBe(0);
    await evaluate();
    expect(await read()).toMatchObject({ status: 'waived' });
    expect((await change('waive', { reason: 'Twice' })).skipped[0]).toMatchObject({ code: 'not_open' });

    expect(await change('restore')).toEqual({ changedIds: [id], skipped: [UNKNOWN] });
    await evaluate();
    expect(await read()).toMatchObject({ status: 'open', waived: null, dueOn: inDays(14) });
    expect(await enrolled()).toBe(1);
    expect((await change('restore')).skipped[0]).toMatchObject({ code: 'not_waived' });
  });
});

test('events report each change to an assignment', async () => {
  const after = await here();
  const other = await createLearner();
  const another = await runCampaign({ audience: only(other), due: { days: 5 } });
  await passDays(6);
  await evaluate();
  const eventId = await finish(other);
  await post('/corrections', { corrections: [{ kind: 'course_result', eventId, action: 'void', reason: 'Wrong' }] });
  const [row] = await listAssignments(`campaignId=${another}`);
  await post('/assignments/waive', { assignmentIds: [row.id], reason: 'On leave' });
  await settled();
  const { events } = await page({ after });
  const own = events.filter(({ type, data }: any) => type.startsWith('assignment.') && data.campaignId === another);
  expect(own.map(({ type }: any) => type)).toEqual(
    ['created', 'due_soon', 'overdue', 'completed', 'reopened', 'waived'].map((name) => `assignment.${name}`),
  );
  expect(own[0]!.data).toMatchObject({ assignmentId: row.id, learnerId: other, item: row.item, round: 1 });
});
