import { type Answer, call } from '../../support/client.ts';
import { companies, type CompanyName, learnerId } from '../../support/world.ts';
import { meanwhile } from '../tenant-state.ts';

export interface Pair {
  learnerId: string;
  courseId: string;
}

/** Returns the id of a learner of the tenant. */
export const learner = (number: 1 | 2 | 3 | 4 | 5): string => learnerId('tenant', number);

/** Sends a tenant's call that can overlap with others, without checking that other companies stay unchanged. */
export const race = (path: string, body?: object, method = 'POST'): Promise<Answer> =>
  call('tenant', method, path, { body, alone: false });

/** Pairs every learner with every course, in the order of a response. */
export function pairsOf(learnerIds: string[], courseIds: string[]): Pair[] {
  return learnerIds.flatMap((id) => courseIds.map((courseId) => ({ learnerId: id, courseId })));
}

/** Formats pairs as a single string, to compare large numbers of them. */
export function textOf(pairs: Pair[]): string {
  return pairs.map((pair) => `${pair.learnerId} ${pair.courseId}`).join('\n');
}

/** Returns failures without their messages, and expects each message to be one sentence without values. */
export function codesOf(failures: (Partial<Pair> & { code: string; message: string })[]): (Partial<Pair> & {
  code: string;
})[] {
  return failures.map(({ message, ...failure }) => {
    expect(message).toMatch(/^[A-Z][^0-9@.]+\.$/);
    return failure;
  });
}

/** Restores the enrolments of the test world and empties the queue after every test. */
export function restoreEnrollments(): void {
  let world: unknown;
  beforeAll(async () => {
    const [row] = await testService.query('select json_agg(e)::text as rows from enrollments as e');
    world = row!.rows;
  });
  afterEach(async () => {
    await forgetMessages();
    await testService.query('delete from enrollment_attempts');
    await testService.query('delete from enrollments');
    await testService.query("delete from courses where id::text like '0192b001-%'");
    await testService.query('insert into enrollments select * from json_populate_recordset(null::enrollments, $1)', [
      world,
    ]);
  });
}

/** Empties the queue and the mail log. */
export async function forgetMessages(): Promise<void> {
  await testService.query('delete from messages');
  await testService.query('delete from mail_log');
  await testService.query('delete from graphile_worker._private_jobs');
}

/** Enrols learners in the database; with a start date, they have started the courses. */
export async function storeEnrollments(
  company: CompanyName,
  learnerIds: string[],
  courseIds: string[],
  startDate: string | null = null,
): Promise<void> {
  await testService.query(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date, start_date)
     select $1, learner_id, id, owner_id, '2026-05-04', $4
       from unnest($2::uuid[]) as learner_id cross join courses where id = any($3::uuid[])
      order by random()`,
    [companies[company], learnerIds, courseIds, startDate],
  );
}

/** Records that a learner of the tenant was reminded of a course the given time ago, such as `59 minutes`. */
export async function storeReminder(learner: string, courseId: string, ago: string): Promise<void> {
  await testService.query(
    'update enrollments set reminded_at = now() - $3::interval where learner_id = $1 and course_id = $2',
    [learner, courseId, ago],
  );
}

export interface StoredEnrollment {
  courseId: string;
  enrollDate: string;
  startDate: string | null;
  finishDate: string | null;
  score: number | null;
  passed: boolean | null;
  remindedAt: Date | null;
}

/** Returns the enrolments of a learner, ordered by course. */
export async function enrollmentsOf(learner: string): Promise<StoredEnrollment[]> {
  const rows = await testService.query(
    `select course_id as "courseId", enroll_date::text as "enrollDate", start_date::text as "startDate",
            finish_date::text as "finishDate", score::float, passed, reminded_at as "remindedAt"
       from enrollments where learner_id = $1 order by course_id`,
    [learner],
  );
  return rows as unknown as StoredEnrollment[];
}

/** Returns the ids of a learner's courses, in order. */
export async function coursesOf(learner: string): Promise<string[]> {
  return (await enrollmentsOf(learner)).map(({ courseId }) => courseId);
}

export interface QueuedMessage {
  kind: string;
  learnerId: string;
  courseIds: string[];
}

/**
 * Returns the queued messages of all companies, ordered by learner, with sorted courses. Expects one job per message,
 * due now, whose payload has only the ids of the company and the message.
 */
export async function queuedMessages(): Promise<QueuedMessage[]> {
  const messages = await testService.query(
    `select company_id, id, kind, learner_id as "learnerId", array(select c::text from unnest(subject_ids) as c order by 1) as "courseIds",
            status, attempts, setup_token
       from messages order by learner_id, id`,
  );
  const jobs = await testService.query(
    `select identifier, payload, run_at <= now() as due, attempts
       from graphile_worker._private_jobs as j join graphile_worker._private_tasks as t on t.id = j.task_id`,
  );
  const named = (...names: unknown[]): string => names.sort().join(' ');
  expect(jobs.map(({ payload }) => named(...Object.values(payload as object))).sort()).toEqual(
    messages.map((message) => named(message.company_id, message.id)).sort(),
  );
  expect(jobs.filter((job) => job.identifier !== 'send_message' || !job.due || job.attempts !== 0)).toEqual([]);
  return messages.map(({ kind, learnerId, courseIds, status, attempts, setup_token }) => {
    expect({ status, attempts, setup_token }).toEqual({ status: 'queued', attempts: 0, setup_token: null });
    return { kind, learnerId, courseIds } as QueuedMessage;
  });
}

/** Builds the expected message of a kind to a learner. */
export function message(
  kind: 'course_enrollment' | 'course_reminder',
  learner: string,
  ...courseIds: string[]
): QueuedMessage {
  return { kind, learnerId: learner, courseIds: courseIds.sort() };
}

/** Expects the messages to name exactly the given pairs, each once. */
export function expectEachNamedOnce(messages: QueuedMessage[], pairs: Pair[]): void {
  const named = messages.flatMap((sent) => pairsOf([sent.learnerId], sent.courseIds));
  expect(textOf(named).split('\n').sort()).toEqual(textOf(pairs).split('\n').sort());
}

/** Inserts custom courses of a company, with ids numbered from 1, and returns the ids. */
export async function insertCourses(company: CompanyName, count: number): Promise<string[]> {
  const rows = await testService.query(
    `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
     select $1::uuid, ('0192b001-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'training', 'many-' || n,
            'Überblick 🦊 ' || n, 'Many', n % 5 + 1, 80, '{de}'
       from generate_series(1, $2::integer) as n order by random() returning id`,
    [companies[company], count],
  );
  return rows.map((row) => row.id as string).sort();
}

/** Returns the ids that `insertLearners` assigns: all of them, and the active ones. */
export function manyLearnerIds(count: number): { all: string[]; active: string[] } {
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  const id = (n: number): string => `0192b000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
  return { all: numbers.map(id), active: numbers.filter((n) => n % 7 !== 0).map(id) };
}

/** Runs `work` while no message can be queued: every insert of a job fails like a statement that timed out. */
export async function whileQueueIsStuck(work: () => Promise<unknown>): Promise<void> {
  await testService.query(`
    create function get_stuck() returns trigger language plpgsql
      as $$ begin raise exception 'stuck' using errcode = 'query_canceled'; end $$;
    create trigger sticks before insert on graphile_worker._private_jobs execute function get_stuck()`);
  try {
    await work();
  } finally {
    await testService.query('drop function get_stuck cascade');
  }
}

/** Runs `work` while the catalogue has no gap analysis. */
export async function withoutGapAnalysis(work: () => Promise<unknown>): Promise<void> {
  const [course] = await testService.query("select * from courses where type = 'gap_analysis'");
  await testService.query('delete from enrollments where course_id = $1', [course!.id]);
  await testService.query('delete from courses where id = $1', [course!.id]);
  try {
    await work();
  } finally {
    delete course!.custom_of;
    await testService.query(
      `insert into courses (${Object.keys(course!).join()})
       values (${Object.keys(course!)
         .map((_, n) => `$${n + 1}`)
         .join()})`,
      Object.values(course!),
    );
  }
}

/** Runs `work` while each row of a statement takes 3 ms, so that calls with a different lock order can interleave. */
export async function whileRowsAreSlow(
  statement: 'insert' | 'update' | 'delete',
  table: string,
  work: () => Promise<unknown>,
): Promise<void> {
  await testService.query(`
    create function wait_for_row() returns trigger language plpgsql
      as $$ begin perform pg_sleep(0.003); return coalesce(new, old); end $$;
    create trigger waits_for_row before ${statement} on ${table} for each row execute function wait_for_row()`);
  try {
    await work();
  } finally {
    await testService.query('drop function wait_for_row cascade');
  }
}

/** Expects no deadlock in any test, even if no client noticed it. */
export function expectNoDeadlocks(): void {
  let before: number;
  beforeEach(async () => {
    before = await countDeadlocks();
  });
  afterEach(async () => {
    expect({ deadlocks: (await countDeadlocks()) - before }).toEqual({ deadlocks: 0 });
  });
}

/** Counts deadlocks. Ends idle connections first, because a connection might report its deadlocks only when it ends. */
async function countDeadlocks(): Promise<number> {
  const ofService = "from pg_stat_activity where datname = current_database() and usename = 'awareness_service'";
  while ((await testService.query(`select pg_terminate_backend(pid) ${ofService}`)).length > 0) await meanwhile();
  const [row] = await testService.query(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  );
  return row!.deadlocks as number;
}

/** Sends a call six times, so that Postgres can cache a plan for few rows before a test sends many. */
export async function planForFew(send: () => Promise<Answer>): Promise<void> {
  for (let run = 0; run < 6; run += 1) expect((await send()).status).toBe(200);
}
