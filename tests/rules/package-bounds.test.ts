/** @jest-environment node */
import { readFileSync } from 'node:fs';
import {
  MAX_FILE_BYTES,
  MAX_FILES,
  MAX_UNPACKED_BYTES,
} from '../../src/resources/courses/scorm/inspection/entry-rules.ts';
import { MAX_MANIFEST_BYTES } from '../../src/resources/courses/scorm/inspection/inspect-package.ts';
import { MAX_BYTES_OF_COMPANY } from '../../src/resources/courses/scorm/package-repository.ts';

const document = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, { put: { description: string } }>;
};
const told = document.paths['/courses/{courseId}/package']!.put.description.replaceAll(/\s+/g, ' ');

test.each([
  ['the manifest', `at most ${MAX_MANIFEST_BYTES / 1024 ** 2} MiB`],
  ['the number of files', `at most ${MAX_FILES.toLocaleString('en')} files`],
  ['each file', `${MAX_FILE_BYTES / 1024 ** 2} MiB each`],
  ['all files', `${MAX_UNPACKED_BYTES / 1024 ** 2} MiB in total`],
  ['all packages of a company', `${MAX_BYTES_OF_COMPANY / 1024 ** 3} GiB`],
])('the contract states the limit of %s', (_case, words) => expect(told).toContain(words));
