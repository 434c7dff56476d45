/** @jest-environment node */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buildZip } from '../../seeds/demo-zip.ts';
import { DEFAULT_PACKAGE_LIMITS, packageLimits } from '../../src/config/package-limits.ts';
import { MAX_FILES } from '../../src/resources/courses/scorm/inspection/entry-rules.ts';
import { inspectPackage, MAX_MANIFEST_BYTES } from '../../src/resources/courses/scorm/inspection/inspect-package.ts';
import { readManifest } from '../../src/resources/courses/scorm/inspection/manifest.ts';
import { hashPieces } from '../../src/resources/courses/scorm/inspection/pieces-of-bytes.ts';
import { manifestOf, PAGE } from '../resources/courses/package-samples.ts';

const MIB = 1024 ** 2;
const document = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, { put: { description: string } }>;
};
const told = document.paths['/courses/{courseId}/package']!.put.description.replaceAll(/\s+/g, ' ');
const { maxBytes, maxUnpackedBytes, maxCompanyBytes } = DEFAULT_PACKAGE_LIMITS;

test.each([
  ['the manifest', `at most ${MAX_MANIFEST_BYTES / MIB} MiB`],
  ['the ZIP file', `at most ${maxBytes / MIB} MiB`],
  ['the number of files', `at most ${MAX_FILES.toLocaleString('en')} files`],
  ['all files', `${maxUnpackedBytes / MIB} MiB in total`],
  ['all packages of a company', `${maxCompanyBytes / 1024 ** 3} GiB`],
])('the contract states the limit of %s', (_case, words) => expect(told).toContain(words));

test('the limits can be set up to 500 MiB, 2 GiB unpacked and any quota of a company', () => {
  const env = { PACKAGE_MAX_MIB: '500', PACKAGE_UNPACKED_MAX_MIB: '2047', PACKAGES_MAX_MIB_PER_COMPANY: '20480' };
  expect(packageLimits(env)).toEqual({
    ...{ maxBytes: 500 * MIB, maxUnpackedBytes: 2047 * MIB, maxCompanyBytes: 20 * 1024 * MIB },
  });
  expect(() => packageLimits({ ...env, PACKAGE_MAX_MIB: '501' })).toThrow('PACKAGE_MAX_MIB');
  expect(() => packageLimits({ PACKAGES_MAX_MIB_PER_COMPANY: '99' })).toThrow('PACKAGES_MAX_MIB_PER_COMPANY');
});

test('a long manifest does not block the event loop', async () => {
  const others = Array.from({ length: 60_000 }, (_, index) => `<x${(index * 7919) % 65_536} a="${index * 104_729}"/>`);
  const content = manifestOf().replace('</manifest>', `${others.join('')}</manifest>`);
  const begin = performance.now();
  readManifest(content, new Set(['index.html']));
  const readingMs = performance.now() - begin;
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const bytes = buildZip([{ path: 'imsmanifest.xml', content }, PAGE]);
  delays.reset();
  expect(await inspectPackage(bytes, DEFAULT_PACKAGE_LIMITS)).toMatchObject({ standard: 'scorm_1_2' });
  delays.disable();
  expect(delays.max / 1e6).toBeLessThan(readingMs / 2);
});

test('a fault of a long manifest names its line', async () => {
  const content = `${manifestOf()}\n<!--${'x'.repeat(70_000)}-->\n<second/>`;
  const bytes = buildZip([{ path: 'imsmanifest.xml', content }, { ...PAGE }]);
  const limits = { ...DEFAULT_PACKAGE_LIMITS };
  const { fault } = await inspectPackage(bytes, limits);
  expect(fault).toMatch(/^has an imsmanifest\.xml that is not well-formed XML: .*\(line \d+, column \d+\)$/);
});

test('the hash of large content is computed in pieces and equals the hash of the whole', async () => {
  const bytes = Buffer.alloc(3 * MIB + 7, 'x');
  let count = 0;
  const counting = setInterval(() => (count += 1), 0);
  expect(await hashPieces(bytes)).toEqual(hash('sha256', bytes, 'buffer'));
  clearInterval(counting);
  expect(count).toBeGreaterThan(0);
});
