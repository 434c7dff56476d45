import pg from 'pg';
import { whenWaiting } from '../../mail/crash-support.ts';
import { type Answer, call, get, patch } from '../../support/client.ts';
import { groupId, learnerId, unknownId } from '../../support/world.ts';
import { countActive, expectNoFailure, expectRefused, meanwhile, setPlan, whileSlow } from '../tenant-state.ts';
import { oddText, webAddresses } from '../text-cases.ts';

const path = `/learners/${learnerId('tenant', 3)}`;
const groupIds = [groupId('tenant', 1), groupId('tenant', 2)];
const names = { firstName: 'Katherine', lastName: 'tenant' };
const original = {
  ...{ ...names, email: 'learner3@tenant.test', externalLearnerId: 'HR-3', groupIds },
  ...{ locale: 'en', excludedFromAutoEnrol: false },
};

const change = (fields: object = {}): Promise<Answer> => patch(path, { ...names, ...fields });
const race = (method: string, to: string, body?: object): Promise<Answer> =>
  call('tenant', method, to, { body, alone: false });

/** Changes the learner and returns the fields of the answer that are not what they were. */
async function differences(fields: object): Promise<object> {
  const before = (await get(path)).body.data;
  const { status, body } = await change(fields);
  expect(status).toBe(200);
  expect((await get(path)).body.data).toEqual(body.data);
  const changed = Object.entries(body.data).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
  );
  return Object.fromEntries(changed.filter(([key]) => key !== 'updatedAt'));
}

afterEach(async () => {
  await setPlan({});
  expect((await change(original)).status).toBe(200);
  await countActive();
});

describe('PATCH /learners/{learnerId}', () => {
  const secondGroup = { groups: [{ id: groupId('tenant', 2), name: 'Group 2' }], manager: null };

  test.each<[string, object, object]>([
    ['firstName', { firstName: 'Kathe' }, { firstName: 'Kathe', name: 'Kathe tenant' }],
    ['lastName', { lastName: 'Johnson' }, { lastName: 'Johnson', name: 'Katherine Johnson' }],
    ['email', { email: 'new3@tenant.test' }, { email: 'new3@tenant.test' }],
    ['email in another case', { email: 'Learner3@TENANT.test' }, { email: 'Learner3@TENANT.test' }],
    ['locale', { locale: 'de-CH' }, { locale: 'de-CH' }],
    ['locale as other systems write it', { locale: 'de_CH' }, { locale: 'de-CH' }],
    ['excludedFromAutoEnrol', { excludedFromAutoEnrol: true }, { excludedFromAutoEnrol: true }],
    ['externalLearnerId', { externalLearnerId: 'HR-new' }, { externalLearnerId: 'HR-new' }],
    ['externalLearnerId with spaces around it', { externalLearnerId: ' HR-new ' }, { externalLearnerId: 'HR-new' }],
    ['nothing by spaces around externalLearnerId', { externalLearnerId: ' HR-3 ' }, {}],
    ['externalLearnerId to null', { externalLearnerId: null }, { externalLearnerId: null }],
    ['groupIds', { groupIds: [groupId('tenant', 2)] }, secondGroup],
    ['groupIds to none', { groupIds: [] }, { groups: [], manager: null }],
    ['nothing', original, {}],
  ])('changes %s and leaves every other field alone', async (_field, fields, expected) => {
    expect(await differences(fields)).toEqual(expected);
  });

  test('excludedFromAutoEnrol can be taken back, and stays when it is left out', async () => {
    await change({ excludedFromAutoEnrol: true });
    expect(await differences({ locale: 'fr' })).toEqual({ locale: 'fr' });
    expect(await differences({ excludedFromAutoEnrol: false })).toEqual({ excludedFromAutoEnrol: false });
  });

  test('stamps updatedAt and keeps createdAt', async () => {
    const before = (await get(path)).body.data;
    const { data } = (await change({ locale: 'fr' })).body;
    expect(Date.parse(data.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(data.createdAt).toBe(before.createdAt);
  });

  test('a cleared externalLearnerId can be given to another learner', async () => {
    await change({ externalLearnerId: null });
    const four = `/learners/${learnerId('tenant', 4)}`;
    const fields = { firstName: 'Edsger', lastName: 'tenant' };
    expect((await patch(four, { ...fields, externalLearnerId: 'HR-3' })).status).toBe(200);
    expect((await patch(four, { ...fields, externalLearnerId: null })).body.data.externalLearnerId).toBeNull();
  });

  test('a learner keeps managing a group that it leaves', async () => {
    const manager = `/learners/${learnerId('tenant', 1)}`;
    const fields = { firstName: 'Ada', lastName: 'tenant' };
    expect((await patch(manager, { ...fields, groupIds: [] })).body.data).toMatchObject({
      isManager: true,
      groups: [],
    });
    await patch(manager, { ...fields, groupIds: [groupId('tenant', 1)] });
  });

  test('an inactive learner can be changed and stays inactive', async () => {
    const five = `/learners/${learnerId('tenant', 5)}`;
    const { body } = await patch(five, { firstName: 'Alan', lastName: 'Turing' });
    expect(body.data).toMatchObject({ name: 'Alan Turing', inactive: true });
  });

  test('a learner whose address the rules would not take today can be changed otherwise', async () => {
    await testService.query('update learners set email = $2 where id = $1', [learnerId('tenant', 3), 'old@gmail.com']);
    expect(await differences({ locale: 'fr' })).toEqual({ locale: 'fr' });
    expect(await differences({ locale: 'it', email: 'old@gmail.com' })).toEqual({ locale: 'it' });
  });

  test('needs no seat of a full plan', async () => {
    await setPlan({ limit: 2 });
    expect(await differences({ email: 'new3@tenant.test' })).toEqual({ email: 'new3@tenant.test' });
  });

  test('the address of a learner of another company is free', async () => {
    expect(await differences({ email: 'learner1@other.test' })).toEqual({ email: 'learner1@other.test' });
  });

  test('text of every script, and markup, is stored unchanged in the names and, trimmed, in externalLearnerId', async () => {
    const { body } = await change({ firstName: oddText, lastName: oddText, externalLearnerId: oddText });
    const plain = oddText.trim();
    expect(body.data).toMatchObject({ firstName: plain, lastName: plain, externalLearnerId: plain });
    expect((await get(path)).body.data).toEqual(body.data);
  });

  test('changes of one learner at the same time leave it as the last of them says', async () => {
    const requests = Array.from({ length: 12 }, (_, n) =>
      race('PATCH', path, { ...names, locale: n % 2 ? 'de' : 'fr', groupIds: n % 2 ? groupIds : [] }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    const { locale, groups } = (await get(path)).body.data;
    expect(groups).toHaveLength(locale === 'de' ? 2 : 0);
  });

  test('a change that waits for another one is compared with the row that the other one leaves', async () => {
    const owner = new pg.Client(testService.database.ownerUrl);
    await owner.connect();
    try {
      await owner.query('begin');
      await owner.query(`update learners set locale = 'fr' where id = $1`, [learnerId('tenant', 3)]);
      const answer = race('PATCH', path, { ...names, locale: original.locale });
      await whenWaiting(1);
      await owner.query('commit');
      expect((await answer).body.data).toMatchObject({ locale: original.locale });
    } finally {
      await owner.end();
    }
  });

  test('a change of a learner who is deleted at that moment is no 5xx', async () => {
    const { data } = (await call('tenant', 'POST', '/learners', { body: { ...names, email: 'gone@tenant.test' } }))
      .body;
    const gone = `/learners/${data.id}`;
    await whileSlow('update', 'learners', async () => {
      const requests = [race('PATCH', gone, { ...names, groupIds })];
      await meanwhile();
      requests.push(race('DELETE', gone));
      await expectNoFailure(requests);
    });
  });
});

describe('PATCH /learners/{learnerId} with what is refused', () => {
  test.each(webAddresses)('the name %j is refused by name and nothing changes', async (name) => {
    const request = () => change({ firstName: name, lastName: name });
    await expectRefused(request, 400, 'invalid_request', ['body/firstName', 'body/lastName']);
  });

  test.each<[string, unknown]>([
    ['firstName', undefined],
    ['lastName', undefined],
    ['firstName', null],
    ['email', null],
    ['email', ''],
    ['email', 'no address'],
    ['email', 'ada@tenant.test\0'],
    ['locale', null],
    ['locale', 'de CH'],
    ['excludedFromAutoEnrol', null],
    ['excludedFromAutoEnrol', 0],
    ['groupIds', null],
    ['inactive', true],
    ['id', unknownId],
    ['riskScoreLevel', 'low'],
  ])('%s %j is refused by name and nothing changes', async (field, value) => {
    const answer = () => change({ locale: 'fr', [field]: value });
    await expectRefused(answer, 400, 'invalid_request', [`body/${field}`]);
  });

  test.each(['ada@gmail.com', 'ADA@Gmail.Com'])(
    'the free-mail address %s is refused and nothing changes',
    async (email) => {
      const answer = () => change({ locale: 'fr', email });
      await expectRefused(answer, 400, 'email_provider_not_allowed', ['body/email']);
    },
  );

  test('with domain lock on, an address of another domain is refused and nothing changes', async () => {
    await setPlan({ domainLock: true });
    const answer = () => change({ locale: 'fr', email: 'ada@sub.tenant.test' });
    await expectRefused(answer, 400, 'email_domain_not_allowed', ['body/email']);
  });

  test.each(['learner1@tenant.test', 'LEARNER5@tenant.test'])(
    'the taken address %s is refused by name and nothing changes',
    async (email) => {
      const answer = () => change({ locale: 'fr', groupIds: [], email });
      await expectRefused(answer, 400, 'email_taken', ['body/email']);
    },
  );

  test('a taken externalLearnerId is refused by name and nothing changes', async () => {
    const answer = () => change({ locale: 'fr', groupIds: [], externalLearnerId: 'HR-1' });
    await expectRefused(answer, 400, 'external_learner_id_taken', ['body/externalLearnerId']);
  });

  test('each unknown or foreign group is named in a 404, and nothing changes', async () => {
    const bad = [unknownId, groupId('tenant', 1), groupId('other', 2), learnerId('tenant', 1)];
    const fields = ['body/groupIds/0', 'body/groupIds/2', 'body/groupIds/3'];
    await expectRefused(() => change({ locale: 'fr', groupIds: bad }), 404, 'not_found', fields);
  });
});
