import { type Answer, get, post } from '../../support/client.ts';
import { adminId, companies, unknownId } from '../../support/world.ts';
import { expectNoFailure, expectRefused, fieldsOf, setPlan } from '../tenant-state.ts';
import { oddText, webAddresses } from '../text-cases.ts';
import {
  countPost,
  dorothy,
  expectNow,
  expectOneLink,
  expectUndone,
  findListed,
  finishSetup,
  invite,
  POST_TABLES,
  race,
  restoreAdminsAfterEach,
  statusOfLink,
} from './admin-state.ts';

const create = (fields: object = {}): Promise<Answer> => post('/admins', { ...dorothy, ...fields });

/** Expects a creation to return the error and to create no admin, message or job. */
async function expectNothingCreated(
  ...[request, status, code, fields]: Parameters<typeof expectRefused>
): Promise<Answer> {
  const before = await countPost();
  const answer = await expectRefused(request, status, code, fields);
  expect(await countPost()).toEqual(before);
  return answer;
}

restoreAdminsAfterEach();

describe('POST /admins', () => {
  test('creates an invited admin from the three required fields and returns what the list returns', async () => {
    const { status, body } = await create();
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...dorothy,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      locale: null,
      status: 'invited',
      invitedAt: expect.any(String),
      createdAt: expect.any(String),
      role: 'owner',
      roleId: null,
      emergencyAccess: false,
      managedBy: null,
    });
    expectNow(body.data.invitedAt);
    expectNow(body.data.createdAt);
    expect(await findListed(body.data.id)).toEqual(body.data);
  });

  test('queues one invite whose link works and is neither in the response nor in the log', async () => {
    const { body, text } = await create();
    const token = await expectOneLink(body.data.id);
    expect(await countPost()).toEqual({ messages: 1, jobs: 1 });
    expect(text).not.toContain(token);
    expect(await statusOfLink(token)).toBe(200);
    expect(testService.log.join('')).not.toContain(token);
  });

  test('lists the new admin last', async () => {
    const { body } = await create();
    expect((await get('/admins')).body.data.at(-1)).toEqual(body.data);
  });

  test.each(['de-CH', 'zh-Hant-TW', 'es-419'])('stores the locale %s', async (locale) => {
    expect((await create({ locale })).body.data.locale).toBe(locale);
  });

  test('stores the locale de_CH as de-CH', async () => {
    expect((await create({ locale: 'de_CH' })).body.data.locale).toBe('de-CH');
  });

  test('stores text of any script, and markup, in the names without surrounding white space', async () => {
    const { body } = await create({ firstName: oddText, lastName: oddText });
    expect(body.data).toMatchObject({ firstName: oddText.trim(), lastName: oddText.trim() });
    expect(await findListed(body.data.id)).toEqual(body.data);
  });

  test('keeps the case of the address', async () => {
    expect((await create({ email: 'Dorothy.NEW@Tenant.test' })).body.data.email).toBe('Dorothy.NEW@Tenant.test');
  });

  test('stores the address without surrounding white space', async () => {
    const { body } = await create({ email: ' dorothy.spaced@tenant.test\u00a0' });
    expect(body.data.email).toBe('dorothy.spaced@tenant.test');
  });

  test('accepts an address of 254 characters', async () => {
    const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(56)}.test`;
    expect(email).toHaveLength(254);
    expect((await create({ email })).body.data).toMatchObject({ email });
  });

  test('accepts free-mail addresses and ignores the learner limit of the plan', async () => {
    await setPlan({ limit: 0 });
    expect((await create({ email: 'dorothy@gmail.com' })).status).toBe(200);
    expect((await create({ email: 'dorothy@consultants.test' })).status).toBe(200);
    await setPlan({});
  });

  test('with domain lock on, accepts the domain in any case', async () => {
    await setPlan({ domainLock: true });
    expect((await create({ email: 'dorothy@TENANT.test' })).status).toBe(200);
    await setPlan({});
  });

  test('accepts the address of a learner and of an admin of another company', async () => {
    expect((await create({ email: 'learner1@tenant.test' })).status).toBe(200);
    expect((await create({ email: 'admin1@other.test' })).status).toBe(200);
  });

  test.each(['msp', 'distributor', 'prospect'] as const)(
    'an admin created by a %s key belongs to the company of the key',
    async (key) => {
      const { id } = await invite({}, key);
      const rows = await testService.query(
        `select company_id from admins where id = $1 union all select company_id from messages where admin_id = $1`,
        [id],
      );
      expect(rows).toEqual([{ company_id: companies[key] }, { company_id: companies[key] }]);
    },
  );

  test('two admins get separate links', async () => {
    const one = await invite();
    const two = await invite({ email: 'second@tenant.test' });
    expect(await finishSetup(one.token)).toBe(200);
    expect(await findListed(one.id)).toMatchObject({ status: 'active' });
    expect(await findListed(two.id)).toMatchObject({ status: 'invited', ...dorothy, email: 'second@tenant.test' });
    expect(await statusOfLink(two.token)).toBe(200);
  });
});

describe('POST /admins with invalid input', () => {
  test.each(['email', 'firstName', 'lastName'])('a body without %s returns 400 naming the field', async (field) => {
    await expectNothingCreated(() => create({ [field]: undefined }), 400, 'invalid_request', [`body/${field}`]);
    await expectNothingCreated(() => create({ [field]: null }), 400, 'invalid_request', [`body/${field}`]);
  });

  test.each([
    '',
    'dorothy',
    '@tenant.test',
    'dorothy@localhost',
    'doro thy@tenant.test',
    'dorothy@tenant .test',
    'dorothy@bücher.test',
    'dorothy@tenant.test\0',
    'dorothy@tenant.test\r\nBcc: everyone@other.test',
    'Dorothy <dorothy@tenant.test>',
    'a@b.test,c@d.test',
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.test`,
  ])('the address %j returns 400 and creates nothing', async (email) => {
    const answer = await expectNothingCreated(() => create({ email }), 400, 'invalid_request');
    expect(new Set(fieldsOf(answer))).toEqual(new Set(['body/email']));
  });

  test.each(['dorothy@consultants.test', 'dorothy@gmail.com', 'dorothy@sub.tenant.test'])(
    'with domain lock on, the address %s returns 400 naming the field and creates nothing',
    async (email) => {
      await setPlan({ domainLock: true });
      await expectNothingCreated(() => create({ email }), 400, 'email_domain_not_allowed', ['body/email']);
      await setPlan({});
    },
  );

  test.each(webAddresses)('the name %j returns 400 naming the field and creates nothing', async (name) => {
    await expectNothingCreated(() => create({ firstName: name }), 400, 'invalid_request', ['body/firstName']);
    await expectNothingCreated(() => create({ lastName: name }), 400, 'invalid_request', ['body/lastName']);
  });

  test.each<[string, unknown]>([
    ['locale', null],
    ['locale', 'de CH'],
    ['locale', ''],
    ['status', 'active'],
    ['id', unknownId],
    ['companyId', companies.childA],
    ['role', 'emperor'],
  ])('%s %j returns 400 naming the field', async (field, value) => {
    await expectNothingCreated(() => create({ [field]: value }), 400, 'invalid_request', [`body/${field}`]);
  });

  test.each(['admin1@tenant.test', 'ADMIN1@Tenant.TEST', 'admin2@tenant.test', 'Admin2@tenant.test'])(
    'the existing admin address %s returns 400 naming the field and creates nothing',
    async (email) => {
      const { text } = await expectNothingCreated(() => create({ email }), 400, 'email_taken', ['body/email']);
      expect(text).not.toMatch(/learner/i);
    },
  );

  test('a repeated call sends no second invite and keeps the first link', async () => {
    const { id, token } = await invite();
    await expectNothingCreated(() => create({ firstName: 'Dot' }), 400, 'email_taken', ['body/email']);
    expect(await expectOneLink(id)).toBe(token);
  });

  test.each(POST_TABLES)('creates no admin if the invite cannot be written to %s', async (table) => {
    await expectUndone(table, 'POST', '/admins', dorothy);
    expect((await create()).status).toBe(200);
  });
});

describe('concurrent POST /admins requests', () => {
  test('10 creations with one address create one admin and one invite; the others return 400', async () => {
    const requests = Array.from({ length: 10 }, (_, n) =>
      race('POST', '/admins', { ...dorothy, email: n % 2 ? dorothy.email : dorothy.email.toUpperCase() }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 9 });
    expect(await countPost()).toEqual({ messages: 1, jobs: 1 });
    const created = (await get('/admins')).body.data;
    expect(created).toHaveLength(3);
    await expectOneLink(created[2].id);
  });

  test('20 creations with different addresses create 20 different links', async () => {
    const requests = Array.from({ length: 20 }, (_, n) =>
      race('POST', '/admins', { ...dorothy, email: `racer${n}@tenant.test` }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 20 });
    const tokens = new Set<string>();
    for (const { body } of await Promise.all(requests)) tokens.add(await expectOneLink(body.data.id));
    expect(tokens.size).toBe(20);
  });

  test('a creation and a change with the same address: exactly one succeeds', async () => {
    const requests = [
      race('POST', '/admins', { ...dorothy, email: 'wanted@tenant.test' }),
      race('PATCH', `/admins/${adminId('tenant', 1)}`, { email: 'Wanted@tenant.test' }),
    ];
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 1 });
  });
});
