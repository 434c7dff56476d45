import { type ApiError } from '../../src/contract/errors.ts';
import { MAX_STATEMENTS, readStatements, readStatementWithId } from '../../src/xapi/statement.ts';
import { isIsoDuration, isLanguage, parseMoment } from '../../src/xapi/statement-formats.ts';
import { courseCompleted, courseViewed, quizSubmitted, courseStatement } from '../support/xapi-statements.ts';

const ID = '7f6b4e0c-3a1d-4e7e-9c55-0d7c5b6f2a11';
const ada = { mbox: 'mailto:ada@acme.test' };
const group = { objectType: 'Group', member: [ada] };

/** Returns the reported field of a statement with the given changes, or 'none'. */
function faultOf(change: object, read = readStatements as (body: unknown) => unknown): string {
  try {
    read({ ...courseStatement('passed'), ...change });
  } catch (error) {
    return (error as ApiError).details[0]!.field;
  }
  return 'none';
}

test('statements from Moodle, and all other statements that the standard allows, are valid', () => {
  expect(readStatements([courseCompleted(ada), courseViewed(ada), quizSubmitted(ada)])).toHaveLength(3);
  const activity = { id: 'https://a.test/1', definition: { interactionType: 'choice', choices: [{ id: 'a' }] } };
  const part = { objectType: 'SubStatement', actor: group, verb: { id: 'urn:verb' }, object: activity };
  for (const change of [
    { object: activity },
    { object: part, id: ID, stored: '2026-03-09T10:15:30Z', version: '1.0.3' },
    { authority: { objectType: 'Group', member: [ada, { openid: 'https://b.test' }] } },
    { context: { team: group, instructor: ada, contextActivities: { parent: activity, other: [activity] } } },
    { context: { statement: { objectType: 'StatementRef', id: ID }, extensions: { 'urn:x': null } } },
    { result: { score: { min: 1, max: 3, raw: 3, scaled: -1 }, duration: 'PT4H35M59.14S', response: '' } },
  ]) {
    expect(faultOf(change)).toBe('none');
  }
});

test.each<[field: string, change: object]>([
  ['body/actor', { actor: undefined }],
  ['body/actor', { actor: {} }],
  ['body/actor', { actor: { ...ada, openid: 'https://b.test' } }],
  ['body/actor/mbox', { actor: { mbox: 'ada@acme.test' } }],
  ['body/actor/objectType', { actor: { ...ada, objectType: 'agent' } }],
  ['body/actor/member', { actor: { objectType: 'Group' } }],
  ['body/verb/id', { verb: { id: 'passed' } }],
  ['body/verb/display/a12345', { verb: { id: 'urn:x', display: { a12345: 'x' } } }],
  ['body/object/id', { object: {} }],
  ['body/object/objectType', { object: { objectType: 'activity', id: 'urn:x' } }],
  ['body/object/definition/interactionType', { object: { id: 'urn:x', definition: { scale: [] } } }],
  ['body/object/objectType', { verb: { id: 'http://adlnet.gov/expapi/verbs/voided' } }],
  ['body/result/score/scaled', { result: { score: { scaled: 1.01 } } }],
  ['body/result/score/raw', { result: { score: { raw: 11, max: 10 } } }],
  ['body/result/score/max', { result: { score: { min: 10, max: 10 } } }],
  ['body/result/success', { result: { success: 'true' } }],
  ['body/context/platform', { context: { platform: 'x' }, object: { objectType: 'Agent', ...ada } }],
  ['body/context/extensions/x', { context: { extensions: { x: 1 } } }],
  ['body/context/contextActivities/parent/0/id', { context: { contextActivities: { parent: [{ id: 'x' }] } } }],
  ['body/authority/member', { authority: group }],
  ['body/attachments/0/fileUrl', { attachments: [{ ...attachment() }] }],
  ['body/timestamp', { timestamp: '2026-02-30T00:00:00Z' }],
  ['body/version', { version: '1.1.0' }],
  ['body/id', { id: 'x' }],
  ['body/Result', { Result: {} }],
])('%s is reported if it is invalid', (field, change) => {
  expect(faultOf(change)).toBe(field);
});

test('each statement of a list is checked, ids are unique, and the length is limited', () => {
  expect(faultOf({}, (one) => readStatements([one, { ...(one as object), verb: {} }]))).toBe('body/1/verb/id');
  expect(faultOf({ id: ID }, (one) => readStatements([one, { ...(one as object), id: ID.toUpperCase() }]))).toBe(
    'body/1/id',
  );
  expect(faultOf({}, (one) => readStatements(Array(MAX_STATEMENTS + 1).fill(one)))).toBe('body');
  expect(readStatements([])).toEqual([]);
});

test('a statement sent by PUT must have the id of the request', () => {
  expect(faultOf({ id: ID.toUpperCase() }, (one) => readStatementWithId(one, ID))).toBe('none');
  expect(faultOf({ id: ID }, (one) => readStatementWithId(one, ID.replace('7', '8')))).toBe('body/id');
  expect(faultOf({}, (one) => readStatementWithId([one], ID))).toBe('body');
});

test('timestamps, durations and languages follow their standards', () => {
  expect(parseMoment('20260309T101530.5+0100')).toBe('2026-03-09T09:15:30.500Z');
  expect(parseMoment('2026-03-09T10:15')).toBe('2026-03-09T10:15:00.000Z');
  for (const none of ['2026-03-09', '2026-03-09T10:15:30-00:00', '2026-03-09T10:15:30-00', '9.3.2026', '']) {
    expect(parseMoment(none)).toBeUndefined();
  }
  expect(['P4W', 'P3Y1M29DT4H35M59.14S', 'PT0.1S'].every(isIsoDuration)).toBe(true);
  expect(['P', 'PT', 'P1DT', 'P4W1D', '1h'].some(isIsoDuration)).toBe(false);
  for (const tag of [
    'de',
    'zh-Hans-CN',
    'zh-yue-HK',
    'es-419',
    'de-CH-1996',
    'de-u-co-phonebk-x-a-a',
    'x-moodle',
    'i-klingon',
  ])
    expect([tag, isLanguage(tag)]).toEqual([tag, true]);
  for (const tag of ['en_US', 'a12345', 'zh-z-aaa-z-bbb', 'de-u', 'de--CH', 'de-CH-DE', 'deutschland', ''])
    expect([tag, isLanguage(tag)]).toEqual([tag, false]);
});

function attachment() {
  const sha2 = 'a'.repeat(64);
  return { usageType: 'urn:x', display: { en: 'x' }, contentType: 'text/plain', length: 1, sha2 };
}
