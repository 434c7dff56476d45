import { createPersonToken, hashPersonToken } from '../../src/identity/person-token.ts';
import { type Service, stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { removeFolders } from '../process/folders.ts';
import { post } from '../support/client.ts';
import { recipientId, simulationId } from '../support/world-simulations.ts';
import { companies, learnerId } from '../support/world.ts';
import { hasDovecot, ImapServer } from './imap-support.ts';
import { MailServer } from './smtp-support.ts';
import { startMailing } from './transport-support.ts';

if (!hasDovecot) process.stderr.write('SKIPPED: no dovecot, so nothing reads a mailbox of reports\n');
const withDovecot = hasDovecot ? describe : describe.skip;

const running = simulationId('tenant', 5);
const token = createPersonToken(companies.tenant);
const messageId = '<20261124.0800.2@parcels.example>';
const link = `https://parcels.example/s/${token}`;

const forward = (from: string, body: string, headers = '') =>
  [`From: ${from}`, 'To: reports@tenant.test', 'Subject: Fwd: parcel 4711', headers, '', body, ''].join('\r\n');
const attached = (from: string, mail: string) =>
  forward(
    from,
    `--x\r\n\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n${mail}\r\n--x--`,
    'Content-Type: multipart/mixed; boundary=x',
  );

withDovecot(`the mailbox for reports${hasDovecot ? '' : ', skipped without Dovecot'}`, () => {
  const smtp = new MailServer();
  let imap: ImapServer;
  const start = () =>
    startMailing(smtp, {
      ROLES: 'simulate',
      SIMULATION_SENDER_DOMAINS: 'parcels.example',
      REPORT_MAILBOX_URL: imap.url,
      REPORT_FORWARD_TO: 'soc@tenant.test',
    });
  let service: Service;
  const whenMarked = (count: number, flag = '\\Seen') =>
    until(async () => (await imap.marks()).filter(({ flags }) => flags.join() === flag).length === count);

  beforeAll(async () => {
    [imap] = await Promise.all([ImapServer.start(), smtp.start()]);
    service = await start();
    const ofRecipient = [hashPersonToken(token), recipientId('tenant', 5, 1)];
    await testService.query('update simulation_recipients set token_hash = $1 where id = $2', ofRecipient);
    const sent = { type: 'sent', occurredAt: '2026-11-24T00:00:00Z', eventId: 'sent', evidence: { messageId } };
    const whose = { simulation: { id: running }, learner: { id: learnerId('tenant', 2) } };
    await post('/simulation-events', { events: [{ ...whose, ...sent }] });
  });
  afterEach(async () => {
    smtp.reset();
    await imap.empty();
  });
  afterAll(async () => {
    stopServices();
    await Promise.all([smtp.stop(), imap.stop()]);
    await removeFolders();
  });

  async function reporters(): Promise<string[]> {
    const rows = await testService.query(
      'select learner_id from simulation_recipients where simulation_id = $1 and reported_at is not null order by 1',
      [running],
    );
    return rows.map(({ learner_id: id }) => id as string);
  }

  test('does not record a message that was sent to another person, and forwards it', async () => {
    await imap.deliver(forward('learner3@tenant.test', link));
    await imap.deliver(forward('learner1@other.test', link));
    await imap.deliver(attached('learner1@tenant.test', `Message-ID: ${messageId}\r\n\r\nDear Grace`));
    await whenMarked(3);
    expect(await reporters()).toEqual([]);
    await until(() => smtp.taken.length === 3);
  });

  test('records the report of the recipient by link or Message-ID, and forwards nothing', async () => {
    await imap.deliver(forward('Ada <Learner1@tenant.test>', `> Dear Ada, ${link}`));
    await imap.deliver(attached('learner2@tenant.test', `Message-ID: ${messageId}\r\n\r\nDear Grace`));
    await imap.deliver(forward('learner1@tenant.test', link));
    await whenMarked(3);
    expect(await reporters()).toEqual([learnerId('tenant', 1), learnerId('tenant', 2)]);
    expect(smtp.received).toEqual([]);
  });

  test('records a simulation that is reported with another message, and forwards both', async () => {
    const other = 'Subject: Pay\r\n\r\nhttps://evil.test';
    const parts = [`Message-ID: ${messageId}\r\n\r\nDear Grace`, other].map(
      (mail) => `--x\r\nContent-Type: message/rfc822\r\n\r\n${mail}\r\n`,
    );
    const type = 'Content-Type: multipart/mixed; boundary=x';
    await imap.deliver(forward('learner2@tenant.test', `${parts.join('')}--x--`, type));
    await whenMarked(1);
    expect(await reporters()).toContain(learnerId('tenant', 2));
    expect(smtp.taken).toMatchObject([{ parsed: { subject: 'Reported message with a simulation' } }]);
  });

  test('forwards other messages unchanged and once, without logging them', async () => {
    const mail = forward('learner1@tenant.test', 'Hällo\r\n.\r\nFrom here: https://evil.test/s/secret');
    await imap.deliver(mail);
    await whenMarked(1);
    expect(smtp.taken).toMatchObject([{ to: ['soc@tenant.test'], parsed: { subject: 'Reported message' } }]);
    expect(smtp.taken[0]!.raw).toContain(Buffer.from(mail).toString('latin1').trimEnd());
    expect(service.output()).not.toMatch(/4711|evil|learner1/);
    expect(JSON.stringify(await testService.query('select * from messages'))).toBe('[]');
  });

  test('forwards the same message again after a kill before its confirmation, and then marks it', async () => {
    smtp.hold();
    await imap.deliver(forward('learner1@tenant.test', 'lunch?'));
    await until(() => smtp.received.length === 1);
    service.child.kill('SIGKILL');
    await service.exit;
    smtp.release();
    expect((await imap.marks()).map(({ flags }) => flags)).toEqual([[]]);
    service = await start();
    await whenMarked(1);
    const ids = smtp.received.map(({ parsed }) => parsed.messageId);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  test('retries after a temporary rejection, and flags an email after a permanent one', async () => {
    smtp.refuse('data', 451);
    await imap.deliver(forward('learner1@tenant.test', 'first'));
    await until(() => smtp.received.length === 1);
    smtp.accept();
    await imap.deliver(forward('learner1@tenant.test', 'second'));
    await whenMarked(2);
    smtp.refuse('data', 552);
    await imap.deliver(forward('learner1@tenant.test', 'third'));
    await whenMarked(1, '\\Flagged');
    expect(smtp.taken).toHaveLength(2);
  });

  test('flags an email that is too large and sends a notice, and flags an email that it forwarded itself', async () => {
    await imap.deliver(forward('learner1@tenant.test', `${'x'.repeat(70)}\r\n`.repeat(30_000)));
    await imap.deliver(forward('soc@tenant.test', 'again', 'Message-ID: <reported-1@sender.test>'));
    await whenMarked(2, '\\Flagged');
    expect(smtp.taken).toMatchObject([{ parsed: { subject: 'Reported message that is too large' } }]);
  });

  test('is read by one of two processes, and again after it was unavailable', async () => {
    const other = await start();
    await imap.stop();
    await imap.start();
    for (const body of ['one', 'two', 'three']) await imap.deliver(forward('learner1@tenant.test', body));
    await whenMarked(3);
    expect(smtp.received).toHaveLength(3);
    other.child.kill('SIGTERM');
    expect(await other.exit).toEqual({ code: 0, signal: null });
  });
});
