/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { createHash } from 'node:crypto';
import { type ZippedFile, zipOf } from '../../../seeds/demo-zip.ts';
import { type Answer, expectError, get, patch } from '../../support/client.ts';
import { companies, managedCourses, ownCourseId, unknownId } from '../../support/world.ts';
import { expectRefused } from '../tenant-state.ts';
import { MANIFEST, manifestOf, packageOf, packagePath, PAGE, uploadPackage } from './package-samples.ts';

const MIB = 1024 * 1024;
const PATH = packagePath();

const refused = (bytes: Uint8Array): Promise<Answer> =>
  expectRefused(() => uploadPackage(bytes), 400, 'invalid_file', ['body/file']);

async function packagesOf(company: keyof typeof companies): Promise<Record<string, unknown>[]> {
  return testService.query(
    `select id::text, ended_at is null as current from course_packages where company_id = $1 order by uploaded_at, id`,
    [companies[company]],
  );
}

describe('PUT /courses/{courseId}/package', () => {
  test('stores a package as it is, says what it has found, and says the same when it is read', async () => {
    const bytes = packageOf({ path: 'pictures/é.svg', content: '<svg/>', isStored: true });
    const { status, body } = await uploadPackage(bytes);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...{ id: expect.any(String), courseId: ownCourseId('tenant'), standard: 'scorm_1_2', title: 'Forklifts' },
      ...{ launchPath: 'index.html', fileName: null, sizeBytes: bytes.length, fileCount: 3 },
      unpackedBytes: Buffer.byteLength(manifestOf()) + Buffer.byteLength(String(PAGE.content)) + 6,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      uploadedAt: expect.any(String),
    });
    expect((await get(PATH)).body.data).toEqual(body.data);
    const files = await testService.query(
      `select f.path, f.content_type, substring(c.content from f.packed_offset + 1 for f.packed_bytes) = $2 as found
         from package_files f join course_packages p on p.company_id = f.company_id and p.id = f.package_id
         join package_contents c on c.company_id = p.company_id and c.sha256 = p.sha256
        where f.package_id = $1 order by f.path`,
      [body.data.id, Buffer.from('<svg/>')],
    );
    expect(files).toEqual([
      { path: 'imsmanifest.xml', content_type: 'application/xml', found: false },
      { path: 'index.html', content_type: 'text/html', found: false },
      { path: 'pictures/é.svg', content_type: 'image/svg+xml', found: true },
    ]);
  });

  test('takes the file of a form, with its name', async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(packageOf())]), 'Gabelstapler.zip');
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type')!;
    const { body } = await uploadPackage(new Uint8Array(await encoded.arrayBuffer()), { type });
    expect(body.data.fileName).toBe('Gabelstapler.zip');
  });

  test('takes the place of the package before, which stays for those who have it open', async () => {
    const before = (await get(PATH)).body.data.id;
    const { id } = (await uploadPackage(packageOf())).body.data;
    const stored = await packagesOf('tenant');
    expect(stored.filter(({ current }) => current)).toEqual([{ id, current: true }]);
    expect(stored).toContainEqual({ id: before, current: false });
  });

  test('is done once under an Idempotency-Key, and another file under it is refused', async () => {
    const headers = { 'idempotency-key': 'a-package-that-nobody-guesses' };
    const first = await uploadPackage(packageOf(), { headers });
    const again = await uploadPackage(packageOf(), { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expectError(
      await uploadPackage(packageOf({ path: 'a.css', content: '' }), { headers }),
      400,
      'idempotency_key_reused',
    );
  });

  test('changes the ETag of its course, and is refused under an older one', async () => {
    const course = `/courses/${ownCourseId('tenant')}`;
    const tag = (await get(course)).headers.get('etag')!;
    expect((await uploadPackage(packageOf(), { headers: { 'if-match': tag } })).status).toBe(200);
    const late = await uploadPackage(packageOf(), { headers: { 'if-match': tag } });
    expectError(late, 412, 'changed_meanwhile', ['header/if-match']);
    expect((await patch(course, { difficulty: 2 })).status).toBe(200);
  });

  test.each([
    ['of the catalogue', managedCourses.phishing, 403, 'forbidden'],
    ['of another company', ownCourseId('other'), 404, 'not_found'],
    ['that nobody has', unknownId, 404, 'not_found'],
    ['with no id', 'nonsense', 404, 'not_found'],
  ] as const)('a course %s gets none', async (_case, courseId, status, code) => {
    await expectRefused(() => uploadPackage(packageOf(), { courseId }), status, code);
  });

  test('another content type is refused, and so is a file that is too large, unread', async () => {
    await expectRefused(() => uploadPackage(packageOf(), { type: 'application/pdf' }), 400, 'unsupported_media_type');
    await expectRefused(() => uploadPackage(Buffer.alloc(25 * MIB + 1)), 413, 'payload_too_large');
  });

  test('packages of a company take 1 GiB at most', async () => {
    await testService.query(`update course_packages set size_bytes = 1024 * 1024 * 1024 where company_id = $1`, [
      companies.other,
    ]);
    const more = packageOf({ path: 'more.txt', content: 'more' });
    const answer = await uploadPackage(more, { key: 'other', courseId: ownCourseId('other') });
    expectError(answer, 413, 'payload_too_large');
    expect(await packagesOf('other')).toHaveLength(1);
  });
});

describe('what is no package', () => {
  const bomb = Buffer.alloc(20 * MIB);

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('Be kind.')],
    ['an empty ZIP file', zipOf([])],
    ['a ZIP file without its end', packageOf().subarray(0, -30)],
    ['a ZIP file that says it has 60,000 files', Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18, 0xea)])],
    ['no manifest', zipOf([PAGE])],
    ['a manifest in a folder', zipOf([{ ...MANIFEST, path: 'course/imsmanifest.xml' }, PAGE])],
    ['a page that is not there', zipOf([MANIFEST, { ...PAGE, path: 'start.html' }])],
    ['a manifest that is no XML', zipOf([{ ...MANIFEST, content: '<manifest' }, PAGE])],
    ['a manifest of 3 MiB', zipOf([{ ...MANIFEST, content: 'é'.repeat(2 * MIB), isStored: true }, PAGE])],
    ['a manifest that laughs', zipOf([{ ...MANIFEST, content: '<!DOCTYPE m [<!ENTITY a "a">]><m>&a;</m>' }, PAGE])],
    ['a bomb', packageOf({ path: 'zeros.txt', content: bomb })],
  ])('%s is refused', (_case, bytes) => refused(bytes));

  test.each<[string, ZippedFile]>([
    ['above its folder', { path: '../evil.html', content: 'x' }],
    ['above its folder, as on Windows', { path: '..\\evil.html', content: 'x' }],
    ['with an absolute name', { path: '/etc/evil.html', content: 'x' }],
    ['with a null in its name', { path: 'a\0.html', content: 'x' }],
    ['with a name in no encoding', { path: Buffer.from([0x61, 0xff, 0x2e, 0x6a, 0x73]), content: 'x' }],
    ['that is there already', { path: 'index.html', content: 'x' }],
    ['that is a link', { path: 'link.html', content: '/etc/passwd', mode: 0o120777 }],
    ['that is encrypted', { path: 'a.html', content: 'x', flags: 0x0801 }],
    ['that is a program', { path: 'setup.exe', content: 'MZ' }],
    ['that is a ZIP file', { path: 'inner.zip', content: zipOf([PAGE]) }],
    ['that is damaged', { path: 'a.html', content: 'x', crc: 1 }],
    ['that is larger than it says', { path: 'a.html', content: 'x'.repeat(5000), sizeBytes: 10 }],
    ['that is smaller than it says', { path: 'a.html', content: 'x', sizeBytes: 5000 }],
    ['within another', { path: 'a.html', content: MANIFEST.content, offset: 0 }],
    ['beyond the end', { path: 'a.html', content: 'x', packedBytes: 100_000 }],
    ['of no known packing', { path: 'a.html', content: 'x', method: 99 }],
  ])('a file %s is refused', (_case, file) => refused(packageOf(file)));

  test('the message says which file, and what is wrong with it', async () => {
    const { body } = await refused(packageOf({ path: 'setup.exe', content: 'MZ' }));
    expect(body.error!.message).toBe('The file has a file “setup.exe” that is of a type that is not taken.');
  });
});
