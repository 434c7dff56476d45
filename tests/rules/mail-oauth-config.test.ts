import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/secret-files.ts';
import { ConfigError } from '../../src/config/variables.ts';

const MICROSOFT = 'https://login.microsoftonline.com/tenant.test/oauth2/v2.0/token';
const complete = {
  ROLES: 'worker,simulate',
  SMTP_URL: 'smtp://awareness%40sender.test@smtp.office365.com:587',
  MAIL_FROM: 'awareness@sender.test',
  PUBLIC_URL: 'https://awareness.test',
  MAIL_OAUTH_TOKEN_URL: MICROSOFT,
  MAIL_OAUTH_CLIENT_ID: 'client',
  MAIL_OAUTH_CLIENT_SECRET: 'hush-hush',
  SIMULATION_SENDER_DOMAINS: 'parcels.example',
  SIMULATION_SMTP_URL: 'smtp://mailer:hush-hush@mail.test',
  REPORT_MAILBOX_URL: 'imaps://reports%40us.test@outlook.office365.com/INBOX',
};
const read = (env: Record<string, string> = {}) => readConfig({ ...complete, ...env });
const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const account = { client_email: 'robot@project.test', private_key: privateKey, private_key_id: 'k1' };

test('a user without a password gets tokens with the client credentials, for SMTP and IMAP', () => {
  const { mail, simulations, reportMailbox } = read();
  const access = {
    tokenUrl: MICROSOFT,
    scope: 'https://outlook.office365.com/.default',
    grant: { type: 'client_credentials', clientId: 'client', clientSecret: 'hush-hush' },
  };
  expect(mail!.delivery).toEqual({ smtpUrl: complete.SMTP_URL, oauth: { user: 'awareness@sender.test', ...access } });
  expect(reportMailbox).toMatchObject({ password: '', oauth: { user: 'reports@us.test', ...access } });
  expect(simulations!.delivery).toEqual({ smtpUrl: complete.SIMULATION_SMTP_URL });
});

test('a server can have other settings, which are not mixed with the default ones', () => {
  const env = {
    SIMULATION_SMTP_URL: 'smtps://play%40parcels.example@smtp.gmail.com',
    SIMULATION_OAUTH_SERVICE_ACCOUNT: JSON.stringify({ ...account, token_uri: 'https://oauth2.googleapis.com/token' }),
    REPORT_MAILBOX_OAUTH_TOKEN_URL: 'https://id.test/token',
    REPORT_MAILBOX_OAUTH_CLIENT_ID: 'public',
    REPORT_MAILBOX_OAUTH_REFRESH_TOKEN: 'refresh',
  };
  const { simulations, reportMailbox } = read(env);
  expect(simulations!.delivery).toMatchObject({
    oauth: {
      user: 'play@parcels.example',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      scope: 'https://mail.google.com/',
      grant: { type: 'service_account', email: 'robot@project.test', keyId: 'k1', privateKey },
    },
  });
  const grant = { type: 'refresh_token', clientId: 'public', clientSecret: undefined, refreshToken: 'refresh' };
  expect(reportMailbox!.oauth).toMatchObject({ tokenUrl: 'https://id.test/token', scope: undefined, grant });
});

test('Microsoft Graph replaces the mail server, with another scope', () => {
  const graph = 'https://graph.microsoft.com/v1.0/users/awareness@sender.test';
  const { mail } = read({ SMTP_URL: '', MAIL_GRAPH_URL: `${graph}/` });
  expect(mail!.delivery).toMatchObject({
    graphUrl: graph,
    oauth: { user: 'awareness@sender.test', scope: 'https://graph.microsoft.com/.default' },
  });
  expect(read({ SMTP_URL: '', MAIL_GRAPH_URL: graph, MAIL_OAUTH_SCOPE: 'own' }).mail!.delivery).toMatchObject({
    oauth: { scope: 'own' },
  });
});

test('secrets can be read from files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oauth-'));
  const file = join(folder, 'secret');
  writeFileSync(file, 'from-a-file\n');
  const inFile = { MAIL_OAUTH_CLIENT_SECRET: '', MAIL_OAUTH_CLIENT_SECRET_FILE: file };
  const { mail } = readConfig(readEnvironment({ ...complete, ...inFile }));
  rmSync(folder, { recursive: true });
  expect(mail!.delivery).toMatchObject({ oauth: { grant: { clientSecret: 'from-a-file' } } });
});

const none = { MAIL_OAUTH_TOKEN_URL: '', MAIL_OAUTH_CLIENT_ID: '', MAIL_OAUTH_CLIENT_SECRET: '' };
const GRAPH = 'https://graph.microsoft.com/v1.0/users/a@sender.test';

test.each<[string, Record<string, string>]>([
  ['SMTP_URL', { ...none, REPORT_MAILBOX_URL: '' }],
  ['REPORT_MAILBOX_URL', { ...none, SMTP_URL: 'smtp://mail.test' }],
  ['MAIL_OAUTH_TOKEN_URL', { MAIL_OAUTH_TOKEN_URL: '' }],
  ['MAIL_OAUTH_TOKEN_URL', { MAIL_OAUTH_TOKEN_URL: 'http://id.test/token' }],
  ['MAIL_OAUTH_TOKEN_URL', { MAIL_OAUTH_TOKEN_URL: 'id.test' }],
  ['MAIL_OAUTH_TOKEN_URL', { ...none, REPORT_MAILBOX_URL: '', SMTP_URL: '', MAIL_GRAPH_URL: GRAPH }],
  ['MAIL_OAUTH_CLIENT_ID', { MAIL_OAUTH_CLIENT_ID: '' }],
  ['MAIL_OAUTH_CLIENT_SECRET', { MAIL_OAUTH_CLIENT_SECRET: '' }],
  ['MAIL_OAUTH_SERVICE_ACCOUNT', { MAIL_OAUTH_SERVICE_ACCOUNT: '{"private_key":"hush-hush"}' }],
  ['MAIL_OAUTH_SERVICE_ACCOUNT', { MAIL_OAUTH_SERVICE_ACCOUNT: 'hush-hush' }],
  ['MAIL_GRAPH_URL', { MAIL_GRAPH_URL: GRAPH }],
  ['MAIL_GRAPH_URL', { SMTP_URL: '', MAIL_GRAPH_URL: 'https://graph.microsoft.com/v1.0/me' }],
  ['MAIL_GRAPH_URL', { SMTP_URL: '', MAIL_GRAPH_URL: 'http://graph.test/v1.0/users/a@sender.test' }],
  ['MAIL_GRAPH_URL', { SMTP_URL: '', MAIL_GRAPH_URL: GRAPH, MAIL_FROM: '' }],
])('an error names %s for %j, and contains no secret', (name, env) => {
  expect(() => read(env)).toThrow(ConfigError);
  expect(() => read(env)).toThrow(name);
  expect(() => read(env)).not.toThrow('hush-hush');
});
