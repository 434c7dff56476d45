import { stopServices, until } from '../process/support.ts';
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

describe('a mail server that takes everything', () => {
  test('gets a message once, for its reader and from the sender', async () => {
    const learner = await enrolledLearner();
    await whenDone();
    expect(server.received).toMatchObject([{ from: SENDER, to: [learner.email] }]);
    expect(await messageTo(learner.id)).toMatchObject({ status: 'sent', attempts: 1, reason: null });
  });

  test('gets it when its cause is committed, not at the next look into the queue', async () => {
    const waits: number[] = [];
    for (let n = 0; n < 3; n++) {
      const start = Date.now();
      await invite();
      await until(() => server.taken.length > n);
      waits.push(Date.now() - start);
    }
    // A worker that only looked now and then would have looked just before the second and the third.
    expect(Math.min(...waits.slice(1))).toBeLessThan(1500);
  });

  test('gets a message again by another connection when it has closed the last one meanwhile', async () => {
    await invite();
    await whenDone();
    server.cutConnections();
    const { id } = await invite();
    await until(async () => (await messageTo(id)).status === 'sent');
    await whenDone();
    expect(server.received).toHaveLength(2);
  });
});

describe('a mail server that says no for now', () => {
  const refusals: [Step, number][] = [
    ['connect', 421],
    ['connect', 554],
    ['from', 451],
    ['to', 450],
    ['to', 421],
    ['data', 452],
  ];

  test.each(refusals)('at %s with %i gets the message once as soon as it says yes', async (step, code) => {
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

  test('gets it by itself within seconds', async () => {
    server.refuse('to', 451);
    const { id } = await invite();
    await whenTried(id);
    server.accept();
    await whenDone();
    expect(server.taken).toHaveLength(1);
  });

  test('is not asked without a pause, and ever more rarely', async () => {
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

describe('a mail server that hangs up instead of answering', () => {
  test('gets one copy with each attempt, and all of them are the same message', async () => {
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

describe('a mail server that is not there', () => {
  test('gets the message once when it is', async () => {
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
