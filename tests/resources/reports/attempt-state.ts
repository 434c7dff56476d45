import { companies, type CompanyName, managedCourses } from '../../support/world.ts';
import { type Enrolled, enrolledIn } from './report-state.ts';

const { phishing, passwords, gapAnalysis } = managedCourses;

/**
 * Gives the learners of a company up to four attempts each at two courses and the gap analysis, in 2024 to 2026. All
 * attempts before the last are finished. Finishes have a score, only a grade, or neither.
 */
export async function insertAttempts(company: CompanyName): Promise<void> {
  await testService.query('delete from enrollments where company_id = $1', [companies[company]]);
  await testService.query(
    `create temporary table made as
     select l.company_id, l.id as learner_id, c.id as course_id, c.owner_id as course_owner_id, n as attempt,
            new_id() as attempt_id, 1 + hash % 4 as attempts, hash / 7 % 3 = 0 as is_open,
            date '2024-01-10' + (n - 1) * 240 + hash % 200 as enroll_date, hash % 5 as wait, hash / 5 % 9 as duration,
            case when hash / 3 % 4 > 0 then (hash + n * 7) % 6 * 20 end as score,
            case when hash / 3 % 4 > 0 then (hash + n * 7) % 6 * 20 >= 80
                 when hash / 11 % 2 = 0 then n % 2 = 0 end as passed
       from learners l
       join courses c on c.id = any($2)
      cross join lateral (select abs(hashtext(l.id::text || c.id) % 1000000) as hash) as h
      cross join lateral generate_series(1, 1 + hash % 4) as n
      where l.company_id = $1 and hash % 9 > 0`,
    [companies[company], [phishing, passwords, gapAnalysis]],
  );
  const finished = 'enroll_date, enroll_date + wait, enroll_date + wait + duration, score, passed';
  await testService.query(
    `insert into enrollment_attempts (company_id, learner_id, course_id, course_owner_id, attempt_id, attempt,
                                      enroll_date, start_date, finish_date, score, passed)
     select company_id, learner_id, course_id, course_owner_id, attempt_id, attempt, ${finished} from made
      where attempt < attempts or not is_open and attempts % 2 = 0`,
  );
  await testService.query(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, attempt_id, attempt,
                              enroll_date, start_date, finish_date, score, passed)
     select company_id, learner_id, course_id, course_owner_id, attempt_id, attempt, ${finished} from made
      where attempt = attempts and not is_open
     union all
     select company_id, learner_id, course_id, course_owner_id, attempt_id, attempt, enroll_date,
            case when duration % 2 = 0 then enroll_date + wait end, null, null, null from made
      where attempt = attempts and is_open`,
  );
  await testService.query('drop table made');
}

export interface AttemptFilter {
  attempts?: string;
  from?: string;
  to?: string;
}

/** Returns the attempts of a company that a report shows, by learner and course. Filters in TypeScript, unlike SQL. */
export async function attemptsIn(company: CompanyName, filter: AttemptFilter): Promise<Enrolled[]> {
  const earlier = await testService.query(
    `select learner_id, course_id, attempt_id, attempt, enroll_date::text as "enrollDate", start_date::text as "startDate",
            finish_date::text as "finishDate", score::float, passed
       from enrollment_attempts where company_id = $1`,
    [companies[company]],
  );
  return (await enrolledIn(company)).flatMap((newest) => {
    const { learner, course, attempt: of } = newest;
    const before = earlier
      .filter((row) => row.learner_id === learner.id && row.course_id === course.id && Number(row.attempt) < of.attempt)
      .map(({ attempt_id: attemptId, attempt, enrollDate, startDate, finishDate, score, passed }) => {
        const grade = passed === null ? null : passed ? 'pass' : 'fail';
        return {
          ...newest,
          attempt: { ...of, attemptId, attempt },
          result: { enrollDate, startDate, finishDate, score, grade },
        };
      });
    return reported([...before, newest] as Enrolled[], filter);
  });
}

function reported(all: Enrolled[], { attempts = 'latest', from = '', to = '9999' }: AttemptFilter): Enrolled[] {
  const begun = all
    .filter(({ result }) => result.enrollDate <= to)
    .sort((a, b) => a.attempt.attempt - b.attempt.attempt);
  const inPeriod = begun
    .filter(({ result }) => (result.finishDate ?? '9999') >= from)
    .map((one) => ({ ...one, attempt: { ...one.attempt, attempts: begun.at(-1)!.attempt.attempt } }));
  if (attempts === 'all') return inPeriod;
  const worth = ({ result }: Enrolled): number => {
    if (result.finishDate === null) return 0;
    return { pass: 3000, fail: 1000, none: 2000 }[result.grade ?? 'none'] + (result.score ?? -1);
  };
  const best = inPeriod.toSorted((a, b) => worth(a) - worth(b));
  return (attempts === 'best' ? best : inPeriod).slice(-1);
}
