import { del, expectError, get, post } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { companies, managedCourses } from '../../support/world.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { createLearner, dayBefore, daysAgo, uniqueId, waitPastMidnight } from '../reports/past-state.ts';
import { create } from '../policies/policy-state.ts';
import { merged, undone } from './merge-state.ts';

beforeEach(waitPastMidnight);

test.each([['only the duplicate', false] as const, ['both learners', true] as const])(
  'a queued simulation message for %s belongs to its recipient after the merge and after undoing it',
  async (_who, isOfBoth) => {
    const [from, into] = [await createLearner(), await createLearner()];
    const simulation = simulationId('tenant', 3);
    await testService.query(
      `with queued as (
         insert into messages (company_id, id, kind, learner_id, subject_ids)
         select $1, gen_random_uuid(), 'simulation', l, array[$2::uuid] from unnest($3::uuid[]) as l
         returning id, learner_id)
       insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, message_id)
       select $1, $2, learner_id, now(), id from queued`,
      [companies.tenant, simulation, isOfBoth ? [from, into] : [from]],
    );
    const queued = async () => {
      const rows = await testService.query(
        `select m.learner_id, r.learner_id as recipient_id
           from simulation_recipients r left join messages m on m.company_id = r.company_id and m.id = r.message_id
          where r.message_id is not null and r.learner_id = any($1) order by 2`,
        [[from, into]],
      );
      return rows.map((row: any) => [row.learner_id, row.recipient_id]);
    };
    const { id } = await merged(from, into);
    expect(await queued()).toEqual([[into, into]]);
    await undone(id);
    const recipient = isOfBoth ? into : from;
    expect(await queued()).toEqual([[recipient, recipient]]);
    const recipients = await testService.query('select from simulation_recipients where learner_id = any($1)', [
      [from, into],
    ]);
    expect(recipients).toHaveLength(isOfBoth ? 2 : 1);
  },
);

test("the remaining learner's past has the records of both learners, and undoing separates them", async () => {
  const [from, into] = [await createLearner(), await createLearner()];
  const policyId = (await create()).id;
  await post('/course-enrollments', { learnerIds: [from], courseIds: [managedCourses.phishing] });
  await post('/policy-assignments', { learnerIds: [from, into], policyIds: [policyId] });
  const signature = { learner: { id: from }, policyId, eventId: uniqueId(), signedAt: daysAgo(0), offline: true };
  await post('/policy-signatures', { signatures: [signature] });
  const outcomes = async (learnerId: string) => {
    const path = `policyId=${policyId}&learnerId=${learnerId}&asOf=${dayBefore(1)}`;
    const { status, body } = await get(`/reports/policy-results?${path}`);
    return status === 200 ? body.data.map(({ outcome }: any) => outcome) : status;
  };
  const courses = async (learnerId: string) =>
    (await get(`/reports/learning?learnerId=${learnerId}&asOf=${dayBefore(1)}`)).body.data.rows.length;
  await passDay();
  const states = async () => [await outcomes(from), await outcomes(into), await courses(from), await courses(into)];
  expect(await states()).toEqual([['signed'], ['unsigned'], 1, 0]);
  const { id } = await merged(from, into);
  expect(await outcomes(into)).toEqual(['signed']);
  expect(await courses(into)).toBe(1);
  await undone(id);
  expect(await states()).toEqual([['signed'], ['unsigned'], 1, 0]);
});

test("facts that arrive with the duplicate's id reach the remaining learner, who is found by it", async () => {
  const [from, into] = [await createLearner(), await createLearner()];
  const { id } = await merged(from, into);
  const policyId = (await create()).id;
  const signature = { learner: { id: from }, policyId, eventId: uniqueId(), signedAt: daysAgo(0), offline: true };
  expect((await post('/policy-signatures', { signatures: [signature] })).body.data.failures).toEqual([]);
  for (const path of ['', '/policy-results', '/risk-history']) {
    const [one, other] = [await get(`/learners/${from}${path}`), await get(`/learners/${into}${path}`)];
    expect([one.status, one.body.data]).toEqual([200, other.body.data]);
  }
  expectError(await del(`/learners/${from}`), 404, 'not_found');
  expect((await get(`/learners/${into}`)).status).toBe(200);
  await undone(id);
  expect((await get(`/learners/${from}`)).body.data.id).toBe(from);
});

test('the audit log entry of a merge has both learners', async () => {
  const [from, into] = [await createLearner(), await createLearner()];
  await merged(from, into, 'Two imports');
  const { body } = await get('/audit-log?operation=mergeLearners&limit=1');
  for (const id of [from, into]) expect(JSON.stringify(body.data)).toContain(id);
});

test('interactions of a recipient are found by the former id', async () => {
  const [from, into] = [await createLearner(), await createLearner()];
  const simulation = { externalId: uniqueId() };
  const startDate = daysAgo(0);
  const fields = { name: 'Parcel notice', deliveryMethod: 'email', startDate };
  const { id } = (await post('/simulations', { ...simulation, ...fields })).body.data;
  const event = { simulation, learner: { id: from }, occurredAt: startDate };
  const events = ['sent', 'visited'].map((type) => ({ ...event, type, eventId: uniqueId() }));
  expect((await post('/simulation-events', { events })).body.data.failures).toEqual([]);
  await merged(from, into);
  const { body } = await get(`/simulations/${id}/interactions?learnerId=${from}`);
  expect(body.data.map((interaction: any) => [interaction.type, interaction.learnerId])).toEqual([['visited', into]]);
  expect(
    (await get(`/simulations/${id}/interactions?learnerId=${(await createLearner()).toUpperCase()}`)).body,
  ).toMatchObject({ data: [] });
});
