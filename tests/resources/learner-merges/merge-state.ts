import { RECORDED_TABLES, type RecordedTable } from '../../../src/resources/learner-merges/merged-tables.ts';
import { del, post } from '../../support/client.ts';
import { companies } from '../../support/world.ts';

/** Merges two learners. Returns the merge. */
export async function merged(learnerId: string, intoLearnerId: string, reason?: string): Promise<any> {
  const { status, body } = await post('/learner-merges', { learnerId, intoLearnerId, ...(reason && { reason }) });
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body.data;
}

export async function undone(mergeId: string): Promise<void> {
  const { status, body } = await del(`/learner-merges/${mergeId}`);
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
}

/** Columns with write times, which undoing a merge does not restore. */
const TIMES_OF_WRITING = new Set(['updated_at', 'derived_at', 'recorded_at']);

/**
 * Conditions for the rows to compare. They leave out rows that undoing a merge adds: versions, copies of newest
 * attempts, and enrolments as facts.
 */
const COUNTED: Partial<Record<string, string>> = {
  attempt_versions: 'false',
  membership_versions: 'false',
  policy_result_versions: 'false',
  course_result_events: `event_id not like ' %'`,
  enrollment_attempts: `exists (select from enrollments e where (e.company_id, e.learner_id, e.course_id)
                                  = (t.company_id, t.learner_id, t.course_id) and e.attempt > t.attempt)`,
};

/** Returns the rows of all learners in every table that a merge changes, as sorted strings. */
export async function rowsOfLearners(): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of [
    ...(Object.keys(RECORDED_TABLES) as RecordedTable[]),
    'learners',
    'former_recipients',
    'learner_merges',
  ]) {
    const stored = await testService.query(
      `select * from ${table} t where company_id = $1 and ${COUNTED[table] ?? 'true'}`,
      [companies.tenant],
    );
    const texts = stored.map((row: object) =>
      JSON.stringify(Object.entries(row).filter(([column]) => !TIMES_OF_WRITING.has(column))),
    );
    rows[table] = texts.toSorted();
  }
  return rows;
}
