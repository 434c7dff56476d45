import { toProfile } from './profile-state.ts';
import { companies, type CompanyName, managedCourses } from '../../support/world.ts';
import { insertLearners, type StoredLearner } from '../tenant-state.ts';
import { learningSummary } from './learning-summary.ts';

/** Strings that break JSON assembled by hand, and one that makes a row long. */
export const hostileTexts = [
  '"}],"learners":[{"id":"',
  '\\',
  '\\"',
  '\\u0000 \\ud83e',
  "Robert'); drop table learners; --",
  Array.from({ length: 31 }, (_, n) => String.fromCharCode(n + 1)).join(''),
  '\u007f\u0080\u0085\u009f\u00a0',
  '\u2028\u2029\ufeff\ufffd\ufffe\uffff',
  '👩‍👩‍👧‍👦 🦊 \u{10ffff}',
  'مرحبا \u202e שלום Zoe\u0308',
  '</script><!-- & -->',
  '%s $1 ? ?? :name {{7*7}} ${7*7}',
  '__proto__',
  'null',
  '[',
  '🦊'.repeat(200),
];

/**
 * Gives a company one learner, one custom course and one group for each hostile string. Enrols each learner in every
 * course and adds them to every group. Puts all strings into the name of the company.
 */
export async function insertHostileNames(company: CompanyName): Promise<void> {
  const each = `from unnest($2::text[]) with ordinality as t(text, n)`;
  const values = [companies[company], hostileTexts];
  const id = `('0192d000-0000-7000-80' || right($1::text, 2) || '-' || lpad(to_hex(n), 12, '0'))::uuid`;
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name, external_learner_id)
     select $1::uuid, ${id}, $$o'hostile+$$ || n || '@tenant.test', text, text, text ${each}`,
    values,
  );
  await testService.query(
    `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
     select $1::uuid, ${id}, 'training', text, text, text, 1, 80, '{en}' ${each}`,
    values,
  );
  await testService.query(`insert into groups (company_id, id, name) select $1::uuid, ${id}, text ${each}`, values);
  await testService.query(
    `insert into group_learners select $1::uuid, g.id, l.id from groups g join learners l using (company_id)
      where company_id = $1 and g.id::text like '0192d%' and l.id::text like '0192d%'`,
    [companies[company]],
  );
  await testService.query(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     select $1::uuid, l.id, c.id, $1::uuid, '2026-03-02' from learners l join courses c on c.owner_id = l.company_id
      where company_id = $1 and c.id::text like '0192d%' and l.id::text like '0192d%'`,
    [companies[company]],
  );
  await testService.query('update companies set name = $2 where id = $1', [companies[company], hostileTexts.join('')]);
}

/**
 * Gives a company learners, one in seven inactive, and custom courses. Enrols all learners, or the first `enrolled`,
 * in every course. Enrolments are open, started or finished, with any score and an unrelated grade.
 */
export async function insertManyResults(
  company: CompanyName,
  learners: number,
  courses: number,
  enrolled = 1_000_000,
): Promise<void> {
  await insertLearners(company, learners);
  await testService.query(
    `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
     select $1::uuid, ('0192c000-0000-7000-80' || right($1::text, 2) || '-' || lpad(to_hex(n), 12, '0'))::uuid,
            'training', 'course-' || n, 'Course ' || n, 'Subject', 1 + n % 5, 80, '{en}'
       from generate_series(1, $2::integer) as n order by random()`,
    [companies[company], courses],
  );
  await testService.query(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date, start_date, finish_date,
                              score, passed)
     select l.company_id, l.id, c.id, c.owner_id, date '2026-01-01' + n % 31,
            case when n % 4 > 0 then date '2026-02-01' + n % 28 end,
            case when n % 4 > 1 then date '2026-03-01' + n % 31 end,
            case when n % 4 > 1 then n % 10001 / 100.0 end,
            case when n % 4 > 1 then n % 3 > 0 end
       from (select * from learners where company_id = $1 order by id limit $2) as l
            join courses c on c.owner_id in (managed_catalogue(), l.company_id),
            lateral (select abs(hashtext(l.id::text || c.id) % 1000000) as n) as hash
      order by random()
     on conflict do nothing`,
    [companies[company], enrolled],
  );
}

/** Deletes the learners and groups of a company, with everything that belongs to them. */
export async function emptyOut(company: CompanyName): Promise<void> {
  await testService.query('delete from learners where company_id = $1', [companies[company]]);
  await testService.query('delete from groups where company_id = $1', [companies[company]]);
}

/** Message fields of a learner who was sent no message, like all learners in these tests. */
const UNMAILED = { askedAt: null, remindedAt: null, mailFailedAt: null };

export interface Enrolled {
  learner: {
    id: string;
    name: string;
    email: string;
    externalLearnerId: string | null;
    inactive: boolean;
    profile: object;
    groups: object[];
  };
  course: { id: string; name: string; subject: string; difficulty: number; type: string };
  attempt: { attemptId: string; attempt: number; attempts: number } & typeof UNMAILED;
  result: {
    enrollDate: string;
    startDate: string | null;
    finishDate: string | null;
    score: number | null;
    grade: 'pass' | 'fail' | null;
  };
}

/** Returns every enrolment of a company by learner and course id. Joins in TypeScript, unlike the reports. */
export async function enrolledIn(company: CompanyName): Promise<Enrolled[]> {
  const learners = await testService.query('select * from learners where company_id = $1', [companies[company]]);
  const courses = await testService.query('select * from courses');
  const memberships = await testService.query(
    `select learner_id, id, name from group_learners gl join groups g on g.company_id = gl.company_id and g.id = group_id
      where gl.company_id = $1 order by name`,
    [companies[company]],
  );
  const enrollments = await testService.query(
    `select learner_id, course_id, attempt_id, attempt, enroll_date::text, start_date::text, finish_date::text, score::text, passed
       from enrollments where company_id = $1`,
    [companies[company]],
  );
  const learnerOf = new Map(learners.map((row) => [row.id, row]));
  const courseOf = new Map(courses.map((row) => [row.id, row]));
  const all = enrollments.map((row) => {
    const learner = learnerOf.get(row.learner_id)! as unknown as StoredLearner;
    const { id, name, subject, difficulty, type } = courseOf.get(row.course_id)!;
    return {
      learner: {
        id: learner.id,
        name: `${learner.first_name} ${learner.last_name}`,
        email: learner.email,
        externalLearnerId: learner.external_learner_id,
        inactive: learner.inactive,
        profile: toProfile(learner as never),
        groups: memberships
          .filter((row) => row.learner_id === learner.id)
          .map((row) => ({ id: row.id, name: row.name })),
      },
      course: { id, name, subject, difficulty, type },
      attempt: { attemptId: row.attempt_id, attempt: row.attempt, attempts: row.attempt, ...UNMAILED },
      result: {
        enrollDate: row.enroll_date,
        startDate: row.start_date,
        finishDate: row.finish_date,
        score: row.score === null ? null : Number(row.score),
        grade: row.passed === null ? null : row.passed ? 'pass' : 'fail',
      },
    } as Enrolled;
  });
  const key = ({ learner, course }: Enrolled): string => learner.id + course.id;
  return all.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Converts an enrolment to a row of the course-results and gap-analysis reports. */
export function asReportedResult({ learner, course, attempt, result }: Enrolled): object {
  return {
    learnerId: learner.id,
    courseId: course.id,
    ...attempt,
    ...result,
    course: { id: course.id, name: course.name, difficulty: course.difficulty },
    learner: {
      id: learner.id,
      name: learner.name,
      email: learner.email,
      externalLearnerId: learner.externalLearnerId,
      inactive: learner.inactive,
      ...learner.profile,
    },
  };
}

/** Builds the rows and totals of the learning report from enrolments. */
export function asLearningReport(enrolled: Enrolled[]): { summary: object; rows: object[] } {
  const rows = enrolled.map(({ learner, course, attempt, result }) => ({
    learnerId: learner.id,
    learnerName: learner.name,
    learnerEmail: learner.email,
    externalLearnerId: learner.externalLearnerId,
    inactive: learner.inactive,
    groups: learner.groups,
    courseId: course.id,
    courseName: course.name,
    status: result.finishDate ? 'finished' : result.startDate ? 'in_progress' : 'not_started',
    attempt: attempt.attempt,
    attempts: attempt.attempts,
    ...result,
    ...learner.profile,
  }));
  return { summary: learningSummary(rows), rows };
}

export interface Finding {
  enrollDate?: string;
  startDate?: string;
  finishDate?: string;
  score?: number;
  passed?: boolean;
}

/** Replaces the enrolment of a learner of the company in a course. */
export async function setResult(
  company: CompanyName,
  learner: string,
  course: string,
  { enrollDate = '2026-01-01', startDate, finishDate, score, passed }: Finding,
): Promise<void> {
  const managed = Object.values<string>(managedCourses).includes(course);
  await testService.query('delete from enrollments where company_id = $1 and learner_id = $2 and course_id = $3', [
    companies[company],
    learner,
    course,
  ]);
  await testService.query(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date, start_date, finish_date,
                              score, passed)
     values ($1, $2, $3, case when $4 then managed_catalogue() else $1 end, $5, $6, $7, $8, $9)`,
    [companies[company], learner, course, managed, enrollDate, startDate, finishDate, score, passed],
  );
}

/**
 * Compares long lists like toEqual, 100 rows at a time. The difference between two lists of 30,000 takes minutes to
 * print.
 */
export function expectSame(rows: object[], expected: object[]): void {
  expect(rows.length).toBe(expected.length);
  for (let from = 0; from < rows.length; from += 100) {
    expect(rows.slice(from, from + 100)).toEqual(expected.slice(from, from + 100));
  }
}

/** Expects a string to contain no id, e-mail address or name of another company. */
export async function expectNothingForeign(text: string, company: CompanyName): Promise<void> {
  const rows = await testService.query(
    `(select id::text as value from learners where company_id <> $1
      union select email from learners where company_id <> $1
      union select id::text from groups where company_id <> $1
      union select id::text from courses where custom_of <> $1
      union select name from courses where custom_of <> $1 and name like 'own-%'
      union select id::text from companies where id <> $1
      union select name from companies where id <> $1 and name like 'The %')
     except select id::text from learners where company_id = $1
     except select id::text from groups where company_id = $1`,
    [companies[company]],
  );
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.map((row) => row.value as string).filter((value) => text.includes(value))).toEqual([]);
}

/**
 * Gives a different company learners, groups and enrolments with the ids of the tenant's, because ids are unique only
 * within a company.
 */
export async function copyIdsTo(company: CompanyName): Promise<void> {
  const values = [companies[company], companies.tenant];
  for (const statement of [
    `insert into learners (company_id, id, email, first_name, last_name)
     select $1::uuid, id, 'copy-' || email, 'Copied', 'Learner' from learners where company_id = $2`,
    `insert into groups (company_id, id, name) select $1::uuid, id, 'Copied ' || name from groups where company_id = $2`,
    `insert into group_learners select $1::uuid, g.id, l.id from groups g join learners l using (company_id)
      where company_id = $2`,
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     select $1::uuid, l.id, c.id, c.owner_id, '2020-01-01' from learners l, courses c
      where l.company_id = $2 and c.owner_id = managed_catalogue()`,
  ]) {
    await testService.query(statement, values);
  }
}
