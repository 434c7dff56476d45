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
  'removes the company from each statement, after which Citus rejects some statements; own-rows.ts reads each table': [
    'tests/db/row-level-security.test',
  ],
  'is about the plans or the sessions of plain Postgres': [
    'tests/db/plans.test',
    'tests/db/page-plans.test',
    'tests/db/last-uses.test',
    'tests/db/lookups.test',
    'tests/db/read-pipeline.test',
    'tests/db/round-trips.test',
    'tests/db/schema.test',
  ],
  'is about triggers of the table companies, which has none on Citus because every node has a copy': [
    'tests/db/company-managers.test',
  ],
  'reads the events of several companies as one list, which Citus does not have': [
    'tests/db/readers.test',
    'tests/resources/audit-log/reads-of-children.test',
    'tests/resources/events/list-events.test',
    'tests/resources/events/events-are-kept.test',
    'tests/resources/webhooks/children-jobs.test',
    'tests/resources/webhooks/filters-jobs.test',
    'tests/resources/webhooks/redeliver-webhooks.test',
    'tests/resources/webhooks/webhook-endpoints.test',
  ],
  'reads the name of a violated constraint from the error; Citus has the name only in the message': [
    'tests/db/deadlocks.test',
    'tests/db/policy-results-forward.test',
    'tests/db/results.test',
    'tests/db/signatures.test',
    'tests/db/simulation-milestones.test',
    'tests/db/simulation-removal.test',
  ],
  'makes queries that Citus does not support: rows of several companies in one statement, or their locks and failures':
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
  'deletes 10,000 learners or records 10,000 signatures in a call, which exceeds the time limit of a call on Citus': [
    'tests/resources/learners/delete-learners.test',
    'tests/resources/policies/record-many-signatures.test',
  ],
};
