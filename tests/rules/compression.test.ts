import { globSync, readFileSync } from 'node:fs';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { readConfig } from '../../src/config/config.ts';
import { operations } from '../../src/contract/contract.ts';

type Part = Record<string, unknown>;

/**
 * Modules that can send compressed responses, by the function that they use. Each sends content that is the same for
 * everybody, except `operation-routes.ts`, which requires a key. A page of people must never be here: it contains a form
 * token and text from its address, so its length would reveal the token.
 */
const SENDERS: Record<string, string[]> = {
  permitCompression: ['src/rest/operation-routes.ts'],
  sendStatic: [
    'src/docs/changes/changes-routes.ts',
    'src/docs/docs-routes.ts',
    'src/docs/search/search-routes.ts',
    'src/http/html/assets.ts',
    'src/pages/learn/packages/package-files.ts',
    'src/pages/learn/player/player-routes.ts',
    'src/pages/shared/brand-routes.ts',
    'src/pages/start/start-routes.ts',
    'src/rest/system-routes.ts',
    'src/scim/scim-routes.ts',
  ],
};

const sources = globSync('src/**/*.ts').map((file) => ({ file, code: readFileSync(file, 'utf8') }));

test.each(Object.entries(SENDERS))('only modules without secrets call %s', (name, files) => {
  const users = sources.filter(({ code }) => new RegExp(`import [^;]*\\b${name}\\b[^;]*from`).test(code));
  expect(users.map(({ file }) => file).toSorted()).toEqual(files);
});

test('no module sets Content-Encoding except those of the responses', () => {
  const users = sources.filter(({ code }) => /['"]content-encoding['"]/i.test(code) && code.includes('setHeader'));
  expect(users.map(({ file }) => file)).toEqual(['src/http/response/compression.ts']);
});

test('only short SAML messages are compressed on the event loop', () => {
  const users = sources.filter(({ code }) =>
    /\b(?:gzip|deflate|deflateRaw|brotliCompress|zstdCompress)Sync\b/.test(code),
  );
  expect(users.map(({ file }) => file).toSorted()).toEqual([
    'src/identity/saml/saml-request.ts',
    'src/identity/saml/sent-message.ts',
  ]);
});

describe('the response of an operation', () => {
  const compressible = Object.entries(operations).filter(([, operation]) => operation.compressible);

  test('is compressible only if the operation reads', () => {
    expect(compressible.length).toBeGreaterThan(80);
    for (const [operationId, { cluster }] of compressible)
      expect([operationId, cluster]).toEqual([operationId, 'read']);
  });

  test('is never compressible if a field holds a secret', () => {
    const secretive = Object.values(contract.paths as Record<string, Record<string, Part>>)
      .flatMap((path) => Object.values(path))
      .filter(({ operationId, responses }) => operationId && namesSecret((responses as Part)['200']))
      .map(({ operationId }) => operationId as keyof typeof operations);
    expect(secretive).toEqual(expect.arrayContaining(['createApiKey', 'getSimulationSettings', 'rotateSourceSecret']));
    for (const operationId of secretive)
      expect([operationId, operations[operationId].compressible]).toEqual([operationId, false]);
  });
});

/** Reports whether a part of the contract, with the schemas that it refers to, has a string that is a secret. */
function namesSecret(part: unknown, visited = new Set<unknown>()): boolean {
  if (typeof part !== 'object' || part === null || visited.has(part)) return false;
  visited.add(part);
  const { $ref, properties = {} } = part as { $ref?: string; properties?: Record<string, Part> };
  const found =
    $ref &&
    $ref
      .split('/')
      .slice(1)
      .reduce<any>((at, name) => at[name], contract);
  const fields = Object.entries(properties).filter(([, schema]) => schema.type !== 'boolean');
  return (
    fields.some(([name]) => /secret$|password|token$/i.test(name)) ||
    [...Object.values(part), found].some((inner) => namesSecret(inner, visited))
  );
}

test('COMPRESSION is on by default, and off if a proxy compresses', () => {
  const read = (env = {}) => readConfig({ OAUTH_SECRET: 'x'.repeat(32), ...env }).compression;
  expect([read(), read({ COMPRESSION: 'on' }), read({ COMPRESSION: 'off' })]).toEqual([true, true, false]);
  expect(() => read({ COMPRESSION: 'gzip' })).toThrow('COMPRESSION must be one of on, off');
});
