/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0", "PACKAGE_MAX_MIB": "30"} */
import { createHash, randomBytes } from 'node:crypto';
import { type ZippedFile, buildZip } from '../../../seeds/demo-zip.ts';
import type { Schemas } from '../../../src/contract/contract.ts';
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
      ...{ schemaVersion: '1.2', authoringTool: null, features: [], externalHosts: [], notices: [] },
      items: [expect.objectContaining({ id: 'i', isPlayed: true, launchPath: 'index.html' })],
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
    await expectRefused(() => uploadPackage(Buffer.alloc(30 * MIB + 1)), 413, 'payload_too_large');
  });

  test('stores a package of more than 25 MiB, with large files', async () => {
    const noise = randomBytes(21 * MIB);
    const text = Buffer.alloc(12 * MIB, randomBytes(64 * 1024).toString('hex'));
    const files = [
      { path: 'film.mp4', content: noise, isStored: true },
      { path: 'large.txt', content: text },
    ];
    const { status, body } = await uploadPackage(packageOf(...files));
    expect({ status, fileCount: body.data?.fileCount }).toEqual({ status: 200, fileCount: 4 });
    await refused(packageOf({ path: 'large.txt', content: text, crc: 1 }));
    await refused(packageOf({ path: 'large.txt', content: text, sizeBytes: 11 * MIB }));
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
    ['an empty ZIP file', buildZip([])],
    ['a truncated ZIP file', packageOf().subarray(0, -30)],
    ['a ZIP file that claims to have 60,000 files', Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18, 0xea)])],
    ['a package without a manifest', buildZip([PAGE])],
    ['a manifest in a folder', buildZip([{ ...MANIFEST, path: 'course/imsmanifest.xml' }, PAGE])],
    ['a missing page', buildZip([MANIFEST, { ...PAGE, path: 'start.html' }])],
    ['a manifest that is not XML', buildZip([{ ...MANIFEST, content: '<manifest' }, PAGE])],
    ['a manifest of 3 MiB', buildZip([{ ...MANIFEST, content: 'é'.repeat(2 * MIB), isStored: true }, PAGE])],
    [
      'a manifest with an entity',
      buildZip([{ ...MANIFEST, content: '<!DOCTYPE m [<!ENTITY a "a">]><m>&a;</m>' }, PAGE]),
    ],
    ['a ZIP bomb', packageOf({ path: 'zeros.txt', content: bomb })],
  ])('%s is rejected', (_case, bytes) => refused(bytes));

  test.each<[string, ZippedFile]>([
    ['outside the package', { path: '../evil.html', content: 'x' }],
    ['outside the package, with backslashes', { path: '..\\evil.html', content: 'x' }],
    ['with an absolute path', { path: '/etc/evil.html', content: 'x' }],
    ['with a null character in its name', { path: 'a\0.html', content: 'x' }],
    ['with a name that is not UTF-8', { path: Buffer.from([0x61, 0xff, 0x2e, 0x6a, 0x73]), content: 'x' }],
    ['that exists twice', { path: 'index.html', content: 'x' }],
    ['that exists twice in another case', { path: 'Index.HTML', content: 'x' }],
    ['that is a symbolic link', { path: 'link.html', content: '/etc/passwd', mode: 0o120777 }],
    ['that is encrypted', { path: 'a.html', content: 'x', flags: 0x0801 }],
    ['that is damaged', { path: 'a.html', content: 'x', crc: 1 }],
    ['that is larger than declared', { path: 'a.html', content: 'x'.repeat(5000), sizeBytes: 10 }],
    ['that is smaller than declared', { path: 'a.html', content: 'x', sizeBytes: 5000 }],
    ['that overlaps another', { path: 'a.html', content: MANIFEST.content, offset: 0 }],
    ['that ends beyond the ZIP file', { path: 'a.html', content: 'x', packedBytes: 100_000 }],
    ['with an unknown compression method', { path: 'a.html', content: 'x', method: 99 }],
  ])('a file %s is rejected', (_case, file) => refused(packageOf(file)));

  test.each<[string, Buffer, string]>([
    [
      'a file',
      packageOf({ path: '../a.html', content: 'x' }),
      'has an entry “../a.html” that points outside its folder',
    ],
    ['a line of the manifest', buildZip([{ ...MANIFEST, content: '<manifest>\n<a></b>' }, PAGE]), '(line 2, column 7)'],
    ['a program before the ZIP file', Buffer.concat([Buffer.from('MZ'), packageOf()]), 'is not a readable ZIP file'],
  ])('the message names %s', async (_case, bytes, message) => {
    expect((await refused(bytes)).body.error!.message).toContain(message);
  });
});

describe('the findings of an upload', () => {
  const page = (content: string): ZippedFile => ({ path: 'index.html', content });
  const upload = async (...files: ZippedFile[]) => {
    const { status, body } = await uploadPackage(buildZip([MANIFEST, ...files]));
    expect(status).toBe(200);
    return body.data as Schemas['CoursePackage'];
  };

  test('unknown files are downloads, and programs are left out', async () => {
    const found = await upload(
      PAGE,
      ...['content.data', 'pen.cur', 'list.xlsx', 'assets/blank', 'old.swf', 'inner.zip', 'setup.exe', 'run.sh'].map(
        (path) => ({ path, content: 'x' }),
      ),
    );
    expect(found).toMatchObject({ fileCount: 8, features: ['flash'] });
    expect(found.notices).toEqual([
      expect.objectContaining({ code: 'files_left_out', details: ['setup.exe', 'run.sh'] }),
      expect.objectContaining({
        code: 'files_as_downloads',
        details: ['content.data', 'list.xlsx', 'assets/blank', 'old.swf', 'inner.zip'],
      }),
      expect.objectContaining({ code: 'flash_unsupported' }),
    ]);
  });

  test.each<[string, ZippedFile[], object | null]>([
    [
      'Storyline',
      [page('<!-- Created using Storyline 360 - x  -->\n<!-- version: 3.66.28270.0 -->')],
      { name: 'Articulate Storyline', version: '3.66.28270.0' },
    ],
    [
      'Rise',
      [PAGE, { path: 'scormcontent/lib/main.bundle.js', content: '' }],
      { name: 'Articulate Rise', version: null },
    ],
    [
      'iSpring',
      [page('<!-- Created with iSpring --><!-- 1944 1154 --><!--version 9.7.5.15043 -->')],
      { name: 'iSpring', version: '9.7.5.15043' },
    ],
    [
      'Captivate',
      [PAGE, { path: 'project.txt', content: '{"metadata":{"generator":"Captivate","generatorVersion":"11.5.5"}}' }],
      { name: 'Adobe Captivate', version: '11.5.5' },
    ],
    ['Lectora', [page('<!--GENERADO POR:  Lectora v.22.0.1(12617) -->')], { name: 'Lectora', version: '22.0.1' }],
    [
      'eXeLearning',
      [page('<meta name="generator" content="eXeLearning 2.8 - exelearning.net">')],
      { name: 'eXeLearning', version: '2.8' },
    ],
    ['H5P', [page('<script>H5PIntegration = {}</script>')], { name: 'H5P', version: null }],
    ['Adapt', [PAGE, { path: 'adapt/js/adapt.min.js', content: '' }], { name: 'Adapt', version: null }],
    ['another tool', [page('<meta name="generator" content="Wörk 3">')], { name: 'Wörk 3', version: null }],
    [
      'Rustici',
      [PAGE, { path: 'scormdriver.js', content: '/* 2018 Rustici Software, LLC */\nvar VERSION="7.7.0";' }],
      { name: 'Rustici SCORM Driver', version: '7.7.0' },
    ],
    ['no tool', [PAGE], null],
  ])('the authoring tool is found: %s', async (_case, files, tool) => {
    expect((await upload(...files)).authoringTool).toEqual(tool);
  });

  test('the response names the features and hosts of the pages, and has a notice for what does not work', async () => {
    const found = await upload(
      page(`<iframe src="quiz.html"></iframe><a href="https://linked.test" target="_blank">x</a>
        <link href="//fonts.test/css"><script>localStorage.a = 1; new Worker('w.js');</script>`),
      { path: 'film.mp4', content: 'x' },
    );
    expect(found.features).toEqual(['frames', 'popups', 'storage', 'workers', 'media', 'external_files']);
    expect(found.externalHosts).toEqual(['fonts.test']);
    expect(found.notices.map(({ code }) => code)).toEqual([
      ...['frames_isolated', 'storage_discarded', 'popups_blocked', 'workers_blocked', 'external_files_blocked'],
    ]);
  });

  test('a package whose page opens another host is reported as a dispatch package', async () => {
    const found = await upload(page('<script>location.href = "https://elsewhere.test/course"</script>'));
    expect(found.notices).toEqual([expect.objectContaining({ code: 'dispatch_package', details: ['elsewhere.test'] })]);
  });

  test('several items are accepted, and the response names items that are not offered', async () => {
    const more = '<item identifier="j" identifierref="r"><title>More</title></item></organization>';
    const content = manifestOf().replace('</organization>', more);
    const { status, body } = await uploadPackage(buildZip([{ ...MANIFEST, content }, PAGE]));
    expect(status).toBe(200);
    expect(body.data.items.map(({ isPlayed }: { isPlayed: boolean }) => isPlayed)).toEqual([true, false]);
    expect(body.data.notices).toEqual([expect.objectContaining({ code: 'other_scos', details: ['More'] })]);
  });
});
