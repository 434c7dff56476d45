import { type Service, stopServices } from '../process/support.ts';
import { call } from '../support/client.ts';
import { keys } from '../support/world.ts';
import {
  createLearner,
  enroll,
  forgetMail,
  hurry,
  messageTo,
  startMailing,
  whenDone,
  whenTried,
} from './transport-support.ts';
import { MailServer } from './smtp-support.ts';

const server = new MailServer();
beforeAll(() => server.start());
afterEach(async () => {
  stopServices();
  server.reset();
  await forgetMail();
});
afterAll(() => server.stop());

const person = { email: 'secret.person@tenant.test', firstName: 'Hildegard', lastName: 'Knightly', locale: 'de' };

const startBoth = (env: Record<string, string> = {}) => startMailing(server, { ROLES: 'api,worker', ...env });

/** Invites the person through this process, and returns the id. */
async function inviteBy(service: Service): Promise<string> {
  const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(person) };
  const { data } = (await (await fetch(`${service.url}/admins`, init)).json()) as { data: { id: string } };
  return data.id;
}

/** Ends the process, so that its output is complete, and expects no personal data and no secrets in it. */
async function expectDiscreet(service: Service, secrets: (string | null)[]): Promise<void> {
  service.child.kill('SIGTERM');
  expect((await service.exit).code).toBe(0);
  const said = service.output();
  expect(said).toContain('"msg":"ready"');
  for (const secret of [...Object.values(person).filter((value) => value !== 'de'), 'hush-hush', ...secrets]) {
    if (secret) expect(said).not.toContain(secret);
  }
}

test.each(['info', 'trace'])('a log of level %s contains no recipient and no link', async (LOG_LEVEL) => {
  const service = await startBoth({ LOG_LEVEL });
  server.refuse('to', 451, `<${person.email}> try later`);
  const id = await inviteBy(service);
  const { setup_token, reason } = await whenTried(id);
  expect(reason).toContain(person.email);
  server.accept();
  await hurry();
  await whenDone();
  // The invite, and the notice to the admin of the company.
  expect(server.taken).toHaveLength(2);
  const link = `${service.url.replace(/\/v1$/, '')}/setup/${setup_token}`;
  for (const method of ['GET', 'POST']) await fetch(link, { method, body: method === 'GET' ? null : 'firstName=A' });
  await expectDiscreet(service, [setup_token]);
});

test('a log contains no address that the mail server repeats in a rejection', async () => {
  const service = await startBoth();
  server.refuse('to', 550, `5.1.1 <${person.email}>: ${person.firstName} ${person.lastName} does not work here`);
  const id = await inviteBy(service);
  await whenDone();
  const message = await messageTo(id);
  expect(message.reason).toContain(person.email);
  await expectDiscreet(service, []);
  const lines = service.output().split('\n');
  expect(lines.filter((line) => line.includes(message.id))).toEqual([expect.stringContaining('"responseCode":550')]);
});

test('a log contains no recipient and no password when the mail server is unreachable', async () => {
  const service = await startBoth({ SMTP_URL: server.url.replace('//', '//mailer:hush-hush@') });
  await server.stop();
  const { id } = await createLearner(person);
  await enroll([id]);
  await whenTried(id);
  await expectDiscreet(service, []);
  await server.start();
});

test('a job contains no personal data', async () => {
  const { id } = await createLearner(person);
  await enroll([id]);
  const body = { ...person, email: 'secret.admin@tenant.test' };
  const invited = await call('tenant', 'POST', '/admins', { body });
  const { setup_token } = await messageTo(invited.body.data.id as string);
  const jobs = await testService.query('select j::text as row from graphile_worker._private_jobs as j');
  // The enrolment, the invite, and the notice to the admin of the company.
  expect(jobs).toHaveLength(3);
  for (const { row } of jobs) {
    for (const secret of [person.email, body.email, person.firstName, person.lastName, setup_token!]) {
      expect(row).not.toContain(secret);
    }
  }
});

test('the error of a job contains no personal data', async () => {
  const service = await startBoth();
  server.refuse('to', 451, `<${person.email}> try later`);
  await whenTried(await inviteBy(service));
  const [job] = await testService.query('select last_error from graphile_worker._private_jobs');
  expect(job!.last_error).toMatch(/./);
  expect(job!.last_error).not.toContain(person.email);
});
