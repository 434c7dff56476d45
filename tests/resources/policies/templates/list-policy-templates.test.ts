/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { call, expectError, get, patch, post } from '../../../support/client.ts';
import { companies, type CompanyName, MANAGED_CATALOGUE } from '../../../support/world.ts';
import { managedTemplate, templateId } from '../../../support/world-policies.ts';
import { createdId, listed, listedIds, moveBelow, restoreTemplates, sees } from './template-state.ts';

restoreTemplates();

/** Inserts templates without the API, with ids in the order of their numbers from 1. */
async function insertTemplates(company: CompanyName | 'managed', count: number): Promise<void> {
  await testService.query(
    `insert into policy_templates (company_id, id, name, locales, file_id, published_at, is_global)
     select company_id, ('0192b002-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Überblick 🦊 ' || n, '{de}',
            file_id, published_at, true
       from policy_templates, generate_series(1, $2::integer) as n where id = $1 order by random()`,
    [company === 'managed' ? managedTemplate : templateId(company, 1), count],
  );
}

describe('GET /policy-templates', () => {
  test('lists own, shared and managed templates by id with exactly the documented fields', async () => {
    const item = (company: CompanyName, number: 1 | 2, source: string): object => ({
      id: templateId(company, number),
      name: `Template ${number} of ${company}`,
      type: 'pdf',
      source,
      category: null,
      locales: ['en'],
      isEditable: false,
      isLive: number === 1,
    });
    const managed = { ...item('msp', 1, 'managed'), id: managedTemplate, name: 'Managed template' };
    expect(await listed('childA')).toEqual([
      item('msp', 1, 'shared'),
      item('childA', 1, 'own'),
      item('childA', 2, 'own'),
      item('distributor', 1, 'shared'),
      { ...managed, locales: ['en', 'de'] },
    ]);
  });

  test.each([
    ['msp', true],
    ['distributor', true],
    ['strangerMsp', true],
    ['tenant', false],
    ['prospect', false],
  ] as const)('own templates of %s are editable: %s; managed templates are not', async (key, isEditable) => {
    expect(await listed(key)).toMatchObject([
      { id: templateId(key, 1), source: 'own', isEditable },
      { id: templateId(key, 2), source: 'own', isEditable },
      { id: managedTemplate, source: 'managed', isEditable: false },
    ]);
  });

  const [shared, own, draft] = [templateId('msp', 1), templateId('childA', 1), templateId('childA', 2)];
  const others = [templateId('distributor', 1), managedTemplate];
  test.each([
    ['', [shared, own, draft, ...others]],
    ['?restrictToOwn=true', [own, draft]],
    ['?publishedOnly=true', [shared, own, ...others]],
    ['?pdfOnly=true', [shared, own, draft, ...others]],
    ['?restrictToOwn=true&publishedOnly=true&pdfOnly=true', [own]],
    ['?restrictToOwn=false&publishedOnly=false&pdfOnly=false', [shared, own, draft, ...others]],
    [`?restrictToOwn=true&publishedOnly=true&companyId=${companies.childA}`, [own]],
  ])('the filter "%s" returns only matching templates', async (query, ids) => {
    expect(await listedIds('childA', query)).toEqual(ids);
  });

  test.each(['restrictToOwn', 'publishedOnly', 'pdfOnly'])('%s other than true or false returns 400', async (name) => {
    for (const value of ['maybe', '', '1', 'TRUE', `true&${name}=false`]) {
      expectError(await get(`/policy-templates?${name}=${value}`), 400, 'invalid_request', [`query/${name}`]);
    }
  });

  test.each([
    ['msp', 'childA'],
    ['msp', 'childB'],
    ['distributor', 'childA'],
    ['distributor', 'directChild'],
    ['tenant', 'tenant'],
  ] as const)('%s with the companyId of %s lists the same templates as that company', async (key, child) => {
    for (const query of ['', '&restrictToOwn=true', '&publishedOnly=true']) {
      const asParent = await get(`/policy-templates?companyId=${companies[child]}${query}`, key);
      const asChild = await get(`/policy-templates?${query.slice(1)}`, child);
      expect(asParent.body).toEqual(asChild.body);
      expect(asParent.body.data).toContainEqual(expect.objectContaining({ id: templateId(child, 1), source: 'own' }));
    }
  });

  test('an MSP lists its own templates for a child only if they are shared with the child', async () => {
    const limited = await createdId('msp', { action: 'live', companies: [companies.childB] });
    expect(await listedIds('msp', `?companyId=${companies.childA}`)).not.toContain(limited);
    expect(await listedIds('msp', `?companyId=${companies.childB}`)).toContain(limited);
  });

  test('returns the draft before the first publication and the published version after it', async () => {
    const id = await createdId('msp', { name: 'First', category: 'HR', locales: ['fr', 'de-CH'] });
    const find = async (key: CompanyName): Promise<object | undefined> =>
      (await listed(key)).find((item) => item.id === id);
    expect(await find('msp')).toMatchObject({ name: 'First', category: 'HR', locales: ['fr', 'de-CH'], isLive: false });
    await patch(`/policy-templates/${id}`, { action: 'live', global: true }, 'msp');
    await patch(`/policy-templates/${id}`, { action: 'draft', name: 'Second', category: 'IT', locales: [] }, 'msp');
    const published = { name: 'First', category: 'HR', locales: ['fr', 'de-CH'], isLive: true };
    expect(await find('msp')).toMatchObject({ ...published, source: 'own' });
    expect(await find('childA')).toMatchObject({ ...published, source: 'shared' });
  });

  test('the list is empty for a company without templates', async () => {
    await testService.query('delete from policy_templates where company_id = any($1)', [
      [companies.tenant, MANAGED_CATALOGUE],
    ]);
    expect((await get('/policy-templates')).text).toBe('{"data":[]}');
  });

  test('lists 1,501 shared, 1,501 managed and own templates in order in concurrent calls', async () => {
    await insertTemplates('msp', 1501);
    await testService.query(
      `insert into policy_templates (company_id, id, name, locales, file_id, published_at)
       select $1, overlay(id::text placing '0192b003' from 1 for 8)::uuid, name, locales,
              (select file_id from policy_templates where id = $2), published_at
         from policy_templates where id::text like '0192b002%'`,
      [MANAGED_CATALOGUE, managedTemplate],
    );
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const ids = await listedIds('childA');
        expect(ids).toHaveLength(5 + 2 * 1501);
        expect(ids).toEqual(ids.toSorted());
        const { status, text } = await call('childA', 'HEAD', '/policy-templates');
        expect({ status, text }).toEqual({ status: 200, text: '' });
      }),
    );
  });
});

describe('templates of parent companies', () => {
  const [ofMsp, ofDistributor] = [templateId('msp', 1), templateId('distributor', 1)];
  const seen = async (key: CompanyName): Promise<boolean[]> => [await sees(key, ofMsp), await sees(key, ofDistributor)];

  test('a company that moves to another parent sees only the templates of its new parents', async () => {
    expect(await seen('childA')).toEqual([true, true]);
    await moveBelow('childA', 'distributor');
    expect(await seen('childA')).toEqual([false, true]);
    await moveBelow('childA', 'strangerMsp');
    expect(await seen('childA')).toEqual([false, false]);
    expect(await sees('childA', templateId('strangerMsp', 1))).toBe(true);
    await moveBelow('childA', null);
    expect(await sees('childA', templateId('strangerMsp', 1))).toBe(false);
  });

  test('a company that leaves its MSP sees a template that names it only after it returns', async () => {
    const id = await createdId('msp', { action: 'live', companies: [companies.childA] });
    await moveBelow('childA', 'distributor');
    expect(await sees('childA', id)).toBe(false);
    await moveBelow('childA', 'msp');
    expect(await sees('childA', id)).toBe(true);
  });

  test('a prospect of an MSP sees the templates shared with the tenants of the MSP', async () => {
    expect(await seen('prospect')).toEqual([false, false]);
    await moveBelow('prospect', 'msp');
    expect(await seen('prospect')).toEqual([true, true]);
  });

  test('an MSP sees no template of its distributor, even if the template names it', async () => {
    await testService.query('update policy_templates set is_global = false, companies = $2 where id = $1', [
      ofDistributor,
      [companies.msp, companies.childA],
    ]);
    expect(await sees('msp', ofDistributor)).toBe(false);
    expect(await sees('childA', ofDistributor)).toBe(true);
  });

  test('a template that is no longer shared returns 404 for the children, and its policies are kept', async () => {
    const made = await post('/policies/from-template', { policyTemplateId: ofMsp, action: 'live' }, 'childA');
    await patch(`/policy-templates/${ofMsp}`, { action: 'live', global: false }, 'msp');
    expect(await sees('childA', ofMsp)).toBe(false);
    const again = await post('/policies/from-template', { policyTemplateId: ofMsp, action: 'live' }, 'childA');
    expectError(again, 404, 'not_found', ['body/policyTemplateId']);
    expect((await get(`/policies/${made.body.data.id}`, 'childA')).body.data).toEqual(made.body.data);
  });

  test('companies restricts a template shared with every child, and an empty list ends the sharing', async () => {
    await patch(`/policy-templates/${ofDistributor}`, { action: 'live', companies: [companies.childB] }, 'distributor');
    expect([await sees('childA', ofDistributor), await sees('childB', ofDistributor)]).toEqual([false, true]);
    await patch(`/policy-templates/${ofDistributor}`, { action: 'live', companies: [] }, 'distributor');
    expect([await sees('childA', ofDistributor), await sees('childB', ofDistributor)]).toEqual([false, false]);
  });
});
