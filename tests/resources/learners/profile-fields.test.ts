import { timeZoneName } from '../../../src/contract/geography.ts';
import { type Answer, get, patch, post } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';
import { eventsOf, here } from '../events/event-state.ts';
import { expectRefused, fieldsOf, forgetNewLearners } from '../tenant-state.ts';
import { keptTexts, refusedTexts } from '../text-cases.ts';

const profile = {
  department: 'Research',
  jobTitle: 'Mathematician',
  country: 'GB',
  location: 'London, 2nd floor',
  timeZone: 'Europe/London',
  absentUntil: '2026-08-21',
};
const unknown = { department: null, jobTitle: null, country: null, location: null, timeZone: null, absentUntil: null };
const TEXTS = ['department', 'jobTitle', 'location'];

const ada = { email: 'ada.new@tenant.test', firstName: 'Ada', lastName: 'Lovelace' };
const create = (fields: object = {}): Promise<Answer> => post('/learners', { ...ada, ...fields });
const third = `/learners/${learnerId('tenant', 3)}`;
const names = { firstName: 'Katherine', lastName: 'tenant' };
const change = (fields: object): Promise<Answer> => patch(third, { ...names, ...fields });

/** Returns the learner's entry in the list of changes since the given time. */
async function findChanged(since: string, id: string) {
  const { body } = await get(`/learners?updatedSince=${encodeURIComponent(since)}`);
  return body.data.find((item: { id: string }) => item.id === id);
}

async function syncPoint(): Promise<string> {
  const { body } = await get(`/learners?updatedSince=${encodeURIComponent(new Date().toISOString())}`);
  return (body as unknown as { syncedUntil: string }).syncedUntil;
}

afterEach(forgetNewLearners);
afterEach(async () => expect((await change(unknown)).status).toBe(200));

test('a created learner has the given fields in every response', async () => {
  const { status, body } = await create(profile);
  expect(status).toBe(200);
  expect(body.data).toMatchObject(profile);
  expect((await get(`/learners/${body.data.id}`)).body.data).toMatchObject(profile);
  expect((await get('/learners?q=ada lovelace')).body.data).toMatchObject([profile]);
});

test('a learner without the fields has null in every response', async () => {
  const { body } = await create();
  expect(body.data).toMatchObject(unknown);
  expect((await get('/learners?q=ada lovelace')).body.data).toMatchObject([unknown]);
});

test.each([
  ['country', ' gb ', 'GB'],
  ['country', 'xk', 'XK'],
  ['timeZone', 'europe/berlin', 'Europe/Berlin'],
  ['timeZone', ' ASIA/CALCUTTA ', 'Asia/Calcutta'],
  ['department', '  R&D 100% ', 'R&D 100%'],
])('%s %j is stored as %s by each way to write it', async (field, sent, stored) => {
  expect((await create({ [field]: sent })).body.data[field]).toBe(stored);
  expect((await change({ [field]: sent })).body.data[field]).toBe(stored);
  const row = { ...ada, email: 'row@tenant.test', [field]: sent };
  const made = (await post('/learners/bulk', { learners: [row] })).body.data.created[0].learnerId;
  expect((await get(`/learners/${made}`)).body.data[field]).toBe(stored);
  const { body } = await patch('/learners/bulk', { learners: [{ learner: { id: made }, [field]: sent }] });
  expect(body.data.updated).toMatchObject([{ changed: false }]);
});

test.each(keptTexts)('%s is stored unchanged except for surrounding white space', async (_case, text) => {
  const texts = { department: text, jobTitle: text, location: text };
  const kept = { department: text.trim(), jobTitle: text.trim(), location: text.trim() };
  expect((await create(texts)).body.data).toMatchObject(kept);
});

describe.each(TEXTS)('%s', (field) => {
  test.each(refusedTexts)('of %s returns 400 naming the field and changes nothing', async (_case, value) => {
    const answer = await expectRefused(() => create({ [field]: value }), 400, 'invalid_request');
    expect(new Set(fieldsOf(answer))).toEqual(new Set([`body/${field}`]));
    const changed = await expectRefused(() => change({ [field]: value }), 400, 'invalid_request');
    expect(new Set(fieldsOf(changed))).toEqual(new Set([`body/${field}`]));
  });
});

test.each([
  ...['', ' ', 'D', 'DEU', 'Germany', 'UK', 'EU', 'ZZ', 'XA', 'DD', 'ß', 'D\0', '%%', 49, ['DE']].map((value) => [
    'country',
    value,
  ]),
  ...['', ' ', '+01:00', 'BST', 'UTC+1', 'Europe/Atlantis', 'Europe/Berlin\0', 'x'.repeat(65), 1].map((value) => [
    'timeZone',
    value,
  ]),
  ...['', '2026-02-30', '21.8.2026', '0999-12-31', '2026-08-21T00:00:00Z', 5].map((value) => ['absentUntil', value]),
])('%s %j returns 400 naming the field and changes nothing', async (field, value) => {
  for (const call of [create, change]) {
    const answer = await expectRefused(() => call({ [field as string]: value }), 400, 'invalid_request');
    expect(new Set(fieldsOf(answer))).toEqual(new Set([`body/${String(field)}`]));
  }
});

test.each(Object.keys(profile).filter((field) => field !== 'absentUntil'))(
  '%s null returns 400 in a creation',
  async (field) => {
    await expectRefused(() => create({ [field]: null }), 400, 'invalid_request', [`body/${field}`]);
  },
);

test('null clears a field, and an omitted field keeps its value', async () => {
  expect((await change(profile)).body.data).toMatchObject(profile);
  expect((await change({ country: null })).body.data).toMatchObject({ ...profile, country: null });
  expect((await change(unknown)).body.data).toMatchObject(unknown);
});

test.each(Object.entries(profile))('a change of %s sets updatedAt and is in updatedSince', async (field, value) => {
  const since = await syncPoint();
  const before = (await get(third)).body.data;
  const after = (await change({ [field]: value })).body.data;
  expect(after).toEqual({ ...before, [field]: value, updatedAt: expect.any(String) });
  expect(after.updatedAt > before.updatedAt).toBe(true);
  expect(await findChanged(since, before.id)).toMatchObject({ [field]: value });
  expect((await change({ [field]: value })).body.data.updatedAt).toBe(after.updatedAt);
});

test('a bulk change sets and clears fields', async () => {
  const set = (fields: object) =>
    patch('/learners/bulk', { learners: [{ learner: { id: learnerId('tenant', 3) }, ...fields }] });
  expect((await set(profile)).body.data.updated).toMatchObject([{ changed: true }]);
  expect((await get(third)).body.data).toMatchObject(profile);
  expect((await set({ jobTitle: null })).body.data.updated).toMatchObject([{ changed: true }]);
  expect((await get(third)).body.data).toMatchObject({ ...profile, jobTitle: null });
  expect((await set({ jobTitle: null })).body.data.updated).toMatchObject([{ changed: false }]);
});

test('an invalid field fails only its row', async () => {
  const fields = [
    { department: 'x'.repeat(201) },
    { jobTitle: 'Analyst\u202e' },
    { location: '' },
    { country: 'EU' },
    { timeZone: '+01:00' },
    { absentUntil: '2026-02-30' },
    { department: 'x'.repeat(200) },
  ];
  const rows = fields.map((one, index) => ({ ...ada, email: `row${index}@tenant.test`, ...one }));
  const { body } = await post('/learners/bulk', { learners: rows });
  expect(body.data.created.map(({ index }: { index: number }) => index)).toEqual([6]);
  const starts = [
    '`department` must have at',
    '`jobTitle` must',
    '`location` must',
    '`country` must',
    '`timeZone` must',
    '`absentUntil` must',
  ];
  expect(body.data.errors).toMatchObject(
    starts.map((start, index) => ({ index, code: 'invalid_request', message: expect.stringContaining(start) })),
  );
  for (const invalid of fields.slice(0, 6)) {
    const item = { learner: { id: learnerId('tenant', 3) }, ...invalid };
    const { updated, errors } = (await patch('/learners/bulk', { learners: [item] })).body.data;
    expect([updated, errors]).toMatchObject([[], [{ index: 0, code: 'invalid_request' }]]);
  }
});

test('every name of a time zone that Postgres has is accepted in capitals', async () => {
  const zones = (await testService.query('select name from pg_timezone_names')) as { name: string }[];
  const names = zones.map(({ name }) => name).filter((name) => !/^(posix|Factory|localtime)/.test(name));
  expect(names.length).toBeGreaterThan(400);
  expect(names.filter((name) => timeZoneName(name.toUpperCase()) !== name)).toEqual([]);
});

test('a change of each field emits learner.updated', async () => {
  await here();
  for (const fields of [...Object.entries(profile), ...Object.entries(unknown)])
    expect(await eventsOf(() => change(Object.fromEntries([fields])))).toEqual([
      ['learner.updated', { learnerId: learnerId('tenant', 3) }],
    ]);
});
