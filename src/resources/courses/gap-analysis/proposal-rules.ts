import type { Question } from '../authored/course.ts';
import { countRight, type Parts, toPercent } from '../results/progress-rules.ts';

/** A subject of the gap analysis, with the share of correct answers in percent. */
export interface SubjectScore {
  /** Slug of the course that teaches the subject. */
  subject: string;
  score: number;
}

/**
 * Maximum number of proposed courses. Learners would put off a longer list, and a second gap analysis proposes the
 * remaining courses.
 */
export const MAX_PROPOSALS = 3;

/** Computes the score of each subject, in the order in which the subjects first occur in the questions. */
export function scoreSubjects(questions: readonly Question[], done: Parts): SubjectScore[] {
  const bySubject = Map.groupBy(questions, ({ subject }) => subject);
  return [...bySubject].flatMap(([subject, group]) =>
    subject === null ? [] : [{ subject, score: toPercent(countRight(group, done)) }],
  );
}

/**
 * Selects the subjects whose courses are proposed: those with a score below the pass mark of the gap analysis, the
 * lowest score first. If scores are equal, the subject that occurs first in the questions comes first.
 */
export function selectProposals(scores: readonly SubjectScore[], passMark: number): SubjectScore[] {
  return scores
    .filter(({ score }) => score < passMark)
    .toSorted((one, other) => one.score - other.score)
    .slice(0, MAX_PROPOSALS);
}
