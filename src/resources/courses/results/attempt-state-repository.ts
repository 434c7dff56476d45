import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import type { CourseNames } from '../course-names.ts';
import { isOfCompany } from '../course-repository.ts';
import type { Parts } from './progress-rules.ts';
import type { Pair } from './result-event-rules.ts';

/** A course and the learner's newest attempt at it. */
export interface CourseAttemptState extends CourseNames {
  durationMinutes: number | null;
  type: 'training' | 'gap_analysis';
  passMark: number;
  isRetired: boolean;
  /** Id of the newest attempt; null if the learner is not enrolled. */
  attemptId: string | null;
  startDate: string | null;
  finishDate: string | null;
  score: number | null;
  passed: boolean | null;
  /**
   * Time at which the learner began the attempt on the service's own pages, and the completed parts; null if it was not
   * begun there.
   */
  begunAt: string | null;
  done: Parts | null;
}

type CourseOfState = CourseNames & Pick<CourseAttemptState, 'durationMinutes' | 'type' | 'passMark' | 'isRetired'>;
type AttemptOfState = Omit<CourseAttemptState, keyof CourseOfState>;

const course = pointQuery<{ courseId: string }, CourseOfState>(
  'taking_course',
  (p) => sql`
    select display_name as "displayName", localized_names as "localizedNames", duration_minutes as "durationMinutes",
           type, pass_mark as "passMark", retired_at is not null as "isRetired"
      from courses where ${isOfCompany(p)} and id = ${p.courseId}`,
);

const attempt = pointQuery<Pair, AttemptOfState>(
  'taking_attempt',
  (p) => sql`
    select e.attempt_id as "attemptId", e.start_date as "startDate", e.finish_date as "finishDate", e.score, e.passed,
           done.begun_at as "begunAt", done.parts as done
      from enrollments e
      left join course_progress done on done.company_id = ${p.companyId} and done.learner_id = e.learner_id
       and done.course_id = e.course_id and done.attempt_id = e.attempt_id
     where e.company_id = ${p.companyId} and e.learner_id = ${p.learnerId} and e.course_id = ${p.courseId}`,
);

const NOT_ENROLLED: AttemptOfState = {
  ...{ attemptId: null, startDate: null, finishDate: null, score: null, passed: null, begunAt: null, done: null },
};

/** Returns the course and the learner's newest attempt; undefined if the company does not have the course. */
export async function findAttemptState(tenant: TenantReader, pair: Pair): Promise<CourseAttemptState | undefined> {
  const courseRow = await tenant.queryOne(course, { courseId: pair.courseId });
  return courseRow && { ...courseRow, ...((await tenant.queryOne(attempt, pair)) ?? NOT_ENROLLED) };
}

const lock = mutation<Pair>(
  'taking_lock',
  (p) => sql`
    select attempt_id from enrollments
     where company_id = ${p.companyId} and learner_id = ${p.learnerId} and course_id = ${p.courseId}
       for no key update`,
);

/** Locks the learner's newest attempt until the transaction ends, and returns the same result as `findAttemptState`. */
export async function lockAttempt(tenant: TenantWriter, pair: Pair): Promise<CourseAttemptState | undefined> {
  await tenant.mutate(lock, pair);
  return findAttemptState(tenant, pair);
}

interface Progress extends Pair {
  attemptId: string;
  begunAt: string;
  /** Completed parts, as JSON. */
  parts: string;
}

const save = mutation<Progress>(
  'taking_save_progress',
  (p) => sql`
    insert into course_progress (company_id, learner_id, course_id, attempt_id, begun_at, parts)
    values (${p.companyId}, ${p.learnerId}, ${p.courseId}, ${p.attemptId}, ${p.begunAt}, ${p.parts})
    on conflict (company_id, learner_id, course_id) do update
       set attempt_id = excluded.attempt_id, begun_at = excluded.begun_at, parts = excluded.parts,
           updated_at = excluded.updated_at`,
  { parts: '{}' },
);

/** Stores the completed parts of a locked attempt. They replace the completed parts of the pair's earlier attempt. */
export async function saveProgress(
  tenant: TenantWriter,
  { done, ...progress }: Omit<Progress, 'parts'> & { done: Parts },
): Promise<void> {
  await tenant.mutate(save, { ...progress, parts: JSON.stringify(done) });
}
