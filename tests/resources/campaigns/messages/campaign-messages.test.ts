import { patch, post, put } from '../../../support/client.ts';
import { EVERYONE, phishing } from '../campaign-state.ts';

const campaign = { name: 'Basics', items: [phishing], audience: EVERYONE, due: { days: 14 } };
const path = '/campaigns';
const DEFAULTS = {
  reminders: { before: [7, 1], after: [1, 7, 14] },
  ...{ message: null, replyName: null, escalation: null },
};
const given = {
  reminders: { before: [1, 30], after: [] },
  ...{ message: '  Please hurry. ', replyName: 'Jane Doe', escalation: { afterDays: 7 } },
};
const stored = { ...given, reminders: { before: [30, 1], after: [] }, message: 'Please hurry.' };

test('a campaign has the default reminders, and keeps fields that a change omits', async () => {
  const { body } = await post('/campaigns', campaign);
  expect(body.data).toMatchObject(DEFAULTS);
  const change = async (fields: object) => (await patch(`/campaigns/${body.data.id}`, fields)).body.data;
  expect(await change(given)).toMatchObject(stored);
  expect(await change({ reminders: { after: [2] } })).toMatchObject({
    ...stored,
    reminders: { before: [30, 1], after: [2] },
  });
  expect(await change({ message: null, replyName: null, escalation: null })).toMatchObject({
    message: null,
    escalation: null,
  });
});

test('replacing a campaign resets the messages that the request omits, and repeating it changes nothing', async () => {
  expect((await put(path, { externalId: 'security-basics', ...campaign, ...given })).body).toMatchObject({
    data: stored,
  });
  const first = (await put(path, { externalId: 'security-basics', ...campaign, reminders: { before: [3] } })).body.data;
  expect(first).toMatchObject({ ...DEFAULTS, reminders: { before: [3], after: [1, 7, 14] } });
  expect(
    (await put(path, { externalId: 'security-basics', ...campaign, reminders: { before: [3] } })).body.data,
  ).toEqual(first);
});

test.each([
  [{ reminders: { before: [0] } }, 'body/reminders/before/0'],
  [{ reminders: { after: [1, 1] } }, 'body/reminders/after'],
  [{ reminders: {} }, 'body/reminders'],
  [{ message: 'Two\nlines' }, 'body/message'],
  [{ replyName: '' }, 'body/replyName'],
  [{ escalation: {} }, 'body/escalation'],
])('%j returns 400 and names the field', async (fields, field) => {
  const { status, body } = await post('/campaigns', { ...campaign, ...fields });
  expect(status).toBe(400);
  expect(body.error!.details[0]!.field).toMatch(new RegExp(`^${field}`));
});
