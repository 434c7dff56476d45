/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { expectError, fingerprintOf, get, post } from '../../../support/client.ts';
import { companies, type CompanyName, id, unknownId } from '../../../support/world.ts';
import { fileId, templateId } from '../../../support/world-policies.ts';
import { numbered } from '../../id-list-cases.ts';
import { expectNoFailure, expectRefused } from '../../tenant-state.ts';
import { oddText } from '../../text-cases.ts';
import { countQueued, create, createdId, listed, race, restoreTemplates, sees, storeFile } from './template-state.ts';

restoreTemplates();
const refused = (fields: object, fieldNames?: string[]) =>
  expectRefused(() => create('tenant', fields), 400, 'invalid_request', fieldNames);

describe('POST /policy-templates', () => {
  test('creates a draft with its content and returns what GET returns', async () => {
    const pdfFile = await storeFile('tenant');
    const content = { name: 'Remote work', pdfFile, category: 'HR', locales: ['en', 'zh-Hant-TW'] };
    const { status, body } = await create('tenant', content);
    expect(status).toBe(200);
    const { id: newId, createdAt } = body.data;
    expect(newId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(10_000);
    const facts = { type: 'pdf', source: 'own', isEditable: false, isLive: false, publishedAt: null };
    const sharing = { global: false, companies: [] };
    const stored = { ...content, fileName: null, pageCount: 1 };
    const draft = { ...stored, updatedAt: createdAt };
    expect(body.data).toEqual({ id: newId, ...stored, ...facts, ...sharing, createdAt, updatedAt: createdAt, draft });
    expect((await get(`/policy-templates/${newId}`)).body.data).toEqual(body.data);
    expect((await listed('tenant')).at(-1)).toMatchObject({ id: newId, isLive: false });
  });

  test('publishes a live template at once without a draft', async () => {
    const { body } = await create('msp', { action: 'live' });
    const { publishedAt, createdAt } = body.data;
    expect(body.data).toMatchObject({ isLive: true, isEditable: true, draft: null, category: null, locales: [] });
    expect(publishedAt).toBe(createdAt);
    expect((await get(`/policy-templates/${body.data.id}`, 'msp')).body.data).toEqual(body.data);
  });

  test('sends no message, even if the template is published and shared', async () => {
    await create('msp', { action: 'live', global: true });
    await create('tenant', { action: 'live' });
    expect(await countQueued()).toBe(0);
  });

  test('a repeated call creates another template', async () => {
    expect(await createdId('tenant')).not.toBe(await createdId('tenant'));
    expect(await listed('tenant', '?restrictToOwn=true')).toHaveLength(4);
  });

  test('stores text of any script, and markup, unchanged except for surrounding white space', async () => {
    const { body } = await create('tenant', { name: oddText, category: oddText });
    const stored = { name: oddText.trim(), category: oddText.trim() };
    expect(body.data).toMatchObject({ ...stored, draft: stored });
    expect((await get(`/policy-templates/${body.data.id}`)).body.data).toEqual(body.data);
  });

  test('accepts 100 locales and keeps their order', async () => {
    const locales = Array.from({ length: 100 }, (_, n) => `de-${900 - n}`);
    expect((await create('tenant', { locales })).body.data.locales).toEqual(locales);
  });

  test.each([
    [
      ['en', 'de_CH', 'de-CH'],
      ['en', 'de-CH'],
    ],
    [['en', 'EN', ' en.UTF-8'], ['en']],
  ])('the locales %j are stored as %j without duplicates', async (locales, stored) => {
    expect((await create('tenant', { locales })).body.data.locales).toEqual(stored);
  });

  test('a pdfFile in upper case names the same file', async () => {
    const pdfFile = fileId('tenant');
    expect((await create('tenant', { pdfFile: pdfFile.toUpperCase() })).body.data.pdfFile).toBe(pdfFile);
  });
});

describe('POST /policy-templates with an invalid body', () => {
  test.each(['name', 'pdfFile', 'action'])('a body without %s returns 400 naming the field', async (field) => {
    await refused({ [field]: undefined }, [`body/${field}`]);
    await refused({ [field]: null }, [`body/${field}`]);
  });

  test.each<[string, unknown, string]>([
    ['action', 'publish', 'action'],
    ['action', 'LIVE', 'action'],
    ['category', null, 'category'],
    ['locales', null, 'locales'],
    ['locales', 'en', 'locales'],
    ['locales', ['en', 'en'], 'locales'],
    ['locales', ['en', 'EN', 'EN'], 'locales'],
    ['locales', ['en', 'DE', 'english'], 'locales/2'],
    ['locales', [''], 'locales/0'],
    ['locales', ['en US'], 'locales/0'],
    ['locales', Array.from({ length: 101 }, (_, n) => `de-${900 - n}`), 'locales'],
    ['global', null, 'global'],
    ['global', 'true', 'global'],
    ['companies', null, 'companies'],
    ['companies', companies.childA, 'companies'],
    ['companies', [companies.childA, companies.childA], 'companies'],
    ['companies', [companies.childA, companies.childA.toUpperCase()], 'companies'],
    ['companies', ['nonsense'], 'companies/0'],
    ['companies', [null], 'companies/0'],
    ['companies', Array.from({ length: 10_001 }, (_, n) => numbered(n)), 'companies'],
  ])('%s %j returns 400 naming the field', async (field, value, place) => {
    await refused({ [field]: value }, [`body/${place}`]);
    expectError(await create('msp', { [field]: value }), 400, 'invalid_request', [`body/${place}`]);
  });

  test.each<[string, () => string | Promise<string>]>([
    ['does not exist', () => unknownId],
    ['has an invalid id', () => 'policy.pdf'],
    ['is given as a path', () => '../../etc/passwd'],
    ['another company owns', () => fileId('other')],
    ['another company has just uploaded', () => storeFile('other')],
    ['the managed catalogue owns', () => id('a', 2)],
    ['expired unused', () => storeFile('tenant', { expiresIn: '-1 second' })],
    ['is given as the id of a template', () => templateId('tenant', 1)],
  ])('a file that %s returns the same 404 naming the field', async (_case, reference) => {
    const unknown = await create('tenant', { pdfFile: id('f', 2) });
    const pdfFile = await reference();
    const answer = await expectRefused(() => create('tenant', { pdfFile }), 404, 'not_found', ['body/pdfFile']);
    expect(answer.text).toBe(unknown.text);
  });

  test('an MSP and its child cannot use files of each other', async () => {
    expectError(await create('msp', { pdfFile: fileId('childA') }), 404, 'not_found', ['body/pdfFile']);
    expectError(await create('childA', { pdfFile: fileId('msp') }), 404, 'not_found', ['body/pdfFile']);
  });

  test('an expired file returns 404 after the last template stops using it', async () => {
    const pdfFile = await storeFile('tenant', { expiresIn: '0.3 seconds' });
    const newId = await createdId('tenant', { pdfFile });
    await new Promise((resolve) => setTimeout(resolve, 400));
    const again = await createdId('tenant', { pdfFile });
    for (const used of [newId, again]) await post(`/policy-templates/${used}/discard-draft`);
    expectError(await create('tenant', { pdfFile }), 404, 'not_found', ['body/pdfFile']);
  });
});

describe('sharing in POST /policy-templates', () => {
  test.each(['tenant', 'prospect', 'childA'] as const)('%s can send fields that share with no company', async (key) => {
    const { status, body } = await create(key, { action: 'live', global: false, companies: [] });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ global: false, companies: [] });
  });

  test.each<[CompanyName, object]>([
    ['tenant', { global: true }],
    ['tenant', { companies: [companies.tenant] }],
    ['prospect', { global: true, companies: [] }],
    ['childA', { global: false, companies: [companies.childB] }],
    ['directChild', { companies: [unknownId] }],
  ])('%s cannot share a template: %j', async (key, sharing) => {
    const before = await fingerprintOf(key);
    expectError(await create(key, sharing), 403, 'forbidden');
    expect(await fingerprintOf(key)).toBe(before);
  });

  test.each<[CompanyName, CompanyName[]]>([
    ['msp', ['childA']],
    ['msp', ['childB', 'childA']],
    ['distributor', ['childA', 'directChild']],
    ['distributor', ['childB']],
  ])('%s shares at once with %j and with no other company', async (key, named) => {
    const newId = await createdId(key, { action: 'live', companies: named.map((name) => companies[name]) });
    for (const name of Object.keys(companies) as CompanyName[]) {
      expect({ name, sees: await sees(name, newId) }).toEqual({ name, sees: name === key || named.includes(name) });
    }
  });

  test.each<[object, CompanyName[]]>([
    [{}, []],
    [{ global: true }, ['childA', 'childB']],
    [{ global: true, companies: [] }, []],
    [{ global: true, companies: [companies.childA] }, ['childA']],
  ])('an MSP that sends %j shares with %j', async (sharing, sharedWith) => {
    const newId = await createdId('msp', { action: 'live', ...sharing });
    for (const name of ['childA', 'childB'] as const) {
      expect({ name, sees: await sees(name, newId) }).toEqual({ name, sees: sharedWith.includes(name) });
    }
  });

  test.each<[CompanyName, string[], number[]]>([
    ['msp', [companies.directChild], [0]],
    ['msp', [companies.childA, companies.tenant, companies.childB, unknownId], [1, 3]],
    ['msp', [companies.msp], [0]],
    ['msp', [companies.distributor, companies.childA], [0]],
    ['distributor', [companies.childA, companies.msp], [1]],
    ['distributor', [companies.distributor], [0]],
    ['strangerMsp', [companies.childA, companies.prospect], [0, 1]],
  ])('%s with the companies %j gets 403 naming the unmanaged ones: %j', async (key, named, places) => {
    for (const global of [undefined, true]) {
      const before = await fingerprintOf(key);
      const fields = places.map((place) => `body/companies/${place}`);
      expectError(await create(key, { global, companies: named, action: 'live' }), 403, 'forbidden', fields);
      expect(await fingerprintOf(key)).toBe(before);
    }
  });

  test('an existing unmanaged company returns the same 403 as an unknown company', async () => {
    const existing = await create('msp', { companies: [companies.tenant] });
    expect(existing.text).toBe((await create('msp', { companies: [unknownId] })).text);
  });
});

test('ten concurrent creations create ten templates', async () => {
  const body = { name: 'Remote work', pdfFile: fileId('tenant'), action: 'live' };
  const requests = Array.from({ length: 10 }, () => race('tenant', 'POST', '/policy-templates', body));
  expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
  const ids = (await Promise.all(requests)).map((answer) => answer.body.data.id as string);
  expect(new Set(ids).size).toBe(10);
  expect((await listed('tenant', '?restrictToOwn=true')).map((item) => item.id)).toEqual(expect.arrayContaining(ids));
});

// This test comes last, because it leaves its companies in place: deleting a company scans every table.
test('an MSP shares with 10,000 managed companies; 10,000 unknown companies return 403', async () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => numbered(10_000 - n));
  expectError(await create('strangerMsp', { companies: ids }), 403, 'forbidden');
  await testService.query(
    `insert into companies (id, name, account_type, plan_name, parent_id, managed_by)
     select child, 'One of many', 'tenant', 'business', $1::uuid, array[$1::uuid] from unnest($2::uuid[]) as child`,
    [companies.strangerMsp, ids],
  );
  const { status, body } = await create('strangerMsp', { companies: ids, action: 'live' });
  expect(status).toBe(200);
  expect(new Set(body.data.companies)).toEqual(new Set(ids));
});
