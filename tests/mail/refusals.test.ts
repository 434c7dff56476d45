import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import {
  countJobs,
  enrolledLearner,
  forgetMail,
  hurry,
  invite,
  messageTo,
  startMailing,
  whenDone,
  whenTried,
} from './transport-support.ts';
import { MailServer, type Step } from './smtp-support.ts';

const server = new MailServer();
/** A server that requires a password and does not offer to encrypt. */
const guarded = new MailServer({ authOptional: false, allowInsecureAuth: true, disabledCommands: ['STARTTLS'] });
const unknown = new MailServer({ disabledCommands: ['AUTH'] });
const servers = [server, guarded, unknown];
beforeAll(async () => {
  await Promise.all(servers.map((each) => each.start()));
});
afterEach(async () => {
  for (const each of servers) each.reset();
  await forgetMail();
});
afterEach(() => server.start());
afterAll(() => Promise.all(servers.map((each) => each.stop())));

/** Sets the number of attempts of all jobs. */
async function pretendAttempts(attempts: number): Promise<void> {
  await testService.query('update graphile_worker._private_jobs set attempts = $1', [attempts]);
}

describe('a permanent rejection', () => {
  beforeAll(() => startMailing(server));
  afterAll(stopServices);

  const refusals: [Step, number, string][] = [
    ['to', 550, '5.1.1 no such mailbox'],
    ['to', 553, 'mailbox name not allowed'],
    ['data', 554, '5.7.1 looks like spam'],
    ['data', 552, 'mailbox is full'],
  ];

  test.each(refusals)('at %s with %i %s fails the message at once with the reason', async (step, code, text) => {
    server.refuse(step, code, text);
    const { id } = await invite();
    await whenDone();
    const failed = { status: 'failed', attempts: 1, reason: `${code} ${text}`, setup_token: null };
    expect(await messageTo(id)).toMatchObject(failed);
    expect(server.recipientsAsked).toBe(1);
  });

  test('of one recipient does not affect another message', async () => {
    server.refuse('to', 550);
    const refused = await enrolledLearner();
    await whenDone();
    server.accept();
    const other = await enrolledLearner();
    await whenDone();
    expect((await messageTo(refused.id)).status).toBe('failed');
    expect(server.taken).toMatchObject([{ to: [other.email] }]);
  });

  test.each([
    ['bytes that are not text', 'no \ud83e mailbox \u0001'],
    ['many emoji', '🦊'.repeat(400)],
  ])('with %s in its response is recorded', async (_case, text) => {
    server.refuse('to', 550, text);
    const { id } = await invite();
    await whenDone();
    expect(await messageTo(id)).toMatchObject({ status: 'failed', reason: expect.stringMatching(/^550 /) });
  });

  test('with a very long response is recorded shortened', async () => {
    server.refuse('to', 550, 'no '.repeat(5000));
    const { id } = await invite();
    await whenDone();
    expect((await messageTo(id)).reason!.length).toBeLessThanOrEqual(500);
  });
});

describe('a rejection that the operator can fix', () => {
  afterEach(stopServices);

  test('of the sender keeps the message in the queue with the reason until the sender is accepted', async () => {
    await startMailing(server);
    server.refuse('from', 550, '5.7.1 sender not allowed');
    const { id } = await invite();
    const waiting = await whenTried(id);
    expect(waiting).toMatchObject({ status: 'queued', attempts: 1, reason: '550 5.7.1 sender not allowed' });
    server.accept();
    await hurry();
    await whenDone();
    expect((await messageTo(id)).status).toBe('sent');
    expect(server.taken).toHaveLength(1);
  });

  test('of the password keeps the message in the queue until a process starts with the right one', async () => {
    guarded.refuse('auth', 535, 'wrong password');
    const wrong = await startMailing(guarded, { SMTP_URL: guarded.url.replace('//', '//mailer:hush-hush@') });
    const { id } = await invite();
    const waiting = await whenTried(id);
    expect(waiting).toMatchObject({ status: 'queued', attempts: 1, reason: '535 wrong password' });
    wrong.child.kill('SIGTERM');
    await wrong.exit;
    expect(wrong.output()).not.toContain('hush-hush');
    guarded.accept();
    await startMailing(guarded, { SMTP_URL: guarded.url.replace('//', '//mailer:right%20one@') });
    await hurry();
    await whenDone();
    expect((await messageTo(id)).status).toBe('sent');
    expect(guarded.lastLogin).toEqual({ username: 'mailer', password: 'right one' });
  });

  test('for a missing password keeps the message in the queue', async () => {
    await startMailing(guarded);
    const { id } = await invite();
    expect(await whenTried(id)).toMatchObject({ status: 'queued', reason: expect.stringContaining('530') });
    expect(guarded.received).toEqual([]);
  });

  test('for an untrusted certificate keeps the message in the queue, and the server gets nothing', async () => {
    await startMailing(unknown);
    const { id } = await invite();
    expect(await whenTried(id)).toMatchObject({ status: 'queued', reason: expect.stringMatching(/certificate/i) });
    expect({ received: unknown.received, recipients: unknown.recipientsAsked }).toEqual({
      received: [],
      recipients: 0,
    });
  });
});

describe('a remote mail server that does not encrypt', () => {
  afterEach(stopServices);
  // Linux connects 0.0.0.0 to this machine, although the service does not consider it local.
  const elsewhere = () => server.url.replace('127.0.0.1', '0.0.0.0');

  test('gets nothing', async () => {
    await startMailing(server, { SMTP_URL: elsewhere() });
    const { id } = await invite();
    expect(await whenTried(id)).toMatchObject({ status: 'queued', reason: expect.stringMatching(/./) });
    expect({ received: server.received, recipients: server.recipientsAsked }).toEqual({ received: [], recipients: 0 });
  });

  test('gets the message if the operator allows it', async () => {
    await startMailing(server, { SMTP_URL: `${elsewhere()}?requireTLS=false` });
    const { id } = await invite();
    await whenDone();
    expect((await messageTo(id)).status).toBe('sent');
  });
});

describe('the twelfth attempt', () => {
  beforeAll(() => startMailing(server));
  afterAll(stopServices);

  test.each([
    ['to', 451, '451 not today'],
    ['from', 550, '550 not today'],
  ] as const)('that fails at %s with %i fails the message', async (step, code, reason) => {
    server.refuse(step, code);
    const { id } = await invite();
    await whenTried(id);
    await pretendAttempts(10);
    await hurry();
    expect(await whenTried(id, 11)).toMatchObject({ status: 'queued', attempts: 11, reason });
    await hurry();
    await whenDone();
    expect(await messageTo(id)).toMatchObject({ status: 'failed', attempts: 12, reason, setup_token: null });
    server.accept();
    await hurry();
    expect({ jobs: await countJobs(), taken: server.taken }).toEqual({ jobs: 0, taken: [] });
  });

  test('sends the message if the server accepts it', async () => {
    server.refuse('to', 451);
    const { id } = await invite();
    await whenTried(id);
    await pretendAttempts(11);
    server.accept();
    await hurry();
    await until(async () => (await messageTo(id)).status !== 'queued');
    expect(await messageTo(id)).toMatchObject({ status: 'sent', attempts: 12, reason: null });
  });

  test('fails the message if the server is unreachable', async () => {
    await server.stop();
    const { id } = await invite();
    await whenTried(id);
    await pretendAttempts(11);
    await hurry();
    await whenDone();
    expect(await messageTo(id)).toMatchObject({ status: 'failed', reason: expect.stringContaining('ECONNREFUSED') });
  });
});
