/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { get, patch } from '../../../support/client.ts';
import { companies, type CompanyName, unknownId } from '../../../support/world.ts';
import { fileId, managedTemplate, templateId } from '../../../support/world-policies.ts';
import { createdId, restoreTemplates, storeFile } from './template-state.ts';

restoreTemplates();

const read = async (id: string, key: CompanyName = 'tenant', query = ''): Promise<any> => {
  const { status, body } = await get(`/policy-templates/${id}${query}`, key);
  expect(status).toBe(200);
  return body.data;
};
/** Field values that hide the content and sharing of a foreign template. */
const hidden = {
  pdfFile: null,
  fileName: null,
  pageCount: null,
  draft: null,
  global: false,
  companies: [],
  isEditable: false,
};

describe('GET /policy-templates/{policyTemplateId}', () => {
  test("returns the company's own published template with exactly the documented fields", async () => {
    expect(await read(templateId('tenant', 1))).toEqual({
      id: templateId('tenant', 1),
      name: 'Template 1 of tenant',
      type: 'pdf',
      source: 'own',
      category: null,
      locales: ['en'],
      isEditable: false,
      isLive: true,
      pdfFile: fileId('tenant'),
      fileName: 'policy.pdf',
      pageCount: 1,
      global: true,
      companies: [],
      publishedAt: '2026-01-05T09:00:00.000Z',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      draft: null,
    });
  });

  test("returns the company's own unpublished draft with its content", async () => {
    expect(await read(templateId('msp', 2), 'msp')).toMatchObject({
      name: 'Template 2 of msp',
      source: 'own',
      isEditable: true,
      isLive: false,
      pdfFile: fileId('msp'),
      global: false,
      companies: [],
      publishedAt: null,
      draft: {
        name: 'Template 2 of msp',
        pdfFile: fileId('msp'),
        fileName: 'policy.pdf',
        pageCount: 1,
        category: null,
        locales: ['en'],
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
  });

  test('returns the companies of a shared template to its owner', async () => {
    const sharedWith = [companies.childB, companies.childA];
    const id = await createdId('msp', { action: 'live', global: true, companies: sharedWith });
    const { global, companies: named } = await read(id, 'msp');
    expect({ global, named: named.toSorted() }).toEqual({ global: false, named: sharedWith.toSorted() });
  });

  test('hides the file, draft and sharing of a shared template', async () => {
    const secret = await storeFile('msp');
    const sharing = { global: true, companies: [companies.childA, companies.childB] };
    const id = await createdId('msp', { name: 'Published', category: 'HR', action: 'live', ...sharing });
    const next = { name: 'Secret', category: 'Secret', locales: ['fr'], pdfFile: secret };
    const { body } = await patch(`/policy-templates/${id}`, { action: 'draft', ...next }, 'msp');
    expect(body.data.draft).toMatchObject(next);
    const shown = await get(`/policy-templates/${id}`, 'childA');
    const facts = { name: 'Published', category: 'HR', locales: [], source: 'shared', isLive: true };
    expect(shown.body.data).toMatchObject({ ...facts, ...hidden, publishedAt: body.data.publishedAt });
    for (const word of ['Secret', secret, fileId('msp'), companies.msp, companies.childB]) {
      expect(shown.text).not.toContain(word);
    }
  });

  test('hides the file, draft and sharing of a managed template', async () => {
    await testService.query('update policy_templates set companies = $2 where id = $1', [
      managedTemplate,
      [companies.tenant, companies.msp],
    ]);
    await testService.query(
      `insert into policy_template_drafts (company_id, template_id, name, locales, file_id)
       select company_id, id, 'Next edition', '{}', file_id from policy_templates where id = $1`,
      [managedTemplate],
    );
    for (const key of ['tenant', 'msp', 'prospect'] as const) {
      const shown = await read(managedTemplate, key);
      expect(shown).toMatchObject({ name: 'Managed template', source: 'managed', isLive: true, ...hidden });
      expect(shown.locales).toEqual(['en', 'de']);
    }
  });

  test.each<[CompanyName, CompanyName, string]>([
    ['msp', 'childA', templateId('childA', 1)],
    ['msp', 'childA', templateId('childA', 2)],
    ['distributor', 'childB', templateId('childB', 2)],
    ['msp', 'childA', templateId('msp', 1)],
    ['msp', 'childA', templateId('distributor', 1)],
    ['distributor', 'directChild', templateId('distributor', 1)],
    ['distributor', 'directChild', managedTemplate],
    ['tenant', 'tenant', templateId('tenant', 2)],
  ])('%s with the companyId of %s reads a template as that company does', async (key, child, id) => {
    expect(await read(id, key, `?companyId=${companies[child]}`)).toEqual(await read(id, child));
  });

  test('an MSP with the companyId of its child reads its own template as shared', async () => {
    const shown = await read(templateId('msp', 1), 'msp', `?companyId=${companies.childA}`);
    expect(shown).toMatchObject({ source: 'shared', ...hidden });
    expect(await read(templateId('msp', 1), 'msp')).toMatchObject({ source: 'own', isEditable: true, global: true });
  });

  test('an invisible template returns the same 404 as an unknown template', async () => {
    const unshared = await createdId('msp', { action: 'live', companies: [companies.childB] });
    const unknown = await get(`/policy-templates/${unknownId}`, 'childA');
    expect(unknown.status).toBe(404);
    const invisible = [unshared, templateId('msp', 2), templateId('childB', 1), templateId('other', 1)];
    for (const id of invisible) {
      const answer = await get(`/policy-templates/${id}`, 'childA');
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 404, text: unknown.text });
    }
    for (const id of invisible.slice(0, 2)) {
      const throughChild = await get(`/policy-templates/${id}?companyId=${companies.childA}`, 'msp');
      expect({ status: throughChild.status, text: throughChild.text }).toEqual({ status: 404, text: unknown.text });
    }
  });

  test('a parent without the companyId of its child gets 404 for a template of the child', async () => {
    for (const key of ['msp', 'distributor'] as const) {
      expect((await get(`/policy-templates/${templateId('childA', 1)}`, key)).status).toBe(404);
      const wrong = `?companyId=${companies.childB}`;
      expect((await get(`/policy-templates/${templateId('childA', 1)}${wrong}`, key)).status).toBe(404);
    }
  });
});
