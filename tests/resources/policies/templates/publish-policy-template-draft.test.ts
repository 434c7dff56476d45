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

/** A published template of the MSP with a draft beside it. */
async function withDraft(texts: { live: string; draft: string }): Promise<string> {
  const [before, after] = [await storeFile('msp', { text: texts.live }), await storeFile('msp', { text: texts.draft })];
  const id = await createdId('msp', { name: texts.live, pdfFile: before, action: 'live', global: true });
  const next = { action: 'draft', name: texts.draft, pdfFile: after };
  expect((await patch(`/policy-templates/${id}`, next, 'msp')).status).toBe(200);
  return id;
}

describe('POST /policy-templates/{policyTemplateId}/publish-draft', () => {
  test('publishes a draft for the first time, so that policies can be made from it', async () => {
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

  test('puts the draft in the place of the published version, file and all', async () => {
    const id = await withDraft({ live: 'before', draft: 'after' });
    const made = (await use(id, 'childA')).body.data;
    expect((await publish(id, 'msp')).body.data).toMatchObject({ name: 'after', isLive: true, draft: null });
    const later = (await use(id, 'childA')).body.data;
    expect([later.name, await textOfPolicy(later.id)]).toEqual(['after', 'after']);
    expect([made.name, await textOfPolicy(made.id)]).toEqual(['before', 'before']);
    expect((await get(`/policies/${made.id}`, 'childA')).body.data).toEqual(made);
  });

  test('children see the template from its first publication on', async () => {
    const id = await createdId('distributor', { companies: [companies.childA] });
    expect(await sees('childA', id)).toBe(false);
    await publish(id, 'distributor');
    expect([await sees('childA', id), await sees('childB', id), await sees('msp', id)]).toEqual([true, false, false]);
  });

  test('sends nothing', async () => {
    await publish(draftOnly);
    await publish(await withDraft({ live: 'before', draft: 'after' }), 'msp');
    expect(await countQueued()).toBe(0);
  });

  test('without a draft, and when it is repeated, it is refused and changes nothing', async () => {
    await expectRefused(() => publish(templateId('tenant', 1)), 400, 'no_draft');
    await publish(draftOnly);
    await expectRefused(() => publish(draftOnly), 400, 'no_draft');
  });

  test('a template whose only draft was discarded has none to publish', async () => {
    await post(`/policy-templates/${draftOnly}/discard-draft`);
    await expectRefused(() => publish(draftOnly), 400, 'no_draft');
  });

  test('a draft whose file is past its expiry is published all the same, for it is in use', async () => {
    const pdfFile = await storeFile('tenant');
    const id = await createdId('tenant', { pdfFile });
    await testService.query("update policy_files set expires_at = now() - interval '1 day' where id = $1", [pdfFile]);
    await testService.query('select purge_files()');
    expect((await publish(id)).body.data).toMatchObject({ isLive: true, pdfFile });
    expect((await use(id, 'tenant')).status).toBe(200);
  });

  test('a template of others answers as one that does not exist', async () => {
    const unknown = await publish(unknownId, 'childA');
    expectError(unknown, 404, 'not_found');
    for (const id of [templateId('msp', 1), templateId('msp', 2), templateId('childB', 2), templateId('other', 2)]) {
      const answer = await publish(id, 'childA');
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 404, text: unknown.text });
    }
  });
});

describe('POST /policy-templates/{policyTemplateId}/publish-draft at the same time', () => {
  expectNoDeadlocks();

  test('a draft is published once, however many publish it', async () => {
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

  test('a template that is deleted at that moment is no 5xx', async () => {
    await whileSlow('update', 'policy_templates', async () => {
      const requests = [race('tenant', 'POST', `/policy-templates/${draftOnly}/publish-draft`)];
      await meanwhile();
      requests.push(race('tenant', 'DELETE', '/policy-templates/bulk', { policyTemplateIds: [draftOnly] }));
      await expectNoFailure(requests);
    });
    expect((await get(`/policy-templates/${draftOnly}`)).status).toBe(404);
  });

  describe.each(['file_contents', 'policy_files', 'policies'])('when it waits before its %s', (table) => {
    const madeDuringPublication = (id: string): Promise<Answer> =>
      whileHeld(
        table,
        () => race('childA', 'POST', '/policies/from-template', { policyTemplateId: id, action: 'live' }),
        () => race('msp', 'POST', `/policy-templates/${id}/publish-draft`),
      );

    test('a policy that is made at that moment is of one version, whole', async () => {
      const { status, body } = await madeDuringPublication(await withDraft({ live: 'before', draft: 'after' }));
      expect(status).toBe(200);
      expect(await textOfPolicy(body.data.id)).toBe(body.data.name);
    });

    test('so is one of a company that has both files already', async () => {
      const id = await withDraft({ live: 'before', draft: 'after' });
      for (const text of ['before', 'after']) await storeFile('childA', { text });
      const { status, body } = await madeDuringPublication(id);
      expect(status).toBe(200);
      expect(await textOfPolicy(body.data.id)).toBe(body.data.name);
    });
  });

  test('many policies that are made during publications are each of one version, whole', async () => {
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
