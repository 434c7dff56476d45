/** What runs on Citus. */
export const SUITE = [
  'tests/resources',
  'tests/db',
  'tests/mail',
  'tests/seeds',
  'tests/breach-feed/breach-feed',
  'tests/contract',
];

/** What does not, and why. */
export const LEFT_OUT: Record<string, string> = {
  'tests/db/row-level-security.test':
    'takes the company out of each statement, and Citus refuses some of them then; own-rows.ts asks every table instead',
  'tests/db/plans.test': 'about the plans of plain Postgres, in a company that is grown without triggers',
  'tests/db/company-managers.test': 'about triggers of companies, which has none on Citus: a copy is on every node',
  'tests/db/lookups.test': 'about the plans of plain Postgres, in a company that is grown without triggers',
};
