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
  test('stores a package unchanged and returns its properties, as GET does', async () => {
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

  test('accepts the file of a form, with its name', async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(packageOf())]), 'Gabelstapler.zip');
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type')!;
    const { body } = await uploadPackage(new Uint8Array(await encoded.arrayBuffer()), { type });
    expect(body.data.fileName).toBe('Gabelstapler.zip');
  });

  test('replaces the previous package, which stays stored for open windows', async () => {
    const before = (await get(PATH)).body.data.id;
    const { id } = (await uploadPackage(packageOf())).body.data;
    const stored = await packagesOf('tenant');
    expect(stored.filter(({ current }) => current)).toEqual([{ id, current: true }]);
    expect(stored).toContainEqual({ id: before, current: false });
  });

  test('runs once per Idempotency-Key, and rejects another file with the same key', async () => {
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

  test('changes the ETag of the course, and returns 412 for an older one', async () => {
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
    ['that does not exist', unknownId, 404, 'not_found'],
    ['with an invalid id', 'nonsense', 404, 'not_found'],
  ] as const)('a course %s accepts no package', async (_case, courseId, status, code) => {
    await expectRefused(() => uploadPackage(packageOf(), { courseId }), status, code);
  });

  test('rejects another content type and a file that is too large', async () => {
    await expectRefused(() => uploadPackage(packageOf(), { type: 'application/pdf' }), 400, 'unsupported_media_type');
    await expectRefused(() => uploadPackage(Buffer.alloc(25 * MIB + 1)), 413, 'payload_too_large');
  });

  test('the packages of a company can take at most 1 GiB', async () => {
    await testService.query(`update course_packages set size_bytes = 1024 * 1024 * 1024 where company_id = $1`, [
      companies.other,
    ]);
    const more = packageOf({ path: 'more.txt', content: 'more' });
    const answer = await uploadPackage(more, { key: 'other', courseId: ownCourseId('other') });
    expectError(answer, 413, 'payload_too_large');
    expect(await packagesOf('other')).toHaveLength(1);
  });
});

describe('an invalid package', () => {
  const bomb = Buffer.alloc(20 * MIB);

  test.each<[string, Buffer]>([
    ['an empty file', Buffer.alloc(0)],
    ['a text file', Buffer.from('Be kind.')],
    ['an empty ZIP file', zipOf([])],
    ['a truncated ZIP file', packageOf().subarray(0, -30)],
    ['a ZIP file that claims to have 60,000 files', Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18, 0xea)])],
    ['a package without a manifest', zipOf([PAGE])],
    ['a manifest in a folder', zipOf([{ ...MANIFEST, path: 'course/imsmanifest.xml' }, PAGE])],
    ['a missing page', zipOf([MANIFEST, { ...PAGE, path: 'start.html' }])],
    ['a manifest that is not XML', zipOf([{ ...MANIFEST, content: '<manifest' }, PAGE])],
    ['a manifest of 3 MiB', zipOf([{ ...MANIFEST, content: 'é'.repeat(2 * MIB), isStored: true }, PAGE])],
    ['a manifest with an entity', zipOf([{ ...MANIFEST, content: '<!DOCTYPE m [<!ENTITY a "a">]><m>&a;</m>' }, PAGE])],
    ['a ZIP bomb', packageOf({ path: 'zeros.txt', content: bomb })],
  ])('%s is rejected', (_case, bytes) => refused(bytes));

  test.each<[string, ZippedFile]>([
    ['outside the package', { path: '../evil.html', content: 'x' }],
    ['outside the package, with backslashes', { path: '..\\evil.html', content: 'x' }],
    ['with an absolute path', { path: '/etc/evil.html', content: 'x' }],
    ['with a null character in its name', { path: 'a\0.html', content: 'x' }],
    ['with a name that is not UTF-8', { path: Buffer.from([0x61, 0xff, 0x2e, 0x6a, 0x73]), content: 'x' }],
    ['that exists twice', { path: 'index.html', content: 'x' }],
    ['that is a symbolic link', { path: 'link.html', content: '/etc/passwd', mode: 0o120777 }],
    ['that is encrypted', { path: 'a.html', content: 'x', flags: 0x0801 }],
    ['that is a program', { path: 'setup.exe', content: 'MZ' }],
    ['that is a ZIP file', { path: 'inner.zip', content: zipOf([PAGE]) }],
    ['that is damaged', { path: 'a.html', content: 'x', crc: 1 }],
    ['that is larger than declared', { path: 'a.html', content: 'x'.repeat(5000), sizeBytes: 10 }],
    ['that is smaller than declared', { path: 'a.html', content: 'x', sizeBytes: 5000 }],
    ['that overlaps another', { path: 'a.html', content: MANIFEST.content, offset: 0 }],
    ['that ends beyond the ZIP file', { path: 'a.html', content: 'x', packedBytes: 100_000 }],
    ['with an unknown compression method', { path: 'a.html', content: 'x', method: 99 }],
  ])('a file %s is rejected', (_case, file) => refused(packageOf(file)));

  test('the message names the file and its problem', async () => {
    const { body } = await refused(packageOf({ path: 'setup.exe', content: 'MZ' }));
    expect(body.error!.message).toBe('The file has a file “setup.exe” that has an unsupported type.');
  });
});
