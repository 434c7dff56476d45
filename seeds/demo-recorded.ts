import type { Knex } from 'knex';
import { LAST_DATE } from './demo-days.ts';

/**
 * Dates the rows as if they had been recorded when they happened, so that reports on past days show the demo as it was.
 * Deletes the versions that the seed itself has caused.
 */
export async function backdateRecords(owner: Knex): Promise<void> {
  await owner.raw(`
    update learners set recorded_at = created_at;
    update groups set recorded_at = created_at;
    -- Membership periods end on the day before.
    update group_learners set recorded_at = (date '${LAST_DATE}' + 1) at time zone 'UTC';
    update membership_periods set recorded_at = first_day at time zone 'UTC';
    update courses set recorded_at = created_at;
    update enrollments set recorded_at = enroll_date at time zone 'UTC';
    update enrollment_attempts set recorded_at = enroll_date at time zone 'UTC';
    update policy_results set recorded_at = coalesce(assigned_at, signed);
    update signature_events set received_at = signed;
    update simulation_recipients r set created_at = least(r.scheduled_at, r.sent_at, s.created_at)
      from simulations s where s.company_id = r.company_id and s.id = r.simulation_id;
    delete from simulation_recipient_versions;
    delete from simulation_versions;
    delete from policy_result_versions;
    delete from learner_versions;
    delete from group_versions;
    delete from membership_versions;
    delete from attempt_versions;
    delete from course_versions`);
}
