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

/** Changes the learner and returns the changed fields of the response, except `updatedAt`. */
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
    ['locale with an underscore', { locale: 'de_CH' }, { locale: 'de-CH' }],
    ['excludedFromAutoEnrol', { excludedFromAutoEnrol: true }, { excludedFromAutoEnrol: true }],
    ['externalLearnerId', { externalLearnerId: 'HR-new' }, { externalLearnerId: 'HR-new' }],
    ['externalLearnerId with surrounding spaces', { externalLearnerId: ' HR-new ' }, { externalLearnerId: 'HR-new' }],
    ['nothing if externalLearnerId gains surrounding spaces', { externalLearnerId: ' HR-3 ' }, {}],
    ['externalLearnerId to null', { externalLearnerId: null }, { externalLearnerId: null }],
    ['groupIds', { groupIds: [groupId('tenant', 2)] }, secondGroup],
    ['groupIds to an empty list', { groupIds: [] }, { groups: [], manager: null }],
    ['nothing', original, {}],
  ])('changes %s and no other field', async (_field, fields, expected) => {
    expect(await differences(fields)).toEqual(expected);
  });

  test('excludedFromAutoEnrol keeps its value if omitted and can be set back to false', async () => {
    await change({ excludedFromAutoEnrol: true });
    expect(await differences({ locale: 'fr' })).toEqual({ locale: 'fr' });
    expect(await differences({ excludedFromAutoEnrol: false })).toEqual({ excludedFromAutoEnrol: false });
  });

  test('sets updatedAt and keeps createdAt', async () => {
    const before = (await get(path)).body.data;
    const { data } = (await change({ locale: 'fr' })).body;
    expect(Date.parse(data.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(data.createdAt).toBe(before.createdAt);
  });

  test('another learner can take a cleared externalLearnerId', async () => {
    await change({ externalLearnerId: null });
    const four = `/learners/${learnerId('tenant', 4)}`;
    const fields = { firstName: 'Edsger', lastName: 'tenant' };
    expect((await patch(four, { ...fields, externalLearnerId: 'HR-3' })).status).toBe(200);
    expect((await patch(four, { ...fields, externalLearnerId: null })).body.data.externalLearnerId).toBeNull();
  });

  test('a manager who leaves the group still manages it', async () => {
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

  test('other fields can change if the current rules would reject the stored address', async () => {
    await testService.query('update learners set email = $2 where id = $1', [learnerId('tenant', 3), 'old@gmail.com']);
    expect(await differences({ locale: 'fr' })).toEqual({ locale: 'fr' });
    expect(await differences({ locale: 'it', email: 'old@gmail.com' })).toEqual({ locale: 'it' });
  });

  test('changes a learner in a full plan', async () => {
    await setPlan({ limit: 2 });
    expect(await differences({ email: 'new3@tenant.test' })).toEqual({ email: 'new3@tenant.test' });
  });

  test('accepts the address of a learner of another company', async () => {
    expect(await differences({ email: 'learner1@other.test' })).toEqual({ email: 'learner1@other.test' });
  });

  test('stores text of any script, and markup, unchanged except for surrounding white space', async () => {
    const { body } = await change({ firstName: oddText, lastName: oddText, externalLearnerId: oddText });
    const plain = oddText.trim();
    expect(body.data).toMatchObject({ firstName: plain, lastName: plain, externalLearnerId: plain });
    expect((await get(path)).body.data).toEqual(body.data);
  });

  test('concurrent changes leave the learner in the state of one of them', async () => {
    const requests = Array.from({ length: 12 }, (_, n) =>
      race('PATCH', path, { ...names, locale: n % 2 ? 'de' : 'fr', groupIds: n % 2 ? groupIds : [] }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    const { locale, groups } = (await get(path)).body.data;
    expect(groups).toHaveLength(locale === 'de' ? 2 : 0);
  });

  test('a change that waits for another transaction is compared with the committed row', async () => {
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

  test('a change never returns a 5xx if the learner is deleted concurrently', async () => {
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

describe('PATCH /learners/{learnerId} with an invalid body', () => {
  test.each(webAddresses)('the name %j returns 400 naming the fields and changes nothing', async (name) => {
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
  ])('%s %j returns 400 naming the field and changes nothing', async (field, value) => {
    const answer = () => change({ locale: 'fr', [field]: value });
    await expectRefused(answer, 400, 'invalid_request', [`body/${field}`]);
  });

  test.each(['ada@gmail.com', 'ADA@Gmail.Com'])(
    'the free-mail address %s returns 400 and changes nothing',
    async (email) => {
      const answer = () => change({ locale: 'fr', email });
      await expectRefused(answer, 400, 'email_provider_not_allowed', ['body/email']);
    },
  );

  test('with domain lock on, an address in another domain returns 400 and changes nothing', async () => {
    await setPlan({ domainLock: true });
    const answer = () => change({ locale: 'fr', email: 'ada@sub.tenant.test' });
    await expectRefused(answer, 400, 'email_domain_not_allowed', ['body/email']);
  });

  test.each(['learner1@tenant.test', 'LEARNER5@tenant.test'])(
    'the existing address %s returns 400 naming the field and changes nothing',
    async (email) => {
      const answer = () => change({ locale: 'fr', groupIds: [], email });
      await expectRefused(answer, 400, 'email_taken', ['body/email']);
    },
  );

  test('an existing externalLearnerId returns 400 naming the field and changes nothing', async () => {
    const answer = () => change({ locale: 'fr', groupIds: [], externalLearnerId: 'HR-1' });
    await expectRefused(answer, 400, 'external_learner_id_taken', ['body/externalLearnerId']);
  });

  test('unknown and foreign groups return 404 naming each and change nothing', async () => {
    const bad = [unknownId, groupId('tenant', 1), groupId('other', 2), learnerId('tenant', 1)];
    const fields = ['body/groupIds/0', 'body/groupIds/2', 'body/groupIds/3'];
    await expectRefused(() => change({ locale: 'fr', groupIds: bad }), 404, 'not_found', fields);
  });
});
