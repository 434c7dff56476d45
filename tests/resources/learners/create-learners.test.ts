import { type Answer, call, get, post } from '../../support/client.ts';
import { companies, groupId, learnerId, unknownId } from '../../support/world.ts';
import {
  countActive,
  expectNoFailure,
  expectRefused,
  fieldsOf,
  findStored,
  forgetNewLearners,
  groupsOf,
  setPlan,
} from '../tenant-state.ts';
import { keptTexts, webAddresses } from '../text-cases.ts';

const row = (email: string, fields: object = {}) => ({ email, firstName: 'Ada', lastName: 'Lovelace', ...fields });
const rows = (count: number, prefix = 'bulk') => Array.from({ length: count }, (_, n) => row(`${prefix}${n}@new.test`));
const create = (learners: unknown): Promise<Answer> => post('/learners/bulk', { learners });
const race = (path: string, body: object): Promise<Answer> => call('tenant', 'POST', path, { body, alone: false });

async function countNew(): Promise<number> {
  const [found] = await testService.query(
    `select count(*)::integer as count from learners where company_id = $1 and email like '%@new.test'`,
    [companies.tenant],
  );
  return found!.count as number;
}

afterEach(() => countActive());
afterEach(forgetNewLearners);

describe('POST /learners/bulk', () => {
  test('creates every row with its fields and its groups', async () => {
    const groupIds = [groupId('tenant', 1), groupId('tenant', 2)];
    const fields = { externalLearnerId: 'HR-full', locale: 'de-CH', excludedFromAutoEnrol: true };
    const { status, body } = await create([
      row('full@new.test', { ...fields, groupIds }),
      row('bare@new.test', { groupIds: [] }),
    ]);
    const full = (await findStored('full@new.test'))!;
    const bare = (await findStored('bare@new.test'))!;
    const created = [full, bare].map(({ id }, index) => ({ index, learnerId: id }));
    expect({ status, data: body.data }).toEqual({ status: 200, data: { success: true, created, errors: [] } });
    expect((await get(`/learners/${full.id}`)).body.data).toMatchObject({
      ...row('full@new.test', fields),
      inactive: false,
      groups: [{ id: groupIds[0] }, { id: groupIds[1] }],
    });
    const defaults = { inactive: false, locale: null, excludedFromAutoEnrol: false, externalLearnerId: null };
    expect((await get(`/learners/${bare.id}`)).body.data).toMatchObject(defaults);
    expect(await groupsOf(bare.id)).toEqual([]);
  });

  test('lists new learners in the order of their rows', async () => {
    await create(rows(50));
    const { body } = await get('/learners');
    const emails = body.data.slice(-50).map(({ email }: { email: string }) => email);
    expect(emails).toEqual(rows(50).map(({ email }) => email));
  });

  test('creates 10,000 learners', async () => {
    const groupIds = [groupId('tenant', 1)];
    const many = rows(10_000).map((learner, n) => ({ ...learner, externalLearnerId: `E-${n}`, groupIds }));
    const { status, body } = await create(many);
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: { success: true, errors: [] } });
    expect(body.data.created.map(({ index }: { index: number }) => index)).toEqual([...many.keys()]);
    expect(await countNew()).toBe(10_000);
    expect(await countActive()).toBe(10_004);
    expect((await get(`/groups/${groupIds[0]}`)).body.data.learnerCount).toBe(10_003);
  });

  test('rejects 10,000 existing learners, each with its index and the existing learner id', async () => {
    const { created } = (await create(rows(10_000))).body.data;
    const { body } = await create(rows(10_000));
    const told = body.data.errors.map(({ index, learnerId, code }: any) => ({ index, learnerId, code }));
    expect(told).toEqual(created.map((one: object) => ({ ...one, code: 'email_taken' })));
  });

  test('creates the valid rows and reports an error for each invalid row', async () => {
    const { status, body } = await create([
      row('good@new.test'),
      row('ada@GMail.com'),
      row('no address'),
      row(''),
      row('LEARNER1@tenant.test'),
      row('external@new.test', { externalLearnerId: 'HR-1' }),
      row('unknown@new.test', { groupIds: [groupId('tenant', 1), unknownId] }),
      row('foreign@new.test', { groupIds: [groupId('other', 1)] }),
      row('last@new.test', { groupIds: [groupId('tenant', 2)], externalLearnerId: 'HR-last' }),
    ]);
    expect(status).toBe(200);
    const message = expect.stringMatching(/^[A-Z].+\.$/);
    const good = (await findStored('good@new.test'))!.id;
    const last = (await findStored('last@new.test'))!.id;
    const nobody = { learnerId: null, message };
    const taken = { learnerId: learnerId('tenant', 1), message };
    expect(body.data).toEqual({
      success: false,
      created: [
        { index: 0, learnerId: good },
        { index: 8, learnerId: last },
      ],
      errors: [
        { index: 1, email: 'ada@GMail.com', code: 'email_provider_not_allowed', ...nobody },
        { index: 2, email: 'no address', code: 'invalid_request', ...nobody },
        { index: 3, email: '', code: 'invalid_request', ...nobody },
        { index: 4, email: 'LEARNER1@tenant.test', code: 'email_taken', ...taken },
        { index: 5, email: 'external@new.test', code: 'external_learner_id_taken', ...taken },
        { index: 6, email: 'unknown@new.test', code: 'not_found', ...nobody },
        { index: 7, email: 'foreign@new.test', code: 'not_found', ...nobody },
      ],
    });
    expect(await countNew()).toBe(2);
    expect(await groupsOf(last)).toEqual([groupId('tenant', 2)]);
  });

  test('with domain lock on, rejects rows with addresses in other domains', async () => {
    await setPlan({ domainLock: true });
    const { body } = await create([row('one@tenant.test'), row('two@sub.tenant.test'), row('three@TENANT.test')]);
    expect(body.data.errors).toMatchObject([{ index: 1, code: 'email_domain_not_allowed' }]);
  });

  test('creates only the first of two rows with the same email or externalLearnerId', async () => {
    const { body } = await create([
      row('first@new.test', { externalLearnerId: 'E-1', lastName: 'First' }),
      row('FIRST@new.test', { lastName: 'Second' }),
      row('other@new.test', { externalLearnerId: 'E-1' }),
    ]);
    const first = (await findStored('first@new.test'))!;
    expect(body.data.errors).toMatchObject([
      { index: 1, code: 'email_taken', learnerId: first.id },
      { index: 2, code: 'external_learner_id_taken', learnerId: first.id },
    ]);
    expect(first.last_name).toBe('First');
    expect(await countNew()).toBe(1);
  });

  test('trims externalLearnerId before comparing it, and stores the locale de_CH as de-CH', async () => {
    const { body } = await create([
      row('padded@new.test', { externalLearnerId: '  HR-padded \u00a0', locale: 'de_CH' }),
      row('bare@new.test', { externalLearnerId: 'HR-padded' }),
      row('taken@new.test', { externalLearnerId: ' HR-1 ' }),
    ]);
    const [{ learnerId: padded }] = body.data.created;
    expect((await get(`/learners/${padded}`)).body.data).toMatchObject({
      externalLearnerId: 'HR-padded',
      locale: 'de-CH',
    });
    expect(body.data.errors).toMatchObject([
      { index: 1, code: 'external_learner_id_taken', learnerId: padded },
      { index: 2, code: 'external_learner_id_taken', learnerId: learnerId('tenant', 1) },
    ]);
  });

  test('a rejected row reserves neither its address nor its externalLearnerId', async () => {
    const wanted = row('wanted@new.test', { externalLearnerId: 'E-wanted' });
    const { body } = await create([{ ...wanted, groupIds: [unknownId] }, wanted]);
    expect(body.data.errors).toMatchObject([{ index: 0, code: 'not_found' }]);
    expect(await countNew()).toBe(1);
  });

  test('if the plan has too few seats, creates the first valid rows', async () => {
    await setPlan({ limit: 6 });
    const { body } = await create([row('bad'), ...rows(4)]);
    expect(body.data.errors).toMatchObject([
      { index: 0, code: 'invalid_request' },
      { index: 3, code: 'learner_limit_reached' },
      { index: 4, code: 'learner_limit_reached' },
    ]);
    expect(await countActive()).toBe(6);
    expect(await findStored('bulk1@new.test')).toBeDefined();
  });

  test('a full plan, or a limit below the number of learners, creates nothing', async () => {
    for (const limit of [4, 2, 0]) {
      await setPlan({ limit });
      const { status, body } = await create(rows(2));
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ success: false, errors: [{ index: 0 }, { code: 'learner_limit_reached' }] });
      expect(await countNew()).toBe(0);
    }
  });

  test('stores every valid text unchanged except for surrounding white space', async () => {
    const odd = keptTexts.map(([, text], n) => row(`odd${n}@new.test`, { firstName: text, externalLearnerId: text }));
    expect((await create(odd)).body.data).toMatchObject({ success: true, errors: [] });
    for (const { email, firstName } of odd) {
      expect(await findStored(email)).toMatchObject({
        first_name: firstName.trim(),
        external_learner_id: firstName.trim(),
      });
    }
  });

  test('rejects each row whose name is a web address, and names the field', async () => {
    const named = webAddresses.map((lastName, n) => row(`odd${n}@new.test`, { lastName }));
    const { errors } = (await create([row('one@new.test'), ...named])).body.data;
    expect(errors).toEqual(
      named.map(({ email }, n) => {
        const message = 'A name must not contain a web address: `lastName`.';
        return { index: n + 1, email, learnerId: null, code: 'invalid_request', message };
      }),
    );
    expect(await countNew()).toBe(1);
  });

  test.each(['ada@localhost', 'ada..l@new.test', '.ada@new.test', 'ada.@new.test', 'ada@-new.test', 'ada@new..test'])(
    'rejects the invalid address %s in single and bulk creation',
    async (email) => {
      expect((await post('/learners', row(email))).status).toBe(400);
      expect((await create([row(email)])).body.data.errors).toMatchObject([{ index: 0, code: 'invalid_request' }]);
    },
  );

  test.each<[string, unknown, string]>([
    ['no learners', undefined, 'body/learners'],
    ['an empty list', [], 'body/learners'],
    ['10,001 learners', rows(10_001), 'body/learners'],
    ['a learner that is not in a list', row('one@new.test'), 'body/learners'],
    ['a row that is not an object', [row('one@new.test'), null], 'body/learners/1'],
    ['a row without an address', [row('one@new.test'), { firstName: 'Ada', lastName: 'L' }], 'body/learners/1/email'],
    ['a row whose address is null', [{ ...row('x'), email: null }], 'body/learners/0/email'],
    ['a row with an unknown field', [row('one@new.test', { inactive: true })], 'body/learners/0/inactive'],
    [
      'half a surrogate pair',
      [row('a@new.test', { externalLearnerId: '\ud83e' })],
      'body/learners/0/externalLearnerId',
    ],
    ['a duplicate group', [row('a@new.test', { groupIds: [unknownId, unknownId] })], 'body/learners/0/groupIds'],
    ['a group that is not an id', [row('a@new.test', { groupIds: [unknownId, 'x'] })], 'body/learners/0/groupIds/1'],
  ])('%s returns 400 naming the field and creates nothing', async (_case, learners, field) => {
    const answer = await expectRefused(() => create(learners), 400, 'invalid_request');
    expect(fieldsOf(answer)).toContain(field);
  });

  test('an error names at most 100 fields', async () => {
    const learners = Array.from({ length: 200 }, () => ({}));
    const answer = await expectRefused(() => create(learners), 400, 'invalid_request');
    expect(fieldsOf(answer)).toHaveLength(100);
  });

  test.each([10_000, 20_000])('%i invalid rows are rejected', async (length) => {
    await expectRefused(() => create(Array.from({ length }, () => ({}))), 400, 'invalid_request');
  });
});

describe('concurrent POST /learners/bulk requests', () => {
  test('bulk and single creations never exceed the plan limit and never return a 5xx', async () => {
    await setPlan({ limit: 254 });
    const bulks = Array.from({ length: 6 }, (_, n) => race('/learners/bulk', { learners: rows(100, `b${n}.`) }));
    const singles = Array.from({ length: 20 }, (_, n) => race('/learners', row(`s${n}@new.test`)));
    await expectNoFailure(bulks.flatMap((bulk, n) => [bulk, ...singles.slice(n * 4, n * 4 + 4)]));
    expect(await countActive()).toBe(254);
  });

  test('five requests with the same rows create them once', async () => {
    const same = { learners: rows(500) };
    const statuses = await expectNoFailure(Array.from({ length: 5 }, () => race('/learners/bulk', same)));
    expect(statuses).toEqual({ 200: 5 });
    expect(await countNew()).toBe(500);
  });
});
