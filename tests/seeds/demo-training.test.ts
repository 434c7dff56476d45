/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { ask, END, holders } from './seeded.ts';

/** Start of the last weeks of the demo, in which inactive learners have no activity. */
const LAST_WEEKS = '2026-10-19';

/** An enrolment with the columns of its learner, course and company that the tests read. Dates are text. */
interface Enrollment {
  company: string;
  learner_id: string;
  course: string;
  custom: boolean;
  type: string;
  difficulty: number;
  pass_mark: number;
  course_date: string;
  inactive: boolean;
  learner_date: string;
  enroll_date: string;
  start_date: string | null;
  finish_date: string | null;
  score: number | null;
  passed: boolean | null;
}

let enrollments: Enrollment[];

beforeAll(async () => {
  enrollments = (await testService.query(`
    select companies.name as company, learner_id, courses.name as course, custom_of is not null as custom, type,
           difficulty, pass_mark, (courses.created_at at time zone 'UTC')::date::text as course_date,
           inactive, (learners.created_at at time zone 'UTC')::date::text as learner_date,
           enroll_date::text, start_date::text, finish_date::text, score::float8, passed
      from enrollments
      join learners on learners.company_id = enrollments.company_id and learners.id = learner_id
      join courses on courses.id = course_id
      join companies on companies.id = enrollments.company_id`)) as unknown as Enrollment[];
});

const isFinished = ({ finish_date }: Enrollment) => finish_date !== null;
const isTraining = ({ type }: { type: string }) => type === 'training';
const share = (part: unknown[], whole: unknown[]) => part.length / whole.length;
const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const meanScore = (of: Enrollment[]) => mean(of.filter(isFinished).map(({ score }) => score!));
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
const byCompany = () =>
  Object.entries(Object.groupBy(enrollments, ({ company }) => company)) as [string, Enrollment[]][];
const ofAcme = () => enrollments.filter(({ company }) => company === 'Acme Industries');
/** Groups enrolments by learner. */
const byLearner = (of: Enrollment[]) =>
  Object.values(Object.groupBy(of, ({ learner_id }) => learner_id)) as Enrollment[][];
const sortedDates = (of: Enrollment[]) =>
  of
    .flatMap((row) => [row.enroll_date, row.start_date, row.finish_date])
    .filter((date) => date !== null)
    .sort();

describe('the enrolments of the demo', () => {
  test('span two years, and have no date in the future', () => {
    const dates = sortedDates(enrollments);
    expect(dates[0]! >= '2024-09-01' && dates[0]! < '2024-12-01').toBe(true);
    expect(dates.at(-1)! >= '2026-11-10' && dates.at(-1)! < END).toBe(true);
  });

  test('have dates on working days, after the learner and the course were created', () => {
    expect(enrollments.filter((row) => row.enroll_date < row.learner_date)).toEqual([]);
    expect(enrollments.filter((row) => row.enroll_date < row.course_date)).toEqual([]);
    expect(sortedDates(enrollments).filter((date) => [0, 6].includes(new Date(date).getUTCDay()))).toEqual([]);
  });

  test('average eight to twelve per learner of the large tenant, and cover almost every learner', async () => {
    const counts = byLearner(ofAcme().filter(({ inactive }) => !inactive)).map((rows) => rows.length);
    expect(counts).toHaveLength(275);
    expect(mean(counts)).toBeGreaterThan(8);
    expect(mean(counts)).toBeLessThan(12);
    expect(
      share(
        counts.filter((count) => count >= 8),
        counts,
      ),
    ).toBeGreaterThan(0.95);
    const learners = await testService.query('select id from learners');
    expect(share(byLearner(enrollments), learners)).toBeGreaterThan(0.95);
    expect(byCompany()).toHaveLength((await testService.query('select id from companies')).length);
  });

  test('are mostly finished within weeks; some are late, some stop halfway, some never start', () => {
    for (const [company, rows] of byCompany()) {
      const finished = share(rows.filter(isFinished), rows);
      expect({ company, most: finished > 0.7, all: finished > 0.97 }).toEqual({ company, most: true, all: false });
    }
    const settled = enrollments.filter(({ enroll_date }) => enroll_date < '2026-07-01');
    const finished = settled.filter(isFinished);
    const days = finished.map((row) => daysBetween(row.enroll_date, row.finish_date!)).sort((a, b) => a - b);
    expect(days[Math.floor(days.length / 2)]).toBeLessThan(15);
    expect(
      share(
        days.filter((count) => count > 42),
        days,
      ),
    ).toBeGreaterThan(0.05);
    expect(
      share(
        days.filter((count) => count > 42),
        days,
      ),
    ).toBeLessThan(0.25);
    const begun = settled.filter((row) => !isFinished(row) && row.start_date !== null);
    expect(share(begun, settled)).toBeGreaterThan(0.01);
    expect(
      share(
        settled.filter(({ start_date }) => start_date === null),
        settled,
      ),
    ).toBeGreaterThan(0.02);
    expect(share(finished, settled)).toBeGreaterThan(0.85);
  });

  test('spread the results of the large tenant over two years', () => {
    const months = Object.groupBy(ofAcme().filter(isFinished), ({ finish_date }) => finish_date!.slice(0, 7));
    expect(Object.keys(months).length).toBeGreaterThanOrEqual(24);
    for (const rows of Object.values(months)) expect(rows!.length).toBeLessThan(ofAcme().length / 8);
  });

  test('start with the gap analysis in most companies', () => {
    const early = byCompany().filter(([, rows]) => {
      const first = sortedDates(rows)[0];
      return rows.some((row) => row.type === 'gap_analysis' && row.enroll_date === first);
    });
    expect(early.length).toBeGreaterThanOrEqual(6);
    expect(enrollments.filter(({ type }) => type === 'gap_analysis').length).toBeGreaterThan(400);
  });

  test('end early for inactive learners, who keep their results', () => {
    const inactive = byLearner(enrollments.filter((row) => row.inactive));
    expect(inactive.length).toBeGreaterThan(30);
    expect(inactive.flatMap((rows) => sortedDates(rows)).filter((date) => date >= LAST_WEEKS)).toEqual([]);
    expect(
      share(
        inactive.filter((rows) => rows.some(isFinished)),
        inactive,
      ),
    ).toBeGreaterThan(0.9);
    const ends = inactive.map((rows) => sortedDates(rows).at(-1)!.slice(0, 7));
    expect(new Set(ends).size).toBeGreaterThan(10);
  });

  test('include recent ones that have not started, in every company', () => {
    for (const [company, rows] of byCompany()) {
      const fresh = rows.filter(({ enroll_date, start_date }) => enroll_date >= '2026-11-09' && start_date === null);
      expect({ company, fresh: fresh.length > 0 }).toEqual({ company, fresh: true });
    }
  });

  test('cover the custom courses', () => {
    const used = new Set(enrollments.filter(({ custom }) => custom).map(({ course }) => course));
    expect(used.size).toBe(4);
  });
});

describe('the scores of the demo', () => {
  test('average 80 to 84 percent, with a spread, in steps of a quarter', () => {
    const scores = enrollments.filter((row) => isTraining(row) && isFinished(row)).map(({ score }) => score!);
    expect(mean(scores)).toBeGreaterThan(80);
    expect(mean(scores)).toBeLessThan(84);
    const deviation = Math.sqrt(mean(scores.map((score) => (score - mean(scores)) ** 2)));
    expect(deviation).toBeGreaterThan(9);
    expect(deviation).toBeLessThan(16);
    expect(scores.filter((score) => !Number.isInteger(score * 4))).toEqual([]);
    expect(new Set(scores).size).toBeGreaterThan(20);
  });

  test('fall with the difficulty of the course, and are lowest in the gap analysis', () => {
    const training = Object.groupBy(enrollments.filter(isTraining), ({ difficulty }) => difficulty);
    const means = [1, 2, 3, 4, 5].map((difficulty) => meanScore(training[difficulty]!));
    expect(means).toEqual(means.toSorted((a, b) => b - a));
    expect(means[0]! - means[4]!).toBeGreaterThan(8);
    expect(meanScore(enrollments.filter((row) => !isTraining(row)))).toBeLessThan(means[4]!);
  });

  test('pass at the pass mark: most pass, and every course with many results has a failure', () => {
    const finished = enrollments.filter(isFinished);
    expect(finished.filter(({ score, pass_mark, passed }) => passed !== score! >= pass_mark)).toEqual([]);
    expect(finished.some(({ score, pass_mark }) => score === pass_mark)).toBe(true);
    const training = finished.filter(isTraining);
    expect(
      share(
        training.filter(({ passed }) => passed),
        training,
      ),
    ).toBeGreaterThan(0.75);
    for (const [course, rows] of Object.entries(Object.groupBy(training, (row) => row.course))) {
      if (rows!.length < 30) continue;
      expect({ course, fails: rows!.some(({ passed }) => !passed) }).toEqual({ course, fails: true });
    }
  });

  test('vary by learner: some fail often, many never fail', () => {
    const results = byLearner(ofAcme().filter((row) => isTraining(row) && isFinished(row)));
    const fails = results.map((rows) => rows.filter(({ passed }) => !passed).length);
    expect(
      share(
        fails.filter((count) => count >= 5),
        fails,
      ),
    ).toBeGreaterThan(0.03);
    expect(
      share(
        fails.filter((count) => count >= 5),
        fails,
      ),
    ).toBeLessThan(0.15);
    expect(
      share(
        fails.filter((count) => count === 0),
        fails,
      ),
    ).toBeGreaterThan(0.3);
  });
});

test.each(holders)('the key of %s reads the enrolments of its active learners', async (holder) => {
  const company = await ask(holder, '/company');
  const active = enrollments.filter((row) => row.company === company.name && !row.inactive);
  const [results, gapAnalysis] = await Promise.all([
    ask(holder, '/reports/course-results'),
    ask(holder, '/reports/gap-analysis-results'),
  ]);
  expect(results).toHaveLength(active.filter(isTraining).length);
  expect(gapAnalysis).toHaveLength(active.filter((row) => !isTraining(row)).length);
  const learner = active.find(isFinished)!.learner_id;
  expect((await ask(holder, `/learners/${learner}/course-results`)).length).toBeGreaterThan(0);
});

test('the demo has no messages and no queued jobs', async () => {
  expect(await testService.query('select * from messages')).toEqual([]);
  expect(await testService.query('select * from graphile_worker._private_jobs')).toEqual([]);
});
