import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { type BenchDatabase, COURSES, ENROLL_API_KEY, ENROLL_COMPANY_ID, ENROLLED_LEARNERS } from './dataset.ts';
import { median, startContestant, stopContestant, timeInPsql } from './processes.ts';
import type { Figure } from './run.ts';

const ROUNDS = 7;

/**
 * Measures POST /course-enrollments of 10,000 learners in 20 courses against the bare INSERT of the same 200,000 rows.
 * The service also checks each pair, queues 10,000 messages with their jobs, and returns 22 MB. Both commit; the rows
 * are removed between rounds.
 */
export async function benchEnrollment({ ownerUrl, serviceUrl }: BenchDatabase, folder: string): Promise<Figure[]> {
  const ours = await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' });
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  const learnerIds = await idsOf(owner, `select id from learners where company_id = '${ENROLL_COMPANY_ID}'`);
  const courseIds = await idsOf(owner, `select id from courses`);
  const body = JSON.stringify({ courseIds, learnerIds });
  const script = join(folder, 'enroll.sql');
  await writeFile(script, enrollScript(courseIds, learnerIds));
  const ratios: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const inserted = await timeInPsql(ownerUrl, script);
    await empty(owner);
    const enrolled = await timeEnrollment(`${ours.url}/course-enrollments`, { key: ENROLL_API_KEY.key, body });
    await empty(owner);
    if (round >= 0) ratios.push(enrolled / inserted);
  }
  await owner.end();
  await stopContestant(ours);
  const pairs = (ENROLLED_LEARNERS * COURSES).toLocaleString('en');
  return [
    {
      what: `\`POST /course-enrollments\` of ${pairs} pairs, messages and answer included`,
      against: 'the same `INSERT … SELECT` in `psql`',
      unit: 'x',
      target: 2,
      least: false,
      value: median(ratios),
    },
  ];
}

export async function idsOf(owner: pg.Client, query: string): Promise<string[]> {
  return (await owner.query<{ id: string }>(query)).rows.map(({ id }) => id);
}

export function enrollScript(courseIds: string[], learnerIds: string[]): string {
  const array = (ids: string[]) => `array[${ids.map((id) => `'${id}'`).join(',')}]::uuid[]`;
  return `\\timing on
insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
select l.company_id, l.id, c.id, c.owner_id, current_date from learners l cross join courses c
 where l.company_id = '${ENROLL_COMPANY_ID}' and l.id = any(${array(learnerIds)}) and c.id = any(${array(courseIds)})
 order by l.id, c.id on conflict do nothing;
`;
}

/** Returns the milliseconds until the last byte of a response in which every pair is enrolled. */
export function timeEnrollment(url: string, { key, body }: { key: string; body: string }): Promise<number> {
  const startedAt = performance.now();
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', headers }, (response) => {
      let head = '';
      response.on('data', (chunk: Buffer) => {
        if (head.length < 100) head += chunk.toString();
      });
      response.once('end', () => {
        if (head.startsWith('{"data":{"success":true')) resolve(performance.now() - startedAt);
        else reject(new Error(`the enrolment failed: ${head.slice(0, 200)}`));
      });
    });
    call.on('error', reject).end(body);
  });
}

export async function empty(owner: pg.Client): Promise<void> {
  await owner.query('delete from enrollments where company_id = $1', [ENROLL_COMPANY_ID]);
  await owner.query('delete from messages');
  await owner.query('delete from mail_log');
  await owner.query('delete from graphile_worker._private_jobs');
  await owner.query('vacuum analyze enrollments, messages, mail_log, graphile_worker._private_jobs');
  await owner.query('checkpoint').catch(() => undefined);
}
