import { type Answer, call, del, post } from '../../support/client.ts';
import { fileId, managedTemplate, policyId, templateId } from '../../support/world-policies.ts';
import { companies, type CompanyName, type KeyName, learnerId, unknownId } from '../../support/world.ts';
import { expectNoFailure, expectRefused, fieldsOf, meanwhile, whileSlow } from '../tenant-state.ts';
import { assign, dataOf, publish, queuedMessages, race, read, restorePolicies, update } from './policy-state.ts';
import { signatureDefault, storeFile, versionsOf } from './policy-state.ts';

restorePolicies();

const path = '/policies/from-template';
const own = templateId('tenant', 1);
const from = (policyTemplateId: string, fields: object = {}, key: KeyName = 'tenant'): Promise<Answer> =>
  post(path, { policyTemplateId, action: 'live', ...fields }, key);
const create = (policyTemplateId: string, fields?: object, key?: KeyName): Promise<any> =>
  dataOf(from(policyTemplateId, fields, key));

/** Returns the owner, hash, name, sizes and page count of a file. */
async function storedFile(reference: string): Promise<object | undefined> {
  const [row] = await testService.query(
    `select f.company_id as company, encode(f.sha256, 'hex') as sha256, file_name as "fileName", size_bytes as "sizeBytes",
            page_count as "pageCount", length(content) as "contentBytes"
       from policy_files f join file_contents c on c.company_id = f.company_id and c.sha256 = f.sha256 where f.id = $1`,
    [reference],
  );
  return row;
}

async function changeTemplate(id: string, column: string, value: unknown): Promise<void> {
  await testService.query(`update policy_templates set ${column} = $2 where id = $1`, [id, value]);
}

describe('POST /policies/from-template', () => {
  test('creates a live policy from the two required fields with the name and category of the template', async () => {
    await changeTemplate(own, 'category', 'Security');
    const created = await create(own);
    expect(created).toEqual({
      id: expect.any(String),
      name: 'Template 1 of tenant',
      type: 'pdf',
      isLive: true,
      inDraft: false,
      isPublic: false,
      majorVersion: 1,
      minorVersion: 0,
      category: 'Security',
      ownerName: null,
      ownerEmail: null,
      pdfFile: expect.any(String),
      fileName: 'policy.pdf',
      pageCount: 1,
      publishedAt: created.updatedAt,
      createdAt: created.createdAt,
      updatedAt: created.updatedAt,
      signatureSettings: null,
      liveVersionId: created.versions[0].id,
      versions: [expect.objectContaining({ majorVersion: 1, minorVersion: 0, name: created.name })],
      draft: null,
      assignedCount: 0,
      signedCount: 0,
      results: null,
      signatures: null,
    });
    expect(await read(created.id)).toEqual(created);
    expect(await versionsOf(created.id)).toMatchObject([{ version: '1.0', fileId: created.pdfFile }]);
    expect(await queuedMessages()).toEqual([]);
  });

  test('creates a draft that publish-draft publishes with the requested version', async () => {
    const { id, pdfFile, ...draft } = await create(own, { action: 'draft', majorVersion: 2, minorVersion: 3 });
    expect(draft).toMatchObject({ isLive: false, inDraft: true, draft: { name: 'Template 1 of tenant', pdfFile } });
    expect(await publish(id)).toMatchObject({ isLive: true, majorVersion: 2, minorVersion: 3, pdfFile });
  });

  test("stores every optional field instead of the template's fields", async () => {
    await changeTemplate(own, 'category', 'Security');
    const owner = { ownerName: 'Charles', ownerEmail: 'charles@tenant.test' };
    const fields = { name: 'Ours', category: 'HR', ...owner, isPublic: true, majorVersion: 0, minorVersion: 9 };
    const created = await create(own, { ...fields, signatureSettings: { type: 'none', setDefault: true } });
    expect(created).toMatchObject({ ...fields, signatureSettings: { type: 'none', setDefault: true } });
    expect(await signatureDefault()).toEqual({ policyIds: [created.id], type: 'none' });
  });

  test('a null category replaces the category of the template', async () => {
    await changeTemplate(own, 'category', 'Security');
    expect(await create(own, { category: null })).toMatchObject({ category: null });
  });

  test('a repeated call creates another policy with its own file', async () => {
    const [first, second] = [await create(own), await create(own)];
    expect(first.id).not.toBe(second.id);
    expect(await storedFile(first.pdfFile)).toEqual(await storedFile(second.pdfFile));
  });

  test.each<[string, string, CompanyName, string, string]>([
    ['a managed template', managedTemplate, 'tenant', 'Managed template', '00000000-0000-0000-0000-000000000000'],
    ['a template shared by its MSP', templateId('msp', 1), 'childA', 'Template 1 of msp', companies.msp],
    [
      'a template shared by the distributor above its MSP',
      templateId('distributor', 1),
      'childA',
      'Template 1 of distributor',
      companies.distributor,
    ],
    [
      'a template shared by its distributor',
      templateId('distributor', 1),
      'directChild',
      'Template 1 of distributor',
      companies.distributor,
    ],
    ['its own template', templateId('msp', 1), 'msp', 'Template 1 of msp', companies.msp],
  ])('%s gives the policy a file of the company with the same contents', async (_case, id, key, name, owner) => {
    const created = await create(id, {}, key);
    expect(created).toMatchObject({ name, isLive: true });
    const [template] = await testService.query('select file_id from policy_templates where id = $1', [id]);
    expect(created.pdfFile).not.toBe(template!.file_id);
    const copied = await storedFile(template!.file_id as string);
    expect(copied).toMatchObject({ company: owner });
    expect(await storedFile(created.pdfFile)).toEqual({ ...copied, company: companies[key] });
  });

  test('uses the published file of a template, not the file of its draft', async () => {
    const next = await storeFile({ company: 'msp' });
    await dataOf(
      post('/policy-templates', { name: 'Two', pdfFile: fileId('msp'), action: 'live', global: true }, 'msp'),
    );
    const [template] = await testService.query("select id, file_id from policy_templates where name = 'Two'");
    await testService.query(
      `insert into policy_template_drafts (company_id, template_id, name, category, locales, file_id)
       values ($1, $2, 'Draft', 'Draft', '{en}', $3)`,
      [companies.msp, template!.id, next],
    );
    const created = await create(template!.id as string, {}, 'childA');
    expect(created).toMatchObject({ name: 'Two', category: null, fileName: 'policy.pdf' });
  });
});

describe('a policy from a template', () => {
  test('stays when the template is deleted', async () => {
    const created = await create(templateId('msp', 1), { action: 'draft' }, 'childA');
    await dataOf(del('/policy-templates/bulk', { policyTemplateIds: [templateId('msp', 1)] }, 'msp'));
    await testService.query("update policy_files set expires_at = '2020-01-01'");
    await testService.query('select purge_files()');
    const published = await dataOf(post(`/policies/${created.id}/publish-draft`, {}, 'childA'));
    expect(published).toMatchObject({ isLive: true, pdfFile: created.pdfFile, fileName: 'policy.pdf' });
    expect(await storedFile(created.pdfFile)).toMatchObject({ company: companies.childA });
  });

  test('does not follow later changes to the template', async () => {
    const created = await create(own);
    await changeTemplate(own, 'name', 'Another');
    await changeTemplate(own, 'file_id', await storeFile());
    expect(await read(created.id)).toEqual(created);
    expect((await create(own)).fileName).toBe('new.pdf');
  });

  test('can be changed, published and assigned like any other policy', async () => {
    const { id } = await create(own);
    await update(id, { action: 'live', name: 'Ours', pdfFile: await storeFile(), major: true });
    await assign([learnerId('tenant', 4)], id);
    expect(await read(id)).toMatchObject({ name: 'Ours', majorVersion: 2, minorVersion: 0, assignedCount: 1 });
  });
});

describe('POST /policies/from-template without a usable template', () => {
  test.each<[string, string]>([
    ['an unknown template', unknownId],
    ['a template of another company', templateId('other', 1)],
    ['a template that an MSP shares with other companies', templateId('msp', 1)],
    ['a template of a child company of an MSP', templateId('childA', 1)],
    ['a draft of another company', templateId('other', 2)],
    ['the id of a policy', policyId('tenant', 1)],
  ])('%s returns 404 naming the field and creates nothing', async (_case, id) => {
    await expectRefused(() => from(id), 404, 'not_found', ['body/policyTemplateId']);
  });

  test.each<[string, string, KeyName]>([
    ["an MSP's draft used by its child", templateId('msp', 2), 'childA'],
    ["a child's template used by its MSP", templateId('childA', 1), 'msp'],
    ["a child's template used by another child", templateId('childA', 1), 'childB'],
    ["an MSP's template used by a direct child of its distributor", templateId('msp', 1), 'directChild'],
    ["an unrelated MSP's template used by a child", templateId('strangerMsp', 1), 'childA'],
  ])('%s returns 404', async (_case, id, key) => {
    await expectRefused(() => from(id, {}, key), 404, 'not_found', ['body/policyTemplateId']);
  });

  test('a template shared with named companies is available only to them', async () => {
    await changeTemplate(templateId('msp', 1), 'is_global', false);
    await changeTemplate(templateId('msp', 1), 'companies', [companies.childB]);
    const refused = () => from(templateId('msp', 1), {}, 'childA');
    await expectRefused(refused, 404, 'not_found', ['body/policyTemplateId']);
    expect((await from(templateId('msp', 1), {}, 'childB')).status).toBe(200);
  });

  test("the company's own template without a published version returns 400 template_not_published", async () => {
    for (const action of ['draft', 'live']) {
      await expectRefused(() => from(templateId('tenant', 2), { action }), 400, 'template_not_published');
    }
  });

  test.each<[string, unknown]>([
    ['policyTemplateId', undefined],
    ['policyTemplateId', 'nonsense'],
    ['policyTemplateId', `${own} `],
    ['policyTemplateId', null],
    ['action', undefined],
    ['action', 'publish'],
    ['pdfFile', fileId('tenant')],
    ['majorVersion', 100_001],
    ['ownerEmail', 'charles'],
    ['ownerName', null],
  ])('%s %j returns 400 naming the field', async (field, value) => {
    await expectRefused(() => from(own, { [field]: value }), 400, 'invalid_request', [`body/${field}`]);
  });

  test('contradicting signatureSettings create neither a policy nor a file', async () => {
    const signatureSettings = { type: 'none', useDefault: true, setDefault: true };
    const fields = ['body/signatureSettings/setDefault'];
    await expectRefused(() => from(managedTemplate, { signatureSettings }), 400, 'invalid_request', fields);
  });
});

describe('concurrent POST /policies/from-template requests', () => {
  test('create ten policies with separate files from one template', async () => {
    const pdfFile = await storeFile({ company: 'distributor' });
    const template = templateId('distributor', 1);
    await changeTemplate(template, 'file_id', pdfFile);
    const body = { policyTemplateId: template, action: 'live' };
    const requests = Array.from({ length: 10 }, () => call('childA', 'POST', path, { body, alone: false }));
    expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
    const files = new Set((await Promise.all(requests)).map(({ body }) => body.data.pdfFile));
    expect(files.size).toBe(10);
  });

  test('use a template that is deleted concurrently or return 404 naming the field', async () => {
    await whileSlow('insert', 'file_contents', async () => {
      const creation = race('POST', path, { policyTemplateId: own, action: 'live' });
      await meanwhile();
      await expectNoFailure([creation, race('DELETE', '/policy-templates/bulk', { policyTemplateIds: [own] })]);
      const answer = await creation;
      if (answer.status !== 200) expect(fieldsOf(answer)).toEqual(['body/policyTemplateId']);
    });
  });
});
