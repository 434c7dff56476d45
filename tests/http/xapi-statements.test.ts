import { entriesOf } from '../resources/audit-log/audit-state.ts';
import { restoreEnrollments } from '../resources/courses/enrollment-state.ts';
import { attemptsOf } from '../resources/courses/result-state.ts';
import { until } from '../support/until.ts';
import { figure } from '../support/prometheus-text.ts';
import {
  COURSE_IRI,
  courseCompleted,
  courseViewed,
  quizSubmitted,
  courseStatement,
} from '../support/xapi-statements.ts';
import { get } from '../support/client.ts';
import { sourceId } from '../support/world-sources.ts';
import { learnerId } from '../support/world.ts';
import { ask, headersOf, makeCourse, postStatements, putStatement, type XapiResponse } from './xapi-support.ts';

const ID = '7f6b4e0c-3a1d-4e7e-9c55-0d7c5b6f2a11';
const learner = learnerId('tenant', 1);
const actor = { mbox: 'mailto:Learner1@tenant.test' };
const account = (name: string) => ({ account: { homePage: 'https://moodle.acme.test', name } });

let course: string;
const attempts = (id = learner) => attemptsOf(id, course);
const outcomesOf = ({ headers }: XapiResponse) => headers.get('statement-outcomes');

restoreEnrollments();
beforeAll(async () => (course = await makeCourse(COURSE_IRI)));
afterEach(() => testService.query('delete from corrections'));
afterEach(() => testService.query('delete from course_result_events'));

describe('POST /xapi/statements', () => {
  test("records Moodle's course completion and returns the ids of all statements in order", async () => {
    const answer = await postStatements([courseViewed(actor), quizSubmitted(actor), courseCompleted(account('HR-1'))]);
    expect(answer).toMatchObject({ status: 200, body: [expect.any(String), expect.any(String), expect.any(String)] });
    expect(new Set(answer.body).size).toBe(3);
    expect(outcomesOf(answer)).toBe('ignored=1, course_not_found=1, recorded=1');
    expect(await attempts()).toMatchObject([{ finishDate: '2026-03-09', score: null, grade: null, attempts: 1 }]);
  });

  test('records a repeated statement once, with or without an id', async () => {
    const first = await postStatements([courseCompleted(actor), { ...courseStatement('launched'), id: ID }]);
    const again = await postStatements([
      { ...courseStatement('launched'), id: ID.toUpperCase() },
      courseCompleted(actor),
    ]);
    expect(again.body).toEqual([ID.toUpperCase(), first.body[0]]);
    expect(outcomesOf(again)).toBe('recorded=2');
    const [row] = await testService.query('select count(*)::int as events from course_result_events');
    expect(row).toEqual({ events: 2 });
  });

  test('derives the same attempt from any order', async () => {
    const start = courseStatement('initialized', { timestamp: '2026-03-08T10:00:00Z' });
    const finish = courseStatement('failed', { result: { score: { scaled: 0.4 } } });
    const seen = { startDate: '2026-03-08', finishDate: '2026-03-09', score: 40, grade: 'fail', attempts: 1 };
    await postStatements(finish);
    await postStatements(start);
    expect(await attempts()).toMatchObject([seen]);
    const other = { actor: { mbox: 'mailto:learner2@tenant.test' } };
    await postStatements([
      { ...start, ...other },
      { ...finish, ...other },
    ]);
    expect(await attempts(learnerId('tenant', 2))).toMatchObject([seen]);
  });

  test('counts completed and passed of one sitting as one attempt, in any order', async () => {
    const completed = { ...courseStatement('completed'), id: ID };
    const at = { timestamp: '2026-03-09T10:15:31.000Z' };
    const passed = courseStatement('passed', { ...at, result: { score: { scaled: 0.85 } } });
    const of = { actor: { mbox: 'mailto:learner2@tenant.test' } };
    for (const statement of [completed, passed]) await postStatements(statement);
    for (const statement of [passed, completed]) await postStatements({ ...statement, ...of, id: undefined });
    for (const who of [learner, learnerId('tenant', 2)]) {
      expect(await attempts(who)).toMatchObject([{ score: 85, grade: 'pass', attempts: 1 }]);
    }
  });

  test('ignores a finish with completion false', async () => {
    const answer = await postStatements(courseStatement('completed', { result: { completion: false } }));
    expect(outcomesOf(answer)).toBe('ignored=1');
    expect(await attempts()).toEqual([]);
  });

  test('accepts statements about unknown learners, courses and times, and reports them as not recorded', async () => {
    const answer = await postStatements([
      courseStatement('passed', { actor: { mbox: 'mailto:learner1@other.test' } }),
      courseStatement('passed', { actor: account('17') }),
      courseStatement('passed', { actor: { openid: 'https://ada.example' } }),
      courseStatement('passed', { timestamp: '2926-03-09T10:15:30Z' }),
      courseStatement('passed', { timestamp: '1926-03-09T10:15:30Z' }),
      courseStatement('passed', { object: { id: `https://a.test/${'x'.repeat(5000)}` } }),
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toHaveLength(6);
    expect(outcomesOf(answer)).toBe('learner_not_found=3, time_not_plausible=2, course_not_found=1');
    expect(await attempts()).toEqual([]);
    const text = await testService.metrics();
    expect(figure(text, 'xapi_statements_total', { outcome: 'time_not_plausible' })).toBe(2);
    await until(() => testService.log.some((line) => line.includes('"learner_not_found":3')));
    expect(testService.log.join('\n')).not.toMatch(/learner1@|ada\.example/);
  });

  test('writes one audit entry with the source, the request and the IP address', async () => {
    const headers = { ...headersOf('tenant'), 'x-request-id': 'from-moodle' };
    const body = JSON.stringify([courseStatement('launched'), courseStatement('passed')]);
    expect((await ask('POST', '/statements', { headers, body })).status).toBe(200);
    expect(await entriesOf('from-moodle')).toMatchObject([
      {
        actor_type: 'source',
        actor_id: sourceId('tenant', 'xapi'),
        operation: 'recordCourseResults',
        targets: [
          { field: 'results', count: 2, ids: [] },
          { field: 'learnerId', count: 1, ids: [learnerId('tenant', 1)] },
          { field: 'courseId', count: 1 },
        ],
        address: '127.0.0.1',
      },
    ]);
  });

  test('records only for the company of the source', async () => {
    const answer = await postStatements(courseCompleted(actor), 'other');
    expect(outcomesOf(answer)).toBe('learner_not_found=1');
    const [row] = await testService.query('select count(*)::int as events from course_result_events');
    expect(row).toEqual({ events: 0 });
  });

  test('voids the result of a statement once, and only in the same company', async () => {
    const passed = { ...courseStatement('passed'), id: ID };
    const voiding = courseStatement('voided', { object: { objectType: 'StatementRef', id: ID.toUpperCase() } });
    expect(outcomesOf(await postStatements(voiding))).toBe('record_not_found=1');
    await postStatements(passed);
    expect(outcomesOf(await postStatements(voiding, 'other'))).toBe('record_not_found=1');
    expect(await attempts()).toMatchObject([{ grade: 'pass' }]);
    expect(outcomesOf(await postStatements([passed, voiding]))).toBe('recorded=1, voided=1');
    const isPassed = ({ grade }: { grade: string | null }) => grade === 'pass';
    expect((await attempts()).filter(isPassed)).toEqual([]);
    expect(outcomesOf(await postStatements(voiding))).toBe('voided=1');
    expect((await get('/corrections')).body.data).toMatchObject([
      { eventId: `xapi:${ID}`, action: 'void', reason: 'Voided by an xAPI statement' },
    ]);
    expect(await testService.query(`select actor_type from audit_log where operation = 'correctRecords'`)).toEqual(
      Array.from({ length: 4 }, () => ({ actor_type: 'source' })),
    );
  });

  test('voids nothing if a statement of the request reuses an id', async () => {
    await postStatements({ ...courseStatement('passed'), id: ID });
    const voiding = courseStatement('voided', { object: { objectType: 'StatementRef', id: ID } });
    const reuse = { ...courseStatement('failed'), id: ID };
    expect(await postStatements([voiding, reuse])).toMatchObject({ status: 409 });
    expect(await attempts()).toMatchObject([{ grade: 'pass' }]);
  });

  test('accepts 2,000 statements per call', async () => {
    const many = Array.from({ length: 2000 }, (_, n) => courseViewed({ mbox: `mailto:nobody${n}@acme.test` }));
    expect(outcomesOf(await postStatements(many))).toBe('ignored=2000');
  });
});

describe('PUT /xapi/statements', () => {
  test('records a statement under its id once', async () => {
    for (const body of [courseStatement('passed'), { ...courseStatement('passed'), id: ID }]) {
      expect(await putStatement(ID, body)).toMatchObject({ status: 204, text: '' });
    }
    expect(await attempts()).toMatchObject([{ score: null, grade: 'pass', attempts: 1 }]);
  });

  test('recognises a repeated statement without a timestamp', async () => {
    const { timestamp, ...timeless } = courseStatement('passed');
    expect(timestamp).toBeDefined();
    for (let times = 0; times < 2; times++) expect((await putStatement(ID, timeless)).status).toBe(204);
    expect(await attempts()).toMatchObject([{ attempts: 1 }]);
  });

  test('rejects another statement with a recorded id with 409', async () => {
    await putStatement(ID, courseStatement('passed'));
    const answer = await putStatement(ID, courseStatement('failed'));
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: 'event_id_reused', details: [{ field: 'body/id' }] } },
    });
    const list = await postStatements([courseStatement('launched'), { ...courseStatement('failed'), id: ID }]);
    expect(list).toMatchObject({ status: 409, body: { error: { details: [{ field: 'body/1/id' }] } } });
    expect(outcomesOf(list)).toBe('not_recorded=1, event_id_reused=1');
    expect(await attempts()).toMatchObject([{ score: null, grade: 'pass' }]);
    expect(await testService.query('select event_id from course_result_events where passed is null')).toEqual([]);
  });
});
