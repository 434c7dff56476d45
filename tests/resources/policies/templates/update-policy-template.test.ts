/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { type Answer, expectError, fingerprintOf, get, patch, post } from '../../../support/client.ts';
import { companies, type CompanyName, unknownId } from '../../../support/world.ts';
import { fileId, templateId } from '../../../support/world-policies.ts';
import { expectNoDeadlocks } from '../../courses/enrollment-state.ts';
import { expectNoFailure, meanwhile, untilBegun, whileSlow } from '../../tenant-state.ts';
import { oddText } from '../../text-cases.ts';
import { countQueued, createdId, race, restoreTemplates, sees, storeFile, textOfPolicy } from './template-state.ts';

restoreTemplates();

const live = templateId('msp', 1);
const draftOnly = templateId('msp', 2);
const update = (id: string, body: object, key: CompanyName = 'msp'): Promise<Answer> =>
  patch(`/policy-templates/${id}`, body, key);
const change = async (id: string, body: object, key?: CompanyName): Promise<any> => {
  const answer = await update(id, body, key);
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const read = async (id: string): Promise<any> => (await get(`/policy-templates/${id}`, 'msp')).body.data;

async function expectRefused(id: string, body: object, status: number, code: string, fields: string[]): Promise<void> {
  const before = await fingerprintOf('msp');
  expectError(await update(id, body), status, code, fields);
  expect(await fingerprintOf('msp')).toBe(before);
}

describe('PATCH /policy-templates/{policyTemplateId}', () => {
  test('starts a draft from the published version, which does not change', async () => {
    const before = await read(live);
    const data = await change(live, { action: 'draft', name: 'Next', category: 'HR' });
    const file = { pdfFile: fileId('msp'), fileName: 'policy.pdf', pageCount: 1 };
    const draft = { name: 'Next', category: 'HR', locales: ['en'], ...file };
    expect(data).toEqual({
      ...before,
      updatedAt: data.updatedAt,
      draft: { ...draft, updatedAt: data.draft.updatedAt },
    });
    expect(data.updatedAt > before.updatedAt).toBe(true);
    expect(await read(live)).toEqual(data);
  });

  test('later changes go into the open draft; omitted fields keep their values', async () => {
    const pdfFile = await storeFile('msp');
    await change(live, { action: 'draft', name: 'Next', locales: ['fr'] });
    const { draft } = await change(live, { action: 'draft', pdfFile });
    expect(draft).toMatchObject({ name: 'Next', locales: ['fr'], category: null, pdfFile });
    expect((await change(live, { action: 'draft', locales: [] })).draft).toMatchObject({ name: 'Next', locales: [] });
    expect((await change(live, { action: 'draft', locales: ['de_CH'] })).draft.locales).toEqual(['de-CH']);
  });

  test('action live publishes the open draft and the changes together', async () => {
    const pdfFile = await storeFile('msp');
    await change(live, { action: 'draft', name: 'Next', pdfFile, category: 'HR' });
    const data = await change(live, { action: 'live', name: 'Next but one' });
    expect(data).toMatchObject({ name: 'Next but one', category: 'HR', pdfFile, isLive: true, draft: null });
    expect(Math.abs(Date.parse(data.publishedAt) - Date.now())).toBeLessThan(10_000);
    expect((await get(`/policy-templates/${live}`, 'childA')).body.data).toMatchObject({ name: 'Next but one' });
  });

  test('an unpublished template shows a draft change at once, and action live publishes it', async () => {
    expect(await change(draftOnly, { action: 'draft', name: 'Next' })).toMatchObject({
      name: 'Next',
      isLive: false,
      publishedAt: null,
      draft: { name: 'Next' },
    });
    expect(await change(draftOnly, { action: 'live' })).toMatchObject({ name: 'Next', isLive: true, draft: null });
  });

  test('without content fields no draft starts or changes, and only the sharing changes', async () => {
    for (const id of [live, draftOnly]) {
      const before = await read(id);
      expect(await change(id, { action: 'draft' })).toEqual(before);
      const { updatedAt, ...changed } = await change(id, { action: 'draft', companies: [companies.childB] });
      expect(changed.companies).toEqual([companies.childB]);
      const { global, companies: named } = before;
      expect({ ...changed, global, companies: named, updatedAt: before.updatedAt }).toEqual(before);
      expect(updatedAt > before.updatedAt).toBe(true);
    }
  });

  test('a repeated call changes nothing except updatedAt', async () => {
    const first = await change(live, { action: 'live', name: 'Next', global: true, companies: [companies.childA] });
    const again = await change(live, { action: 'live', name: 'Next', global: true, companies: [companies.childA] });
    expect({ ...again, updatedAt: null }).toEqual({ ...first, updatedAt: null });
    expect(await change(live, { action: 'live' })).toEqual(again);
    const { draft } = await change(live, { action: 'draft', name: 'Draft' });
    const repeated = await change(live, { action: 'draft', name: 'Draft' });
    expect(repeated.draft).toMatchObject({ ...draft, updatedAt: expect.any(String) });
  });

  test('sharing is not versioned and applies at once, even with action draft', async () => {
    await change(live, { action: 'draft', name: 'Next', companies: [companies.childB] });
    expect([await sees('childA', live), await sees('childB', live)]).toEqual([false, true]);
    expect(await read(live)).toMatchObject({ global: false, companies: [companies.childB], name: 'Template 1 of msp' });
    await change(live, { action: 'draft', global: false, companies: [] });
    expect([await sees('childA', live), await sees('childB', live)]).toEqual([false, false]);
    expect((await read(live)).draft).toMatchObject({ name: 'Next' });
  });

  describe.each<[string, object]>([
    ['every child tenant', { global: true }],
    ['one company', { companies: [companies.childA] }],
    ['no company', { global: false }],
  ])('the sharing of a template shared with %s', (_case, before) => {
    test.each<[string, object, CompanyName[]]>([
      ['global true', { global: true }, ['childA', 'childB']],
      ['global false', { global: false }, []],
      ['one company', { companies: [companies.childB] }, ['childB']],
      ['an empty company list', { companies: [] }, []],
      ['global true and one company', { global: true, companies: [companies.childB] }, ['childB']],
      ['global true and an empty company list', { global: true, companies: [] }, []],
      ['global false and one company', { global: false, companies: [companies.childB] }, ['childB']],
    ])('is replaced by %s', async (_name, sharing, sharedWith) => {
      await change(live, { action: 'draft', ...before });
      const changed = await change(live, { action: 'draft', ...sharing });
      const all = sharedWith.length === 2;
      expect(changed.global).toBe(all);
      expect(changed.companies).toEqual(all ? [] : sharedWith.map((name) => companies[name]));
      for (const name of ['childA', 'childB'] as const) {
        expect({ name, sees: await sees(name, live) }).toEqual({ name, sees: sharedWith.includes(name) });
      }
    });

    test('stays in a call without sharing fields', async () => {
      const { global, companies: named } = await change(live, { action: 'draft', ...before });
      expect(await change(live, { action: 'live', name: 'Next' })).toMatchObject({ global, companies: named });
    });
  });

  test('a template without content accepts changes only with a pdfFile', async () => {
    await post(`/policy-templates/${draftOnly}/discard-draft`, undefined, 'msp');
    for (const action of ['draft', 'live']) {
      await expectRefused(draftOnly, { action, name: 'Next' }, 400, 'invalid_request', ['body/pdfFile']);
    }
    const pdfFile = await storeFile('msp');
    expect(await change(draftOnly, { action: 'draft', pdfFile })).toMatchObject({
      pdfFile,
      isLive: false,
      draft: { pdfFile },
    });
  });

  test('existing policies keep their name and file, and no message is sent', async () => {
    const before = await storeFile('msp', { text: 'before' });
    const after = await storeFile('msp', { text: 'after' });
    await change(live, { action: 'live', name: 'Before', pdfFile: before });
    const make = (): Promise<Answer> =>
      post('/policies/from-template', { policyTemplateId: live, action: 'live' }, 'childA');
    const first = (await make()).body.data;
    await change(live, { action: 'live', name: 'After', pdfFile: after });
    const second = (await make()).body.data;
    expect([first.name, await textOfPolicy(first.id)]).toEqual(['Before', 'before']);
    expect([second.name, await textOfPolicy(second.id)]).toEqual(['After', 'after']);
    expect((await get(`/policies/${first.id}`, 'childA')).body.data).toEqual(first);
    expect(await countQueued()).toBe(0);
  });

  test('null clears the category', async () => {
    await change(live, { action: 'live', category: 'HR' });
    expect((await change(live, { action: 'draft', category: null })).draft).toMatchObject({ category: null });
    expect(await change(live, { action: 'live' })).toMatchObject({ category: null, name: 'Template 1 of msp' });
  });

  test('stores text of any script, and markup, unchanged except for surrounding white space', async () => {
    expect(await change(live, { action: 'live', name: oddText, category: oddText })).toMatchObject({
      name: oddText.trim(),
      category: oddText.trim(),
    });
  });
});

describe('PATCH /policy-templates/{policyTemplateId} with invalid input', () => {
  test.each<[object, string]>([
    [{ name: 'Next' }, 'action'],
    [{ action: null }, 'action'],
    [{ action: 'publish' }, 'action'],
    [{ action: 'live', name: null }, 'name'],
    [{ action: 'live', pdfFile: null }, 'pdfFile'],
    [{ action: 'live', locales: null }, 'locales'],
    [{ action: 'live', locales: ['en', 'en'] }, 'locales'],
    [{ action: 'live', locales: ['english'] }, 'locales/0'],
    [{ action: 'live', global: null }, 'global'],
    [{ action: 'live', companies: null }, 'companies'],
    [{ action: 'live', companies: [companies.childA, companies.childA] }, 'companies'],
    [{ action: 'live', companies: ['nonsense'] }, 'companies/0'],
  ])('%j returns 400 naming the field', async (body, place) => {
    await expectRefused(live, body, 400, 'invalid_request', [`body/${place}`]);
  });

  test('foreign, unknown and expired files return 404 naming the field', async () => {
    const expired = await storeFile('msp', { expiresIn: '-1 second' });
    for (const pdfFile of [fileId('childA'), fileId('distributor'), unknownId, 'policy.pdf', expired]) {
      await expectRefused(live, { action: 'live', name: 'Next', pdfFile }, 404, 'not_found', ['body/pdfFile']);
    }
  });

  test('a company that the caller does not manage returns 403 and changes nothing', async () => {
    for (const stranger of [companies.directChild, companies.msp, companies.tenant, unknownId]) {
      const named = [companies.childA, stranger];
      const body = { action: 'live', name: 'Next', companies: named };
      await expectRefused(live, body, 403, 'forbidden', ['body/companies/1']);
    }
  });

  test('a foreign template returns the same 404 as an unknown template, even with invalid input', async () => {
    const foreign = [templateId('strangerMsp', 1), templateId('childA', 1), templateId('distributor', 1)];
    const body = { action: 'live', pdfFile: unknownId, companies: [companies.tenant] };
    const unknown = await update(unknownId, body);
    expectError(unknown, 404, 'not_found');
    expect(unknown.body.error!.details).toEqual([]);
    for (const id of foreign) {
      const answer = await update(id, body);
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 404, text: unknown.text });
    }
  });
});

describe('concurrent PATCH /policy-templates/{policyTemplateId} requests', () => {
  expectNoDeadlocks();

  test('changes of different fields of one draft are all kept', async () => {
    const pdfFile = await storeFile('msp');
    const changes = [{ name: 'Next' }, { category: 'HR' }, { locales: ['fr'] }, { pdfFile }];
    const requests = changes.map((fields) =>
      race('msp', 'PATCH', `/policy-templates/${live}`, { action: 'draft', ...fields }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 4 });
    expect((await read(live)).draft).toMatchObject({ name: 'Next', category: 'HR', locales: ['fr'], pdfFile });
  });

  test('a change and a concurrent deletion both return 200, and the template is deleted', async () => {
    for (const table of ['policy_templates', 'policy_template_drafts']) {
      const id = await createdId('msp');
      await whileSlow('update', table, async () => {
        const requests = [race('msp', 'PATCH', `/policy-templates/${id}`, { action: 'live', name: 'Next' })];
        await meanwhile();
        requests.push(race('msp', 'DELETE', '/policy-templates/bulk', { policyTemplateIds: [id] }));
        expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
      });
      expect((await get(`/policy-templates/${id}`, 'msp')).status).toBe(404);
    }
  });

  test('a template that is being deleted returns 404', async () => {
    await whileSlow('delete', 'policy_templates', async () => {
      const deletion = race('msp', 'DELETE', '/policy-templates/bulk', { policyTemplateIds: [live] });
      await untilBegun(deletion);
      const body = { action: 'live', name: 'Next', companies: [companies.childA] };
      expectError(await race('msp', 'PATCH', `/policy-templates/${live}`, body), 404, 'not_found');
      expect((await deletion).body.data).toEqual({ deletedIds: [live], skippedIds: [] });
    });
  });

  test('changes, publications and discards of one template in any order never return a 5xx', async () => {
    const requests = Array.from({ length: 24 }, (_, n) => {
      const path = `/policy-templates/${live}`;
      if (n % 4 === 0) return race('msp', 'PATCH', path, { action: 'draft', name: `Draft ${n}` });
      if (n % 4 === 1) return race('msp', 'POST', `${path}/publish-draft`);
      if (n % 4 === 2) return race('msp', 'POST', `${path}/discard-draft`);
      return race('msp', 'PATCH', path, { action: 'live', name: `Live ${n}`, companies: [companies.childA] });
    });
    await expectNoFailure(requests);
    expect(await read(live)).toMatchObject({ isLive: true, companies: [companies.childA] });
  });
});
