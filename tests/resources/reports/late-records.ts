import { companies } from '../../support/world.ts';
import { learnerOf, type RowsOfNight } from './merged-rows.ts';

// Records made after a night that can change its reports as known today. A result can also revive a removed attempt
// with its starts from before the removal; it then changes all days since the first start.

interface LateRecord {
  learnerId: string;
  /** The course, policy or simulation; null for memberships, which change any row. */
  subjectId: string | null;
  /** Times in milliseconds. A correction has no time at which it happened. */
  recordedMs: number;
  occurredMs: number | null;
}

const RECORDS = `
  select learner_id, course_id, received_at, coalesce(started_at, finished_at) from course_result_events
   union all
  select r.learner_id, r.course_id, r.received_at, null from course_result_events r
   where exists (select from attempt_versions v
                  where (v.company_id, v.learner_id, v.course_id) = (r.company_id, r.learner_id, r.course_id)
                    and v.finish_date is null and v.superseded_at < r.received_at and not v.attempt_id = any(array(
                      select e.attempt_id from enrollments e where e.learner_id = r.learner_id
                       union all
                      select a.attempt_id from enrollment_attempts a where a.learner_id = r.learner_id)))
   union all
  select learner_id, policy_id, received_at, signed from signature_events
   union all
  select e.learner_id, e.course_id, c.corrected_at, null from corrections c join course_result_events e using (company_id, event_id)
   where c.kind = 'course_result'
   union all
  select e.learner_id, e.policy_id, c.corrected_at, null from corrections c join signature_events e using (company_id, event_id)
   where c.kind = 'policy_signature'
   union all
  select learner_id, simulation_id, received_at, null from simulation_events
   union all
  select e.learner_id, e.simulation_id, c.corrected_at, null from corrections c join simulation_events e using (company_id, event_id)
   where c.kind in ('simulation_event', 'reported_message')
   union all
  select learner_id, simulation_id, withdrawn_at, null from simulation_recipients where withdrawn_at is not null
   union all
  select learner_id, null, greatest(recorded_at, superseded_at), null from membership_periods`;

/** Lists all records of the company. A later event of a simulation can change the verdict on an earlier one. */
export async function listRecords(): Promise<Map<string, LateRecord[]>> {
  const ms = (time: string) => `(extract(epoch from ${time}) * 1000)::float8`;
  const ofCompany = RECORDS.replaceAll(/select ([er]\.)?learner_id/g, 'select $1company_id, $1learner_id');
  const rows = await testService.query(
    `select learner_id::text as "learnerId", subject_id::text as "subjectId", ${ms('recorded_at')} as "recordedMs",
            ${ms('occurred_at')} as "occurredMs"
       from (${ofCompany}) as r (company_id, learner_id, subject_id, recorded_at, occurred_at)
      where company_id = '${companies.tenant}'`,
  );
  return Map.groupBy(rows as unknown as LateRecord[], ({ learnerId }) => learnerId);
}

/** Lists rows of attempts that were open on the night and never finished, if there is more than one of a course. */
export async function listRepeated({ path, asked }: RowsOfNight): Promise<any[]> {
  if (!path.startsWith('/reports/course-results?attempts=all')) return [];
  const open = asked.filter(({ finishDate }) => finishDate === null);
  const finished = await testService.query(
    `select attempt_id::text as id from enrollments where attempt_id = any($1) and finish_date is not null
      union all
     select attempt_id::text from enrollment_attempts where attempt_id = any($1)`,
    [open.map(({ attemptId }) => attemptId)],
  );
  const finishedIds = new Set(finished.map(({ id }) => id));
  const unfinished = open.filter(({ attemptId }) => !finishedIds.has(attemptId));
  return [...Map.groupBy(unfinished, (row) => [row.learnerId, row.courseId].join()).values()]
    .filter((rows) => rows.length > 1)
    .flat();
}

/** Lists rows of learners that differ although nothing about them was recorded after the night. */
export function listUnexplained({ day, stored, asked }: RowsOfNight, records: Map<string, LateRecord[]>): any[] {
  const endMs = Date.parse(day) + 86_400_000;
  const [former, present] = [stored, asked].map((rows) => new Set(rows.map((row) => JSON.stringify(row))));
  const differing = [
    ...stored.filter((row) => !present!.has(JSON.stringify(row))),
    ...asked.filter((row) => !former!.has(JSON.stringify(row))),
  ];
  return differing.filter((row) => {
    const subjectId = row.courseId ?? row.policyId ?? row.simulationId;
    const isLate = (record: LateRecord) =>
      record.recordedMs >= endMs &&
      (record.occurredMs === null || record.occurredMs < endMs) &&
      (record.subjectId === null || subjectId === undefined || record.subjectId === subjectId);
    const id = learnerOf(row);
    return id !== undefined && !(records.get(id) ?? []).some(isLate);
  });
}
