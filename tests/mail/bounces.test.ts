/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-desk.test"} */
import { randomBytes } from 'node:crypto';
import { get } from '../support/client.ts';
import {
  allowSimulations,
  forgetSimulations,
  makeDueSimulation,
  recipientsOf,
  SENDER,
  whenSent,
} from '../support/own-simulations.ts';
import { until } from '../support/until.ts';
import { removeFolders } from '../process/folders.ts';
import { type Service, stopServices } from '../process/support.ts';
import { hasDovecot, ImapServer } from './imap-support.ts';
import { MailServer } from './smtp-support.ts';
import {
  enroll,
  enrolledLearner,
  forgetMail,
  insertLearners,
  messageTo,
  remind,
  startMailing,
  whenDone,
} from './transport-support.ts';

if (!hasDovecot) process.stderr.write('SKIPPED: no dovecot, so nothing reads a mailbox of bounces\n');
const withDovecot = hasDovecot ? describe : describe.skip;

const server = new MailServer();
afterEach(async () => {
  server.reset();
  await forgetMail();
});
afterAll(async () => {
  stopServices();
  await server.stop();
  await removeFolders();
});

const statusOf = async (learnerId: string) => {
  const { mailStatus, mailStatusReason } = (await get(`/learners/${learnerId}`)).body.data;
  return { mailStatus, mailStatusReason };
};

const report = (to: string, fields = 'Action: failed\r\nStatus: 5.1.1', quoted = '') =>
  [
    'From: Mail Delivery System <MAILER-DAEMON@mx.tenant.test>',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=x',
    '',
    '--x',
    'Content-Type: text/plain',
    '',
    'This is the mail system.',
    '--x',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.tenant.test',
    '',
    `Final-Recipient: rfc822; somebody@tenant.test\r\n${fields}`,
    '--x',
    'Content-Type: text/rfc822-headers',
    '',
    `${quoted}Subject: Training`,
    '--x--',
    '',
  ].join('\r\n');

/** Number of bounces: eight batches. */
const MANY = 200;

withDovecot(`the bounce mailbox${hasDovecot ? '' : ', skipped without Dovecot'}`, () => {
  let imap: ImapServer;
  let service: Service;
  const whenMarked = (count: number, flag = '\\Seen') =>
    until(async () => (await imap.marks()).filter(({ flags }) => flags.join() === flag).length === count);

  beforeAll(async () => {
    [imap] = await Promise.all([ImapServer.start(), server.start()]);
    service = await startMailing(server, {
      ROLES: 'worker,simulate',
      SIMULATION_SENDER_DOMAINS: SENDER,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      BOUNCE_ADDRESS: 'bounces@{sender}',
      BOUNCE_MAILBOX_URL: imap.url,
      DNS_SERVERS: '127.0.0.1:9',
      SIMULATION_RATE_PER_MINUTE: '6000',
    });
  });
  beforeEach(() => allowSimulations());
  afterEach(async () => {
    await imap.empty();
    await forgetSimulations();
  });
  afterAll(() => imap.stop());

  const sentCountOf = async (simulationId: string) => {
    const all = (await get('/simulations')).body.data as { id: string; sentCount: number }[];
    return all.find(({ id }) => id === simulationId)!.sentCount;
  };
  const returnPath = () => server.taken.at(-1)!.from;

  test('a hard bounce makes the address undeliverable: only a new address gets messages again', async () => {
    const learner = await enrolledLearner();
    await whenDone();
    expect(returnPath()).toMatch(/^bounces\+[a-z2-7]{42}@sender\.test$/);
    await imap.deliver(report(returnPath().toUpperCase()));
    await whenMarked(1);
    expect(await statusOf(learner.id)).toEqual({ mailStatus: 'undeliverable', mailStatusReason: 'mailbox_unknown' });
    expect(await messageTo(learner.id)).toMatchObject({ status: 'failed', reason: 'bounced: mailbox_unknown 5.1.1' });
    const [bounce] = (await get(`/learners/${learner.id}/bounces`)).body.data;
    expect(bounce).toMatchObject({ class: 'hard', source: 'mailbox', status: '5.1.1', isPresentAddress: true });
    await remind([learner.id]);
    await whenDone();
    expect(server.taken).toHaveLength(1);
    expect(service.output()).not.toContain(learner.email);
  });

  test('a bounce of a forged token, of a former address, a delay and an automatic reply change nothing', async () => {
    const learner = await enrolledLearner();
    await whenDone();
    const path = returnPath();
    await imap.deliver(report(path.replace(/(?<=\+.{30})./, (letter) => (letter === 'a' ? 'b' : 'a'))));
    await imap.deliver(report(path, 'Action: delayed\r\nStatus: 4.4.1'));
    await imap.deliver(
      `From: ${learner.email}\r\nTo: ${path}\r\nSubject: Out of office\r\n\r\nuser unknown 550 5.1.1\r\n`,
    );
    await imap.deliver(
      report('bounces@sender.test', 'Action: failed\r\nStatus: 5.1.1', 'Message-ID: <forged@sender.test>\r\n'),
    );
    await whenMarked(4);
    expect(await statusOf(learner.id)).toEqual({ mailStatus: 'deliverable', mailStatusReason: null });
    await testService.query('update learners set email = $1 where id = $2', [`new-${learner.email}`, learner.id]);
    await imap.deliver(report(path));
    await whenMarked(5);
    expect(await statusOf(learner.id)).toMatchObject({ mailStatus: 'deliverable' });
  });

  test('a bounce that quotes only the header counts, and a bounce that arrives twice counts once', async () => {
    const learner = await enrolledLearner();
    await whenDone();
    const token = /X-Return-Token: (\w+)/.exec(server.taken[0]!.raw)![1]!;
    const full = 'Action: failed\r\nStatus: 5.2.2';
    await imap.deliver(report('bounces@sender.test', full, `X-Return-Token: ${token}\r\n`));
    await imap.deliver(report(returnPath(), full));
    await whenMarked(2);
    expect(await statusOf(learner.id)).toEqual({ mailStatus: 'bouncing', mailStatusReason: 'mailbox_full' });
    expect((await get(`/learners/${learner.id}/bounces`)).body.data).toHaveLength(1);
  });

  test('an email that is built to be hard to parse is flagged', async () => {
    await imap.deliver(
      `From: a@b.test\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\n\r\n'.repeat(1000)}`,
    );
    await whenMarked(1, '\\Flagged');
  });

  test('many bounces are read in batches, each is recorded once, and one that cannot be read delays no other', async () => {
    const learnerIds = await insertLearners(MANY);
    await enroll(learnerIds);
    await whenDone(60_000);
    const paths = server.taken.slice(-MANY).map(({ from }) => from);
    const unreadable = `Content-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\n\r\n'.repeat(2000)}`;
    const mails = paths.map((path) => report(path));
    await imap.deliverAll([...mails.slice(0, MANY / 2), unreadable, ...mails.slice(MANY / 2)]);
    await until(async () => (await imap.marks()).every(({ flags }) => flags.length > 0), 120_000);
    await whenMarked(MANY);
    await whenMarked(1, '\\Flagged');
    const [counts] = await testService.query(
      `select count(*)::integer as bounces, count(distinct learner_id)::integer as learners from mail_bounces
        where learner_id = any($1::uuid[])`,
      [learnerIds],
    );
    expect(counts).toEqual({ bounces: MANY, learners: MANY });
  }, 240_000);

  test('an email that the mail server cannot read delays no other', async () => {
    const automatic = 'From: a@b.test\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nAway\r\n';
    await imap.stop();
    imap.deliverStopped([automatic, automatic, automatic]);
    await imap.start();
    await until(async () => (await imap.marks()).filter(({ flags }) => flags.includes('\\Seen')).length === 2, 60_000);
  }, 120_000);

  test('the recipient of a simulation message that bounced counts as not sent', async () => {
    const { simulationId, learnerIds } = await makeDueSimulation({ recipients: 2 });
    await whenSent(simulationId);
    await whenDone();
    expect(await sentCountOf(simulationId)).toBe(2);
    const { from } = server.taken[0]!;
    expect(from).toMatch(new RegExp(`^bounces\\+[a-z2-7]{42}@${SENDER}$`));
    await imap.deliver(report(from));
    await whenMarked(1);
    expect(await sentCountOf(simulationId)).toBe(1);
    const recipients = await recipientsOf(simulationId);
    const bounced = recipients.find(({ sent_at: sentAt }) => sentAt === null)!;
    expect(bounced).toMatchObject({ failure: 'bounced', withdrawn_because: 'The message bounced.' });
    expect(learnerIds).toContain(bounced.learner_id);
    const results = await get(`/reports/simulation-results?simulationId=${simulationId}`);
    const times = (results.body.data as { bounced: string | null }[]).map((result) => result.bounced);
    expect(times.filter(Boolean)).toEqual([(bounced.failed_at as Date).toISOString()]);
  });
});

test('a refusal that names an unknown mailbox makes the address undeliverable, one for policy reasons does not', async () => {
  await server.start();
  await startMailing(server);
  server.refuse('to', 550, '5.1.1 no such mailbox');
  const unknown = await enrolledLearner();
  await whenDone();
  expect(await statusOf(unknown.id)).toEqual({ mailStatus: 'undeliverable', mailStatusReason: 'mailbox_unknown' });
  server.accept();
  server.refuse('data', 554, '5.7.1 looks like spam');
  const blocked = await enrolledLearner();
  await whenDone();
  expect(await statusOf(blocked.id)).toEqual({ mailStatus: 'bouncing', mailStatusReason: 'blocked' });
});
