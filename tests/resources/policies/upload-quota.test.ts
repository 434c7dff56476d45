/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { post } from '../../support/client.ts';
import { companies } from '../../support/world.ts';
import { policyId } from '../../support/world-policies.ts';
import { expectNoFailure, expectRefused } from '../tenant-state.ts';
import { onePage, upload } from './upload-calls.ts';

const MAX_BYTES = 1024 ** 3;

function expireAll(): Promise<unknown> {
  return testService.query('update policy_files set expires_at = now() where company_id = $1', [companies.tenant]);
}

/** Fills the tenant's quota of unused files except for the given number of bytes. */
async function leave(bytes: number): Promise<void> {
  await expireAll();
  const { sha256 } = (await upload(onePage)).body.data as { sha256: string };
  await testService.query(
    `update policy_files set size_bytes = $3 where company_id = $1 and sha256 = $2 and expires_at > now()`,
    [companies.tenant, Buffer.from(sha256, 'hex'), MAX_BYTES - bytes],
  );
}

const full = () => expectRefused(() => upload(onePage), 413, 'payload_too_large');
const fits = async () => expect((await upload(onePage)).status).toBe(200);

test('unused files of a company can total 1 GiB and not a byte more', async () => {
  await leave(onePage.length);
  await fits();
  await leave(onePage.length - 1);
  const { body } = await full();
  expect(body.error!.message).toBe(
    'Files that no policy or template uses would exceed 1 GiB in the company; use them, or upload this one when they have ' +
      'expired, 24 hours after their upload.',
  );
});

test('a full quota does not affect another company', async () => {
  await leave(0);
  expect((await upload(onePage, { key: 'other' })).status).toBe(200);
});

test('expired files do not count towards the quota', async () => {
  await leave(0);
  await full();
  await expireAll();
  await fits();
});

test.each([
  ['policy', 'policies', 'id', policyId('tenant', 1)],
  ['draft of a policy', 'policy_drafts', 'policy_id', policyId('tenant', 2)],
])('a file used by a %s does not count towards the quota', async (_user, table, column, id) => {
  await leave(0);
  await full();
  const use = `update ${table} set file_id = (select id from policy_files where company_id = $1 and size_bytes = $2
      and expires_at > now())
    where company_id = $1 and ${column} = $3`;
  await testService.query(use, [companies.tenant, MAX_BYTES, id]);
  await fits();
});

test('creating a policy from a file frees its share of the quota', async () => {
  await leave(onePage.length);
  const { pdfFile } = (await upload(onePage)).body.data as { pdfFile: string };
  await full();
  expect((await post('/policies', { name: 'New', pdfFile, action: 'draft' })).status).toBe(200);
  await fits();
});

test('concurrent uploads cannot exceed the quota', async () => {
  await leave(3 * onePage.length);
  const uploads = Array.from({ length: 8 }, () => upload(onePage));
  expect(await expectNoFailure(uploads)).toEqual({ 200: 3, 413: 5 });
});
