import { companies, keys } from '../support/world.ts';
import { type Service, stopServices } from '../process/support.ts';
import { holdLock, kill, releaseLocks, whenWaiting } from './crash-support.ts';
import {
  countJobs,
  createLearner,
  enroll,
  forgetMail,
  messagesTo,
  startMailing,
  withoutAdmins,
  whenDone,
} from './transport-support.ts';
import { MailServer } from './smtp-support.ts';

const server = new MailServer();
beforeAll(() => server.start());
afterEach(async () => {
  stopServices();
  server.reset();
  await releaseLocks();
  await forgetMail();
});
afterAll(() => server.stop());

/** Sends a write to this process, and returns undefined if the process ended before its response. */
function send(service: Service, path: string, body: object): Promise<Response | undefined> {
  const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };
  return fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined);
}

const admin = (n: number | string) => ({ email: `crash${n}@tenant.test`, firstName: 'Annie', lastName: 'Easley' });

interface Change {
  email: string;
  messages: number;
  jobs: number;
}

/** Returns the invited admins, with the number of messages and jobs of each. */
async function invited(): Promise<Change[]> {
  return (await testService.query(
    `select email, (select count(*)::integer from messages m where m.admin_id = a.id and m.status = 'queued') as messages,
            (select count(*)::integer from messages m join graphile_worker._private_jobs j
               on j.payload ->> 'messageId' = m.id::text where m.admin_id = a.id) as jobs
       from admins a where company_id = $1 and email like 'crash%'`,
    [companies.tenant],
  )) as unknown as Change[];
}

describe('a killed process', () => {
  test('loses no message right after the response to its cause; the next process sends it', async () => {
    const api = await startMailing(server, { ROLES: 'api' });
    const answer = await withoutAdmins(() => send(api, '/admins', admin(1)));
    await kill(api);
    expect(answer!.status).toBe(200);
    await startMailing(server);
    await whenDone();
    expect(server.received).toMatchObject([{ to: ['crash1@tenant.test'] }]);
  });

  test.each([
    ['messages', '/admins', admin(1)],
    ['graphile_worker._private_jobs', '/admins', admin(1)],
  ])('makes neither a change nor a message while it waits for %s', async (table, path, body) => {
    const api = await startMailing(server, { ROLES: 'api' });
    const release = await holdLock(`lock table ${table} in access exclusive mode`);
    const answer = send(api, path, body);
    await whenWaiting(1);
    await kill(api);
    expect(await answer).toBeUndefined();
    await release();
    await whenWaiting(0);
    expect([await invited(), await countJobs()]).toEqual([[], 0]);
  });

  test('neither enrols nor queues in the middle of an enrolment, and the call can be repeated', async () => {
    const { id } = await createLearner();
    const api = await startMailing(server, { ROLES: 'api' });
    const release = await holdLock('lock table graphile_worker._private_jobs in access exclusive mode');
    const [row] = await testService.query('select id from courses where type = $1 limit 1', ['training']);
    const pairs = { learnerIds: [id], courseIds: [row!.id] };
    void send(api, '/course-enrollments', pairs);
    await whenWaiting(1);
    await kill(api);
    await release();
    await whenWaiting(0);
    expect(await testService.query('select from enrollments where learner_id = $1', [id])).toEqual([]);
    expect(await messagesTo(id)).toEqual([]);
    await enroll(pairs.learnerIds, pairs.courseIds as string[]);
    expect(await messagesTo(id)).toHaveLength(1);
  });

  test('makes each of many changes with its message, or neither', async () => {
    const api = await startMailing(server, { ROLES: 'api' });
    const answered = await withoutAdmins(async () => {
      const answers = Array.from({ length: 60 }, (_, n) => send(api, '/admins', admin(n)));
      await Promise.race(answers.slice(15));
      await kill(api);
      return (await Promise.all(answers)).flatMap((answer, n) => (answer ? [`crash${n}@tenant.test`] : []));
    });
    await whenWaiting(0);
    const made = await invited();
    expect(made.filter(({ messages, jobs }) => messages !== 1 || jobs !== 1)).toEqual([]);
    expect(await countJobs()).toBe(made.length);
    expect(made.map(({ email }) => email)).toEqual(expect.arrayContaining(answered));
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.length).toBeLessThan(60);
  });
});
