import { call, post } from '../../support/client.ts';
import { companies } from '../../support/world.ts';
import { policyId, templateId } from '../../support/world-policies.ts';
import { expectNoFailure, untilBegun, whileSlow } from '../tenant-state.ts';
import { bytesOf, written } from './pdf-samples.ts';
import { onePage, upload } from './upload-calls.ts';

const purge = (): Promise<unknown> => testService.query('select purge_files()');

/** Uploads a document with a number of pages that only one test uses, and returns its reference. */
async function uploaded(pages: number): Promise<string> {
  const { body } = await upload(await bytesOf(await written(pages)));
  return body.data.pdfFile as string;
}

async function expire(...references: string[]): Promise<void> {
  await testService.query("update policy_files set expires_at = now() - interval '1 second' where id = any($1)", [
    references,
  ]);
}

/** Reports for each reference whether its file and content exist. */
async function isThere(...references: string[]): Promise<boolean[]> {
  const rows = await testService.query(
    `select id from policy_files join file_contents using (company_id, sha256) where id = any($1)`,
    [references],
  );
  return references.map((reference) => rows.some((row) => row.id === reference));
}

async function orphans(): Promise<number> {
  const [row] = await testService.query(`select count(*)::integer as count from file_contents c
    where not exists (select from policy_files f where f.company_id = c.company_id and f.sha256 = c.sha256)`);
  return row!.count as number;
}

test('an unused file is deleted only after it has expired', async () => {
  const [expired, fresh] = [await uploaded(2), await uploaded(3)];
  await expire(expired);
  await purge();
  expect(await isThere(expired, fresh)).toEqual([false, true]);
  expect(await orphans()).toBe(0);
});

test('a content is deleted with the last of its files', async () => {
  const [first, second] = [await uploaded(4), await uploaded(4)];
  await expire(first);
  await purge();
  expect(await isThere(first, second)).toEqual([false, true]);
  await expire(second);
  await purge();
  expect(await isThere(second)).toEqual([false]);
  expect(await orphans()).toBe(0);
});

test('the same content of another company is kept', async () => {
  const bytes = await bytesOf(await written(5));
  const [own, others] = [await upload(bytes), await upload(bytes, { key: 'other' })].map(
    ({ body }) => body.data.pdfFile,
  );
  await expire(own);
  await purge();
  expect(await isThere(own, others)).toEqual([false, true]);
});

test.each([
  ['policy', 'policies', 'id', policyId('tenant', 1)],
  ['draft of a policy', 'policy_drafts', 'policy_id', policyId('tenant', 2)],
  ['version of a policy', 'policy_versions', 'policy_id', policyId('tenant', 1)],
  ['template', 'policy_templates', 'id', templateId('tenant', 1)],
  ['draft of a template', 'policy_template_drafts', 'template_id', templateId('tenant', 2)],
])('an expired file used only by a %s is kept until it is unused', async (_user, table, column, id) => {
  const used = await uploaded(6);
  const [{ file_id: former }] = (await testService.query(`select file_id from ${table} where ${column} = $1`, [
    id,
  ])) as [{ file_id: string }];
  const use = (file: string) => testService.query(`update ${table} set file_id = $1 where ${column} = $2`, [file, id]);
  await use(used);
  await expire(used);
  await purge();
  expect(await isThere(used)).toEqual([true]);
  await use(former);
  await purge();
  expect(await isThere(used)).toEqual([false]);
});

test('files in use are kept', async () => {
  const count = 'select (select count(*) from policy_files) as files, (select count(*) from file_contents) as contents';
  await testService.query("delete from policy_files where company_id = $1 and id::text not like '0192a3b4-%'", [
    companies.tenant,
  ]);
  await purge();
  const before = await testService.query(count);
  await purge();
  expect(await testService.query(count)).toEqual(before);
});

test('a file uploaded again while its expired copy is deleted is stored', async () => {
  const bytes = await bytesOf(await written(8));
  await expire((await upload(bytes)).body.data.pdfFile);
  await whileSlow('insert', 'policy_files', async () => {
    const again = upload(bytes);
    await untilBegun(again);
    await purge();
    const { status, body } = await again;
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    expect(await isThere(body.data.pdfFile)).toEqual([true]);
  });
});

test('a file that expires while a policy is created with it is not deleted', async () => {
  const pdfFile = await uploaded(9);
  await whileSlow('insert', 'policies', async () => {
    const created = call('tenant', 'POST', '/policies', {
      body: { name: 'New', pdfFile, action: 'live' },
      alone: false,
    });
    await untilBegun(created);
    await expire(pdfFile);
    await purge().catch(() => undefined);
    expect((await created).status).toBe(200);
  });
  expect(await isThere(pdfFile)).toEqual([true]);
});

test('concurrent uploads and purges never return a 5xx', async () => {
  const purges = Array.from({ length: 10 }, () => expire().then(purge));
  const uploads = Array.from({ length: 12 }, () => upload(onePage));
  const statuses = await expectNoFailure(uploads);
  await Promise.all(purges);
  expect(statuses).toEqual({ 200: 12 });
  for (const { body } of await Promise.all(uploads)) {
    expect((await post('/policies', { name: 'New', pdfFile: body.data.pdfFile, action: 'draft' })).status).toBe(200);
  }
});
