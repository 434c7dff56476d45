import { expectError, fingerprintOf, get, patch, post } from '../../support/client.ts';
import { managedCourses, unknownId } from '../../support/world.ts';
import { EVERYONE, evaluate, listAssignments, phishing } from './campaign-state.ts';
import { createLearner, forgetCampaigns } from './messages/message-state.ts';

const passwords = { type: 'course', id: managedCourses.passwords };
const campaign = { name: 'Basics', items: [phishing], audience: EVERYONE, due: { days: 10 } };
afterEach(forgetCampaigns);

const create = async (fields: object = {}) =>
  (await post('/campaigns', { ...campaign, status: 'active', ...fields })).body.data.id as string;
const previewChange = async (id: string, body: object) =>
  (await post(`/campaigns/${id}/preview-change`, body)).body.data;
const openOf = async (id: string) => await listAssignments(`campaignId=${id}&assignmentStatus=open&limit=200`);
const peopleOf = (rows: any[]) => new Set(rows.map(({ learner }) => learner.id)).size;

/** Makes the previewed change, evaluates it, and compares the outcome with the preview. */
async function expectAsPreviewed(id: string, body: object): Promise<any> {
  const before = await openOf(id);
  const fingerprint = await fingerprintOf('tenant');
  const preview = await previewChange(id, body);
  expect(await fingerprintOf('tenant')).toBe(fingerprint);
  await patch(`/campaigns/${id}`, body);
  await evaluate();
  const after = await openOf(id);
  const idsOf = (rows: any[]) => new Set(rows.map((row) => row.id));
  const [added, ended] = [
    after.filter((row) => !idsOf(before).has(row.id)),
    before.filter((row) => !idsOf(after).has(row.id)),
  ];
  expect(preview.assigned).toEqual({ learners: peopleOf(added), assignments: added.length });
  expect(preview.ended).toEqual({ learners: peopleOf(ended), assignments: ended.length });
  const { messages, dueDays } = (await get(`/campaigns/${id}/preview`)).body.data;
  const expected = preview.messages.filter((day: any) => day.after > 0);
  expect(expected.map(({ day, after: count }: any) => ({ day, messages: count }))).toEqual(messages);
  expect(preview.dueDays).toEqual(dueDays);
  return preview;
}

test('a smaller audience ends assignments, as the preview counts, and its messages', async () => {
  const [one] = [await createLearner(), await createLearner()];
  const id = await create();
  await evaluate();
  const preview = await expectAsPreviewed(id, { audience: { include: [{ learnerIds: [one.id] }] } });
  expect(preview.ended.learners).toBeGreaterThan(0);
  expect(preview.messages.some(({ before, after }: any) => before > after)).toBe(true);
});

test('adding an item opens assignments, and removing an item ends them', async () => {
  await createLearner();
  const id = await create();
  await evaluate();
  const { assigned, ended } = await expectAsPreviewed(id, { items: [passwords] });
  expect(Math.min(assigned.assignments, ended.assignments)).toBeGreaterThan(0);
});

test('assignments that stay open after leaving the audience do not count as ended', async () => {
  const one = await createLearner();
  const id = await create({ keepOpenAfterLeaving: true });
  await evaluate();
  const audience = { include: [{ learnerIds: [one.id] }] };
  expect((await previewChange(id, { audience })).ended).toEqual({ learners: 0, assignments: 0 });
});

test('ending a campaign ends all of its assignments and messages', async () => {
  await createLearner();
  const id = await create();
  await evaluate();
  const { ended, assigned, messages, dueDays } = await previewChange(id, { status: 'ended' });
  expect(ended.assignments).toBe((await openOf(id)).length);
  expect([assigned.learners, dueDays]).toEqual([0, []]);
  expect(messages.every(({ after }: any) => after === 0)).toBe(true);
});

test('a paused campaign assigns and sends nothing, and continues once it is active again', async () => {
  await createLearner();
  const id = await create();
  await evaluate();
  await createLearner();
  const pause = await previewChange(id, { status: 'paused' });
  expect([pause.assigned.learners, pause.ended.learners]).toEqual([0, 0]);
  expect(pause.dueDays.length).toBeGreaterThan(0);
  expect(pause.messages.some(({ before }: any) => before > 0)).toBe(true);
  expect(pause.messages.every(({ after }: any) => after === 0)).toBe(true);

  await patch(`/campaigns/${id}`, { status: 'paused' });
  const resume = await expectAsPreviewed(id, { status: 'active' });
  expect(resume.assigned.learners).toBe(1);
  expect(resume.messages.every(({ before }: any) => before === 0)).toBe(true);
});

test('a change that the rules reject is rejected by its preview, and an unknown campaign is not found', async () => {
  const id = await create();
  expectError(
    await post(`/campaigns/${id}/preview-change`, { items: [{ type: 'course', id: unknownId }] }),
    404,
    'not_found',
  );
  expectError(await post(`/campaigns/${unknownId}/preview-change`, { name: 'X' }), 404, 'not_found');
});
