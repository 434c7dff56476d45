/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { type Answer, expectError, get, patch, post } from '../../../support/client.ts';
import { type CompanyName, unknownId } from '../../../support/world.ts';
import { fileId, templateId } from '../../../support/world-policies.ts';
import { expectNoDeadlocks } from '../../courses/enrollment-state.ts';
import { expectNoFailure, expectRefused, meanwhile, whileSlow } from '../../tenant-state.ts';
import { countQueued, createdId, listed, race, restoreTemplates, sees, storeFile } from './template-state.ts';

restoreTemplates();

const draftOnly = templateId('tenant', 2);
const discard = (id: string, key: CompanyName = 'tenant'): Promise<Answer> =>
  post(`/policy-templates/${id}/discard-draft`, undefined, key);

describe('POST /policy-templates/{policyTemplateId}/discard-draft', () => {
  test('deletes the draft and keeps the published version and the sharing', async () => {
    const id = templateId('msp', 1);
    const before = (await get(`/policy-templates/${id}`, 'msp')).body.data;
    const pdfFile = await storeFile('msp');
    await patch(`/policy-templates/${id}`, { action: 'draft', name: 'Next', category: 'HR', pdfFile }, 'msp');
    const { status, body } = await discard(id, 'msp');
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, updatedAt: body.data.updatedAt });
    expect((await get(`/policy-templates/${id}`, 'msp')).body.data).toEqual(body.data);
    expect(await sees('childA', id)).toBe(true);
  });

  test('leaves an unpublished template without content but listed', async () => {
    const { status, body } = await discard(draftOnly);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ isLive: false, pdfFile: null, draft: null, publishedAt: null });
    expect((await get(`/policy-templates/${draftOnly}`)).body.data).toEqual(body.data);
    expect(await listed('tenant')).toContainEqual(expect.objectContaining({ id: draftOnly, isLive: false }));
    const use = await post('/policies/from-template', { policyTemplateId: draftOnly, action: 'draft' });
    expectError(use, 400, 'template_not_published', ['body/policyTemplateId']);
  });

  test('a new draft can be saved and published after a discard', async () => {
    const id = templateId('msp', 2);
    await discard(id, 'msp');
    const { body } = await patch(`/policy-templates/${id}`, { action: 'draft', pdfFile: fileId('msp') }, 'msp');
    expect(body.data).toMatchObject({ isLive: false, pdfFile: fileId('msp'), draft: { pdfFile: fileId('msp') } });
    expect((await post(`/policy-templates/${id}/publish-draft`, undefined, 'msp')).body.data.isLive).toBe(true);
  });

  test('a template without a draft and a repeated call return 400 no_draft and change nothing', async () => {
    await expectRefused(() => discard(templateId('tenant', 1)), 400, 'no_draft');
    await discard(draftOnly);
    await expectRefused(() => discard(draftOnly), 400, 'no_draft');
  });

  test('sends no message', async () => {
    await discard(draftOnly);
    expect(await countQueued()).toBe(0);
  });

  test('a foreign template returns the same 404 as an unknown template', async () => {
    const unknown = await discard(unknownId, 'childA');
    expectError(unknown, 404, 'not_found');
    for (const id of [templateId('msp', 2), templateId('distributor', 2), templateId('childB', 2)]) {
      const answer = await discard(id, 'childA');
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 404, text: unknown.text });
    }
  });

  test('the expired file of a discarded draft is purged', async () => {
    const pdfFile = await storeFile('tenant', { expiresIn: '-1 hour' });
    await testService.query('update policy_template_drafts set file_id = $2 where template_id = $1', [
      draftOnly,
      pdfFile,
    ]);
    const count = async (): Promise<number> => {
      await testService.query('select purge_files()');
      return (await testService.query('select from policy_files where id = $1', [pdfFile])).length;
    };
    expect(await count()).toBe(1);
    await discard(draftOnly);
    expect(await count()).toBe(0);
  });
});

describe('concurrent POST /policy-templates/{policyTemplateId}/discard-draft requests', () => {
  expectNoDeadlocks();

  test('one of ten calls discards a draft', async () => {
    const requests = Array.from({ length: 10 }, () =>
      race('tenant', 'POST', `/policy-templates/${draftOnly}/discard-draft`),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 9 });
  });

  test('never return a 5xx if the template is deleted concurrently', async () => {
    const id = await createdId('tenant');
    await whileSlow('delete', 'policy_template_drafts', async () => {
      const requests = [race('tenant', 'POST', `/policy-templates/${id}/discard-draft`)];
      await meanwhile();
      requests.push(race('tenant', 'DELETE', '/policy-templates/bulk', { policyTemplateIds: [id] }));
      expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
    });
    expect((await get(`/policy-templates/${id}`)).status).toBe(404);
  });
});
