import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/variables.ts';

const SECRET = 'of-the-tests'.repeat(3);
const read = (env: Record<string, string>) => readConfig(env);

test.each<[string, Record<string, string>]>([
  ['PUBLIC_URL', { PUBLIC_URL: 'https://awareness.test/behind/a/path', OAUTH_SECRET: SECRET }],
  ['PUBLIC_URL', { NODE_ENV: 'production', OAUTH_SECRET: SECRET }],
  ['PUBLIC_URL', { NODE_ENV: 'production', OAUTH_SECRET: SECRET, PUBLIC_URL: 'http://awareness.test' }],
  ['OAUTH_SECRET', { PUBLIC_URL: 'https://awareness.test' }],
  ['OAUTH_SECRET', { NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:3000' }],
  ['OAUTH_SECRET', { OAUTH_SECRET: 'short' }],
  ['OAUTH_SECRET', { OAUTH_SECRET: `${SECRET},short` }],
])('%s is asked for with the role mcp: %j', (name, env) => {
  expect(() => read(env)).toThrow(ConfigError);
  expect(() => read(env)).toThrow(new RegExp(`^${name} `));
});

test('without the role mcp nothing of it is needed', () => {
  const env = { NODE_ENV: 'production', ROLES: 'api,worker', PUBLIC_URL: 'https://awareness.test/path' };
  expect(read(env).publicUrl).toBe('https://awareness.test/path');
});

test('several secrets can be given, so that one replaces another', () => {
  expect(read({ OAUTH_SECRET: ` ${SECRET} , ${SECRET}2` }).oauthSecrets).toEqual([SECRET, `${SECRET}2`]);
  expect(read({}).oauthSecrets).toEqual([]);
});
