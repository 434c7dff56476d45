import type { Schemas } from '../../../contract/contract.ts';
import { asText, type Sql, sql } from '../../../db/sql.ts';
import { pagedQuery, type Parameters } from '../../../db/statement.ts';

/** Selects the last correction of a result `r`. */
export const lastCorrection = (p: Parameters<object>): Sql => sql`
  select * from corrections c
   where c.company_id = ${p.companyId} and c.kind = 'course_result' and c.event_id = r.event_id
   order by c.id desc limit 1`;

interface Filter {
  learnerId: string | null;
  courseId: string | null;
  includeVoided: boolean;
}

/**
 * Lists recorded results. Filters learners by a range of ids, which covers all ids if no learner is given. The index
 * therefore serves both cases.
 */
export const listRecordedResults = pagedQuery<Filter, Schemas['RecordedCourseResult']>(
  'recorded_course_results',
  { learnerId: 'uuid', courseId: 'uuid', eventId: 'text' },
  (p) => sql`
    select r.event_id as "eventId", r.learner_id as "learnerId", r.course_id as "courseId", r.started_at as "startedAt",
           r.finished_at as "finishedAt", r.score, r.passed, r.pass_mark as "passMark",
           case r.is_passed when true then 'pass' when false then 'fail' end as grade, r.received_at as "recordedAt", r.voided_at as "voidedAt",
           (select json_build_object(
                     'id', c.id, 'kind', c.kind, 'eventId', c.event_id, 'learnerId', c.learner_id, 'action', c.action,
                     'replacementEventId', c.replacement_event_id, 'reason', c.reason,
                     'correctedAt', ${asText(sql`c.corrected_at`)})
              from (${lastCorrection(p)}) as c) as correction
      from course_result_events r
     where r.company_id = ${p.companyId} and r.enrolled_on is null
       and r.learner_id between coalesce(${p.learnerId}::uuid, '00000000-0000-0000-0000-000000000000')
                            and coalesce(${p.learnerId}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
       and (${p.courseId}::uuid is null or r.course_id = ${p.courseId}::uuid)
       and (${p.includeVoided} or r.voided_at is null)`,
);
