/** @jest-environment node */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, removeFolders } from '../process/folders.ts';

type Fields = Record<string, unknown>;
const notice = (change: Fields = {}) => ({ since: '2026-01-31', sunset: '2027-01-31', use: '`new`', ...change });
const deprecated = (change?: Fields): Fields => ({ deprecated: true, 'x-deprecation': notice(change) });
const parameter = (fields: Fields): Fields => ({ parameters: [{ name: 'old', in: 'query', ...fields }] });
const field = (fields: Fields): Fields => ({
  requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { old: fields } } } } },
});
const FIELD = '/requestBody/content/application~1json/schema/properties/old';

/** An operation, the location of its fault, and the expected message. */
const refused: [name: string, operation: Fields, at: string, message: string][] = [
  ['an operation without dates', { deprecated: true }, '/deprecated', 'needs x-deprecation with since, sunset and use'],
  ['a parameter without dates', parameter({ deprecated: true }), '/parameters/0/deprecated', 'needs x-deprecation'],
  ['a body field without dates', field({ deprecated: true }), `${FIELD}/deprecated`, 'needs x-deprecation'],
  ['dates without a deprecation', { 'x-deprecation': notice() }, '/x-deprecation', 'needs `deprecated: true`'],
  ['a null notice', { deprecated: true, 'x-deprecation': null }, '/x-deprecation', 'since must be a date'],
  ['a date that does not exist', deprecated({ since: '2026-02-30' }), '/x-deprecation', 'since must be a date'],
  ['a time instead of a date', deprecated({ sunset: '2027-01-31T00:00Z' }), '/x-deprecation', 'sunset must be a date'],
  [
    'a sunset before the deprecation date',
    deprecated({ sunset: '2025-12-31' }),
    '/x-deprecation',
    '2027-01-31, or later',
  ],
  ['a sunset within a year', deprecated({ sunset: '2027-01-30' }), '/x-deprecation', '2027-01-31, or later'],
  ['a blank replacement', deprecated({ use: ' ' }), '/x-deprecation', 'use must name the replacement'],
  ['an unknown field', deprecated({ until: '2027-01-31' }), '/x-deprecation', 'has no field until'],
  [
    'a field that is a reference',
    field({ $ref: '#/components/schemas/Id', ...deprecated() }),
    `${FIELD}/deprecated`,
    'cannot be a reference',
  ],
  [
    'a path parameter',
    parameter({ in: 'path', ...deprecated() }),
    '/parameters/0/deprecated',
    'only query parameters and headers',
  ],
];
const taken: [name: string, operation: Fields][] = [
  ['an operation', deprecated()],
  ['a parameter', parameter(deprecated())],
  ['a header', parameter({ ...deprecated(), in: 'header' })],
  ['a body field', field(deprecated())],
];

interface Problem {
  ruleId: string;
  message: string;
  location: { pointer: string }[];
}
let problems: Problem[];

/** Lints all operations in one run, each with its own path. */
beforeAll(async () => {
  const file = join(makeFolder(), 'openapi.json');
  const components = { schemas: { Id: { type: 'string' } } };
  const paths = [...refused, ...taken].map(([name, operation]) => [`/${name}`, { get: operation }]);
  writeFileSync(file, JSON.stringify({ openapi: '3.1.1', paths: Object.fromEntries(paths) as Fields, components }));
  const lint = ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--config', 'redocly.yaml', '--format', 'json'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [...lint, '--max-problems', '1000'], { env, maxBuffer: 2 ** 24 }, (_error, stdout) =>
      resolve(stdout),
    );
  });
  problems = (JSON.parse(output) as { problems: Problem[] }).problems;
});
afterAll(removeFolders);

const saidOf = (name: string) => {
  const path = `#/paths/~1${name}/get`;
  const ours = problems.filter(({ ruleId }) => ruleId === 'contract/deprecation');
  return ours
    .map(({ message, location }) => ({ at: location[0]!.pointer, message }))
    .filter(({ at }) => at.startsWith(path))
    .map(({ at, message }) => ({ at: at.slice(path.length), message }));
};

test.each(refused)('the linter rejects %s, with its location', (name, _operation, at, message) => {
  expect(saidOf(name)).toEqual([{ at, message: expect.stringContaining(message) }]);
});

test.each(taken)('the linter accepts %s with dates and a replacement', (name) => {
  expect(saidOf(name)).toEqual([]);
});
