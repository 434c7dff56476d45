import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sequencer from '@jest/test-sequencer';

const ROOT = join(import.meta.dirname, '../..');
/** Test files that took about 20 s or more in one of the runs of all on two cores (2026-11-30 and 2026-12-01). */
const LONGEST = [
  'tests/db/young-database.test.ts',
  'tests/resources/campaigns/model/three-years.test.ts',
  'tests/resources/courses/course-enrollments.test.ts',
  'tests/http/streamed-objects.test.ts',
  'tests/db/paged-statements.test.ts',
  'tests/resources/policies/policy-assignments.test.ts',
  'tests/db/bulk-work.test.ts',
  'tests/seeds/demo-seeds.test.ts',
  'tests/db/page-plans.test.ts',
  'tests/docs/examples-go.test.ts',
  'tests/resources/learners/create-learners.test.ts',
  'tests/docs/examples-java.test.ts',
  'tests/rules/request-properties.test.ts',
  'tests/resources/courses/gap-analysis-enrollments.test.ts',
  'tests/http/worst-bodies.test.ts',
  'tests/resources/policies/accepted-pdfs.test.ts',
  'tests/contract-gate/gate.test.ts',
  'tests/resources/policies/request-signatures-jobs.test.ts',
  'tests/contract-gate/anchor.test.ts',
  'tests/docs/examples-python.test.ts',
  'tests/docs/examples-curl.test.ts',
  'tests/resources/imports/import-record-of-another-system.test.ts',
  'tests/seeds/examples.test.ts',
  'tests/resources/policies/upload-policy-file.test.ts',
  'tests/resources/reports/time-travel.test.ts',
  'tests/resources/reports/get-policy-results-report.test.ts',
  'tests/rules/run-in-process.test.ts',
  'tests/docs/examples-typescript.test.ts',
  'tests/resources/policies/templates/template-rights.test.ts',
  'tests/resources/risk/record-risk-jobs.test.ts',
  'tests/resources/learners/delete-learners.test.ts',
].map((file) => join(ROOT, file));
const missing = LONGEST.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`tests/support/longest-first.js names missing files: ${missing.join(', ')}`);

/**
 * Starts the longest test files first, so that none of them runs while the other workers are idle. Jest does so itself once it has
 * measured the files. In a new checkout it goes by their size, and the examples of the documentation, which are small files, came last.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path, duration }) => duration === undefined && LONGEST.includes(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
