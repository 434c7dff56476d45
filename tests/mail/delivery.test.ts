import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import {
  enrolledLearner,
  forgetMail,
  hurry,
  invite,
  messageTo,
  SENDER,
  startMailing,
  whenDone,
  whenTried,
} from './transport-support.ts';
import { MailServer, type Step } from './smtp-support.ts';

const server = new MailServer();
beforeAll(async () => {
  await server.start();
  await startMailing(server);
});
afterEach(async () => {
  server.reset();
  await server.start();
  await forgetMail();
});
afterAll(async () => {
  stopServices();
  await server.stop();
});

describe('a mail server that accepts everything', () => {
  test('gets a message once, for its recipient and from the sender', async () => {
    const learner = await enrolledLearner();
    await whenDone();
    expect(server.received).toMatchObject([{ from: SENDER, to: [learner.email] }]);
    expect(await messageTo(learner.id)).toMatchObject({ status: 'sent', attempts: 1, reason: null });
  });

  test('gets a message when its cause is committed, not at the next poll', async () => {
    const waits: number[] = [];
    for (let n = 0; n < 3; n++) {
      const start = Date.now();
      await invite();
      await until(() => server.taken.length > n);
      waits.push(Date.now() - start);
    }
    // A worker that only polled would have polled just before the second and the third message.
    expect(Math.min(...waits.slice(1))).toBeLessThan(1500);
  });

  test('gets a message over a new connection after it has closed the last one', async () => {
    await invite();
    await whenDone();
    server.cutConnections();
    const { id } = await invite();
    await until(async () => (await messageTo(id)).status === 'sent');
    await whenDone();
    expect(server.received).toHaveLength(2);
  });
});

describe('a mail server that rejects temporarily', () => {
  const refusals: [Step, number][] = [
    ['connect', 421],
    ['connect', 554],
    ['from', 451],
    ['to', 450],
    ['to', 421],
    ['data', 452],
  ];

  test.each(refusals)('at %s with %i gets the message once when it accepts again', async (step, code) => {
    server.refuse(step, code, 'we are busy');
    const { id, email } = await invite();
    const waiting = await whenTried(id);
    expect(waiting).toMatchObject({ status: 'queued', attempts: 1, settled_at: null });
    expect(waiting.reason).toContain(`${code} we are busy`);
    expect(waiting.setup_token).not.toBeNull();
    server.accept();
    await hurry();
    await whenDone();
    expect(server.taken).toMatchObject([{ to: [email] }]);
    expect(await messageTo(id)).toMatchObject({ status: 'sent', attempts: 2, reason: null, setup_token: null });
  });

  test('gets the message within seconds without intervention', async () => {
    server.refuse('to', 451);
    const { id } = await invite();
    await whenTried(id);
    server.accept();
    await whenDone();
    expect(server.taken).toHaveLength(1);
  });

  test('is retried after increasing pauses', async () => {
    server.refuse('to', 451);
    const { id } = await invite();
    await whenTried(id);
    for (const [attempts, seconds] of [
      [2, 5],
      [3, 15],
      [4, 45],
    ] as const) {
      await hurry();
      await whenTried(id, attempts);
      const [job] = await testService.query(
        'select extract(epoch from run_at - now())::float as pause from graphile_worker._private_jobs',
      );
      expect(job!.pause).toBeGreaterThan(seconds);
    }
    expect(server.recipientsAsked).toBe(4);
  });
});

describe('a mail server that hangs up instead of responding', () => {
  test('gets one copy for each attempt, with the same Message-ID', async () => {
    server.hangsUp = true;
    const { id } = await invite();
    expect(await whenTried(id)).toMatchObject({ status: 'queued', attempts: 1, reason: expect.stringMatching(/./) });
    expect(server.received).toHaveLength(1);
    server.accept();
    await hurry();
    await whenDone();
    expect((await messageTo(id)).status).toBe('sent');
    const [first, second] = server.received;
    expect(server.received).toHaveLength(2);
    expect(second!.parsed.messageId).toBe(first!.parsed.messageId);
  });
});

describe('an unreachable mail server', () => {
  test('gets the message once when it is reachable', async () => {
    await server.stop();
    const { id, email } = await invite();
    expect(await whenTried(id)).toMatchObject({ status: 'queued', reason: expect.stringContaining('ECONNREFUSED') });
    await server.start();
    await hurry();
    await whenDone();
    expect(server.received).toMatchObject([{ to: [email] }]);
    expect(await messageTo(id)).toMatchObject({ status: 'sent', reason: null });
  });
});
