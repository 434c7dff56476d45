/** @jest-environment node */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, removeFolders } from '../process/folders.ts';

type Schema = Record<string, unknown>;
const text = { type: 'string' };
const known = (change: Schema = {}) => ({ type: 'string', 'x-extensible-enum': ['a', 'b'], ...change });

/** A schema, the location of its fault, and the expected message. */
const refused: [name: string, schema: Schema, at: string, message: string][] = [
  ...Object.entries({
    patternProperties: { '^x': text },
    contains: text,
    minContains: 1,
    maxContains: 1,
    dependentRequired: { a: ['b'] },
    dependentSchemas: { a: text },
    prefixItems: [text],
    if: text,
    then: text,
    else: text,
    unevaluatedProperties: false,
    unevaluatedItems: false,
    propertyNames: text,
    xml: { name: 'a' },
    maxWords: 5,
    $dynamicRef: '#a',
  }).map(([keyword, value]): [string, Schema, string, string] => [
    keyword,
    { type: 'object', [keyword]: value },
    `/${keyword}`,
    `does not judge ${keyword}`,
  ]),
  [
    'a property with the schema false',
    { type: 'object', properties: { a: false } },
    '/properties/a',
    'the schema false',
  ],
  ['items with the schema false', { type: 'array', items: false }, '/items', 'the schema false'],
  [
    'an extensible enum that is text',
    known({ 'x-extensible-enum': 'a' }),
    '/x-extensible-enum',
    'a list of different strings',
  ],
  [
    'an extensible enum with a duplicate value',
    known({ 'x-extensible-enum': ['a', 'a'] }),
    '/x-extensible-enum',
    'different strings',
  ],
  ['an extensible enum next to an enum', known({ enum: ['a'] }), '/x-extensible-enum', 'replaces enum'],
  [
    'a pattern that is not portable',
    { ...text, pattern: '^\\u0041$' },
    '/pattern',
    '"\\\\u" is not portable: write the character itself',
  ],
  ['an extensible enum of integers', known({ type: 'integer' }), '/x-extensible-enum', 'needs `type: string`'],
];
const taken: [name: string, schema: Schema][] = [
  ['a closed object', { type: 'object', additionalProperties: false, properties: { if: text, contains: text } }],
  ['an extensible enum', known()],
  ['a portable pattern', { ...text, pattern: '^[!-~é]+$' }],
  ['a nullable extensible enum', known({ type: ['string', 'null'] })],
];

/** Features that the contract gate compares only for the whole document, or not at all. */
const response = { description: 'An answer.', links: {}, content: { 'text/plain': { itemSchema: text } } };
const operation = { servers: [{ url: '/' }], callbacks: {}, responses: { 200: response } };
const paths = { '/a': { servers: [{ url: '/' }], query: {}, additionalOperations: {}, get: operation } };

let problems: { ruleId: string; message: string; location: { pointer: string }[] }[];

/** Lints all schemas in one run. */
beforeAll(async () => {
  const file = join(makeFolder(), 'openapi.json');
  const schemas = Object.fromEntries([...refused, ...taken]);
  writeFileSync(file, JSON.stringify({ openapi: '3.1.1', paths, components: { schemas } }));
  const lint = ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--config', 'redocly.yaml', '--format', 'json'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [...lint, '--max-problems', '1000'], { env, maxBuffer: 2 ** 24 }, (_error, stdout) =>
      resolve(stdout),
    );
  });
  ({ problems } = JSON.parse(output) as { problems: typeof problems });
});
afterAll(removeFolders);

const JUDGED = ['judged', 'extensible', 'portable-pattern'].map((name) => `contract/${name}`);

const saidOf = (where: string) =>
  problems
    .filter(({ ruleId }) => JUDGED.includes(ruleId))
    .map(({ message, location }) => ({ at: decodeURI(location[0]!.pointer), message }))
    .filter(({ at }) => at.startsWith(`${where}/`))
    .map(({ at, message }) => ({ at: at.slice(where.length), message }));

test.each(refused)('the linter rejects %s, with its location', (name, _schema, at, message) => {
  expect(saidOf(`#/components/schemas/${name}`)).toEqual([{ at, message: expect.stringContaining(message) }]);
});

test.each(taken)('the linter accepts %s', (name) => {
  expect(saidOf(`#/components/schemas/${name}`)).toEqual([]);
});

test.each([
  '/servers',
  '/query',
  '/additionalOperations',
  '/get/servers',
  '/get/callbacks',
  '/get/responses/200/links',
  '/get/responses/200/content/text~1plain/itemSchema',
])('the linter rejects %s of a path', (at) => {
  const message = `make contract-diff does not judge ${at.split('/').at(-1)} here; use another keyword.`;
  expect(saidOf('#/paths/~1a')).toContainEqual({ at, message });
});
