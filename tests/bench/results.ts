import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type BenchDatabase, ENROLL_API_KEY, ENROLL_COMPANY_ID } from './dataset.ts';
import { median, startContestant, stopContestant, timeInPsql } from './processes.ts';
import type { Figure } from './run.ts';

const ROUNDS = 9;

interface Finish {
  learnerId: string;
  courseId: string;
  finishedAt: string;
  score: number;
  eventId: string;
}

/**
 * Measures POST /course-results with 10,000 first-time completions against one bare statement that inserts the same
 * facts and enrolments. Both commit; the rows are removed between rounds.
 */
export async function benchResults({ ownerUrl, serviceUrl }: BenchDatabase, folder: string): Promise<Figure[]> {
  const ours = await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' });
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  const finishes = await finishesOf(owner);
  const body = JSON.stringify({
    results: finishes.map(({ learnerId, courseId, ...finish }) => ({
      ...{ learner: { id: learnerId }, course: { id: courseId }, ...finish },
    })),
  });
  const script = join(folder, 'results.sql');
  await writeFile(script, insertScript(finishes));
  const ratios: number[] = [];
  for (let round = -2; round < ROUNDS; round++) {
    const inserted = await timeInPsql(ownerUrl, script);
    await empty(owner);
    const recorded = await timePost(`${ours.url}/course-results`, body);
    await empty(owner);
    if (round >= 0) ratios.push(recorded / inserted);
  }
  await owner.end();
  await stopContestant(ours);
  return [
    {
      what: `\`POST /course-results\` of ${finishes.length.toLocaleString('en')}, JSON, judgement and answer included`,
      against: 'the same `INSERT … SELECT FROM unnest` in `psql`',
      unit: 'x',
      target: 2.5,
      least: false,
      value: median(ratios),
    },
  ];
}

async function finishesOf(owner: pg.Client): Promise<Finish[]> {
  const { rows } = await owner.query<{ learnerId: string; courseId: string }>(
    `select id as "learnerId", (select min(id::text) from courses) as "courseId" from learners where company_id = $1`,
    [ENROLL_COMPANY_ID],
  );
  const finishedAt = new Date(Date.now() - 3_600_000).toISOString();
  return rows.map((pair, index) => ({ ...pair, finishedAt, score: index % 101, eventId: `bench-${index}` }));
}

function insertScript(finishes: Finish[]): string {
  const array = (field: keyof Finish, type: string) =>
    `array[${finishes.map((finish) => `'${finish[field]}'`).join(',')}]::${type}[]`;
  return `\\timing on
with told as (
  select t.*, c.owner_id, t.score >= c.pass_mark as is_passed
    from unnest(${array('learnerId', 'uuid')}, ${array('courseId', 'uuid')}, ${array('finishedAt', 'timestamptz')},
                ${array('score', 'numeric')}, ${array('eventId', 'text')})
      as t (learner_id, course_id, finished_at, score, event_id)
    join courses c on c.id = t.course_id
), facts as (
  insert into course_result_events (company_id, event_id, learner_id, course_id, course_owner_id, finished_at, score,
                                    is_passed)
  select '${ENROLL_COMPANY_ID}', event_id, learner_id, course_id, owner_id, finished_at, score, is_passed from told
  on conflict do nothing
)
insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date, start_date, finish_date, score,
                         passed, finish_event_id, derived_at)
select '${ENROLL_COMPANY_ID}', learner_id, course_id, owner_id, finished_at::date, finished_at::date, finished_at::date,
       score, is_passed, event_id, statement_timestamp() from told
on conflict do nothing;
`;
}

/** Returns the milliseconds until the response, in which every result is recorded, has been read. */
async function timePost(url: string, body: string): Promise<number> {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${ENROLL_API_KEY.key}`, 'content-type': 'application/json' };
  const { data } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as {
    data?: { success: boolean };
  };
  if (!data?.success) throw new Error('results were not recorded');
  return performance.now() - startedAt;
}

async function empty(owner: pg.Client): Promise<void> {
  await owner.query('delete from course_result_events where company_id = $1', [ENROLL_COMPANY_ID]);
  await owner.query('delete from enrollment_attempts where company_id = $1', [ENROLL_COMPANY_ID]);
  await owner.query('delete from enrollments where company_id = $1', [ENROLL_COMPANY_ID]);
  await owner.query('vacuum analyze course_result_events, enrollments, enrollment_attempts');
  await owner.query('checkpoint').catch(() => undefined);
}
