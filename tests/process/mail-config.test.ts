import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/variables.ts';
import { keys } from '../support/world.ts';
import { MailServer } from '../mail/smtp-support.ts';
import {
  countJobs,
  forgetMail,
  invite,
  mailing,
  messageTo,
  startMailing,
  withoutAdmins,
  whenDone,
} from '../mail/transport-support.ts';
import { startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

const server = new MailServer();
beforeAll(() => server.start());
afterEach(async () => {
  stopServices();
  server.reset();
  await forgetMail();
});
afterAll(() => server.stop());

const complete = {
  SMTP_URL: 'smtp://mailer:hush-hush@mail.test:587',
  MAIL_FROM: 'Awareness <awareness@sender.test>',
  PUBLIC_URL: 'https://awareness.test',
  OAUTH_SECRET: 'of-the-tests'.repeat(3),
};

const read = (env: Record<string, string>) =>
  readConfig({ DATABASE_URL: testService.database.serviceUrl, ...complete, ...env });

describe('an invalid mail configuration', () => {
  test.each([
    ['MAIL_FROM', ''],
    ['SMTP_URL', 'smtp://mailer:hush-hush#@mail.test'],
  ])('with %s="%s" ends the process with a sentence that names it, without the password', async (name, value) => {
    const env = { DATABASE_URL: testService.database.serviceUrl, ...complete, [name]: value };
    const service = await startService(env);
    expect(await service.exit).toEqual({ code: 78, signal: null });
    const said = service.output();
    expect(said).toMatch(/^[^\n]+\n$/);
    expect(said).toContain(name);
    expect(said).not.toContain('hush-hush');
  });

  test.each([
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'Awareness <nobody>'],
    ['MAIL_FROM', 'a@sender.test, b@sender.test'],
    ['MAIL_FROM', 'Awareness <a@sender.test> <b@sender.test>'],
    ['MAIL_FROM', 'Awareness\r\nBcc: b@sender.test <a@sender.test>'],
    ['MAIL_CONTACT', 'the help desk'],
    ['SMTP_URL', 'mail.test:587'],
    ['SMTP_URL', 'http://mailer:hush-hush@mail.test'],
    ['SMTP_URL', 'smtp://mailer:hush-hush@'],
    ['SMTP_URL', 'smtp:///hush-hush'],
    ['PUBLIC_URL', ''],
    ['PUBLIC_URL', 'awareness.test'],
    ['PUBLIC_URL', 'ftp://awareness.test'],
    ['PUBLIC_URL', 'https://awareness.test/?from=mail'],
    ['PUBLIC_URL', 'https://awareness.test/#top'],
    ['TRAINING_URL', 'javascript:alert(1)'],
    ['ROLES', 'nonsense'],
    ['ROLES', 'api,nonsense'],
    ['ROLES', ','],
    ['WORKER_CONCURRENCY', '0'],
    ['WORKER_CONCURRENCY', 'many'],
    ['SIGNATURE_RETENTION_DAYS', '29'],
    ['SIGNATURE_RETENTION_DAYS', 'ever'],
  ])('with %s=%j is rejected by name, without the password', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(ConfigError);
    expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name} (?!.*hush-hush)`));
  });
});

describe('a valid mail configuration', () => {
  test.each([
    ['awareness@sender.test', '', 'awareness@sender.test'],
    ['<awareness@sender.test>', '', 'awareness@sender.test'],
    [' Awareness  <awareness@sender.test> ', 'Awareness', 'awareness@sender.test'],
    ['"Awareness, Inc." <awareness@sender.test>', 'Awareness, Inc.', 'awareness@sender.test'],
    ['Sécurité 🦊 <awareness@sender.test>', 'Sécurité 🦊', 'awareness@sender.test'],
  ])('accepts MAIL_FROM=%s as a name and an address, which is also the contact', (MAIL_FROM, name, address) => {
    const { mail } = read({ MAIL_FROM });
    expect(mail).toMatchObject({ from: { name: expect.stringMatching(new RegExp(`^${name}\\s*$`)), address } });
    expect(mail!.contact).toBe(address);
  });

  test.each([
    ['https://awareness.test', 'https://awareness.test'],
    ['https://awareness.test/', 'https://awareness.test'],
    ['https://awareness.test/behind/a/path//', 'https://awareness.test/behind/a/path'],
  ])('begins links with PUBLIC_URL=%s', (PUBLIC_URL, publicUrl) => {
    expect(read({ PUBLIC_URL, ROLES: 'api,worker' }).publicUrl).toBe(publicUrl);
  });

  test('links to the process itself if no mail goes to real people', () => {
    const unset = { SMTP_URL: '', MAIL_FROM: '', PUBLIC_URL: '', PORT: '8080' };
    expect(read(unset)).toMatchObject({ publicUrl: 'http://127.0.0.1:8080', mail: undefined });
    expect(read({ ...unset, HOST: '::1' }).publicUrl).toBe('http://[::1]:8080');
  });

  test.each([
    ['', ['api', 'mcp', 'worker']],
    ['api', ['api']],
    [' worker , api ', ['api', 'worker']],
  ])('reads ROLES="%s" as a list', (ROLES, roles) => {
    expect(read({ ROLES }).roles).toEqual(roles);
  });

  test('prefers a server to a folder', () => {
    expect(read({ MAIL_FOLDER: '/tmp/mail' }).mail!.delivery).toEqual({ smtpUrl: complete.SMTP_URL });
  });

  test('without a transport is logged, and the process serves requests and keeps messages queued', async () => {
    const service = await startService({ DATABASE_URL: testService.database.serviceUrl });
    const { id } = await invite();
    await until(() => service.output().includes('SMTP_URL, MAIL_GRAPH_URL and MAIL_FOLDER are not set'));
    await until(async () => (await statusOf(`${service.url}/company`, keys.tenant)) === 200);
    expect(await messageTo(id)).toMatchObject({ status: 'queued', attempts: 0 });
    await startMailing(server);
    await whenDone();
    expect((await messageTo(id)).status).toBe('sent');
  });
});

describe('the roles of a process', () => {
  const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };

  test('api serves and queues without sending, and worker sends without serving companies', async () => {
    const api = await startMailing(server, { ROLES: 'api' });
    const admin = { email: 'roles@tenant.test', firstName: 'Gladys', lastName: 'West' };
    const init = { method: 'POST', headers, body: JSON.stringify(admin) };
    const created = await withoutAdmins(() => fetch(`${api.url}/admins`, init));
    expect(created.status).toBe(200);
    const { data } = (await created.json()) as { data: { id: string } };
    const [connected] = await testService.query(
      `select count(*)::integer as workers from pg_stat_activity
        where datname = current_database() and application_name like 'pool-%'`,
    );
    expect([connected!.workers, await countJobs(), server.received.length]).toEqual([0, 1, 0]);

    const worker = await startMailing(server);
    await whenDone();
    expect(server.received).toMatchObject([{ to: [admin.email] }]);
    expect(await statusOf(`${worker.url}/health`)).toBe(200);
    expect(await statusOf(`${worker.url}/openapi.json`)).toBe(200);
    for (const path of ['/company', '/learners', `/admins/${data.id}`]) {
      expect(await statusOf(worker.url + path, keys.tenant)).toBe(404);
    }
    const refused = await fetch(`${worker.url}/admins`, init);
    expect({ status: refused.status, body: await refused.json() }).toEqual({
      status: 404,
      body: { error: { code: 'not_found', message: expect.stringMatching(/./), details: [] } },
    });
    const link = /\/setup\/\S+/.exec(server.received[0]!.parsed.text!)![0];
    expect(await statusOf(worker.url.replace('/v1', link))).toBe(404);
    expect(await statusOf(api.url.replace('/v1', link))).toBe(200);
  });

  test('all work is done without ROLES', async () => {
    const service = await startMailing(server, { ROLES: '' });
    const admin = { email: 'both@tenant.test', firstName: 'Gladys', lastName: 'West' };
    const init = { method: 'POST', headers, body: JSON.stringify(admin) };
    expect((await withoutAdmins(() => fetch(`${service.url}/admins`, init))).status).toBe(200);
    await whenDone();
    expect(server.received).toMatchObject([{ to: [admin.email] }]);
  });

  test('a worker without its database is not ready', async () => {
    const { port } = new URL(testService.database.serviceUrl);
    const away = testService.database.serviceUrl.replace(`:${port}`, ':1');
    const service = await startService(mailing(server, { DATABASE_URL: away }));
    await until(async () => (await statusOf(`${service.url}/health`)) === 200);
    expect(await statusOf(`${service.url}/ready`)).toBe(503);
  });
});
