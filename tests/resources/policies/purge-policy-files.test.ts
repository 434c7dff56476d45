import { call, post } from '../../support/client.ts';
import { companies } from '../../support/world.ts';
import { policyId, templateId } from '../../support/world-policies.ts';
import { expectNoFailure, whileSlow } from '../tenant-state.ts';
import { until } from '../../process/support.ts';
import { bytesOf, written } from './pdf-samples.ts';
import { onePage, upload } from './upload-calls.ts';

const purge = (): Promise<unknown> => testService.query('select purge_files()');

/** Uploads a document that no other test has, and returns its reference. */
async function uploaded(pages: number): Promise<string> {
  const { body } = await upload(await bytesOf(await written(pages)));
  return body.data.pdfFile as string;
}

async function expire(...references: string[]): Promise<void> {
  await testService.query("update policy_files set expires_at = now() - interval '1 second' where id = any($1)", [
    references,
  ]);
}

/** Of each reference, whether the file and its content are there. */
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

test('a file that is not used is dropped when it has expired, and not before', async () => {
  const [expired, fresh] = [await uploaded(2), await uploaded(3)];
  await expire(expired);
  await purge();
  expect(await isThere(expired, fresh)).toEqual([false, true]);
  expect(await orphans()).toBe(0);
});

test('a content goes with the last of its files', async () => {
  const [first, second] = [await uploaded(4), await uploaded(4)];
  await expire(first);
  await purge();
  expect(await isThere(first, second)).toEqual([false, true]);
  await expire(second);
  await purge();
  expect(await isThere(second)).toEqual([false]);
  expect(await orphans()).toBe(0);
});

test('a content of another company stays', async () => {
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
])('a file that a %s alone uses stays, and is dropped once it does not', async (_user, table, column, id) => {
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

test('what all companies use stays', async () => {
  const count = 'select (select count(*) from policy_files) as files, (select count(*) from file_contents) as contents';
  await testService.query("delete from policy_files where company_id = $1 and id::text not like '0192a3b4-%'", [
    companies.tenant,
  ]);
  await purge();
  const before = await testService.query(count);
  await purge();
  expect(await testService.query(count)).toEqual(before);
});

test('a file that is uploaded again while the old one is dropped is stored', async () => {
  const bytes = await bytesOf(await written(8));
  await expire((await upload(bytes)).body.data.pdfFile);
  await whileSlow('insert', 'policy_files', async () => {
    const again = upload(bytes);
    await until(async () => (await busyWith('policy_files')) > 0);
    await purge();
    const { status, body } = await again;
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    expect(await isThere(body.data.pdfFile)).toEqual([true]);
  });
});

test('a file that a policy takes while it expires is not dropped', async () => {
  const pdfFile = await uploaded(9);
  await whileSlow('insert', 'policies', async () => {
    const created = call('tenant', 'POST', '/policies', {
      body: { name: 'New', pdfFile, action: 'live' },
      alone: false,
    });
    await until(async () => (await busyWith('policies')) > 0);
    await expire(pdfFile);
    await purge().catch(() => undefined);
    expect((await created).status).toBe(200);
  });
  expect(await isThere(pdfFile)).toEqual([true]);
});

test('uploads, policies and purges at the same time end without a 5xx', async () => {
  const purges = Array.from({ length: 10 }, () => expire().then(purge));
  const uploads = Array.from({ length: 12 }, () => upload(onePage));
  const statuses = await expectNoFailure(uploads);
  await Promise.all(purges);
  expect(statuses).toEqual({ 200: 12 });
  for (const { body } of await Promise.all(uploads)) {
    expect((await post('/policies', { name: 'New', pdfFile: body.data.pdfFile, action: 'draft' })).status).toBe(200);
  }
});

/** How many connections of the service are in a statement on a table. */
async function busyWith(table: string): Promise<number> {
  const [row] = await testService.query(
    `select count(*)::integer as busy from pg_stat_activity
      where datname = current_database() and usename = 'awareness_service' and state = 'active' and query ~ $1`,
    [`^\\s*insert into "?${table}"? `],
  );
  return row!.busy as number;
}
