import { type Answer, call, get, post } from '../../support/client.ts';
import { groupId, learnerId, unknownId } from '../../support/world.ts';
import {
  expectNoFailure,
  expectRefused,
  fieldsOf,
  findStored,
  forgetNewLearners,
  groupsOf,
  setPlan,
} from '../tenant-state.ts';

type Item = { learner: object } & Record<string, unknown>;
const change = (learners: unknown): Promise<Answer> =>
  call('tenant', 'PATCH', '/learners/bulk', { body: { learners } });
const race = (learners: Item[]) => call('tenant', 'PATCH', '/learners/bulk', { body: { learners }, alone: false });
const named = (name: string) => ({
  email: `${name}@new.test`,
  firstName: name,
  lastName: 'New',
  externalLearnerId: name,
});

/** Creates learners with the given names and returns their ids. */
async function create(...names: string[]): Promise<string[]> {
  const { created } = (await post('/learners/bulk', { learners: names.map(named) })).body.data;
  return created.map((one: { learnerId: string }) => one.learnerId);
}

/** Sends the items and returns `changed`, `unchanged` or the error code of each. */
async function codesOf(items: Item[]): Promise<string[]> {
  const { status, body } = await change(items);
  expect(status).toBe(200);
  const codes: string[] = [];
  for (const { index, changed } of body.data.updated) codes[index] = changed ? 'changed' : 'unchanged';
  for (const { index, code } of body.data.errors) codes[index] = code;
  expect(body.data.success).toBe(body.data.errors.length === 0);
  return codes;
}

const by = (email: string) => ({ email: `${email}@new.test` });
const swapOf = (a: string, b: string) => [
  { learner: by(a), email: `${b}@new.test` },
  { learner: by(b), email: `${a}@new.test` },
];

afterEach(forgetNewLearners);

describe('PATCH /learners/bulk', () => {
  test('changes only the given fields of learners named by id, email or externalLearnerId', async () => {
    const [ada, bob, eve] = await create('ada', 'bob', 'eve');
    const { body } = await change([
      { learner: { id: ada }, email: 'Ada.King@new.test', locale: 'de_CH' },
      { learner: { email: 'BOB@new.test' }, lastName: 'Builder', externalLearnerId: null },
      { learner: { externalLearnerId: ' eve ' }, firstName: 'Eva', excludedFromAutoEnrol: true },
    ]);
    const updated = [ada, bob, eve].map((id, index) => ({ index, learnerId: id, changed: true }));
    expect(body.data).toEqual({ success: true, updated, errors: [] });
    const fields = { groups: [], locale: null, excludedFromAutoEnrol: false };
    const expected = [
      { ...fields, ...named('ada'), email: 'Ada.King@new.test', locale: 'de-CH' },
      { ...fields, ...named('bob'), lastName: 'Builder', externalLearnerId: null },
      { ...fields, ...named('eve'), firstName: 'Eva', excludedFromAutoEnrol: true },
    ];
    for (const [place, id] of [ada, bob, eve].entries()) {
      expect((await get(`/learners/${id}`)).body.data).toMatchObject(expected[place]!);
    }
  });

  test('replaces the groups of a learner, or adds and removes groups', async () => {
    const [one, two] = [groupId('tenant', 1), groupId('tenant', 2)];
    const [ada, bob, eve] = await create('ada', 'bob', 'eve');
    await change([ada, bob, eve].map((id) => ({ learner: { id }, groupIds: [one] })));
    const items = [
      { learner: { id: ada }, groupIds: [two] },
      { learner: { id: bob }, addGroupIds: [two, one] },
      { learner: { id: eve }, addGroupIds: [two], removeGroupIds: [one] },
    ];
    expect(await codesOf(items)).toEqual(['changed', 'changed', 'changed']);
    expect(await Promise.all([ada!, bob!, eve!].map(groupsOf))).toEqual([[two], [one, two], [two]]);
    expect(await codesOf(items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(await codesOf([{ learner: { id: ada }, groupIds: [] }])).toEqual(['changed']);
    expect(await groupsOf(ada!)).toEqual([]);
  });

  test('leaves learners untouched who already match', async () => {
    const [ada] = await create('ada');
    const before = (await get(`/learners/${ada}`)).body.data;
    const { email, firstName, externalLearnerId } = named('ada');
    expect(await codesOf([{ learner: by('ada'), email, firstName, externalLearnerId, groupIds: [] }])).toEqual([
      'unchanged',
    ]);
    expect((await get(`/learners/${ada}`)).body.data).toEqual(before);
  });

  test('changes an inactive learner without a free seat', async () => {
    await setPlan({ limit: 2 });
    const five = { learner: { id: learnerId('tenant', 5) } };
    expect(await codesOf([{ ...five, locale: 'fr' }])).toEqual(['changed']);
    expect((await get(`/learners/${learnerId('tenant', 5)}`)).body.data).toMatchObject({
      inactive: true,
      locale: 'fr',
    });
  });

  test('learners can swap email and externalLearnerId, in pairs and in a ring', async () => {
    const [ada, bob, eve] = await create('ada', 'bob', 'eve');
    expect(await codesOf(swapOf('ada', 'bob'))).toEqual(['changed', 'changed']);
    expect((await findStored('bob@new.test'))!.id).toBe(ada);
    const ring = [ada, bob, eve].map((id, place) => {
      const next = ['bob', 'eve', 'ada'][place];
      return { learner: { id }, email: `${next}@NEW.test`, externalLearnerId: next };
    });
    expect(await codesOf(ring)).toEqual(['changed', 'changed', 'changed']);
    expect(await findStored('eve@new.test')).toMatchObject({ id: bob, external_learner_id: 'eve' });
    expect(await findStored('ada@new.test')).toMatchObject({ id: eve, external_learner_id: 'ada' });
  });

  test('an item is rejected if the item that should free its address is rejected', async () => {
    const [ada, bob] = await create('ada', 'bob', 'eve');
    const { body } = await change([
      { learner: by('eve'), email: 'bob@new.test' },
      { learner: by('bob'), email: 'ada@new.test' },
      { learner: by('ada'), email: 'ada@gmail.com' },
    ]);
    expect(body.data.updated).toEqual([]);
    expect(body.data.errors).toMatchObject([
      { index: 0, code: 'email_taken', holderId: bob },
      { index: 1, code: 'email_taken', holderId: ada },
      { index: 2, code: 'email_provider_not_allowed', holderId: null, learnerId: ada },
    ]);
  });

  test('rejects the later of two items that set the same address or name the same learner', async () => {
    const [ada] = await create('ada', 'bob', 'eve');
    const { body } = await change([
      { learner: by('ada'), email: 'same@new.test' },
      { learner: by('bob'), email: 'SAME@new.test' },
      { learner: by('eve'), email: 'bob@new.test' },
      { learner: { id: ada }, locale: 'fr' },
    ]);
    expect(body.data.updated).toEqual([{ index: 0, learnerId: ada, changed: true }]);
    expect(body.data.errors).toMatchObject([
      { index: 1, code: 'email_taken', holderId: ada },
      { index: 2, code: 'email_taken' },
      {
        index: 3,
        code: 'invalid_request',
        learnerId: ada,
        message: 'An earlier item of this request names the same learner.',
      },
    ]);
  });

  test('reports an error for each invalid item and changes the others', async () => {
    const [ada, bob] = await create('ada', 'bob');
    const [group] = [groupId('tenant', 1)];
    const wrong: [object, string][] = [
      [{ email: 'no address' }, 'invalid_request'],
      [{ email: 'learner1@tenant.test' }, 'email_taken'],
      [{ externalLearnerId: ' HR-1 ' }, 'external_learner_id_taken'],
      [{ lastName: 'www.new.test' }, 'invalid_request'],
      [{ groupIds: [groupId('other', 1)] }, 'not_found'],
      [{ removeGroupIds: [unknownId] }, 'not_found'],
      [{ groupIds: [], addGroupIds: [group] }, 'invalid_request'],
      [{ addGroupIds: [group], removeGroupIds: [group] }, 'invalid_request'],
    ];
    for (const [fields, code] of wrong) {
      const items = [
        { learner: { id: bob }, locale: 'fr', ...fields },
        { learner: { id: ada }, groupIds: [group] },
      ];
      expect((await codesOf(items))[0]).toBe(code);
    }
    expect((await get(`/learners/${bob}`)).body.data).toMatchObject({ ...named('bob'), locale: null, groups: [] });
    expect(await groupsOf(ada!)).toEqual([group]);
    for (const learner of [{ id: learnerId('other', 1) }, by('nobody'), { externalLearnerId: 'nobody' }]) {
      expect(await codesOf([{ learner, locale: 'fr' }])).toEqual(['not_found']);
    }
  });

  test('writes one audit log entry that lists the learners by id, however the items name them', async () => {
    const [ada, bob] = await create('ada', 'bob');
    await change([
      { learner: by('ada'), locale: 'fr' },
      { learner: { id: bob }, locale: 'fr' },
    ]);
    const [entry] = (await get('/audit-log?operation=updateLearners')).body.data.entries;
    expect(entry.targets).toContainEqual({ field: 'updated/learnerId', count: 2, ids: [ada, bob] });
  });

  test('with domain lock on, rejects new addresses in other domains and keeps existing ones', async () => {
    await create('ada', 'bob');
    await setPlan({ domainLock: true });
    const items = [
      { learner: by('ada'), email: 'ada@tenant.test' },
      { learner: by('bob'), email: 'bob@sub.tenant.test' },
    ];
    expect(await codesOf(items)).toEqual(['changed', 'email_domain_not_allowed']);
    expect(await codesOf([{ learner: by('bob'), email: 'bob@new.test', locale: 'fr' }])).toEqual(['changed']);
  });

  test('moves 3,000 learners to another domain and into a group', async () => {
    await create(...Array.from({ length: 3000 }, (_, n) => `bulk${n}`));
    const items = Array.from({ length: 3000 }, (_, n) => {
      return { learner: by(`bulk${n}`), email: `bulk${n}@moved.test`, groupIds: [groupId('tenant', 1)] };
    });
    const { body } = await change(items);
    expect(body.data).toMatchObject({ success: true, errors: [] });
    expect((await get(`/groups/${groupId('tenant', 1)}`)).body.data.learnerCount).toBe(3003);
  });

  test('concurrent swaps of the same learners run one after the other', async () => {
    const [ada] = await create('ada', 'bob');
    const swaps = Array.from({ length: 6 }, () => race(swapOf('ada', 'bob')));
    expect(await expectNoFailure(swaps)).toEqual({ 200: 6 });
    expect((await findStored('ada@new.test'))!.id).toBe(ada);
  });

  const item = { learner: { id: unknownId }, locale: 'fr' };

  test.each<[string, unknown, string]>([
    ['no learners', undefined, 'body/learners'],
    ['an empty list', [], 'body/learners'],
    ['10,001 learners', Array.from({ length: 10_001 }, () => item), 'body/learners'],
    ['an item without a change', [item, { learner: item.learner }], 'body/learners/1'],
    ['an item without a learner', [{ locale: 'fr' }], 'body/learners/0/learner'],
    ['a learner named by two keys', [{ ...item, learner: { ...item.learner, ...by('x') } }], 'body/learners/0/learner'],
    ['a null address', [{ ...item, email: null }], 'body/learners/0/email'],
    ['a null name', [{ ...item, firstName: null }], 'body/learners/0/firstName'],
    ['null groups', [{ ...item, groupIds: null }], 'body/learners/0/groupIds'],
    ['an unknown field', [{ ...item, inactive: true }], 'body/learners/0/inactive'],
  ])('%s returns 400 naming the field and changes nothing', async (_case, learners, field) => {
    const answer = await expectRefused(() => change(learners), 400, 'invalid_request');
    expect(fieldsOf(answer)).toContain(field);
  });
});
