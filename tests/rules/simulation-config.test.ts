import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { linksFrom } from '../../src/config/simulation-settings.ts';
import { ConfigError } from '../../src/config/variables.ts';

const complete = {
  ROLES: 'simulate',
  SIMULATION_SENDER_DOMAINS: ' Portal-Login.example , parcels.example',
  SIMULATION_SMTP_URL: 'smtp://mailer:hush-hush@mail.test:587',
  SIMULATION_URL: 'https://{sender}/x/',
};
const read = (env: Record<string, string>) => readConfig({ ...complete, ...env });

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'dkim-'))));
afterAll(() => rmSync(folder, { recursive: true }));

test('simulations are off by default', () => {
  expect(readConfig({ OAUTH_SECRET: 'x'.repeat(32) })).toMatchObject({ dnsServers: [] });
  const config = readConfig({ ROLES: '', OAUTH_SECRET: 'x'.repeat(32) });
  expect(config.roles).toEqual(['api', 'mcp', 'worker']);
  expect([config.simulations, config.reportMailbox]).toEqual([undefined, undefined]);
});

test('each sender domain has its own link host, and the default rate is 60 per minute', () => {
  const { simulations } = read({});
  expect(simulations).toEqual({
    senders: ['portal-login.example', 'parcels.example'],
    url: 'https://{sender}/x',
    delivery: { smtpUrl: complete.SIMULATION_SMTP_URL },
    dkim: undefined,
    ratePerMinute: 60,
  });
  expect(linksFrom(simulations!, 'parcels.example')).toBe('https://parcels.example/x');
});

test('unset settings default to the settings of other mail', () => {
  const unset = { SIMULATION_SMTP_URL: '', SIMULATION_URL: '' };
  const mail = { SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'a@us.test', PUBLIC_URL: 'https://us.test' };
  const delivery = { smtpUrl: 'smtp://mail.test' };
  expect(read({ ...unset, ...mail }).simulations).toMatchObject({ url: 'https://us.test', delivery });
});

test('roles that send no simulations need no DKIM key', () => {
  const env = { SIMULATION_DKIM_KEY_FILE: join(folder, 'missing.pem'), SIMULATION_DKIM_SELECTOR: 's1' };
  expect(read({ ...env, ROLES: 'api', SIMULATION_SMTP_URL: '' }).simulations).toMatchObject({ dkim: undefined });
  expect(() => read(env)).toThrow(/^SIMULATION_DKIM_KEY_FILE /);
});

test('the DKIM key must be an RSA key', () => {
  const write = (name: string, key: { export(options: object): string | Buffer }) => {
    const file = join(folder, name);
    writeFileSync(file, key.export({ type: 'pkcs8', format: 'pem' }));
    return { SIMULATION_DKIM_KEY_FILE: file, SIMULATION_DKIM_SELECTOR: 's1' };
  };
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const { dkim } = read(write('rsa.pem', rsa)).simulations!;
  expect(dkim!.selector).toBe('s1');
  expect(dkim!.privateKey.equals(rsa)).toBe(true);
  const other = write('other.pem', generateKeyPairSync('ed25519').privateKey);
  expect(() => read(other)).toThrow(/^SIMULATION_DKIM_KEY_FILE /);
});

test.each<Record<string, string>>([
  { SIMULATION_SENDER_DOMAINS: '' },
  { SIMULATION_SENDER_DOMAINS: 'parcels' },
  { SIMULATION_SENDER_DOMAINS: 'gmail.com' },
  { SIMULATION_SENDER_DOMAINS: 'parcels.example,login.GMX.de' },
  { SIMULATION_SENDER_DOMAINS: 'club.example', FREE_MAIL_EXTRA_DOMAINS: 'club.example' },
  { SIMULATION_SMTP_URL: 'mail.test' },
  { SIMULATION_SMTP_URL: '' },
  { SIMULATION_URL: '' },
  { SIMULATION_URL: 'ftp://{sender}' },
  { SIMULATION_URL: 'https://us.test/?from={sender}' },
  { SIMULATION_RATE_PER_MINUTE: '0' },
  { SIMULATION_DKIM_KEY_FILE: '', SIMULATION_DKIM_SELECTOR: 's1' },
  { SIMULATION_DKIM_SELECTOR: '', SIMULATION_DKIM_KEY_FILE: 'package.json' },
  { SIMULATION_DKIM_SELECTOR: 's 1', SIMULATION_DKIM_KEY_FILE: 'package.json' },
  { DNS_SERVERS: 'dns.example' },
  { REPORT_MAILBOX_URL: 'reports@us.test' },
  { REPORT_MAILBOX_URL: 'imap://reports:hush-hush@mail.test/INBOX' },
  { REPORT_MAILBOX_URL: 'imaps://reports:hush-hush%zz@mail.test/INBOX' },
  { REPORT_FORWARD_TO: 'security@us.test' },
  { REPORT_FORWARD_TO: 'security@us.test', REPORT_MAILBOX_URL: 'imaps://reports:hush-hush@mail.test' },
  {
    ...{ MAIL_FROM: 'Reports@us.test', SMTP_URL: 'smtp://mail.test', PUBLIC_URL: 'https://us.test' },
    ...{ REPORT_FORWARD_TO: 'soc@us.test', REPORT_MAILBOX_URL: 'imaps://reports%40us.test:hush-hush@mail.test/INBOX' },
  },
  { REPORT_FORWARD_TO: 'Reports@us.test', REPORT_MAILBOX_URL: 'imaps://reports%40us.test:hush-hush@mail.test/INBOX' },
])("%j is rejected with the setting's name and without the password", (env) => {
  expect(() => read(env)).toThrow(ConfigError);
  expect(() => read(env)).toThrow(Object.keys(env)[0]);
  expect(() => read(env)).not.toThrow('hush-hush');
});

test('DNS servers and the report mailbox are read', () => {
  const mailbox = {
    REPORT_MAILBOX_URL: 'imaps://re%40us.test:a%2Fb@[::1]:994/Reports',
    REPORT_FORWARD_TO: 'SOC <soc@us.test>',
    MAIL_FOLDER: '.mail',
  };
  expect(read({ DNS_SERVERS: '127.0.0.1:5353, 2001:db8::53', ...mailbox })).toMatchObject({
    dnsServers: ['127.0.0.1:5353', '2001:db8::53'],
    reportMailbox: {
      ...{ host: '::1', port: 994, secure: true, user: 're@us.test', password: 'a/b', folder: 'Reports' },
      forwardTo: 'soc@us.test',
    },
  });
});
