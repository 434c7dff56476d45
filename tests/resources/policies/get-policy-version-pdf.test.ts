import { createHash, randomBytes } from 'node:crypto';
import { call, expectError, get } from '../../support/client.ts';
import { fileId, onePagePdf, policyId, versionId } from '../../support/world-policies.ts';
import { companies, keys, type KeyName, unknownId } from '../../support/world.ts';
import { create, policy, read, restorePolicies } from './policy-state.ts';

restorePolicies();

const pathOf = (id: string, version: string): string => `/policies/${id}/versions/${version}/pdf`;
const own = pathOf(policy(1), versionId('tenant', 1));
const download = (path: string, key: KeyName = 'tenant'): Promise<Response> =>
  fetch(`${testService.url}/v1${path}`, { headers: { authorization: `Bearer ${keys[key]}` } });
const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

/** Replaces the content and name of the file of the tenant's policies and returns its hash. */
async function storeContent(content: Buffer, fileName: string | null): Promise<string> {
  const sha256 = createHash('sha256').update(content).digest();
  const values = [companies.tenant, sha256, content];
  await testService.query('insert into file_contents (company_id, sha256, content) values ($1, $2, $3)', values);
  await testService.query('update policy_files set sha256 = $2, size_bytes = $3, file_name = $4 where id = $1', [
    fileId('tenant'),
    sha256,
    content.length,
    fileName,
  ]);
  return sha256.toString('hex');
}

describe('GET /policies/{policyId}/versions/{versionId}/pdf', () => {
  test('returns the uploaded bytes as an attachment', async () => {
    const response = await download(own);
    expect(response.status).toBe(200);
    expect(await bytesOf(response)).toEqual(onePagePdf);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(onePagePdf.length),
      'content-disposition': `attachment; filename="policy.pdf"; filename*=UTF-8''policy.pdf`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-store',
    });
    expect((await get(own)).status).toBe(200);
  });

  test('HEAD returns the content length without the bytes', async () => {
    const { status, headers, text } = await call('tenant', 'HEAD', own);
    expect([status, headers.get('content-length'), text]).toEqual([200, String(onePagePdf.length), '']);
  });

  test('four concurrent downloads of a large file are complete and match the hash of the version', async () => {
    const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(5 * 1024 * 1024 + 17)]);
    const sha256 = await storeContent(content, 'large.pdf');
    // As many downloads as a company has slots, so that no download waits.
    const answers = await Promise.all(Array.from({ length: 4 }, () => download(own)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const answer of answers) expect((await bytesOf(answer)).equals(content)).toBe(true);
    expect((await read(policy(1))).versions[0]).toMatchObject({ sha256, fileName: 'large.pdf' });
  });

  test.each([
    [
      'Übung "1"; 100%.pdf',
      `attachment; filename="_bung _1_; 100_.pdf"; filename*=UTF-8''%C3%9Cbung%20%221%22%3B%20100%25.pdf`,
    ],
    ["a'b(c)*.pdf", `attachment; filename="a'b(c)*.pdf"; filename*=UTF-8''a%27b%28c%29%2a.pdf`],
    ['two\r\nlines.pdf', `attachment; filename="two__lines.pdf"; filename*=UTF-8''two%0D%0Alines.pdf`],
    [null, `attachment; filename="policy.pdf"; filename*=UTF-8''policy.pdf`],
  ])('the name %j is escaped in the Content-Disposition header', async (fileName, header) => {
    await testService.query('update policy_files set file_name = $2 where id = $1', [fileId('tenant'), fileName]);
    expect((await download(own)).headers.get('content-disposition')).toBe(header);
  });

  test.each([
    ['of another policy', pathOf(policy(2), versionId('tenant', 1))],
    ['of another company', pathOf(policyId('other', 1), versionId('other', 1))],
    ['that does not exist', pathOf(policy(1), unknownId)],
    ['with an invalid id', pathOf(policy(1), 'latest')],
  ])('a version %s returns 404', async (_case, path) => {
    expectError(await get(path), 404, 'not_found');
  });

  test('a draft has no versions and returns 404', async () => {
    const { id, versions } = await create({ action: 'draft' });
    expect(versions).toEqual([]);
    expectError(await get(pathOf(id, fileId('tenant'))), 404, 'not_found');
  });

  test('an MSP reads a version of its child company only with its companyId', async () => {
    const path = pathOf(policyId('childA', 1), versionId('childA', 1));
    expect(await bytesOf(await download(`${path}?companyId=${companies.childA}`, 'msp'))).toEqual(onePagePdf);
    expectError(await get(path, 'msp'), 404, 'not_found');
  });
});
