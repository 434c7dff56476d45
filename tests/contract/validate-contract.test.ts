/** @jest-environment node */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, removeFolders } from '../process/folders.ts';

afterAll(removeFolders);

/** Runs the validator on the changed contract; returns its exit code and its output, a line per problem. */
async function validate(change: (document: any) => void): Promise<{ code: number; lines: string[] }> {
  const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
  change(document);
  const file = join(makeFolder(), 'contract.json');
  writeFileSync(file, JSON.stringify(document));
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/check/run.ts', file], (error, stdout, stderr) => {
      const lines = (stdout + stderr).trim().replaceAll(`${file} `, '').split('\n');
      resolve({ code: error ? 1 : 0, lines });
    });
  });
}

test('the contract and its examples are valid', async () => {
  const { code, lines } = await validate(() => undefined);
  expect(code).toBe(0);
  const [, examples] = /are its (\d+) examples/.exec(lines.join())!;
  expect(Number(examples)).toBeGreaterThan(300);
});

test('an example that violates its schema is reported with its location, wherever it is', async () => {
  const { code, lines } = await validate(({ paths, components }) => {
    const courses = paths['/courses'].get;
    courses.responses['200'].content['application/json'].examples.courses.value.data[0].difficulty = 'hard';
    courses.parameters[0].examples = { wrong: { value: 'no-type' } };
    paths['/learners'].post.requestBody.content['application/json'].examples.learner.value.email = 'no address';
    components.examples.LearnerExample.value.data.id = 3;
    components.schemas.Timestamp.examples = ['2026-03-02'];
    components.headers.RetryAfter.schema.examples = [0];
    components.headers.RequestId.examples = { wrong: { value: 7 } };
    components.parameters.CompanyId.schema.examples = ['Not-An-Id'];
  });
  expect(code).toBe(1);
  const places = [...new Set(lines.map((line) => line.split(' ')[0]))];
  expect(places.toSorted()).toEqual([
    '#/components/examples/LearnerExample/value/data/id',
    '#/components/headers/RequestId/examples/wrong/value',
    '#/components/headers/RetryAfter/schema/examples/0',
    '#/components/parameters/CompanyId/schema/examples/0',
    '#/components/schemas/Timestamp/examples/0',
    '#/paths/~1courses/get/parameters/0/examples/wrong/value',
    '#/paths/~1courses/get/responses/200/content/application~1json/examples/courses/value/data/0/difficulty',
    '#/paths/~1learners/post/requestBody/content/application~1json/examples/learner/value/email',
  ]);
});

test('examples without a schema are reported', async () => {
  const { code, lines } = await validate(({ paths, components }) => {
    components.examples.Unused = { value: 1 };
    components.schemas.Id.example = 'old style';
    paths['/learners'].post.requestBody.content['application/json'].examples.away = { externalValue: 'away.json' };
  });
  expect(code).toBe(1);
  const places = lines.map((line) => line.split(' ')[0]);
  expect(places.toSorted()).toEqual([
    '#/components/examples/Unused',
    '#/components/schemas/Id/example',
    '#/paths/~1learners/post/requestBody/content/application~1json/examples/away',
  ]);
});

test.each<[string, (document: any) => void, string]>([
  [
    'a type that does not exist',
    ({ components }) => (components.schemas.Id.type = 'strnig'),
    '#/components/schemas/Id/type',
  ],
  [
    'a negative length',
    ({ components }) => (components.schemas.Id.minLength = -1),
    '#/components/schemas/Id/minLength',
  ],
  ['an unknown method', ({ paths }) => (paths['/courses'].fetch = {}), '#/paths/~1courses/fetch'],
])('%s is reported with its location', async (_case, change, place) => {
  const { code, lines } = await validate(change);
  expect(code).toBe(1);
  expect(lines.some((line) => line.startsWith(place))).toBe(true);
});

test('a placeholder left by the scaffold is reported with its location', async () => {
  const { code, lines } = await validate(({ paths }) => {
    paths['/courses'].get.description = 'Say what it does, for whom, in which order, and what it rejects.\n';
  });
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/^#\/paths\/~1courses\/get\/description {2}is still a placeholder/)]);
});

test('components with the same name are reported, regardless of kind, case and separators', async () => {
  const { code, lines } = await validate(({ components }) => {
    components.securitySchemes.apiKey = components.securitySchemes.tenantKey;
    components.parameters.Rate_Limit_Exceeded = components.parameters.CompanyId;
    components.responses.RateLimitExceeded = components.responses.RateLimited;
  });
  expect(code).toBe(1);
  expect(lines.toSorted()).toEqual([
    '#/components/parameters/Rate_Limit_Exceeded  has the same name as responses/RateLimitExceeded; generators would merge both into one type',
    '#/components/schemas/ApiKey  has the same name as securitySchemes/apiKey; generators would merge both into one type',
  ]);
});
