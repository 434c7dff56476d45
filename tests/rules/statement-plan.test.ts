import {
  type StatementRequest,
  BEGIN,
  planAroundLookups,
  planOnCitus,
  planOnPostgres,
} from '../../src/db/driver/statement-plan.ts';

const company = '0192a3b4-0000-7000-8000-000000000001';
const asked: StatementRequest = {
  companyId: company,
  statement: { name: 'learner_list', text: 'select 1' },
  values: [company],
  readOnly: true,
  timeoutMs: 5000,
  batchSize: 0,
};
const textsOf = ({ before, main, after }: ReturnType<typeof planOnCitus>) =>
  [...before, main, ...after].map(({ text }) => text);

test('on plain Postgres the settings and the statement are all there is', () => {
  const { before, main, after } = planOnPostgres(asked);
  expect({ before: before.length, main: main.text, after }).toEqual({ before: 1, main: 'select 1', after: [] });
  expect(before[0]!.values).toContain(company);
});

test.each([planOnPostgres, planOnCitus])('lookups and lists are prepared, and nothing else, by %p', (steps) => {
  const nameOf = (more: Partial<StatementRequest>) => steps({ ...asked, ...more }).main.name;
  const lookup = { ...asked.statement, isPointQuery: true };
  expect([nameOf({}), nameOf({ readOnly: false })]).toEqual(['', '']);
  expect([nameOf({ statement: lookup }), nameOf({ batchSize: 100 })]).toEqual(['learner_list', 'learner_list']);
});

const scope = { companyId: company, timeoutMs: 1000 };
const around = (session: Parameters<typeof planAroundLookups>[0]) => {
  const { before, after } = planAroundLookups(session, scope);
  return { before: before.map(({ name, text }) => name || text), after: after.map(({ text }) => text) };
};

test('before lookups all settings are made, or the company alone where the session has the others', () => {
  expect(around({ isCitus: false, isReading: false })).toEqual({ before: ['set_reader'], after: [] });
  expect(around({ isCitus: false, isReading: true })).toEqual({ before: ['set_company'], after: [] });
});

test('lookups that share a transaction on Citus stand between its begin and its commit', () => {
  const before = ['begin_reader', `set local app.company_id = '${company}'`, 'set_session'];
  expect(around({ isCitus: true, isReading: true })).toEqual({ before, after: ['commit'] });
});

test('on Citus the company is set in an open transaction, which ends with the statement', () => {
  const texts = textsOf(planOnCitus(asked));
  expect(texts.slice(0, 2)).toEqual(['begin read only', `set local app.company_id = '${company}'`]);
  expect(texts.slice(-2)).toEqual(['select 1', 'commit']);
});

test('a transaction of several statements stays open on Citus, and may write', () => {
  const texts = textsOf(planOnCitus({ ...asked, statement: BEGIN, values: [], readOnly: false }));
  expect(texts[0]).toBe('begin');
  expect(texts).not.toContain('commit');
});

test.each(["x'; drop table learners; --", '', company.toUpperCase(), `${company}'`])(
  'what is no id never becomes part of a statement: %j',
  (companyId) => {
    expect(() => planOnCitus({ ...asked, companyId })).toThrow('is not an id');
  },
);
