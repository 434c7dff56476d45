import type { Knex } from 'knex';

/**
 * Dates the rows as if they had been recorded when they happened, so that reports on past days show the demo as of then.
 * The versions that the seed itself made are deleted.
 */
export async function backdateRecords(owner: Knex): Promise<void> {
  await owner.raw(`
    update learners set recorded_at = created_at;
    update groups set recorded_at = created_at;
    update group_learners gl set recorded_at = l.created_at
      from learners l where l.company_id = gl.company_id and l.id = gl.learner_id;
    update courses set recorded_at = created_at;
    update enrollments set recorded_at = enroll_date at time zone 'UTC';
    update enrollment_attempts set recorded_at = enroll_date at time zone 'UTC';
    update policy_results set recorded_at = coalesce(assigned_at, signed);
    update signature_events set received_at = signed;
    delete from policy_result_versions;
    delete from learner_versions;
    delete from group_versions;
    delete from membership_versions;
    delete from attempt_versions;
    delete from course_versions`);
}
