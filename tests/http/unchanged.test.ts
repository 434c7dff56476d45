import { call, get, patch, put } from '../support/client.ts';
import { policyId, templateId } from '../support/world-policies.ts';
import { simulationTemplateId } from '../support/world-simulations.ts';
import { groupId, type KeyName, learnerId, ownCourseId } from '../support/world.ts';

const picked = (data: Record<string, unknown>, fields: readonly string[]) =>
  Object.fromEntries(fields.flatMap((field) => (data[field] === null ? [] : [[field, data[field]]])));

const THINGS: [path: string, fields: string[], others?: object, key?: KeyName][] = [
  [
    `/learners/${learnerId('tenant', 1)}`,
    [
      ...['email', 'firstName', 'lastName', 'externalLearnerId', 'locale', 'excludedFromAutoEnrol'],
      ...['department', 'jobTitle', 'country', 'location', 'timeZone', 'managerId', 'absentUntil'],
    ],
  ],
  [`/groups/${groupId('tenant', 1)}`, ['name']],
  [
    `/courses/${ownCourseId('tenant')}`,
    [
      'name',
      'subject',
      'difficulty',
      'description',
      'durationMinutes',
      'passMark',
      'validForMonths',
      'locales',
      'externalId',
    ],
  ],
  [`/policies/${policyId('tenant', 1)}`, ['name', 'category', 'isPublic'], { action: 'live' }],
  [`/policy-templates/${templateId('msp', 1)}`, ['name', 'category', 'locales'], { action: 'live' }, 'msp'],
  [`/simulation-templates/${simulationTemplateId('tenant')}`, ['name', 'difficulty']],
];

test.each(THINGS)(
  'a PATCH of %s without a change keeps updatedAt and the tag',
  async (path, fields, others = {}, key = 'tenant') => {
    const read = await get(path, key);
    expect(read.status).toBe(200);
    const body = { ...picked(read.body.data, fields), ...others };
    expect(Object.keys(body).length).toBeGreaterThan(0);
    const same = await patch(path, body, key);
    expect({ status: same.status, error: same.body.error }).toEqual({ status: 200, error: undefined });
    const after = await get(path, key);
    expect(after.body).toEqual(read.body);
    expect(after.headers.get('etag')).toBe(read.headers.get('etag'));
    const other = await patch(
      path,
      { ...body, ...('lastName' in body ? { lastName: 'Another' } : { name: 'Another name' }) },
      key,
    );
    expect(other.status).toBe(200);
    expect((await get(path, key)).body.data).not.toEqual(read.body.data);
  },
);

test.each([
  [`/policies/${policyId('tenant', 1)}`, ['name', 'category', 'isPublic'], 'tenant'],
  [`/policy-templates/${templateId('msp', 1)}`, ['name', 'category', 'locales'], 'msp'],
] as const)('a PATCH of %s with an unchanged draft keeps updatedAt and the tag', async (path, fields, key) => {
  const { body } = await get(path, key);
  const draft = { ...picked(body.data, fields), action: 'draft' };
  expect((await patch(path, draft, key)).body.data.draft).toMatchObject(picked(body.data, fields));
  const begun = await get(path, key);
  expect((await patch(path, draft, key)).status).toBe(200);
  const after = await get(path, key);
  expect(after.body).toEqual(begun.body);
  expect(after.headers.get('etag')).toBe(begun.headers.get('etag'));
});

test('setting the current groups and managers keeps the tag and updatedAt', async () => {
  const [learner, group] = [`/learners/${learnerId('tenant', 1)}`, `/groups/${groupId('tenant', 1)}`];
  const before = [await get(learner), await get(group)];
  const groupIds = before[0]!.body.data.groups.map(({ id }: { id: string }) => id);
  expect((await put(`${learner}/groups`, { groupIds })).status).toBe(200);
  const managers = before[1]!.body.data.managers.map(({ id }: { id: string }) => id);
  expect((await call('tenant', 'PUT', `${group}/managers`, { body: { managerIds: managers } })).status).toBe(200);
  for (const [place, path] of [learner, group].entries()) expect((await get(path)).body).toEqual(before[place]!.body);
});
