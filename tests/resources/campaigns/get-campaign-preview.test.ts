import { get, patch, post } from '../../support/client.ts';
import { groupId, managedCourses, unknownId } from '../../support/world.ts';
import { EVERYONE, evaluate, listAssignments, phishing } from './campaign-state.ts';
import { createLearner, dayOf, finish, forgetCampaigns, inDays, liveDays } from './messages/message-state.ts';

const passwords = { type: 'course', id: managedCourses.passwords };
const campaign = { name: 'Basics', items: [phishing, passwords], audience: EVERYONE, due: { days: 10 } };
afterEach(forgetCampaigns);

const create = async (fields: object) => (await post('/campaigns', { ...campaign, ...fields })).body.data.id as string;
const preview = async (id: string) => (await get(`/campaigns/${id}/preview`)).body.data;
const learnersOf = async (id: string) => (await get(`/campaigns/${id}/preview/learners?limit=200`)).body.data;
/** Returns the fields that assignments and previews share, in sorted order. */
const common = (rows: any[]) =>
  rows
    .map(({ learner, item, round, condition, dueOn }) => ({ learner, item, round, condition, dueOn }))
    .toSorted((a, b) => (a.learner.id + a.item.id < b.learner.id + b.item.id ? -1 : 1));

/** Starts a campaign, lets weeks pass, and compares the outcome with the preview. */
async function expectAsPreviewed(id: string): Promise<any> {
  const [figures, rows] = [await preview(id), await learnersOf(id)];
  await patch(`/campaigns/${id}`, { status: 'active' });
  await evaluate();
  const assigned = await listAssignments(`campaignId=${id}&limit=200`);
  expect(common(rows)).toEqual(common(assigned));
  const completed = assigned.filter(({ status }) => status === 'completed').length;
  const learners = new Set(assigned.map(({ learner }) => learner.id)).size;
  expect(figures).toMatchObject({ learners, assignments: assigned.length, completedAtOnce: completed });
  expect(rows.filter(({ completedAtOnce }: any) => completedAtOnce)).toHaveLength(completed);
  const due = new Map<string, number>();
  for (const { dueOn, status } of assigned) if (status === 'open') due.set(dueOn, (due.get(dueOn) ?? 0) + 1);
  expect(figures.dueDays).toEqual([...due].toSorted().map(([day, assignments]) => ({ day, assignments })));
  const sent = new Map<string, number>();
  for (const { day } of await liveDays(45)) sent.set(day, (sent.get(day) ?? 0) + 1);
  expect(figures.messages).toEqual([...sent].toSorted().map(([day, messages]) => ({ day, messages })));
  return figures;
}

test('a preview has the learners, due dates, completions and message days of the campaign', async () => {
  const done = await createLearner({ timeZone: 'Asia/Tokyo' });
  await createLearner({ timeZone: 'America/New_York', locale: 'fr' });
  for (const days of [-3, 2, 9, 16]) await createLearner({ absentUntil: dayOf(inDays(days)) });
  await finish(done, phishing.id);
  const { completedAtOnce, clashes } = await expectAsPreviewed(await create({ reminders: { before: [9, 4, 2] } }));
  expect(completedAtOnce).toBeGreaterThan(0);
  expect(clashes).toEqual([]);
});

test('a preview has the condition that each learner meets, and the due date of the campaign', async () => {
  const named = await createLearner();
  await createLearner({ department: 'Sales' });
  const include = [{ groupIds: [groupId('tenant', 1)] }, { departments: ['sales'] }, { learnerIds: [named.id] }];
  const due = { date: inDays(20).toISOString().slice(0, 10) };
  const reminders = { before: [], after: [3, 5] };
  const id = await create({
    items: [passwords],
    audience: { include, exclude: [{ countries: ['FR'] }] },
    due,
    reminders,
  });
  await expectAsPreviewed(id);
});

test('a running campaign previews its remaining assignments, and an ended campaign previews none', async () => {
  const id = await create({ status: 'active' });
  await evaluate();
  const { messages, ...figures } = await preview(id);
  expect(figures).toMatchObject({ learners: 0, assignments: 0 });
  expect(messages.length).toBeGreaterThan(3);
  await liveDays(4);
  expect((await preview(id)).messages).toEqual(messages.filter(({ day }: any) => day > dayOf(inDays(3))));
  const later = await createLearner();
  expect(await learnersOf(id)).toMatchObject([{ learner: later }, { learner: later }]);
  await patch(`/campaigns/${id}`, { status: 'ended' });
  expect([await preview(id), await learnersOf(id)]).toMatchObject([{ learners: 0, messages: [] }, []]);
});

test('a preview names other campaigns with the same item, and how many learners are in both', async () => {
  const learner = await createLearner();
  const audience = { include: [{ learnerIds: [learner.id] }] };
  const other = await create({ name: 'Other', items: [phishing], audience });
  const ended = await create({ name: 'Ended', items: [phishing] });
  await patch(`/campaigns/${ended}`, { status: 'ended' });
  const { clashes } = await preview(await create({ items: [passwords, phishing] }));
  expect(clashes).toEqual([{ campaignId: other, name: 'Other', status: 'draft', items: [phishing], learners: 1 }]);
});

test('a preview of a campaign that does not exist returns 404', async () => {
  for (const path of ['preview', 'preview/learners']) {
    expect((await get(`/campaigns/${unknownId}/${path}`)).status).toBe(404);
  }
  const id = await create({});
  expect((await get(`/campaigns/${id}/preview`, 'other')).status).toBe(404);
});
