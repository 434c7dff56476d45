/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { type Answer, del, fingerprintOf, get, post } from '../../../support/client.ts';
import { companies, type CompanyName, unknownId } from '../../../support/world.ts';
import { fileId, managedTemplate, templateId } from '../../../support/world-policies.ts';
import { expectNoDeadlocks } from '../../courses/enrollment-state.ts';
import { numbered, testIdList } from '../../id-list-cases.ts';
import { expectNoFailure } from '../../tenant-state.ts';
import {
  countQueued,
  listedIds,
  race,
  restoreTemplates,
  sees,
  storeFile,
  textOfPolicy,
  whileHeld,
} from './template-state.ts';

restoreTemplates();

const path = '/policy-templates/bulk';
const remove = (policyTemplateIds: unknown, key: CompanyName = 'tenant'): Promise<Answer> =>
  del(path, { policyTemplateIds }, key);

/** Inserts templates of the tenant without the API, each with a draft, and returns their ids in order. */
async function insertMany(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => numbered(n + 1));
  await testService.query(
    `insert into policy_templates (company_id, id, name, locales) select $1, id, 'Many', '{}' from unnest($2::uuid[]) id`,
    [companies.tenant, ids],
  );
  await testService.query(
    `insert into policy_template_drafts (company_id, template_id, name, locales, file_id)
     select $1, id, 'Many', '{}', $3 from unnest($2::uuid[]) id`,
    [companies.tenant, ids, fileId('tenant')],
  );
  return ids;
}

describe('DELETE /policy-templates/bulk', () => {
  test('deletes own templates with their drafts and returns skipped ids in the order of the request', async () => {
    const [live, draft] = [templateId('childA', 1), templateId('childA', 2)];
    const foreign = [templateId('msp', 1), managedTemplate, templateId('distributor', 1), templateId('childB', 1)];
    const { status, body } = await remove([foreign[0], draft, unknownId, live, ...foreign.slice(1)], 'childA');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      deletedIds: [draft, live],
      skippedIds: [foreign[0], unknownId, ...foreign.slice(1)],
    });
    expect(await listedIds('childA')).toEqual([foreign[0], foreign[2], managedTemplate]);
    const drafts = await testService.query('select from policy_template_drafts where template_id = $1', [draft]);
    expect(drafts).toEqual([]);
  });

  test('a repeated call skips all ids and changes nothing', async () => {
    const ids = [templateId('tenant', 1), templateId('tenant', 2)];
    await remove(ids);
    const before = await fingerprintOf('tenant');
    expect((await remove(ids)).body.data).toEqual({ deletedIds: [], skippedIds: ids });
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('a parent and its child cannot delete templates of each other', async () => {
    for (const key of ['msp', 'distributor'] as const) {
      expect((await remove([templateId('childA', 1)], key)).body.data.deletedIds).toEqual([]);
    }
    expect((await remove([templateId('msp', 1), templateId('msp', 2)], 'childA')).body.data.deletedIds).toEqual([]);
    expect(await sees('childA', templateId('msp', 1))).toBe(true);
  });

  test('children lose a deleted shared template but keep the policies created from it and their files', async () => {
    const id = templateId('msp', 1);
    const body = { policyTemplateId: id, action: 'live' };
    const made: [CompanyName, any][] = [];
    for (const key of ['msp', 'childA'] as const) {
      made.push([key, (await post('/policies/from-template', body, key)).body.data]);
    }
    await remove([id, templateId('msp', 2)], 'msp');
    await testService.query("update policy_files set expires_at = now() - interval '1 day' where company_id = $1", [
      companies.childA,
    ]);
    await testService.query('select purge_files()');
    expect(await sees('childA', id)).toBe(false);
    for (const [key, policy] of made) {
      expect((await get(`/policies/${policy.id}`, key)).body.data).toEqual(policy);
      expect(await textOfPolicy(policy.id)).toContain('EOF');
    }
  });

  test('sends no message', async () => {
    await remove([templateId('tenant', 1), templateId('tenant', 2)]);
    expect(await countQueued()).toBe(0);
  });

  test('deletes 10,000 templates with their drafts and skips 10,000 unknown ids', async () => {
    const ids = await insertMany(10_000);
    expect((await remove(ids.toReversed())).body.data).toEqual({ deletedIds: ids.toReversed(), skippedIds: [] });
    expect((await remove(ids)).body.data).toEqual({ deletedIds: [], skippedIds: ids });
  });

  testIdList('policyTemplateIds', remove);
});

describe('concurrent DELETE /policy-templates/bulk requests', () => {
  expectNoDeadlocks();

  test('calls with the same templates in opposite orders delete each template once', async () => {
    const ids = await insertMany(500);
    const requests = Array.from({ length: 6 }, (_, n) =>
      race('tenant', 'DELETE', path, { policyTemplateIds: n % 2 ? ids : ids.toReversed() }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 6 });
    const deleted = (await Promise.all(requests)).flatMap(({ body }) => body.data.deletedIds as string[]);
    expect(deleted.toSorted()).toEqual(ids);
  });

  test.each(['file_contents', 'policy_files', 'policies'])(
    'a policy created concurrently is complete or returns 404 (held before its insert into %s)',
    async (table) => {
      const id = templateId('msp', 1);
      const { status, body } = await whileHeld(
        table,
        () => race('childA', 'POST', '/policies/from-template', { policyTemplateId: id, action: 'live' }),
        () => race('msp', 'DELETE', path, { policyTemplateIds: [id] }),
      );
      expect([200, 404]).toContain(status);
      if (status === 200) expect(await textOfPolicy(body.data.id)).toContain('EOF');
      else expect(body.error!.details?.map(({ field }) => field)).toEqual(['body/policyTemplateId']);
    },
  );

  test('a purge of files while a policy copies its file causes no 5xx', async () => {
    const id = templateId('msp', 1);
    // The child has the same content in its own unused, expired file. The purge deletes the file and the content.
    const fileOfMsp = await storeFile('msp', { text: 'the same' });
    await storeFile('childA', { text: 'the same', expiresIn: '-1 hour' });
    await testService.query('update policy_templates set file_id = $2 where id = $1', [id, fileOfMsp]);
    const { status, body } = await whileHeld(
      'policy_files',
      () => race('childA', 'POST', '/policies/from-template', { policyTemplateId: id, action: 'live' }),
      () => testService.query('select purge_files()'),
    );
    expect(status).toBe(200);
    expect(await textOfPolicy(body.data.id)).toBe('the same');
  });
});
