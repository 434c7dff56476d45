import { type AskedSteps, BEGIN, stepsOn, stepsOnCitus, stepsOnPostgres } from '../../src/db/tenant-steps.ts';

const company = '0192a3b4-0000-7000-8000-000000000001';
const asked: AskedSteps = {
  companyId: company,
  statement: { name: 'learner_list', text: 'select 1' },
  values: [company],
  readOnly: true,
  timeoutMs: 5000,
  batchSize: 0,
};
const textsOf = ({ before, main, after }: ReturnType<typeof stepsOnCitus>) =>
  [...before, main, ...after].map(({ text }) => text);

test('on plain Postgres the settings and the statement are all there is', () => {
  const { before, main, after } = stepsOnPostgres(asked);
  expect({ before: before.length, main: main.text, after }).toEqual({ before: 1, main: 'select 1', after: [] });
  expect(before[0]!.values).toContain(company);
});

test('where the session has all other settings, the company alone is set', () => {
  const { before, main, after } = stepsOn({ isCitus: false, isReading: true }, asked);
  expect(before).toEqual([{ name: 'set_company', text: expect.stringContaining('app.company_id'), values: [company] }]);
  expect({ text: main.text, after }).toEqual({ text: 'select 1', after: [] });
});

test('on Citus the company is set in an open transaction, which ends with the statement', () => {
  const texts = textsOf(stepsOnCitus(asked));
  expect(texts.slice(0, 2)).toEqual(['begin read only', `set local app.company_id = '${company}'`]);
  expect(texts.slice(-2)).toEqual(['select 1', 'commit']);
});

test('a transaction of several statements stays open on Citus, and may write', () => {
  const texts = textsOf(stepsOnCitus({ ...asked, statement: BEGIN, values: [], readOnly: false }));
  expect(texts[0]).toBe('begin');
  expect(texts).not.toContain('commit');
});

test.each(["x'; drop table learners; --", '', company.toUpperCase(), `${company}'`])(
  'what is no id never becomes part of a statement: %j',
  (companyId) => {
    expect(() => stepsOnCitus({ ...asked, companyId })).toThrow('no id');
  },
);
