import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { apiKeyFrom } from '../../src/auth/api-key.ts';
import { readConfig } from '../../src/config/config.ts';

const read = (env: Record<string, string>) => readConfig(env);

test('the documentation shows no key by default', () => {
  expect(read({}).demoKey).toBeUndefined();
  expect(read({ DOCS_DEMO_KEY: '' }).demoKey).toBeUndefined();
});

test.each(Object.entries(demoKeys))('DOCS_DEMO_KEY can be the demo key of a %s', (_kind, key) => {
  expect(read({ DOCS_DEMO_KEY: key }).demoKey).toBe(key);
});

test('DOCS_DEMO_KEY must be a demo key', () => {
  const { key } = apiKeyFrom('k3j5h7g9f1d2', Buffer.alloc(32, 7));
  for (const wrong of [key, 'sk_demotenant00', `${demoKeys.tenant}"`]) {
    expect(() => read({ DOCS_DEMO_KEY: wrong })).toThrow("DOCS_DEMO_KEY must be one of the demo's fixed keys");
  }
});

test('DOCS_DEMO_KEY is rejected in production', () => {
  const env = { DOCS_DEMO_KEY: demoKeys.tenant, NODE_ENV: 'production', ROLES: 'api' };
  expect(() => read(env)).toThrow('DOCS_DEMO_KEY must not be set when NODE_ENV is production');
});
