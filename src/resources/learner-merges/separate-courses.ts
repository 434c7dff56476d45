import { identifier, list, type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters, query } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { StoredAttempt } from '../courses/results/attempt-rules.ts';
import {
  type PairAttempts,
  removeAttempts,
  saveAttempts,
  selectDayEnds,
} from '../courses/results/attempt-repository.ts';
import { separateCourses } from './join-rules.ts';
import { haveSame, recordedRows } from './recorded-rows.ts';
import { coursesOfMerged, findStates } from './merge-courses.ts';
import type { Merge } from './move-rows.ts';

interface RecordedAttempt extends StoredAttempt {
  courseId: string;
  isOfMerged: boolean;
}

const COLUMNS = sql`
  old.course_id as "courseId", old.attempt_id as "attemptId", old.attempt, old.enroll_date as "enrollDate",
  old.start_date as "startDate", old.finish_date as "finishDate", old.score, old.passed,
  old.finish_event_id as "finishEventId"`;

// Returns attempts of both learners at courses whose enrolments have not moved back.
const recordedAttempts = query<Merge, RecordedAttempt>('merge_kept_attempts', (p) => {
  const select = (table: 'enrollments' | 'enrollment_attempts', isOfMerged: boolean) => sql`
    select ${COLUMNS}, ${table === 'enrollments' ? sql`old.derived_at is not null` : sql`false`} as "isDerived",
           ${isOfMerged ? sql`true` : sql`false`} as "isOfMerged", ${selectDayEnds(p, sql`old`, table)}
      from ${recordedRows(p, { table, isOfMerged })}
     where not exists (select from enrollments e
                        where e.company_id = ${p.companyId} and e.learner_id = ${p.learnerId} and e.course_id = old.course_id)`;
  return sql`
    select * from (${select('enrollments', true)} union all ${select('enrollment_attempts', true)}
                   union all ${select('enrollments', false)} union all ${select('enrollment_attempts', false)}) as kept
     order by attempt`;
});

// The merge ends a version at the time of the merge; a removal after the merge ends a version later.
const removedSince = query<Merge & { attemptIds: string[] }, { attemptId: string }>(
  'merge_removed_attempts',
  (p) => sql`
    select v.attempt_id as "attemptId"
      from learner_merges m
      join attempt_versions v on v.company_id = ${p.companyId} and v.learner_id = ${p.intoLearnerId}
       and v.superseded_at > m.merged_at
     where m.company_id = ${p.companyId} and m.id = ${p.mergeId} and v.attempt_id = any(${p.attemptIds}::uuid[])
    except
    select attempt_id from enrollments where company_id = ${p.companyId} and learner_id = ${p.intoLearnerId}
    except
    select attempt_id from enrollment_attempts where company_id = ${p.companyId} and learner_id = ${p.intoLearnerId}`,
);

/**
 * Finds the courses whose open attempt was removed after the merge. The merge had joined the open attempts of both
 * learners into one.
 */
async function findRemoved(tenant: TenantWriter, merge: Merge, kept: readonly RecordedAttempt[]): Promise<Set<string>> {
  const open = kept.filter(({ finishDate }) => finishDate === null);
  if (open.length === 0) return new Set();
  const attemptIds = open.map(({ attemptId }) => attemptId);
  const removed = new Set((await tenant.queryAll(removedSince, { ...merge, attemptIds })).map((row) => row.attemptId));
  return new Set(open.filter(({ attemptId }) => removed.has(attemptId)).map(({ courseId }) => courseId));
}

// Includes only courses with facts since the merge. If a result of the duplicate was corrected, the undo is rejected
// instead.
const coursesSince = query<Merge, { courseId: string }>(
  'merge_courses_since',
  (p) => sql`
    select f.course_id as "courseId"
      from learner_merges m
      join course_result_events f on f.company_id = ${p.companyId} and f.learner_id = ${p.intoLearnerId}
       and f.received_at > m.merged_at
     where m.company_id = ${p.companyId} and m.id = ${p.mergeId}
     union
    select f.course_id
      from learner_merges m
      join corrections c on c.company_id = ${p.companyId} and c.learner_id = ${p.intoLearnerId}
       and c.kind = 'course_result' and c.corrected_at > m.merged_at
      join course_result_events f on f.company_id = ${p.companyId} and f.event_id = c.event_id
     where m.company_id = ${p.companyId} and m.id = ${p.mergeId}`,
);

const returnEnrolmentFacts = mutation<Merge & { eventIds: string[] }>(
  'merge_return_enrolment_facts',
  (p) => sql`
    update course_result_events set learner_id = ${p.learnerId}
     where company_id = ${p.companyId} and learner_id = ${p.intoLearnerId} and event_id = any(${p.eventIds}::text[])`,
);

const DERIVED = ['enroll_date', 'start_date', 'finish_date', 'score', 'passed'] as const;

// If the merge has derived an attempt again, with a result of the other learner, the attempt is restored from its kept
// row instead.
const returnAttempts = mutation<Merge & { attemptIds: string[] }>('merge_return_attempts', (p) => {
  const isUnchanged = (table: 'enrollments' | 'enrollment_attempts') => sql`
    exists (select from ${recordedRows(p, { table })}
             where old.attempt_id = t.attempt_id
               and ${haveSame(DERIVED, 't', 'old')})`;
  return sql`
    update enrollment_attempts t set learner_id = ${p.learnerId}
     where t.company_id = ${p.companyId} and t.learner_id = ${p.intoLearnerId}
       and t.attempt_id = any(${p.attemptIds}::uuid[])
       and (${isUnchanged('enrollments')} or ${isUnchanged('enrollment_attempts')})`;
});

const removeJoined = mutation<Merge & { attemptIds: string[] }>(
  'merge_remove_joined_attempts',
  (p) => sql`
    delete from enrollment_attempts
     where company_id = ${p.companyId} and learner_id = ${p.intoLearnerId} and attempt_id = any(${p.attemptIds}::uuid[])`,
);

// Renumbers the earlier attempts, and copies of the newest ones.
const renumberings = (['enrollments', 'enrollment_attempts'] as const).map((table) =>
  mutation<Merge>(
    `merge_renumber_${table}`,
    (p) => sql`
      update enrollment_attempts a set attempt = old.attempt
        from ${recordedRows(p, { table })}
       where a.company_id = ${p.companyId} and a.learner_id = ${p.learnerId} and a.course_id = old.course_id
         and a.attempt_id = old.attempt_id and a.attempt <> old.attempt`,
  ),
);

// An attempt can have moved back together with a result of the other learner.
const removeChanged = mutation<Merge>(
  'merge_remove_changed_attempts',
  (p) => sql`
    delete from enrollment_attempts t
     where t.company_id = ${p.companyId} and t.learner_id = ${p.learnerId}
       and exists (select from ${recordedRows(p, { table: 'enrollment_attempts' })}
                    where old.attempt_id = t.attempt_id and not ${haveSame(DERIVED, 't', 'old')})`,
);

interface Restored extends Merge {
  /** Courses that the learner who stays still has; the others were removed after the merge. */
  courseIds: string[];
}

const restoreAttempts = mutation<Restored>(
  'merge_restore_attempts',
  (p) => sql`
    insert into enrollment_attempts select old.* from ${recordedRows(p, { table: 'enrollment_attempts' })}
     where (old.course_id = any(${p.courseIds}::uuid[])
            or exists (select from enrollments e
                        where e.company_id = ${p.companyId} and e.learner_id = ${p.learnerId} and e.course_id = old.course_id))
       and exists (select from courses c where c.owner_id = old.course_owner_id and c.id = old.course_id)
    on conflict do nothing`,
);

const ENROLLMENT = [
  ...['company_id', 'learner_id', 'course_id', 'course_owner_id', 'enroll_date', 'start_date', 'finish_date', 'score'],
  ...['passed', 'reminded_at', 'attempt', 'attempt_id', 'asked_at', 'reminder_sent_at', 'mail_failed_at'],
  ...['finish_event_id', 'recorded_at'],
].map(identifier);

// A derived enrolment keeps its grade, regardless of the course's current pass mark.
const restoreEnrollments = mutation<Restored & { removedIds: string[] }>(
  'merge_restore_enrollments',
  (p) => sql`
    insert into enrollments (${list(ENROLLMENT)}, enrolled_from, derived_at)
    select ${list(ENROLLMENT.map((column) => sql`old.${column}`))}, old.enrolled_from,
           case when old.finish_date is null then old.derived_at else coalesce(old.derived_at, now()) end
      from ${recordedRows(p, { table: 'enrollments' })}
     where old.course_id = any(${p.courseIds}::uuid[])
       and (old.finish_date is not null or old.course_id <> all(${p.removedIds}::uuid[]))
       and exists (select from courses c where c.owner_id = old.course_owner_id and c.id = old.course_id)
    on conflict do nothing`,
);

// If the duplicate's open attempt no longer exists, the last finished one is the newest again.
const restoreFinished = mutation<Restored>(
  'merge_restore_finished_enrollments',
  (p) => sql`
    insert into enrollments (${list(ENROLLMENT)}, derived_at)
    select distinct on (old.course_id) ${list(ENROLLMENT.map((column) => sql`old.${column}`))}, now()
      from ${recordedRows(p, { table: 'enrollment_attempts' })}
     where old.course_id = any(${p.courseIds}::uuid[])
       and exists (select from courses c where c.owner_id = old.course_owner_id and c.id = old.course_id)
     order by old.course_id, old.attempt desc
    on conflict do nothing`,
);

const packageExists = (p: Parameters<Merge>): Sql => sql`
  exists (select from course_packages k where k.company_id = ${p.companyId} and k.id = old.package_id)`;

const restoreProgress = (['course_progress', 'package_progress'] as const).map((table) =>
  mutation<Merge>(
    `merge_restore_${table}`,
    (p) => sql`
      insert into ${identifier(table)} select old.* from ${recordedRows(p, { table })}
       where exists (select from enrollments e
                      where e.company_id = ${p.companyId} and e.learner_id = old.learner_id and e.course_id = old.course_id
                        and e.attempt_id = old.attempt_id)
         and ${table === 'course_progress' ? sql`true` : packageExists(p)}
      on conflict do nothing`,
  ),
);

/**
 * Derives the attempts of the learner who stays without the attempts of the duplicate, whose facts the caller has moved
 * back.
 */
export async function separateCoursesOfBoth(tenant: TenantWriter, merge: Merge): Promise<void> {
  const kept = await tenant.queryAll(recordedAttempts, merge);
  const removed = await findRemoved(tenant, merge, kept);
  const ofMerged = kept.filter(({ isOfMerged }) => isOfMerged);
  const mergedIds = new Set(ofMerged.map(({ attemptId }) => attemptId));
  await tenant.mutate(returnEnrolmentFacts, { ...merge, eventIds: [...mergedIds].map((id) => ` ${id}`) });
  for (const statement of [returnAttempts, removeJoined])
    await tenant.mutate(statement, { ...merge, attemptIds: [...mergedIds] });
  // Results of the duplicate count for the learner who stays even if the duplicate has no enrolment.
  const courses = [...ofMerged, ...(await tenant.queryAll(coursesOfMerged, merge))];
  const courseIds = [...new Set(courses.map(({ courseId }) => courseId))];
  const states = await findStates(tenant, merge.intoLearnerId, courseIds);
  const changed = new Set((await tenant.queryAll(coursesSince, merge)).map(({ courseId }) => courseId));
  const derived = courseIds.flatMap((courseId, index): PairAttempts[] => {
    const now = states[index]!;
    if (now.attempts.length === 0) return [];
    const isRemoved = ({ finishDate }: StoredAttempt) => finishDate === null && removed.has(courseId);
    const former = kept.filter(
      (attempt) => attempt.courseId === courseId && !attempt.isOfMerged && !isRemoved(attempt),
    );
    const attempts = separateCourses(former, now, mergedIds, changed.has(courseId));
    return [{ learnerId: merge.intoLearnerId, courseId, stored: now.attempts, attempts }];
  });
  await removeAttempts(tenant, derived);
  await saveAttempts(tenant, derived);
  for (const statement of renumberings) await tenant.mutate(statement, merge);
  const restored = { ...merge, courseIds: derived.map(({ courseId }) => courseId) };
  const removedIds = restored.courseIds.filter((id) => removed.has(id));
  await tenant.mutate(removeChanged, merge);
  await tenant.mutate(restoreAttempts, restored);
  await tenant.mutate(restoreEnrollments, { ...restored, removedIds });
  await tenant.mutate(restoreFinished, { ...merge, courseIds: removedIds });
  for (const statement of restoreProgress) await tenant.mutate(statement, merge);
}
