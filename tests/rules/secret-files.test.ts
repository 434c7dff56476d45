import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/secret-files.ts';
import { ConfigError } from '../../src/config/variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileWith = (text: string): string => {
  const path = join(folder, `secret-${text.length}`);
  writeFileSync(path, text);
  return path;
};

test('a secret is read from the file that its setting names, without the last line break', () => {
  const env = readEnvironment({ OAUTH_SECRET_FILE: fileWith(`${'s'.repeat(40)}\n`), PORT: '3001' });
  expect(env).toMatchObject({ OAUTH_SECRET: 's'.repeat(40), PORT: '3001' });
  expect(readConfig(env).oauthSecrets).toEqual(['s'.repeat(40)]);
});

test('settings without a file keep their values, and an empty file name counts as no file', () => {
  expect(readEnvironment({ SECRETS_KEY: 'k', SECRETS_KEY_FILE: '' })).toMatchObject({ SECRETS_KEY: 'k' });
});

test('settings that hold no secret are not read from files', () => {
  expect(readEnvironment({ PUBLIC_URL_FILE: fileWith('https://example.org') })).not.toHaveProperty('PUBLIC_URL');
});

test.each([
  ['both are set', () => ({ SMTP_URL: 'smtp://a', SMTP_URL_FILE: fileWith('smtp://b') }), 'Set either SMTP_URL or'],
  ['the file is missing', () => ({ SMTP_URL_FILE: join(folder, 'none') }), 'SMTP_URL_FILE names a file that cannot be'],
  ['it is a folder', () => ({ SMTP_URL_FILE: folder }), 'SMTP_URL_FILE names a file that cannot be read (EISDIR)'],
  ['the file is empty', () => ({ SMTP_URL_FILE: fileWith(' \n') }), 'SMTP_URL_FILE names an empty file'],
  ['the file is large', () => ({ SMTP_URL_FILE: fileWith('x'.repeat(65_537)) }), 'of more than 64 KiB'],
])('it is an error if %s, and the error does not contain the secret', (_case, env, message) => {
  const read = () => readEnvironment(env());
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(message);
  expect(read).not.toThrow(/smtp:\/\//);
});
