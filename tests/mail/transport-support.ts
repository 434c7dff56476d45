import { post } from '../support/client.ts';
import { adminId, companies, managedCourses, unknownId } from '../support/world.ts';
import { type Service, startService, statusOf } from '../process/support.ts';
import { until } from '../support/until.ts';
import type { MailServer } from './smtp-support.ts';

export const SENDER = 'awareness@sender.test';

/** Returns the environment of a process that only sends through this server. Links point to the test's service. */
export function mailing(server: MailServer, env: Record<string, string> = {}): Record<string, string> {
  return {
    DATABASE_URL: testService.database.serviceUrl,
    SMTP_URL: server.url,
    MAIL_FROM: `Security Awareness <${SENDER}>`,
    PUBLIC_URL: testService.url,
    ROLES: 'worker',
    ...env,
  };
}

/** Starts a process that sends mail. */
export async function startMailing(server: MailServer, env: Record<string, string> = {}): Promise<Service> {
  const service = await startService(mailing(server, env));
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  return service;
}

export interface Message {
  id: string;
  kind: string;
  status: 'queued' | 'sent' | 'failed' | 'cancelled';
  reason: string | null;
  attempts: number;
  setup_token: string | null;
  created_at: Date;
  settled_at: Date | null;
}

/** Returns the messages to an admin or a learner, oldest first. */
export async function messagesTo(person: string): Promise<Message[]> {
  const text = 'select * from messages where admin_id = $1 or learner_id = $1 order by created_at, id';
  return (await testService.query(text, [person])) as unknown as Message[];
}

/** Returns the only message to a person. */
export async function messageTo(person: string): Promise<Message> {
  const messages = await messagesTo(person);
  expect(messages).toHaveLength(1);
  return messages[0]!;
}

let made = 0;

/** Runs work while no admin is active, because active admins would be notified of it. */
export async function withoutAdmins<T>(work: () => Promise<T>): Promise<T> {
  const setStatus = (status: 'invited' | 'active') =>
    testService.query('update admins set status = $1 where id = $2', [status, adminId('tenant', 1)]);
  await setStatus('invited');
  try {
    return await work();
  } finally {
    await setStatus('active');
  }
}

/** Invites an admin through the API. No other admin gets a notice. */
export async function invite(fields: object = {}): Promise<{ id: string; email: string }> {
  const admin = { email: `invited${++made}@tenant.test`, firstName: 'Dorothy', lastName: 'Vaughan', ...fields };
  const { status, body } = await withoutAdmins(() => post('/admins', admin));
  expect(status).toBe(200);
  return { id: body.data.id as string, email: admin.email };
}

export async function createLearner(fields: object = {}): Promise<{ id: string; email: string }> {
  const learner = { email: `taught${++made}@tenant.test`, firstName: 'Radia', lastName: 'Perlman', ...fields };
  const { status, body } = await post('/learners', learner);
  expect(status).toBe(200);
  return { id: body.data.id as string, email: learner.email };
}

/** Inserts learners in the database, and returns their ids. */
export async function insertLearners(count: number): Promise<string[]> {
  const rows = await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name)
     select $1, gen_random_uuid(), 'many' || n || '@tenant.test', 'Many', 'No ' || n from generate_series(1, $2) as n
     returning id`,
    [companies.tenant, count],
  );
  return rows.map(({ id }) => id as string);
}

const { phishing, passwords } = managedCourses;
export const bothCourses = [phishing, passwords];

export async function enroll(learnerIds: string[], courseIds: string[] = [phishing]): Promise<void> {
  expect((await post('/course-enrollments', { courseIds, learnerIds })).body.data).toMatchObject({ success: true });
}

export async function remind(learnerIds: string[], courseIds: string[] = [phishing]): Promise<void> {
  expect((await post('/course-reminders', { courseIds, learnerIds })).body.data).toMatchObject({ success: true });
}

/** Creates an enrolled learner, for whom one message waits. */
export async function enrolledLearner(fields: object = {}, courseIds?: string[]): ReturnType<typeof createLearner> {
  const learner = await createLearner(fields);
  await enroll([learner.id], courseIds);
  return learner;
}

export async function countJobs(): Promise<number> {
  const [row] = await testService.query('select count(*)::integer as jobs from graphile_worker._private_jobs');
  return row!.jobs as number;
}

/** Resolves when no job is left, so that no further email can arrive. */
export async function whenDone(timeoutMs?: number): Promise<void> {
  await until(async () => (await countJobs()) === 0, timeoutMs);
}

/** Resolves when the only message to a person has failed `attempts` times and waits for its next attempt. */
export async function whenTried(person: string, attempts = 1): Promise<Message> {
  await until(async () => {
    const [message] = await messagesTo(person);
    return message!.attempts >= attempts && (await countJobs()) > 0 && !(await isBusy());
  });
  return messageTo(person);
}

async function isBusy(): Promise<boolean> {
  const busy = await testService.query('select from graphile_worker._private_jobs where locked_at is not null');
  return busy.length > 0;
}

/** Makes every waiting job due now. */
export async function hurry(): Promise<void> {
  await testService.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
  await testService.query(`select pg_notify('jobs:insert', '{"count": 10}')`);
}

/** Makes all locked jobs an hour old, so that they are taken over if their worker is dead. */
export async function pretendLongAgo(): Promise<void> {
  await testService.query(
    `update graphile_worker._private_jobs set locked_at = now() - interval '1 hour' where locked_at is not null`,
  );
}

/** Adds a job that a dead worker has locked. Returns a function that waits until another worker has taken it over. */
export const leaveJobOfTheDead = (): Promise<() => Promise<void>> => leaveJobOf('pool-of-the-dead');

/** Adds a job locked in the name of a worker that does not know it. Returns a function that waits until it is done. */
export async function leaveJobOf(name: string): Promise<() => Promise<void>> {
  const payload = JSON.stringify({ companyId: companies.tenant, messageId: unknownId });
  await testService.query(`
    select graphile_worker.add_job('send_message', '${payload}', job_key => 'left');
    update graphile_worker._private_jobs set locked_by = '${name}', locked_at = now() - interval '1 hour'
     where key = 'left'`);
  const left = () => testService.query(`select from graphile_worker._private_jobs where key = 'left'`);
  return () => until(async () => (await left()).length === 0);
}

/** Deletes all jobs and messages, and the learners and admins of a test; for afterEach. */
export async function forgetMail(): Promise<void> {
  await testService.query('delete from graphile_worker._private_jobs');
  await testService.query('delete from messages; delete from mail_log');
  await testService.query(`delete from learners where company_id = $1 and email !~ '^learner[1-5]@'`, [
    companies.tenant,
  ]);
  await testService.query(`delete from admins where company_id = $1 and email !~ '^admin[12]@'`, [companies.tenant]);
}
