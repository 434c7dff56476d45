import pg from 'pg';
import { post } from '../support/client.ts';
import { companies, learnerId, managedCourses } from '../support/world.ts';

// The database enforces these rules for every writer, so the tests write as its owner unless they name the service.
const { phishing } = managedCourses;
const four = learnerId('tenant', 4);
const OPEN = { start_date: null, finish_date: null, score: null, passed: null };
const PASSED = { start_date: '2026-03-03', finish_date: '2026-03-04', score: 80, passed: true };
const refused = expect.objectContaining({
  code: '23514',
  constraint: expect.stringMatching(/^(enrollments_forward|learner_of_row)$/),
});
const impossible = expect.objectContaining({ code: '23514', table: 'enrollments' });

const insert = (facts = ''): Promise<unknown> =>
  testService
    .query(
      `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     values ($1, $2, $3, managed_catalogue(), '2026-03-02')`,
      [companies.tenant, four, phishing],
    )
    .then(() => facts && update(facts));
const update = (facts: string): Promise<unknown> =>
  testService.query(`update enrollments set ${facts} where learner_id = '${four}' and course_id = '${phishing}'`);
const stored = async (): Promise<unknown> => {
  const [row] = await testService.query(
    `select start_date::text, finish_date::text, score::float, passed from enrollments
      where learner_id = $1 and course_id = $2`,
    [four, phishing],
  );
  return row;
};

const finished = `start_date = '2026-03-03', finish_date = '2026-03-04', score = 80`;
const nextAttempt = `attempt = attempt + 1, attempt_id = new_id(), start_date = null, finish_date = null, score = null, passed = null`;

beforeEach(async () => {
  await testService.query('delete from enrollments where learner_id = $1', [four]);
  await testService.query('update courses set pass_mark = 80 where id = $1', [phishing]);
});

describe('the grade of an attempt', () => {
  test.each([
    [80, true],
    [79.99, false],
    [0, false],
    [100, true],
  ])('follows from the pass mark for a score of %d, regardless of the written grade', async (score, passed) => {
    for (const said of ['null', 'true', 'false']) {
      await testService.query('delete from enrollments where learner_id = $1', [four]);
      await insert(`${finished.replace('80', String(score))}, passed = ${said}`);
      expect(await stored()).toMatchObject({ score, passed });
    }
  });

  test('follows from the pass mark for an attempt that is inserted as finished', async () => {
    await testService.query(
      `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date, start_date, finish_date,
                                score, passed)
       values ($1, $2, $3, managed_catalogue(), '2026-03-02', '2026-03-03', '2026-03-04', 79, true)`,
      [companies.tenant, four, phishing],
    );
    expect(await stored()).toMatchObject({ score: 79, passed: false });
  });

  test('follows from the pass mark at that time; a later one changes no result', async () => {
    await insert(finished);
    await testService.query('update courses set pass_mark = 90 where id = $1', [phishing]);
    await update('passed = false, score = 10');
    expect(await stored()).toEqual(PASSED);
  });
});

describe('the progress of an attempt', () => {
  test('keeps its first finish', async () => {
    await insert(finished);
    await update(`start_date = '2026-03-04', finish_date = '2026-05-05', score = 10, passed = false`);
    expect(await stored()).toEqual(PASSED);
  });

  test.each([
    ['removing a start', `start_date = '2026-03-03'`, 'start_date = null'],
    ['removing a finish', finished, 'finish_date = null, score = null, passed = null'],
    ['the next attempt while one is open', '', nextAttempt],
    ['another attempt id', finished, 'attempt_id = new_id()'],
    ['another attempt number', finished, 'attempt = attempt + 1'],
    ['another learner', finished, `learner_id = '${learnerId('tenant', 5)}'`],
    ['two attempts at once', finished, nextAttempt.replace('+ 1', '+ 2')],
    [
      'a next attempt that has already begun',
      finished,
      nextAttempt.replace('start_date = null', `start_date = '2026-04-04'`),
    ],
  ])('rejects %s', async (_what, before, change) => {
    await insert(before);
    const kept = await stored();
    await expect(update(change)).rejects.toEqual(refused);
    expect(await stored()).toEqual(kept);
  });

  test.each([
    ['a score without a finish', `start_date = '2026-03-03', score = 80`],
    ['a finish without a start', `finish_date = '2026-03-04', score = 80`],
    ['a finish before the start', `start_date = '2026-03-05', finish_date = '2026-03-04', score = 80`],
  ])('cannot be %s', async (_what, facts) => {
    await insert();
    await expect(update(facts)).rejects.toEqual(impossible);
  });
});

describe('a finish without a score', () => {
  const facts = `start_date = '2026-03-03', finish_date = '2026-03-04', score = null`;

  test.each(['true', 'false', 'null'])('has the grade that its sender reported: %s', async (passed) => {
    await insert(`${facts}, passed = ${passed}`);
    expect(await stored()).toEqual({ ...PASSED, score: null, passed: JSON.parse(passed) as unknown });
  });

  test('leaves an open attempt without a grade', async () => {
    await insert(`start_date = '2026-03-03', passed = true`);
    expect(await stored()).toEqual({ ...OPEN, start_date: '2026-03-03' });
  });
});

test('a finished attempt can be followed by an open one', async () => {
  await insert(finished);
  await update(nextAttempt);
  expect(await stored()).toEqual(OPEN);
});

describe('an update that derives attempts again', () => {
  const derived = `derived_at = coalesce(derived_at, now()) + interval '1 millisecond'`;

  test('can move the start and the number, but not the finish', async () => {
    await insert(finished);
    await update(
      `${derived}, attempt = 3, start_date = '2026-03-02', finish_date = '2026-05-05', score = 10, passed = false`,
    );
    expect(await stored()).toEqual({ ...PASSED, start_date: '2026-03-02' });
  });

  test('can replace the finished attempt, which has the grade of its result', async () => {
    await insert(finished);
    await update(
      `${derived}, attempt = 2, attempt_id = new_id(), finish_date = '2026-05-05', score = 79, passed = true`,
    );
    expect(await stored()).toMatchObject({ finish_date: '2026-05-05', score: 79, passed: true });
  });

  test('needs a new derived_at, otherwise the stored values are protected', async () => {
    await insert(`${finished}, passed = true, ${derived}`);
    await expect(update('attempt = 3, derived_at = derived_at')).rejects.toEqual(refused);
    await expect(update('attempt = 3, derived_at = null')).rejects.toEqual(refused);
  });
});

describe('deleting an open attempt after a finished one', () => {
  let service: pg.Client;
  let result: unknown;
  const DELETE = `delete from enrollments r
                   where r.company_id = '${companies.tenant}' and r.learner_id = '${four}' and r.course_id = '${phishing}'
                     and r.finish_date is null returning learner_id, course_id`;
  const rows = async () => {
    const query = 'select * from enrollments where learner_id = $1 and course_id = $2';
    return (await testService.query(query, [four, phishing])).map(
      ({ recorded_at: _, enrolled_from: __, ...row }) => row,
    );
  };
  const enrol = () => post('/course-enrollments', { learnerIds: [four], courseIds: [phishing] });

  beforeEach(async () => {
    service = new pg.Client(testService.database.serviceUrl);
    await service.connect();
    await service.query(`select set_config('app.company_id', $1, false)`, [companies.tenant]);
    await insert(
      `start_date = '2026-03-03', finish_date = '2026-03-04', score = 92.5, finish_event_id = 'of-then',
       asked_at = '2026-03-02', reminded_at = '2026-03-03', reminder_sent_at = '2026-03-03', mail_failed_at = '2026-03-03'`,
    );
    result = await rows();
    await enrol();
  });
  afterEach(async () => {
    await service.end();
    await testService.query('delete from enrollment_attempts where learner_id = $1', [four]);
  });

  test('by the previous release, which has no attempts, restores the whole result', async () => {
    await service.query(DELETE);
    expect(await rows()).toEqual(result);
  });

  test('restores the latest result each time the learner is enrolled again', async () => {
    await service.query(DELETE);
    await enrol();
    await update('start_date = current_date, finish_date = current_date, score = 80');
    const second = await rows();
    await enrol();
    await service.query(DELETE);
    expect(await rows()).toEqual(second);
  });

  test('deletes the row if there is no earlier result', async () => {
    await testService.query('delete from enrollment_attempts where learner_id = $1', [four]);
    await service.query(DELETE);
    expect(await rows()).toEqual([]);
  });

  test('deletes the row if the learner is deleted', async () => {
    await service.query('begin');
    await service.query('delete from learners where company_id = $1 and id = $2', [companies.tenant, four]);
    const left = await service.query('select from enrollments where learner_id = $1', [four]);
    await service.query('rollback');
    expect(left.rows).toEqual([]);
  });

  test('deletes the row if the owner of the database deletes it', async () => {
    await testService.query(DELETE);
    expect(await rows()).toEqual([]);
  });
});
