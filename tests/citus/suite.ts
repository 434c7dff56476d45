/** The tests that run on Citus. */
export const SUITE = [
  'tests/resources',
  'tests/db',
  'tests/mail',
  'tests/seeds',
  'tests/breach-feed/breach-feed',
  'tests/contract',
];

/** The tests that do not run on Citus, by reason. */
export const LEFT_OUT: Record<string, string[]> = {
  'takes the company out of each statement, and Citus refuses some of them then; own-rows.ts asks every table instead':
    ['tests/db/row-level-security.test'],
  'is about the plans or the sessions of plain Postgres': [
    'tests/db/plans.test',
    'tests/db/page-plans.test',
    'tests/db/last-uses.test',
    'tests/db/lookups.test',
    'tests/db/read-pipeline.test',
    'tests/db/round-trips.test',
    'tests/db/schema.test',
  ],
  'is about triggers of companies, which has none on Citus: a copy is on every node': [
    'tests/db/company-managers.test',
  ],
  'reads the events of several companies as one list, which Citus has not': [
    'tests/db/readers.test',
    'tests/resources/audit-log/reads-of-children.test',
    'tests/resources/events/list-events.test',
    'tests/resources/events/events-are-kept.test',
    'tests/resources/webhooks/children-jobs.test',
    'tests/resources/webhooks/filters-jobs.test',
    'tests/resources/webhooks/redeliver-webhooks.test',
    'tests/resources/webhooks/webhook-endpoints.test',
  ],
  'asks what refused a row by the name beside the error; Citus has it in the message alone': [
    'tests/db/deadlocks.test',
    'tests/db/policy-results-forward.test',
    'tests/db/results.test',
    'tests/db/signatures.test',
    'tests/db/simulation-milestones.test',
    'tests/db/simulation-removal.test',
  ],
  'asks the database for what Citus does not answer: rows of several companies beside each other, or locks and failures of theirs':
    [
      'tests/mail/causes.test',
      'tests/mail/crash.test',
      'tests/mail/folder.test',
      'tests/mail/killed-worker.test',
      'tests/mail/results.test',
      'tests/mail/simulation-stops.test',
      'tests/resources/admins/invite-bounds.test',
      'tests/resources/events/events-of-results.test',
      'tests/resources/policies/templates/delete-policy-templates.test',
      'tests/resources/policies/templates/list-policy-templates.test',
      'tests/resources/policies/templates/publish-policy-template-draft.test',
      'tests/resources/policies/templates/template-rights.test',
      'tests/resources/reports/get-course-participation-report.test',
      'tests/resources/risk/record-risk-days.test',
      'tests/resources/simulations/create-simulation.test',
      'tests/resources/sources/gophish-bad-input.test',
      'tests/resources/webhooks/delivery-jobs.test',
      'tests/seeds/demo-files.test',
      'tests/seeds/demo-policies.test',
      'tests/seeds/demo-seeds.test',
    ],
  'deletes 10,000 learners or records 10,000 signatures in a call, which takes longer there than a call may': [
    'tests/resources/learners/delete-learners.test',
    'tests/resources/policies/record-many-signatures.test',
  ],
};
