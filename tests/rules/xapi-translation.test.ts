import { readStatements } from '../../src/xapi/statement.ts';
import { getStatementId, toResult } from '../../src/xapi/translation-rules.ts';
import {
  COURSE_IRI,
  courseCompleted,
  courseViewed,
  quizSubmitted,
  courseStatement,
} from '../support/xapi-statements.ts';

const ID = '7f6b4e0c-3a1d-4e7e-9c55-0d7c5b6f2a11';
const now = new Date('2026-03-10T00:00:00Z');
const told = (statement: unknown): any => toResult(readStatements(statement)[0]!, { id: ID, now });
const finished = (result?: object, verb = 'completed') => told(courseStatement(verb, { result })).score;

const ada = { mbox: 'mailto:ada@acme.test' };

test('initialized and launched are starts; completed, passed and failed are finishes', () => {
  const at = '2026-03-09T10:15:30.000Z';
  const common = {
    learner: { email: 'learner1@tenant.test' },
    course: { externalId: COURSE_IRI },
    eventId: `xapi:${ID}`,
  };
  for (const verb of ['initialized', 'launched']) {
    expect(told(courseStatement(verb))).toEqual({ ...common, startedAt: at });
  }
  for (const verb of ['completed', 'passed', 'failed']) {
    const score = { scaled: 0.8 };
    expect(told(courseStatement(verb, { result: { score } }))).toEqual({ ...common, finishedAt: at, score: 80 });
  }
});

test('other verbs, groups and objects other than activities are ignored', () => {
  expect(told(courseViewed(ada))).toBe('ignored');
  expect(told(courseStatement('Completed'))).toBe('ignored');
  expect(told(courseStatement('completed', { actor: { objectType: 'Group', mbox: 'mailto:all@acme.test' } }))).toBe(
    'ignored',
  );
  expect(told(courseStatement('passed', { object: { objectType: 'Agent', ...ada } }))).toBe('ignored');
});

test('a voiding statement names the result of the other statement', () => {
  const voided = courseStatement('voided', { object: { objectType: 'StatementRef', id: ID.toUpperCase() } });
  expect(told(voided)).toEqual({ voidedEventId: `xapi:${ID}` });
});

test('a raw score between its bounds becomes a percentage, regardless of scaled', () => {
  expect(told(quizSubmitted(ada)).score).toBe(75);
  expect(finished({ score: { raw: 15, min: 10, max: 20, scaled: 0 } })).toBe(50);
  expect(finished({ score: { raw: 8, max: 10 } })).toBe(80);
  expect(finished({ score: { raw: 0, min: 0, max: 0.5 } })).toBe(0);
  expect(finished({ score: { raw: 1, min: -1e308, max: 1e308 } })).toBe(1);
  expect(finished({ score: { raw: 1e308, min: -1e308, max: 1e308 } })).toBe(100);
});

test('without bounds, scaled is the percentage, and a raw score without scaled is out of a hundred', () => {
  expect(finished({ score: { scaled: 0.87654 } })).toBe(87.65);
  expect(finished({ score: { scaled: -0.5 } })).toBe(0);
  expect(finished({ score: { raw: 62 } })).toBe(62);
  expect(finished({ score: { raw: 620 } })).toBe(100);
  expect(finished({ score: { raw: 7, scaled: 0.7 } })).toBe(70);
});

test('a finish without a score has no score and is passed or failed only if the statement says so', () => {
  const grade = (statement: unknown) => {
    const { score, passed } = told(statement);
    return { score, passed };
  };
  const of = (result?: object, verb = 'completed') => grade(courseStatement(verb, { result }));
  expect(grade(courseCompleted(ada))).toEqual({});
  expect(of({ completion: true })).toEqual({});
  expect(of({ success: true })).toEqual({ passed: true });
  expect(of({ success: false })).toEqual({ passed: false });
  expect(of(undefined, 'passed')).toEqual({ passed: true });
  expect(of({ success: false }, 'passed')).toEqual({ passed: false });
  expect(of({ score: {} }, 'failed')).toEqual({ passed: false });
  expect(of({ success: true }, 'failed')).toEqual({ passed: false });
  expect(of({ score: { scaled: 0.5 }, success: true })).toEqual({ score: 50 });
});

test.each(['completed', 'passed', 'failed'])('%s with completion false is not a finish', (verb) => {
  expect(told(courseStatement(verb, { result: { completion: false, score: { scaled: 1 } } }))).toBe('ignored');
  expect(told(courseStatement(verb, { result: { completion: true } }))).toMatchObject({
    finishedAt: expect.any(String),
  });
});

test('a learner is identified by an e-mail address or an account name', () => {
  const learner = (actor: object) => told(courseStatement('passed', { actor })).learner ?? 'nobody';
  const account = (name: string) => ({ account: { homePage: 'https://moodle.acme.test', name } });
  expect(learner(ada)).toEqual({ email: 'ada@acme.test' });
  expect(learner(account('HR-1001'))).toEqual({ externalLearnerId: 'HR-1001' });
  expect(learner(account('ada@acme.test'))).toEqual({ email: 'ada@acme.test' });
  for (const actor of [
    account(''),
    account('\u0000'),
    account('x'.repeat(201)),
    { mbox: `mailto:${'x'.repeat(250)}@acme.test` },
    { mbox: 'mailto:ädä@acme.test' },
    { openid: 'https://ada.example' },
    { mbox_sha1sum: 'ebd31e95054c018b10727ccffd2ef2ec3a016ee9' },
  ]) {
    expect(learner(actor)).toBe('nobody');
  }
});

test("the time is the statement's, in UTC, otherwise now", () => {
  const at = (timestamp?: string) => told(courseStatement('launched', { timestamp })).startedAt;
  expect(at('2026-03-09T23:30:00.123456-05:00')).toBe('2026-03-10T04:30:00.123Z');
  expect(at()).toBe(now.toISOString());
});

test('a statement without an id gets one derived from its content, so a repetition is detected', () => {
  const idAt = (statement: any) => getStatementId(readStatements(statement)[0]!);
  const first = courseCompleted(ada);
  const again = { ...first, context: { registration: ID }, actor: { ...first.actor, name: 'Ada King' } };
  expect(idAt(again)).toBe(idAt(first));
  expect(idAt(first)).toMatch(/^[0-9a-f-]{36}$/);
  expect(idAt(courseCompleted(ada, '2026-03-09T10:15:31.000Z'))).not.toBe(idAt(first));
  expect(idAt(courseCompleted({ mbox: 'mailto:grace@acme.test' }))).not.toBe(idAt(first));
  const { timestamp, ...timeless } = first;
  expect(timestamp).toBeDefined();
  expect(idAt(timeless)).not.toBe(idAt(timeless));
  expect(idAt({ ...first, id: ID.toUpperCase() })).toBe(ID.toUpperCase());
  expect(toResult(readStatements(first)[0]!, { id: ID.toUpperCase(), now })).toMatchObject({ eventId: `xapi:${ID}` });
});
