import { call, expectError, get, patch, post } from '../../support/client.ts';
import { companies, groupId, learnerId } from '../../support/world.ts';
import { forgetNewLearnersOf, insertLearners } from '../tenant-state.ts';

const ids = async (query: string, key: 'tenant' | 'msp' | 'other' = 'tenant'): Promise<string[]> => {
  const { status, body } = await get(`/learners?${query}`, key);
  expect(status).toBe(200);
  return body.data.map(({ id }: { id: string }) => id);
};
const own = (...numbers: (1 | 2 | 3 | 4 | 5)[]) => numbers.map((n) => learnerId('tenant', n));
const search = (q: string) => ids(`q=${encodeURIComponent(q)}`);

const created = new Map<string, string>();

beforeAll(async () => {
  const people = [
    ['Anne-Sophie', 'Müller', 'as.mueller@tenant.test'],
    ["Conan O'Brien", 'Łukasiewicz', 'conan@tenant.test'],
    ['Jean-Luc', 'Ærø', 'jl+lms@tenant.test'],
    ['مُحَمَّد', 'الفارسي', 'm@tenant.test'],
    ['山田', '太郎', 'yamada@tenant.test'],
    ['100%', 'snake_case', 'percent@tenant.test'],
    ['A'.repeat(200), 'Long', 'long@tenant.test'],
  ] as const;
  for (const [firstName, lastName, email] of people) {
    const { status, body } = await post('/learners', { firstName, lastName, email });
    expect({ firstName, status }).toEqual({ firstName, status: 200 });
    created.set(firstName, body.data.id);
  }
});
afterAll(() => forgetNewLearnersOf('tenant'));

describe('q', () => {
  test.each([
    ['müller', 'Anne-Sophie'],
    ['MULLER anne', 'Anne-Sophie'],
    ['sophie', 'Anne-Sophie'],
    ['annesoph', 'Anne-Sophie'],
    ['Anne-Sophie Müller', 'Anne-Sophie'],
    ['as.mueller@ten', 'Anne-Sophie'],
    ['mueller', 'Anne-Sophie'],
    ['obrien', "Conan O'Brien"],
    ["o'br", "Conan O'Brien"],
    ['O’Brien', "Conan O'Brien"],
    ['brien lukas', "Conan O'Brien"],
    ['Łukasiewicz', "Conan O'Brien"],
    ['aero', 'Jean-Luc'],
    ['luc æ', 'Jean-Luc'],
    ['jl+lms', 'Jean-Luc'],
    ['محمد', 'مُحَمَّد'],
    ['الفا', 'مُحَمَّد'],
    ['太', '山田'],
    ['100%', '100%'],
    ['snake_c', '100%'],
    [`${'a'.repeat(180)}`, 'A'.repeat(200)],
  ])('%s finds %s', async (q, firstName) => {
    expect(await search(q)).toEqual([created.get(firstName)]);
  });

  test.each([
    '%',
    '_',
    "'",
    '"',
    '\\',
    '%%%',
    '. . .',
    'üller',
    'annesophiemuller',
    'anne lukas',
    "' or 1=1 --",
    '\u{10ffff}',
  ])('%j finds nobody', async (q) => expect(await search(q)).toEqual([]));

  test('a word of the domain finds every learner of the domain', async () => {
    expect(await search('tenant.te')).toHaveLength(5 + created.size);
    expect(await search('@TENANT.test')).toHaveLength(5 + created.size);
  });

  test('finds a learner by the new name after a change, and no longer by the old name', async () => {
    const id = created.get('Jean-Luc')!;
    await patch(`/learners/${id}`, { firstName: 'Wesley', lastName: 'Crusher' });
    expect(await search('crush wes')).toEqual([id]);
    expect(await search('jean')).toEqual([]);
    await patch(`/learners/${id}`, { firstName: 'Jean-Luc', lastName: 'Ærø' });
    expect(await search('jean')).toEqual([id]);
  });

  test('finds a learner by a prefix of the HR identifier, or of one of its parts', async () => {
    expect(await search('hr-3')).toEqual(own(3));
    expect(await search('HR3')).toEqual(own(3));
    expect(await search('kath hr-3')).toEqual(own(3));
    expect(await search('ada hr-3')).toEqual([]);
  });

  test('no search word of a deleted learner is kept', async () => {
    const { body } = await post('/learners', { firstName: 'Zaphod', lastName: 'Gone', email: 'zaphod@tenant.test' });
    const words = () =>
      testService.query('select word from learner_search_words where learner_id = $1', [body.data.id]);
    expect((await words()).map(({ word }) => word).toSorted()).toEqual(['gone', 'tenanttest', 'zaphod']);
    await call('tenant', 'DELETE', `/learners/${body.data.id}`);
    expect(await words()).toEqual([]);
  });

  test('finds no learner of another company', async () => {
    expect(await ids('q=sophie', 'other')).toEqual([]);
    expect(await ids(`q=ada&companyId=${companies.childA}`, 'msp')).toEqual([learnerId('childA', 1)]);
  });

  test.each([[''], ['a'.repeat(201)]])('rejects %j with the name of the parameter', async (q) => {
    expectError(await get(`/learners?q=${q}`), 400, 'invalid_request', ['query/q']);
  });
});

describe('filters', () => {
  test('email matches the whole address in any case', async () => {
    expect(await ids('email=LEARNER2@Tenant.test')).toEqual(own(2));
    expect(await ids('email=learner2@tenant')).toEqual([]);
    expect(await ids('email=no address')).toEqual([]);
  });

  test('externalLearnerId matches the whole identifier', async () => {
    expect(await ids('externalLearnerId=HR-3')).toEqual(own(3));
    expect(await ids('externalLearnerId=HR')).toEqual([]);
    expect(await ids('externalLearnerId=hr-3')).toEqual([]);
  });

  test('groupId matches the members, and nobody if the group is unknown or of another company', async () => {
    expect(await ids(`groupId=${groupId('tenant', 2)}`)).toEqual(own(3, 4));
    expect(await ids(`groupId=${groupId('other', 1)}`)).toEqual([]);
    expect(await ids(`groupId=${learnerId('tenant', 1)}`)).toEqual([]);
  });

  test('managerId matches the learners whose effective manager has this id', async () => {
    const managed = await ids(`managerId=${learnerId('tenant', 1)}`);
    expect(managed).toEqual(own(2, 3));
    for (const id of managed) {
      expect((await get(`/learners/${id}`)).body.data.manager.id).toBe(learnerId('tenant', 1));
    }
    expect(await ids(`managerId=${learnerId('tenant', 2)}`)).toEqual([]);
  });

  test('inactive selects inactive or active learners', async () => {
    expect(await ids('inactive=true')).toEqual(own(5));
    expect(await ids('inactive=false')).toEqual([...own(1, 2, 3, 4), ...created.values()]);
  });

  test('ids selects these learners in the order of the list, and ignores unknown ids', async () => {
    const [first, third] = own(1, 3);
    expect(await ids(`ids=${third},${groupId('tenant', 1)},${first}`)).toEqual([first, third]);
    expect(await ids(`ids=${learnerId('other', 1)}`)).toEqual([]);
    expect(await ids(`ids=${first},${third}&q=ada`)).toEqual([first]);
    expectError(await get('/learners?ids=x'), 400, 'invalid_request', ['query/ids/0']);
  });

  test('overdue selects the learners with or without an overdue assignment', async () => {
    expect(await ids('overdue=true')).toEqual(own(4));
    expect(await ids(`overdue=false&ids=${own(3, 4).join()}`)).toEqual(own(3));
    expect(await ids(`overdue=true&groupId=${groupId('tenant', 2)}`)).toEqual(own(4));
    await testService.query(
      `update campaign_assignments set due_at = now() + interval '1 day' where learner_id = $1`,
      own(4),
    );
    expect(await ids('overdue=true')).toEqual([]);
    const since = new Date().toISOString();
    expectError(await get(`/learners?updatedSince=${since}&overdue=true`), 400, 'invalid_request', ['query/overdue']);
  });

  test('several filters select the learners that match all of them', async () => {
    const group = `groupId=${groupId('tenant', 1)}`;
    expect(await ids(`${group}&q=grace`)).toEqual(own(2));
    expect(await ids(`${group}&q=grace&email=learner2@tenant.test&externalLearnerId=HR-2&inactive=false`)).toEqual(
      own(2),
    );
    expect(await ids(`${group}&inactive=true`)).toEqual([]);
    expect(await ids(`${group}&managerId=${learnerId('tenant', 1)}&riskScoreLevel=low`)).toEqual(own(2, 3));
    expect(await ids('email=learner2@tenant.test&externalLearnerId=HR-3')).toEqual([]);
    expect(await ids('email=learner2@tenant.test&q=katherine')).toEqual([]);
  });

  test('pages of a filtered list are parts of the list, and a cursor belongs to its filters', async () => {
    const first = await get('/learners?inactive=false&limit=2');
    expect(first.body.data).toHaveLength(2);
    const cursor = (first.body as { page: { nextCursor: string } }).page.nextCursor;
    const second = await get(`/learners?inactive=false&limit=2&cursor=${cursor}`);
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(own(1, 2, 3, 4));
    expectError(await get(`/learners?inactive=true&limit=2&cursor=${cursor}`), 400, 'invalid_request', [
      'query/cursor',
    ]);
  });

  test('updatedSince lists changed learners who match the filters as changed, and the others as removed', async () => {
    const started = new Date(Date.now() - 1000).toISOString();
    const first = (await get(`/learners?updatedSince=${started}`)).body as { syncedUntil: string };
    const since = encodeURIComponent(first.syncedUntil);
    const ada = learnerId('tenant', 1);
    await patch(`/learners/${ada}`, { firstName: 'Augusta', lastName: 'tenant' });
    const changes = async (filters: string) => {
      const { data, removed } = (await get(`/learners?updatedSince=${since}&${filters}`)).body as any;
      const list = (items: { id: string }[]) => items.map(({ id }) => id).filter((id) => id === ada);
      return { data: list(data), removed: list(removed) };
    };
    expect(await changes('q=augusta')).toEqual({ data: [ada], removed: [] });
    expect(await changes('q=ada')).toEqual({ data: [], removed: [ada] });
    expect(await changes('inactive=true')).toEqual({ data: [], removed: [ada] });
    expect(await changes(`email=learner1@tenant.test&inactive=false`)).toEqual({ data: [ada], removed: [] });
    await patch(`/learners/${ada}`, { firstName: 'Ada', lastName: 'tenant' });
    expectError(await get(`/learners?updatedSince=${since}&managerId=${ada}`), 400, 'invalid_request', [
      'query/managerId',
    ]);
  });

  test.each([
    ['groupId', 'x'],
    ['managerId', 'x'],
    ['inactive', 'maybe'],
    ['overdue', 'maybe'],
    ['ids', Array.from({ length: 201 }, () => learnerId('tenant', 1)).join()],
    ['email', ''],
    ['externalLearnerId', 'x'.repeat(201)],
  ])('rejects %s=%s with the name of the parameter', async (name, value) => {
    expectError(await get(`/learners?${name}=${value}`), 400, 'invalid_request', [`query/${name}`]);
  });
});

test('a word of 50,000 learners finds them in the order of ids, also with other filters', async () => {
  await insertLearners('strangerMsp', 50_000);
  const found = async (query: string) => {
    const { status, body } = await get(`/learners?${query}&limit=50`, 'strangerMsp');
    expect(status).toBe(200);
    return body.data.map(({ email }: { email: string }) => email);
  };
  const numbers = (step: number) => Array.from({ length: 50 }, (_, n) => `many${(n + 1) * step}@many.test`);
  expect(await found('q=zoe')).toEqual(numbers(1));
  expect(await found('q=zoe&inactive=true')).toEqual(numbers(7));
  expect(await found('q=zoe many')).toEqual(numbers(1));
});
