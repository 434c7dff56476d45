import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { openMailTransport } from '../../src/mail/sending/mail-transport.ts';
import { startService, statusOf, stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { enrolledLearner, forgetMail, hurry, invite, messageTo, whenDone, whenTried } from './transport-support.ts';

const root = mkdtempSync(join(tmpdir(), 'mail-folder-'));
let folder: string;
let made = 0;
beforeEach(() => {
  folder = join(root, `${++made}`, 'not', 'there yet');
});
afterEach(async () => {
  stopServices();
  await forgetMail();
});
afterAll(() => rmSync(root, { recursive: true }));

/** Starts a process with only the settings of a database and a folder. */
async function startFiling(env: Record<string, string> = {}): ReturnType<typeof startService> {
  const service = await startService({
    DATABASE_URL: testService.database.serviceUrl,
    MAIL_FOLDER: folder,
    ...env,
  });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  return service;
}

const files = () => (existsSync(folder) ? readdirSync(folder) : []);
const parse = (file: string) => PostalMime.parse(readFileSync(join(folder, file)));

test('each message becomes a file that a mail program opens, in a folder that is created for it', async () => {
  const service = await startFiling();
  const learners = await Promise.all([enrolledLearner({ firstName: 'Zoë 🦊' }), enrolledLearner()]);
  const admin = await invite();
  await whenDone();
  expect(files()).toHaveLength(3);
  expect(files().filter((file) => !/^\d{14}-[0-9a-f-]{36}\.eml$/.test(file))).toEqual([]);
  const mails = await Promise.all(files().map(parse));
  const recipients = mails.map(({ to }) => to![0]!.address).toSorted();
  expect(recipients).toEqual([...learners, admin].map(({ email }) => email).toSorted());
  for (const { from, subject, text, html } of mails) {
    expect(from!.address).toBe('awareness@localhost.invalid');
    expect([subject, text, html]).not.toContain(undefined);
  }
  const invitation = mails.find(({ to }) => to![0]!.address === admin.email)!;
  expect(invitation.text).toContain(`${service.url.replace(/\/v1$/, '')}/setup/`);
  const [link] = /http\S+\/setup\/\S+/.exec(invitation.text!)!;
  expect(await statusOf(link)).toBe(200);
  expect(await messageTo(admin.id)).toMatchObject({ status: 'sent', setup_token: null });
});

test('an email without a date, such as a reported message, becomes a file as well', async () => {
  const transport = openMailTransport({ delivery: { folder } }, 1);
  const mail = {
    from: 'a@tenant.test',
    to: 'soc@tenant.test',
    subject: 'Reported message',
    text: 'See the attachment.',
  };
  await transport.send({ ...mail, messageId: '<reported-1@tenant.test>' });
  expect(files()).toEqual([expect.stringMatching(/^\d{14}-reported-1\.eml$/)]);
  expect((await parse(files()[0]!)).to).toEqual([{ name: '', address: 'soc@tenant.test' }]);
});

test('settings of the sender and of links also apply to a folder', async () => {
  await startFiling({ MAIL_FROM: 'Us <us@tenant.test>', PUBLIC_URL: 'https://us.tenant.test/', ROLES: 'worker' });
  await invite();
  await whenDone();
  const mail = await parse(files()[0]!);
  expect(mail.from).toEqual({ name: 'Us', address: 'us@tenant.test' });
  expect(mail.text).toContain('\nhttps://us.tenant.test/setup/');
});

test('while the folder cannot be written, the message stays in the queue', async () => {
  writeFileSync(join(root, `${made}`), 'a file where the folder should be');
  await startFiling({ ROLES: 'worker' });
  const { id } = await invite();
  expect(await whenTried(id)).toMatchObject({
    status: 'queued',
    attempts: 1,
    reason: expect.stringMatching(/E[A-Z]+/),
  });
  rmSync(join(root, `${made}`));
  await hurry();
  await whenDone();
  expect(files()).toHaveLength(1);
});

test('a message that is sent again replaces its file', async () => {
  await startFiling({ ROLES: 'worker' });
  const { id } = await enrolledLearner();
  await whenDone();
  const [before] = files();
  await testService.query(`update messages set status = 'queued', settled_at = null where learner_id = $1`, [id]);
  await testService.query(
    `select graphile_worker.add_job('send_message', json_build_object('companyId', company_id, 'messageId', id))
       from messages where learner_id = $1`,
    [id],
  );
  await whenDone();
  expect((await messageTo(id)).status).toBe('sent');
  expect(files()).toEqual([before]);
});
