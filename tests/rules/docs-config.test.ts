import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { apiKeyFrom } from '../../src/auth/api-key.ts';
import { readConfig } from '../../src/config/config.ts';

const read = (env: Record<string, string>) => readConfig(env);

test('the documentation shows no key unless it is told one', () => {
  expect(read({}).demoKey).toBeUndefined();
  expect(read({ DOCS_DEMO_KEY: '' }).demoKey).toBeUndefined();
});

test.each(Object.entries(demoKeys))('it can show the demo key of a %s', (_kind, key) => {
  expect(read({ DOCS_DEMO_KEY: key }).demoKey).toBe(key);
});

test('it is never told a key that could be somebody’s', () => {
  const { key } = apiKeyFrom('k3j5h7g9f1d2', Buffer.alloc(32, 7));
  for (const wrong of [key, 'sk_demotenant00', `${demoKeys.tenant}"`]) {
    expect(() => read({ DOCS_DEMO_KEY: wrong })).toThrow('DOCS_DEMO_KEY must be a key of the demo');
  }
});

test('it is never told a key in production', () => {
  const env = { DOCS_DEMO_KEY: demoKeys.tenant, NODE_ENV: 'production', ROLES: 'api' };
  expect(() => read(env)).toThrow('DOCS_DEMO_KEY must not be set when NODE_ENV is production');
});
