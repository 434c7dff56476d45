import {
  type Days,
  findLatestDueOn,
  findNextDueOn,
  findPeriodStart,
  isAllowedAddress,
  judgeRecipients,
  type CompanyAddresses,
} from '../../src/resources/board-report/schedules/schedule-rules.ts';

const monthly: Days = { period: 'month', day: 28, month: 1 };
const quarterly: Days = { period: 'quarter', day: 5, month: 2 };
const yearly: Days = { period: 'year', day: 1, month: 7 };

test.each([
  [monthly, '2026-03-27', '2026-02-28', '2026-03-28'],
  [monthly, '2026-03-28', '2026-03-28', '2026-04-28'],
  [monthly, '2026-12-30', '2026-12-28', '2027-01-28'],
  [quarterly, '2026-02-04', '2025-11-05', '2026-02-05'],
  [quarterly, '2026-02-05', '2026-02-05', '2026-05-05'],
  [quarterly, '2026-01-31', '2025-11-05', '2026-02-05'],
  [quarterly, '2026-12-31', '2026-11-05', '2027-02-05'],
  [{ ...quarterly, month: 11 }, '2026-04-20', '2026-02-05', '2026-05-05'],
  [yearly, '2026-06-30', '2025-07-01', '2026-07-01'],
  [yearly, '2026-07-01', '2026-07-01', '2027-07-01'],
])('%o on %s was last due on %s and is next due on %s', (days, today, latest, next) => {
  expect([findLatestDueOn(days, today), findNextDueOn(days, today)]).toEqual([latest, next]);
});

test.each([
  ['month', '2026-03-31', '2026-03-01'],
  ['month', '2026-02-28', '2026-01-29'],
  ['quarter', '2026-05-05', '2026-02-06'],
  ['year', '2024-02-29', '2023-03-01'],
] as const)('the %s that ends on %s begins on %s', (period, to, from) => {
  expect(findPeriodStart({ period }, to)).toBe(from);
});

const known: CompanyAddresses = {
  people: new Set(['ada@gmail.com']),
  domains: new Set(['acme.test']),
  adminDomains: new Set(['holding.test', 'gmail.com']),
  freeMail: new Set(['gmail.com']),
};

test.each([
  ['ADA@gmail.com', true],
  ['grace@gmail.com', false],
  ['grace@ACME.test', true],
  ['grace@sub.acme.test', false],
  ['grace@holding.test', true],
  ['"x@acme.test"@evil.test', false],
])('address %s is allowed: %s', (email, isAllowed) => {
  expect(isAllowedAddress(email, known)).toBe(isAllowed);
});

test('a list with foreign addresses is rejected with the fields of all of them', () => {
  const recipients = ['a@evil.test', 'b@acme.test', 'c@evil.test'].map((email) => ({ email }));
  expect(() => judgeRecipients(recipients, known)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      details: [0, 2].map((index) => expect.objectContaining({ field: `body/recipients/${index}/email` }) as object),
    }),
  );
});

test('a list with an address twice is rejected with the field of the second', () => {
  const recipients = ['b@acme.test', 'B@acme.test'].map((email) => ({ email }));
  expect(() => judgeRecipients(recipients, known)).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ field: 'body/recipients/1/email' })] }),
  );
});
