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
  meanwhile,
  setPlan,
  whileSlow,
} from '../tenant-state.ts';
import { keptTexts, refusedTexts, webAddresses } from '../text-cases.ts';

const ada = { email: 'ada.new@tenant.test', firstName: 'Ada', lastName: 'Lovelace' };
const create = (fields: object = {}): Promise<Answer> => post('/learners', { ...ada, ...fields });
/** Creates a learner while other companies write, so the client does not check that their rows stay unchanged. */
const race = (fields: object): Promise<Answer> =>
  call('tenant', 'POST', '/learners', { body: { ...ada, ...fields }, alone: false });

afterEach(() => countActive());
afterEach(forgetNewLearners);

describe('POST /learners', () => {
  test('creates an active learner from the three required fields and returns what GET returns', async () => {
    const { status, body } = await create();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      ...ada,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      name: 'Ada Lovelace',
      externalLearnerId: null,
      inactive: false,
      locale: null,
      excludedFromAutoEnrol: false,
      riskScoreLevel: 'low',
      isManager: false,
      managedBy: null,
      groups: [],
      manager: null,
    });
    expect(body.data.updatedAt).toBe(body.data.createdAt);
    expect(Math.abs(Date.parse(body.data.createdAt) - Date.now())).toBeLessThan(10_000);
    expect((await get(`/learners/${body.data.id}`)).body.data).toEqual(body.data);
  });

  test('stores every optional field', async () => {
    const groupIds = [groupId('tenant', 2), groupId('tenant', 1)];
    const fields = { externalLearnerId: 'HR-new', locale: 'zh-Hant-TW', excludedFromAutoEnrol: true };
    const { body } = await create({ ...fields, groupIds });
    expect(body.data).toMatchObject({ ...fields, manager: { id: learnerId('tenant', 1) } });
    expect(body.data.groups.map(({ id }: { id: string }) => id)).toEqual(groupIds.toReversed());
    expect(await groupsOf(body.data.id)).toEqual(groupIds.toReversed());
  });

  test('lists the new learner last', async () => {
    const { body } = await create();
    const { body: list } = await get('/learners');
    expect(list.data.at(-1)).toMatchObject({ id: body.data.id, email: ada.email, name: 'Ada Lovelace' });
  });

  test('two companies can have learners with the same email, externalLearnerId and names', async () => {
    const same = { ...ada, email: 'learner1@other.test', externalLearnerId: 'HR-1-of-both' };
    expect((await post('/learners', { ...same, email: 'shared@both.test' }, 'childA')).status).toBe(200);
    expect((await create({ ...same, email: 'shared@both.test' })).status).toBe(200);
    expect((await create({ ...same, externalLearnerId: 'HR-other' })).status).toBe(200);
  });

  test('keeps the case of the address', async () => {
    expect((await create({ email: 'Ada.NEW@Tenant.test' })).body.data.email).toBe('Ada.NEW@Tenant.test');
  });

  test.each(keptTexts)('%s is stored unchanged except for surrounding white space', async (_case, text) => {
    const { body } = await create({ firstName: text, lastName: text, externalLearnerId: text });
    const plain = text.trim();
    const kept = { firstName: plain, lastName: plain, externalLearnerId: plain, name: `${plain} ${plain}` };
    expect(body.data).toMatchObject(kept);
    expect((await get(`/learners/${body.data.id}`)).body.data).toMatchObject(kept);
    expect(await findStored(ada.email)).toMatchObject({ first_name: plain, external_learner_id: plain });
  });

  test.each([
    ['de_DE', 'de-DE'],
    ['zh_Hant_TW', 'zh-Hant-TW'],
  ])('the locale %s is stored as %s', async (locale, tag) => {
    expect((await create({ locale })).body.data.locale).toBe(tag);
  });

  test('with domain lock on, accepts an address in the domain in any case', async () => {
    await setPlan({ domainLock: true });
    expect((await create({ email: 'ada@TENANT.Test' })).status).toBe(200);
  });

  test('takes the last seat of the plan; inactive learners take none', async () => {
    await setPlan({ limit: 5 });
    expect((await create()).status).toBe(200);
    expect(await countActive()).toBe(5);
  });
});

describe('POST /learners with an invalid body', () => {
  describe.each(['firstName', 'lastName', 'externalLearnerId'])('%s', (field) => {
    // A person with one name has no last name.
    const refused = refusedTexts.filter(
      ([, text]) => !(field === 'lastName' && typeof text === 'string' && text.trim() === ''),
    );
    test.each(refused)('of %s returns 400 naming the field and creates nothing', async (_case, value) => {
      const answer = await expectRefused(() => create({ [field]: value }), 400, 'invalid_request');
      expect(new Set(fieldsOf(answer))).toEqual(new Set([`body/${field}`]));
    });
  });

  test.each(webAddresses)('the name %j returns 400 naming the field and creates nothing', async (name) => {
    await expectRefused(() => create({ firstName: name }), 400, 'invalid_request', ['body/firstName']);
    await expectRefused(() => create({ lastName: name }), 400, 'invalid_request', ['body/lastName']);
  });

  test.each(['email', 'firstName', 'lastName'])('a body without %s returns 400 naming the field', async (field) => {
    await expectRefused(() => create({ [field]: undefined }), 400, 'invalid_request', [`body/${field}`]);
    await expectRefused(() => create({ [field]: null }), 400, 'invalid_request', [`body/${field}`]);
  });

  test.each([
    '',
    'ada',
    'ada@',
    '@tenant.test',
    'ada@localhost',
    'a da@tenant.test',
    'ada..l@tenant.test',
    'ada@bücher.test',
    'ada@tenant.test\0',
    'Ada <ada@tenant.test>',
    'a@b.test,c@d.test',
    `${'a'.repeat(250)}@tenant.test`,
  ])('the address %j returns 400 and creates nothing', async (email) => {
    const answer = await expectRefused(() => create({ email }), 400, 'invalid_request');
    expect(new Set(fieldsOf(answer))).toEqual(new Set(['body/email']));
  });

  test('an unknown field returns 400 naming the field', async () => {
    await expectRefused(() => create({ inactive: true }), 400, 'invalid_request', ['body/inactive']);
    await expectRefused(() => create({ companyId: companies.other }), 400, 'invalid_request', ['body/companyId']);
  });

  test.each([
    ['locale', 'english'],
    ['locale', null],
    ['excludedFromAutoEnrol', 'true'],
    ['excludedFromAutoEnrol', null],
    ['groupIds', 'none'],
  ])('%s %j returns 400 naming the field', async (field, value) => {
    await expectRefused(() => create({ [field]: value }), 400, 'invalid_request', [`body/${field}`]);
  });

  test('an error names all invalid fields', async () => {
    const fields = ['body/email', 'body/firstName', 'body/lastName'];
    await expectRefused(() => create({ email: 'x', firstName: '', lastName: 7 }), 400, 'invalid_request', fields);
  });
});

describe('POST /learners and the rules for learners', () => {
  test.each(['gmail.com', 'GMAIL.com', 'outlook.com', 'yahoo.co.uk', 'gmx.de', 'icloud.com', 'proton.me', 'qq.com'])(
    'a free-mail address at %s returns 400 and creates nothing',
    async (domain) => {
      const answer = () => create({ email: `ada@${domain}` });
      await expectRefused(answer, 400, 'email_provider_not_allowed', ['body/email']);
    },
  );

  test.each(['tutanota.com', 'gmx.ch', 'duck.com', 'tuta.io', 'posteo.de', 'zohomail.com'])(
    'an address at %s, a provider that one of the lists lacks, returns 400',
    (domain) => expectRefused(() => create({ email: `ada@${domain}` }), 400, 'email_provider_not_allowed'),
  );

  test.each(['bt.com', 'sky.com', 'nus.edu.sg'])('an address at the employer domain %s is accepted', async (domain) => {
    expect((await create({ email: `ada@${domain}` })).status).toBe(200);
  });

  test('accepts free-mail addresses if the company is locked to their domain', async () => {
    await setPlan({ domainLock: true });
    await testService.query(`update companies set domain = 'gmx.de' where id = $1`, [companies.tenant]);
    expect((await create({ email: 'ada@gmx.de' })).status).toBe(200);
    await testService.query(`update companies set domain = 'tenant.test' where id = $1`, [companies.tenant]);
  });

  test.each(['company.test', 'sub.tenant.test', 'nottenant.test', 'tenant.test.company.test', 'tenant.tes'])(
    'with domain lock on, an address at %s returns 400 and creates nothing',
    async (domain) => {
      await setPlan({ domainLock: true });
      const answer = () => create({ email: `ada@${domain}` });
      await expectRefused(answer, 400, 'email_domain_not_allowed', ['body/email']);
    },
  );

  test.each(['learner1@tenant.test', 'LEARNER1@Tenant.TEST', 'learner5@tenant.test'])(
    'the existing address %s returns 400 and creates nothing',
    (email) => expectRefused(() => create({ email }), 400, 'email_taken', ['body/email']),
  );

  test('an existing externalLearnerId returns 400 and creates nothing', async () => {
    for (const externalLearnerId of ['HR-1', ' HR-1 ']) {
      const answer = () => create({ externalLearnerId });
      await expectRefused(answer, 400, 'external_learner_id_taken', ['body/externalLearnerId']);
    }
  });

  test('a full plan returns 403 and creates nothing', async () => {
    await setPlan({ limit: 4 });
    await expectRefused(() => create(), 403, 'learner_limit_reached');
  });

  test('a limit below the number of learners returns 403 until enough learners are deactivated', async () => {
    await setPlan({ limit: 3 });
    await expectRefused(() => create(), 403, 'learner_limit_reached');
    const two = { learnerIds: [learnerId('tenant', 3), learnerId('tenant', 4)] };
    await post('/learners/deactivate', two);
    expect((await create()).status).toBe(200);
    await expectRefused(() => create({ email: 'next@tenant.test' }), 403, 'learner_limit_reached');
    await setPlan({});
    await post('/learners/activate', two);
  });

  test('a limit of 0 returns 403', async () => {
    await setPlan({ limit: 0 });
    await expectRefused(() => create(), 403, 'learner_limit_reached');
  });

  test.each([
    ['an unknown', unknownId],
    ['a foreign', groupId('other', 1)],
    ["a learner's", learnerId('tenant', 1)],
  ])('%s id among the groups returns 404 naming its index and creates nothing', async (_case, id) => {
    const groupIds = [groupId('tenant', 1), id, groupId('tenant', 2)];
    await expectRefused(() => create({ groupIds }), 404, 'not_found', ['body/groupIds/1']);
  });

  test('an error names each unknown group', async () => {
    const groupIds = [unknownId, groupId('tenant', 1), groupId('other', 1)];
    await expectRefused(() => create({ groupIds }), 404, 'not_found', ['body/groupIds/0', 'body/groupIds/2']);
  });
});

describe('concurrent POST /learners requests', () => {
  test('20 creations with 5 seats left create exactly 5 learners; the others return 403', async () => {
    await setPlan({ limit: 9 });
    const requests = Array.from({ length: 20 }, (_, n) => race({ email: `racer${n}@tenant.test` }));
    expect(await expectNoFailure(requests)).toEqual({ 200: 5, 403: 15 });
    expect(await countActive()).toBe(9);
  });

  test('10 creations with one address create exactly one learner; the others return 400', async () => {
    const requests = Array.from({ length: 10 }, (_, n) => race({ email: n % 2 ? ada.email : 'ADA.new@tenant.test' }));
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 9 });
    expect(await findStored(ada.email)).toBeDefined();
  });

  test('10 creations with one externalLearnerId create exactly one learner', async () => {
    const requests = Array.from({ length: 10 }, (_, n) =>
      race({ email: `n${n}@tenant.test`, externalLearnerId: 'one' }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 9 });
  });

  test('a creation never returns a 5xx if its group is deleted concurrently', async () => {
    const { body } = await post('/groups', { name: 'Short-lived' });
    await whileSlow('insert', 'learners', async () => {
      const creation = race({ groupIds: [body.data.id] });
      await meanwhile();
      await expectNoFailure([creation, call('tenant', 'DELETE', `/groups/${body.data.id}`, { alone: false })]);
    });
  });
});
