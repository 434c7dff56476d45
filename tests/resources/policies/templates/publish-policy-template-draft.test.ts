/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { type Answer, expectError, get, patch, post } from '../../../support/client.ts';
import { companies, type CompanyName, unknownId } from '../../../support/world.ts';
import { fileId, templateId } from '../../../support/world-policies.ts';
import { expectNoDeadlocks } from '../../courses/enrollment-state.ts';
import { expectNoFailure, expectRefused, meanwhile, whileSlow } from '../../tenant-state.ts';
import {
  countQueued,
  createdId,
  race,
  restoreTemplates,
  sees,
  storeFile,
  textOfPolicy,
  whileHeld,
} from './template-state.ts';

restoreTemplates();

const draftOnly = templateId('tenant', 2);
const publish = (id: string, key: CompanyName = 'tenant'): Promise<Answer> =>
  post(`/policy-templates/${id}/publish-draft`, undefined, key);
const use = (id: string, key: CompanyName): Promise<Answer> =>
  post('/policies/from-template', { policyTemplateId: id, action: 'live' }, key);

/** Creates a published template of the MSP with a draft and returns its id. */
async function withDraft(texts: { live: string; draft: string }): Promise<string> {
  const [before, after] = [await storeFile('msp', { text: texts.live }), await storeFile('msp', { text: texts.draft })];
  const id = await createdId('msp', { name: texts.live, pdfFile: before, action: 'live', global: true });
  const next = { action: 'draft', name: texts.draft, pdfFile: after };
  expect((await patch(`/policy-templates/${id}`, next, 'msp')).status).toBe(200);
  return id;
}

describe('POST /policy-templates/{policyTemplateId}/publish-draft', () => {
  test('publishes a first draft, and policies can be created from it', async () => {
    expectError(await use(draftOnly, 'tenant'), 400, 'template_not_published', ['body/policyTemplateId']);
    const before = (await get(`/policy-templates/${draftOnly}`)).body.data;
    const { status, body } = await publish(draftOnly);
    expect(status).toBe(200);
    const { publishedAt, updatedAt } = body.data;
    expect(body.data).toEqual({ ...before, isLive: true, draft: null, publishedAt, updatedAt });
    expect(publishedAt).toBe(updatedAt);
    expect(Math.abs(Date.parse(publishedAt) - Date.now())).toBeLessThan(10_000);
    expect((await get(`/policy-templates/${draftOnly}`)).body.data).toEqual(body.data);
    expect((await use(draftOnly, 'tenant')).body.data).toMatchObject({ name: 'Template 2 of tenant', isLive: true });
  });

  test('replaces the published version, including its file, with the draft', async () => {
    const id = await withDraft({ live: 'before', draft: 'after' });
    const made = (await use(id, 'childA')).body.data;
    expect((await publish(id, 'msp')).body.data).toMatchObject({ name: 'after', isLive: true, draft: null });
    const later = (await use(id, 'childA')).body.data;
    expect([later.name, await textOfPolicy(later.id)]).toEqual(['after', 'after']);
    expect([made.name, await textOfPolicy(made.id)]).toEqual(['before', 'before']);
    expect((await get(`/policies/${made.id}`, 'childA')).body.data).toEqual(made);
  });

  test('children see the template after its first publication', async () => {
    const id = await createdId('distributor', { companies: [companies.childA] });
    expect(await sees('childA', id)).toBe(false);
    await publish(id, 'distributor');
    expect([await sees('childA', id), await sees('childB', id), await sees('msp', id)]).toEqual([true, false, false]);
  });

  test('sends no message', async () => {
    await publish(draftOnly);
    await publish(await withDraft({ live: 'before', draft: 'after' }), 'msp');
    expect(await countQueued()).toBe(0);
  });

  test('a template without a draft and a repeated call return 400 no_draft and change nothing', async () => {
    await expectRefused(() => publish(templateId('tenant', 1)), 400, 'no_draft');
    await publish(draftOnly);
    await expectRefused(() => publish(draftOnly), 400, 'no_draft');
  });

  test('a template whose only draft was discarded returns 400 no_draft', async () => {
    await post(`/policy-templates/${draftOnly}/discard-draft`);
    await expectRefused(() => publish(draftOnly), 400, 'no_draft');
  });

  test('publishes a draft whose file is past its expiry but in use', async () => {
    const pdfFile = await storeFile('tenant');
    const id = await createdId('tenant', { pdfFile });
    await testService.query("update policy_files set expires_at = now() - interval '1 day' where id = $1", [pdfFile]);
    await testService.query('select purge_files()');
    expect((await publish(id)).body.data).toMatchObject({ isLive: true, pdfFile });
    expect((await use(id, 'tenant')).status).toBe(200);
  });

  test('a foreign template returns the same 404 as an unknown template', async () => {
    const unknown = await publish(unknownId, 'childA');
    expectError(unknown, 404, 'not_found');
    for (const id of [templateId('msp', 1), templateId('msp', 2), templateId('childB', 2), templateId('other', 2)]) {
      const answer = await publish(id, 'childA');
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 404, text: unknown.text });
    }
  });
});

describe('concurrent POST /policy-templates/{policyTemplateId}/publish-draft requests', () => {
  expectNoDeadlocks();

  test('one of ten calls publishes a draft', async () => {
    const requests = Array.from({ length: 10 }, () =>
      race('tenant', 'POST', `/policy-templates/${draftOnly}/publish-draft`),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 9 });
  });

  test('a draft is either published or discarded', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await createdId('tenant');
      const requests = ['publish', 'discard', 'publish', 'discard'].map((step) =>
        race('tenant', 'POST', `/policy-templates/${id}/${step}-draft`),
      );
      expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 3 });
      const { isLive, pdfFile, draft } = (await get(`/policy-templates/${id}`)).body.data;
      expect({ pdfFile, draft }).toEqual({ pdfFile: isLive ? fileId('tenant') : null, draft: null });
    }
  });

  test('never return a 5xx if the template is deleted concurrently', async () => {
    await whileSlow('update', 'policy_templates', async () => {
      const requests = [race('tenant', 'POST', `/policy-templates/${draftOnly}/publish-draft`)];
      await meanwhile();
      requests.push(race('tenant', 'DELETE', '/policy-templates/bulk', { policyTemplateIds: [draftOnly] }));
      await expectNoFailure(requests);
    });
    expect((await get(`/policy-templates/${draftOnly}`)).status).toBe(404);
  });

  describe.each(['file_contents', 'policy_files', 'policies'])('during a creation held before its %s', (table) => {
    const madeDuringPublication = (id: string): Promise<Answer> =>
      whileHeld(
        table,
        () => race('childA', 'POST', '/policies/from-template', { policyTemplateId: id, action: 'live' }),
        () => race('msp', 'POST', `/policy-templates/${id}/publish-draft`),
      );

    test('the policy has the name and file of one version', async () => {
      const { status, body } = await madeDuringPublication(await withDraft({ live: 'before', draft: 'after' }));
      expect(status).toBe(200);
      expect(await textOfPolicy(body.data.id)).toBe(body.data.name);
    });

    test('the policy has the name and file of one version if the company has both files', async () => {
      const id = await withDraft({ live: 'before', draft: 'after' });
      for (const text of ['before', 'after']) await storeFile('childA', { text });
      const { status, body } = await madeDuringPublication(id);
      expect(status).toBe(200);
      expect(await textOfPolicy(body.data.id)).toBe(body.data.name);
    });
  });

  test('policies created during publications each have the name and file of one version', async () => {
    const id = await withDraft({ live: 'v0', draft: 'v1' });
    const body = { policyTemplateId: id, action: 'draft' };
    for (let round = 2; round < 12; round += 1) {
      const next = { action: 'live', name: `v${round}`, pdfFile: await storeFile('msp', { text: `v${round}` }) };
      const making = (['childA', 'childB', 'childA', 'childB'] as const).map((key) =>
        race(key, 'POST', '/policies/from-template', body),
      );
      const publication = race('msp', 'PATCH', `/policy-templates/${id}`, next);
      expect(await expectNoFailure([...making, publication])).toEqual({ 200: 5 });
      for (const made of await Promise.all(making)) {
        expect(await textOfPolicy(made.body.data.id)).toBe(made.body.data.name);
      }
    }
  });
});
