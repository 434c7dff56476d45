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

test('on plain Postgres the plan has only the settings and the statement', () => {
  const { before, main, after } = planOnPostgres(asked);
  expect({ before: before.length, main: main.text, after }).toEqual({ before: 1, main: 'select 1', after: [] });
  expect(before[0]!.values).toContain(company);
});

test.each([planOnPostgres, planOnCitus])('%p prepares only point queries and lists', (steps) => {
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

test('lookups set everything, or only the company if the session already has the other settings', () => {
  expect(around({ isCitus: false, isReading: false })).toEqual({ before: ['set_reader'], after: [] });
  expect(around({ isCitus: false, isReading: true })).toEqual({ before: ['set_company'], after: [] });
});

test('lookups in a shared transaction on Citus come between begin and commit', () => {
  const before = ['begin_reader', `set local app.company_id = '${company}'`, 'set_session'];
  expect(around({ isCitus: true, isReading: true })).toEqual({ before, after: ['commit'] });
});

test('on Citus the company is set in a transaction that ends with the statement', () => {
  const texts = textsOf(planOnCitus(asked));
  expect(texts.slice(0, 2)).toEqual(['begin read only', `set local app.company_id = '${company}'`]);
  expect(texts.slice(-2)).toEqual(['select 1', 'commit']);
});

test('on Citus a transaction of several statements stays open and can write', () => {
  const texts = textsOf(planOnCitus({ ...asked, statement: BEGIN, values: [], readOnly: false }));
  expect(texts[0]).toBe('begin');
  expect(texts).not.toContain('commit');
});

test.each(["x'; drop table learners; --", '', company.toUpperCase(), `${company}'`])(
  'an invalid company id never becomes part of a statement: %j',
  (companyId) => {
    expect(() => planOnCitus({ ...asked, companyId })).toThrow('is not an id');
  },
);
