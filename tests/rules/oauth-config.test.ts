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
])('the role mcp requires a valid %s: %j', (name, env) => {
  expect(() => read(env)).toThrow(ConfigError);
  expect(() => read(env)).toThrow(new RegExp(`^${name} `));
});

test('without the role mcp, no OAuth setting is required', () => {
  const env = { NODE_ENV: 'production', ROLES: 'api,worker', PUBLIC_URL: 'https://awareness.test/path' };
  expect(read(env).publicUrl).toBe('https://awareness.test/path');
});

test('OAUTH_SECRET can hold several secrets for rotation', () => {
  expect(read({ OAUTH_SECRET: ` ${SECRET} , ${SECRET}2` }).oauthSecrets).toEqual([SECRET, `${SECRET}2`]);
  expect(read({}).oauthSecrets).toEqual([]);
});
