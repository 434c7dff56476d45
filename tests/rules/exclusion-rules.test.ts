import { judgeExclusion } from '../../src/resources/simulations/settings/exclusion-rules.ts';

const one = '0192a3b4-0000-7000-8000-000000000001';
const days = { from: '2026-12-24', to: '2026-12-31' };

test.each([[{ learnerId: one }], [{ groupId: one, note: 'New' }], [days], [{ from: days.to, to: days.to }]])(
  '%j is a valid exclusion',
  (body) => {
    expect(() => judgeExclusion(body)).not.toThrow();
  },
);

test.each([
  ['body', {}],
  ['body', { note: 'New' }],
  ['body/groupId', { learnerId: one, groupId: one }],
  ['body/from', { learnerId: one, ...days }],
  ['body/from', { to: days.to }],
  ['body/to', { from: days.from }],
  ['body/to', { from: days.to, to: days.from }],
])('an invalid exclusion is rejected at %s: %j', (field, body) => {
  expect(() => judgeExclusion(body)).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ field })] }),
  );
});
