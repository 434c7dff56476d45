import { v7 as uuidv7 } from 'uuid';
import type { Step } from '../authored/course.ts';
import { drawSteps } from '../authored/pools.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { lockLearnerStates } from '../../learners/shared/learner-locks.ts';
import { findCourses } from '../course-keys.ts';
import { recordResults } from './course-results.ts';
import { addDone, countRight, isDone, type SentParts, toPercent, placeIn } from './progress-rules.ts';
import type { Pair } from './result-event-rules.ts';
import { lockAttempt, saveProgress, type CourseAttemptState } from './attempt-state-repository.ts';

/**
 * Reports whether a learner can begin a course. The newest attempt must be failed, or open and not begun on the
 * service's own pages. In a retired course, only an attempt that was started elsewhere can be begun.
 */
export function mayBegin({ attemptId, finishDate, passed, startDate, done, isRetired }: CourseAttemptState): boolean {
  if (attemptId === null) return false;
  if (finishDate !== null) return passed === false && !isRetired;
  return done === null && (startDate !== null || !isRetired);
}

/** Begins the open attempt, or a new one after a failed attempt. Concurrent calls begin only one attempt. */
export function beginCourse(tenant: TenantWriter, pair: Pair): Promise<void> {
  return tenant.transaction(async (tx) => {
    const state = await lockAll(tx, pair);
    if (!state || !mayBegin(state)) return;
    const begunAt = new Date().toISOString();
    if (state.startDate === null || state.finishDate !== null) {
      await recordResults(tx, [{ ...toPairKeys(pair), eventId: `begun-${uuidv7()}`, startedAt: begunAt }]);
    }
    const begun = await lockAttempt(tx, pair);
    if (begun?.finishDate !== null) return;
    await saveProgress(tx, { ...pair, attemptId: begun.attemptId!, begunAt, done: {} });
  });
}

/** Outcome of a step: `stale` if the step or its attempt is out of date, `early` if a previous step is incomplete. */
export type StepOutcome = 'kept' | 'stale' | 'early';

/**
 * Stores the parts of a step that the learner has read or answered. Does nothing if the step is already completed or
 * the attempt is finished.
 * @param steps the steps of the attempt
 */
export function keepStep(
  tenant: TenantWriter,
  pair: Pair,
  { steps, place, attemptId, done }: { steps: readonly Step[]; place: number; attemptId: string; done: SentParts },
): Promise<StepOutcome> {
  return tenant.transaction(async (tx) => {
    const state = await lockAttempt(tx, pair);
    if (state?.attemptId !== attemptId || state.done === null) return 'stale';
    if (state.finishDate !== null) return 'kept';
    const before = state.done;
    if (place > placeIn(steps, before)) return 'early';
    const step = steps[place]!;
    if (isDone(step, before)) return 'kept';
    await saveProgress(tx, { ...pair, attemptId, begunAt: state.begunAt!, done: addDone(step, before, done) });
    return 'kept';
  });
}

/**
 * Records the score of an attempt if all its steps are completed, as `POST /course-results` would. Returns false if it
 * recorded nothing.
 * @param courseSteps the steps of the course, from which the attempt's steps are drawn
 */
export function finishCourse(tenant: TenantWriter, pair: Pair, courseSteps: readonly Step[]): Promise<boolean> {
  return tenant.transaction(async (tx) => {
    const state = await lockAll(tx, pair);
    if (!state) return false;
    const steps = drawSteps(courseSteps, state.attemptId);
    if (!isComplete(state, steps)) return false;
    const { attemptId, begunAt, done } = state;
    const score = toPercent(
      countRight(
        steps.flatMap(({ questions }) => questions),
        done!,
      ),
    );
    // Clocks of different processes can differ, but the finish must be after the start.
    const finishedAt = new Date(Math.max(Date.now(), Date.parse(begunAt!) + 1)).toISOString();
    await recordResults(tx, [{ ...toPairKeys(pair), eventId: `finished-${attemptId}`, finishedAt, score }]);
    return true;
  });
}

/** Reports whether all steps are completed, but the score has not been recorded. */
export function isComplete({ attemptId, finishDate, done }: CourseAttemptState, steps: readonly Step[]): boolean {
  return attemptId !== null && finishDate === null && done !== null && placeIn(steps, done) === steps.length;
}

/** Acquires the locks in the order in which recording results acquires them: course, learner, enrolment. */
async function lockAll(tx: TenantWriter, pair: Pair): Promise<CourseAttemptState | undefined> {
  await findCourses(tx, [pair.courseId]);
  await lockLearnerStates(tx, [pair.learnerId]);
  return lockAttempt(tx, pair);
}

function toPairKeys({ learnerId, courseId }: Pair) {
  return { learner: { id: learnerId }, course: { id: courseId } };
}
