import pg from 'pg';
import { call, del, patch, post } from '../support/client.ts';
import { managedCourses } from '../support/world.ts';
import { stopServices } from '../process/support.ts';
import { countWaitingForLocks } from '../support/locks.ts';
import { until } from '../support/until.ts';
import {
  bothCourses,
  createLearner,
  enroll,
  enrolledLearner,
  forgetMail,
  hurry,
  invite,
  messagesTo,
  messageTo,
  remind,
  startMailing,
  withoutAdmins,
  whenDone,
  whenTried,
} from './transport-support.ts';
import { MailServer } from './smtp-support.ts';

const { phishing } = managedCourses;
const server = new MailServer();
beforeAll(async () => {
  await server.start();
  await startMailing(server);
});
afterEach(async () => {
  server.reset();
  await forgetMail();
});
afterAll(async () => {
  stopServices();
  await server.stop();
});

/** Runs `meanwhile` while a message waits for its second attempt, then has it sent. */
async function whileWaiting(person: string, meanwhile: () => Promise<unknown>): Promise<void> {
  await whenTried(person);
  await meanwhile();
  server.accept();
  await hurry();
  await whenDone();
}

/** Locks the messages to a learner, so that the worker cannot cancel them during `work`. */
async function whileReliedOn(learnerId: string, work: () => Promise<void>): Promise<void> {
  const owner = new pg.Client(testService.database.ownerUrl).on('error', () => undefined);
  await owner.connect();
  try {
    await owner.query('begin');
    await owner.query('select from messages where learner_id = $1 for key share', [learnerId]);
    await work();
  } finally {
    await owner.end();
  }
}

function finish(learnerId: string, courseId: string = phishing): Promise<unknown> {
  return testService.query(
    `update enrollments set start_date = enroll_date, finish_date = enroll_date, score = 90, passed = true
      where learner_id = $1 and course_id = $2`,
    [learnerId, courseId],
  );
}

const unenroll = (learnerId: string, courseId: string = phishing) =>
  post('/course-unenrollments', { courseIds: [courseId], learnerIds: [learnerId] });

describe('a learner gets one message', () => {
  test('for an enrolment, even if the call is repeated', async () => {
    const { id } = await createLearner();
    for (let n = 0; n < 3; n++) await enroll([id], bothCourses);
    await whenDone();
    expect(await messageTo(id)).toMatchObject({ kind: 'course_enrollment', status: 'sent' });
    await enroll([id], bothCourses);
    await whenDone();
    expect(server.received).toHaveLength(1);
  });

  test('for a reminder within the hour, even if the call is repeated', async () => {
    const { id, email } = await enrolledLearner();
    await whenDone();
    for (let n = 0; n < 3; n++) await remind([id]);
    await whenDone();
    expect((await messagesTo(id)).map(({ kind }) => kind)).toEqual(['course_enrollment', 'course_reminder']);
    expect(server.received.map(({ to }) => to)).toEqual([[email], [email]]);
  });

  test('for simultaneous calls with the same enrolment', async () => {
    const { id } = await createLearner();
    const body = { courseIds: bothCourses, learnerIds: [id] };
    await Promise.all(
      Array.from({ length: 8 }, () => call('tenant', 'POST', '/course-enrollments', { body, alone: false })),
    );
    await whenDone();
    expect(server.received).toHaveLength(1);
  });

  test('for an enrolment that is removed and repeated twenty times', async () => {
    const { id } = await createLearner();
    for (let n = 0; n < 20; n++) {
      await enroll([id]);
      if (n % 4 === 0) await whenDone();
      await unenroll(id);
    }
    await enroll([id]);
    await whenDone();
    expect(server.received).toHaveLength(1);
  });

  test('that names only the new course', async () => {
    const { id } = await enrolledLearner({}, [phishing]);
    await whenDone();
    await enroll([id], bothCourses);
    await whenDone();
    const [, second] = server.received;
    expect(second!.parsed.text).toContain('The strong-passwords course');
    expect(second!.parsed.text).not.toContain('The phishing-basics course');
  });
});

describe('a message is cancelled with a reason if', () => {
  beforeEach(() => server.refuse('to', 451));

  test.each<[string, string, (id: string) => Promise<unknown>]>([
    ['the learner is deactivated', 'inactive', (id) => post('/learners/deactivate', { learnerIds: [id] })],
    ['the learner is unenrolled', 'no longer needs action', unenroll],
    ['the learner has finished', 'no longer needs action', finish],
  ])('%s', async (_case, reason, end) => {
    const { id } = await enrolledLearner();
    await whileWaiting(id, () => end(id));
    const message = await messageTo(id);
    expect(message).toMatchObject({ status: 'cancelled', reason: expect.stringContaining(reason) });
    expect(message.settled_at).not.toBeNull();
    expect(server.taken).toEqual([]);
  });

  test('the course of a reminder is finished before it is sent', async () => {
    const { id } = await createLearner();
    await enroll([id]);
    await testService.query('delete from messages; delete from mail_log; delete from graphile_worker._private_jobs');
    await remind([id]);
    await whileWaiting(id, () => finish(id));
    expect(await messageTo(id)).toMatchObject({ kind: 'course_reminder', status: 'cancelled' });
    expect(server.taken).toEqual([]);
  });

  test('the setup is completed with the link of an earlier attempt', async () => {
    const { id } = await invite();
    await whileWaiting(id, async () => {
      const { setup_token } = await messageTo(id);
      const body = new URLSearchParams({ firstName: 'Dorothy', lastName: 'Vaughan' });
      expect((await fetch(`${testService.url}/setup/${setup_token}`, { method: 'POST', body })).status).toBe(200);
    });
    expect(await messageTo(id)).toMatchObject({ status: 'cancelled', setup_token: null });
    expect(server.taken).toEqual([]);
  });

  test('the link has expired', async () => {
    const { id } = await invite();
    await whileWaiting(id, () => testService.query('update admins set setup_expires_at = now() where id = $1', [id]));
    const expired = { status: 'cancelled', setup_token: null, reason: expect.stringContaining('expired') };
    expect(await messageTo(id)).toMatchObject(expired);
    expect(server.taken).toEqual([]);
  });

  test('the link is replaced, and only the newest link is sent', async () => {
    const { id } = await invite();
    await whileWaiting(id, async () => {
      expect((await post(`/admins/${id}/resend-invite`)).status).toBe(200);
    });
    const messages = await messagesTo(id);
    expect(messages.map(({ status, setup_token }) => [status, setup_token])).toEqual([
      ['cancelled', null],
      ['sent', null],
    ]);
    expect(server.taken).toHaveLength(1);
    const [link] = /http\S+\/setup\/\S+/.exec(server.taken[0]!.parsed.text!)!;
    expect((await fetch(link)).status).toBe(200);
  });
});

describe('a waiting message is deleted with', () => {
  beforeEach(() => server.refuse('to', 451));

  test('its learner', async () => {
    const { id } = await enrolledLearner();
    await whileWaiting(id, () => del(`/learners/${id}`));
    expect([await messagesTo(id), server.taken]).toEqual([[], []]);
  });

  test('its admin', async () => {
    const { id } = await invite();
    await whileWaiting(id, () => del(`/admins/${id}`));
    expect([await messagesTo(id), server.taken]).toEqual([[], []]);
  });
});

describe('a call during the delivery of a message does not wait for the mail server when', () => {
  test('it deletes the learner', async () => {
    const { id } = await createLearner();
    server.hold();
    await enroll([id]);
    await until(() => server.received.length === 1);
    expect((await del(`/learners/${id}`)).status).toBe(200);
    server.release();
    await whenDone();
    expect(await messagesTo(id)).toEqual([]);
  });

  test('it sends the invite again, and only the last link works', async () => {
    server.hold();
    const { id } = await invite();
    await until(() => server.received.length === 1);
    expect((await post(`/admins/${id}/resend-invite`)).status).toBe(200);
    server.release();
    await whenDone();
    expect((await messagesTo(id)).map(({ status }) => status)).toEqual(['cancelled', 'sent']);
    const links = server.received.map(({ parsed }) => /http\S+\/setup\/\S+/.exec(parsed.text!)![0]);
    const statuses = await Promise.all(links.map((link) => fetch(link).then(({ status }) => status)));
    expect(statuses).toEqual([404, 200]);
  });
});

describe('a message reflects the state when it is sent:', () => {
  beforeEach(() => server.refuse('to', 451));

  test('it goes to the corrected address under the corrected name', async () => {
    const { id, email } = await enrolledLearner();
    const corrected = { email: 'corrected@tenant.test', firstName: 'Corrected', lastName: 'Name', locale: 'fr' };
    await whileWaiting(id, () => patch(`/learners/${id}`, corrected));
    // The former address gets a notice of the change; `corrected` sorts first.
    const [mail, notice] = server.taken.toSorted((a, b) => a.to[0]!.localeCompare(b.to[0]!));
    expect(mail!.parsed.to).toEqual([{ name: 'Corrected Name', address: corrected.email }]);
    expect(mail!.parsed.text).toMatch(/^Bonjour Corrected,/);
    expect([notice!.to, server.taken.length]).toEqual([[email], 2]);
  });

  test('an invite goes only to the corrected address, with a working link', async () => {
    const { id } = await invite();
    await whileWaiting(id, () => withoutAdmins(() => patch(`/admins/${id}`, { email: 'corrected.admin@tenant.test' })));
    expect(server.taken.map(({ to }) => to)).toEqual([['corrected.admin@tenant.test']]);
    const [link] = /http\S+\/setup\/\S+/.exec(server.taken[0]!.parsed.text!)!;
    expect((await fetch(link)).status).toBe(200);
    expect((await messagesTo(id)).map(({ status }) => status)).toEqual(['cancelled', 'sent']);
  });

  test('it names only the courses that remain', async () => {
    const { id } = await enrolledLearner({}, [...bothCourses, managedCourses.gapAnalysis]);
    await whileWaiting(id, async () => {
      await finish(id, phishing);
      await unenroll(id, managedCourses.gapAnalysis);
    });
    expect(server.taken[0]!.parsed.subject).toBe('New training for you: “The strong-passwords course”');
    expect(server.taken[0]!.parsed.text).not.toMatch(/phishing|gap/);
  });

  test('a course that was omitted gets a message when it is assigned again', async () => {
    const { id } = await enrolledLearner({}, bothCourses);
    await whileWaiting(id, () => unenroll(id, phishing));
    await enroll([id], bothCourses);
    await whenDone();
    expect(server.taken.map(({ parsed }) => parsed.subject)).toEqual([
      'New training for you: “The strong-passwords course”',
      'New training for you: “The phishing-basics course”',
    ]);
  });

  test('an enrolment that is repeated while its message is being cancelled gets a message', async () => {
    const { id } = await enrolledLearner();
    await whenTried(id);
    await unenroll(id);
    server.accept();
    await whileReliedOn(id, async () => {
      await hurry();
      await until(async () => (await countWaitingForLocks()) > 0);
      await enroll([id]);
    });
    await whenDone();
    expect(server.taken).toHaveLength(1);
    expect((await messagesTo(id)).map(({ status }) => status)).toEqual(['sent']);
  });

  test('a learner who is active again gets it', async () => {
    const { id } = await enrolledLearner();
    await whileWaiting(id, async () => {
      await post('/learners/deactivate', { learnerIds: [id] });
      await post('/learners/activate', { learnerIds: [id] });
    });
    await until(async () => (await messageTo(id)).status === 'sent');
    expect(server.taken).toHaveLength(1);
  });
});
