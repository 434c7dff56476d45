import { type Answer, call } from '../../support/client.ts';
import { companies, type CompanyName, learnerId } from '../../support/world.ts';
import { meanwhile } from '../tenant-state.ts';

export interface Pair {
  learnerId: string;
  courseId: string;
}

/** A learner of the tenant. */
export const learner = (number: 1 | 2 | 3 | 4 | 5): string => learnerId('tenant', number);

/** A call of the tenant at the same time as others, so that there is no moment to look at the other companies. */
export const race = (path: string, body?: object, method = 'POST'): Promise<Answer> =>
  call('tenant', method, path, { body, alone: false });

/** Every learner with every course, in the order of an answer. */
export function pairsOf(learnerIds: string[], courseIds: string[]): Pair[] {
  return learnerIds.flatMap((id) => courseIds.map((courseId) => ({ learnerId: id, courseId })));
}

/** Pairs as one text, to compare very many of them. */
export function textOf(pairs: Pair[]): string {
  return pairs.map((pair) => `${pair.learnerId} ${pair.courseId}`).join('\n');
}

/** The failures of an answer without their messages, each of which must be one sentence without a value in it. */
export function codesOf(failures: (Partial<Pair> & { code: string; message: string })[]): (Partial<Pair> & {
  code: string;
})[] {
  return failures.map(({ message, ...failure }) => {
    expect(message).toMatch(/^[A-Z][^0-9@.]+\.$/);
    return failure;
  });
}

/** After every test each company has the enrolments of the world again, and no message waits. */
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

/** Empties the queue, as if every message had been sent long ago. */
export async function forgetMessages(): Promise<void> {
  await testService.query('delete from messages');
  await testService.query('delete from mail_log');
  await testService.query('delete from graphile_worker._private_jobs');
}

/** Enrols learners past the API; a start date says that they have begun. */
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

/** Says that the tenant's learner was reminded of a course so long ago, such as `59 minutes`. */
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

/** The enrolments of a learner, in the order of their courses. */
export async function enrollmentsOf(learner: string): Promise<StoredEnrollment[]> {
  const rows = await testService.query(
    `select course_id as "courseId", enroll_date::text as "enrollDate", start_date::text as "startDate",
            finish_date::text as "finishDate", score::float, passed, reminded_at as "remindedAt"
       from enrollments where learner_id = $1 order by course_id`,
    [learner],
  );
  return rows as unknown as StoredEnrollment[];
}

/** Ids of the courses that a learner is enrolled in, in order. */
export async function coursesOf(learner: string): Promise<string[]> {
  return (await enrollmentsOf(learner)).map(({ courseId }) => courseId);
}

export interface QueuedMessage {
  kind: string;
  learnerId: string;
  courseIds: string[];
}

/**
 * The messages of all companies that wait to be sent, by learner, the courses of each in order. Expects that each has
 * one job, which is due and which names the company and the message and nothing else.
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

/** What a message of a kind to a learner looks like. */
export function message(
  kind: 'course_enrollment' | 'course_reminder',
  learner: string,
  ...courseIds: string[]
): QueuedMessage {
  return { kind, learnerId: learner, courseIds: courseIds.sort() };
}

/** Expects that the messages name each of the pairs exactly once, and no other. */
export function expectEachNamedOnce(messages: QueuedMessage[], pairs: Pair[]): void {
  const named = messages.flatMap((sent) => pairsOf([sent.learnerId], sent.courseIds));
  expect(textOf(named).split('\n').sort()).toEqual(textOf(pairs).split('\n').sort());
}

/** Inserts courses of a company's own past the API, with ids in the order of their numbers from 1; returns the ids. */
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

/** Ids that `insertLearners` gives: all of them, and of those the active. */
export function manyLearnerIds(count: number): { all: string[]; active: string[] } {
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  const id = (n: number): string => `0192b000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
  return { all: numbers.map(id), active: numbers.filter((n) => n % 7 !== 0).map(id) };
}

/** No message can be queued while the work is done: each attempt is a statement that runs too long. */
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

/** The catalogue has no gap analysis while the work is done. */
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

/** Makes each row of such statements take a moment, so that whoever locks rows in another order gets in between. */
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

/** Expects of each test that its calls never waited for one another in a circle, whether or not a client noticed. */
export function expectNoDeadlocks(): void {
  let before: number;
  beforeEach(async () => {
    before = await countDeadlocks();
  });
  afterEach(async () => {
    expect({ deadlocks: (await countDeadlocks()) - before }).toEqual({ deadlocks: 0 });
  });
}

/** The deadlocks so far. A connection reports its own at the latest when it ends, so the idle ones are ended first. */
async function countDeadlocks(): Promise<number> {
  const ofService = "from pg_stat_activity where datname = current_database() and usename = 'awareness_service'";
  while ((await testService.query(`select pg_terminate_backend(pid) ${ofService}`)).length > 0) await meanwhile();
  const [row] = await testService.query(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  );
  return row!.deadlocks as number;
}

/** A connection may plan a statement for good after five runs, so what is planned for few must do for very many. */
export async function planForFew(send: () => Promise<Answer>): Promise<void> {
  for (let run = 0; run < 6; run += 1) expect((await send()).status).toBe(200);
}
