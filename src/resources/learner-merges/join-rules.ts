import {
  deriveAttempts,
  enrolmentFact,
  type Attempt,
  type Fact,
  type StoredAttempt,
} from '../courses/results/attempt-rules.ts';

/** A learner's attempts at a course, ordered by number, and the facts that count. */
export interface CourseState {
  attempts: readonly StoredAttempt[];
  facts: readonly Fact[];
}

export interface JoinedCourse {
  attempts: Attempt[];
  /** Enrolments that now count as facts. */
  enrolments: Fact[];
}

/**
 * Joins the attempts of two learners at a course, as if all facts had been about the learner who stays. If both have an
 * open attempt, the attempt of the learner who stays is kept. If a finish of one learner ends an open attempt of the
 * other, that open attempt ceases to exist.
 */
export function joinCourses(stays: CourseState, merged: CourseState): JoinedCourse {
  const states = [stays, merged].map(({ attempts, facts }) => {
    const enrolment = enrolmentFact(attempts, facts);
    return { attempts, enrolment, facts: enrolment ? [...facts, enrolment] : facts };
  });
  const owner = states.find(({ attempts }) => attempts.at(-1)?.finishDate === null);
  const open = owner?.attempts.at(-1);
  const finished = states.flatMap(({ attempts }) => attempts.filter(({ finishDate }) => finishDate !== null));
  const stored = [...finished.toSorted(byFinish), ...(open ? [open] : [])];
  const facts = states.flatMap((state) => state.facts);
  return {
    attempts: deriveAttempts({
      stored,
      facts,
      newIds: new Set(),
      ...(owner && { correction: toCorrection(owner.facts) }),
    }),
    enrolments: states.flatMap(({ enrolment }) => enrolment ?? []),
  };
}

/**
 * Derives the attempts of the learner who stays, without the attempts of the other learner.
 * @param former the attempts of the learner who stays before the merge
 * @param now the current state, with attempts of both learners, and the facts of the learner who stays
 * @param mergedIds ids of the attempts of the other learner
 * @param isChanged whether facts of the learner who stays were recorded or corrected after the merge
 */
export function separateCourses(
  former: readonly StoredAttempt[],
  now: CourseState,
  mergedIds: ReadonlySet<string>,
  isChanged = false,
): Attempt[] {
  const present = now.attempts.filter(({ attemptId }) => !mergedIds.has(attemptId));
  const formerById = new Map(former.map((attempt) => [attempt.attemptId, attempt]));
  const factIds = new Set(now.facts.map(({ eventId }) => eventId));
  // The merge can split the results of an attempt, or finish it with a result of the other learner. An attempt that the
  // merge created is derived again, and keeps at most its id.
  const isLasting = ({ attemptId, finishEventId }: StoredAttempt) => {
    if (finishEventId === null) return (formerById.get(attemptId)?.finishEventId ?? null) === null;
    return formerById.has(attemptId) && factIds.has(finishEventId);
  };
  const byId = new Map([...former, ...present.filter(isLasting)].map((attempt) => [attempt.attemptId, attempt]));
  const all = [...byId.values()];
  const open = all.findLast(({ finishDate }) => finishDate === null);
  const stored = [...all.filter(({ finishDate }) => finishDate !== null).toSorted(byFinish), ...(open ? [open] : [])];
  const otherIds = new Map(
    present
      .filter(({ attemptId }) => !byId.has(attemptId))
      .map(({ finishEventId, attemptId }) => [finishEventId, attemptId]),
  );
  return deriveAttempts({ stored, facts: now.facts, newIds: new Set() }).map((attempt) => {
    const before = isChanged ? undefined : formerById.get(attempt.attemptId!);
    // Starts before the enrolment count towards it only after the next fact.
    if (attempt.finishDate === null && before?.finishDate === null && !before.isDerived) return before;
    return { ...attempt, attemptId: attempt.attemptId ?? otherIds.get(attempt.finishEventId) ?? null };
  });
}

function toCorrection(former: readonly Fact[]) {
  return { former, replacedIds: new Map<string, string>(), restoredAttemptIds: new Map<string, string>() };
}

function byFinish(a: StoredAttempt, b: StoredAttempt): number {
  return a.finishDate! < b.finishDate! ? -1 : Number(a.finishDate! > b.finishDate!);
}
