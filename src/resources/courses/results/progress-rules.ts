import type { Part, Question, Step } from '../authored/course.ts';

/** The parts that a learner has read or answered, by key. */
export type Parts = Readonly<Record<string, CompletedPart>>;

export interface CompletedPart {
  version: string;
  given?: readonly string[];
}

export function listParts({ lesson, questions }: Step): readonly Part[] {
  return lesson ? [lesson, ...questions] : questions;
}

/** Reports whether all parts of a step are done. A part whose text has changed since counts as not done. */
export function isDone(step: Step, completedParts: Parts): boolean {
  return listParts(step).every(({ key, version }) => completedParts[key]?.version === version);
}

/** Returns the index of the first step that is not done; the number of steps if all are. */
export function placeIn(steps: readonly Step[], completedParts: Parts): number {
  const place = steps.findIndex((step) => !isDone(step, completedParts));
  return place < 0 ? steps.length : place;
}

/** Returns the answers given to the current version of a question. */
export function chosenAnswers({ key, version }: Question, completedParts: Parts): readonly string[] | undefined {
  const part = completedParts[key];
  return part?.version === version ? part.given : undefined;
}

/** Reports whether all right answers were given, and no others. */
export function isRight({ answers }: Question, chosen: readonly string[]): boolean {
  return answers.every(({ id, right }) => chosen.includes(id) === right);
}

export interface Score {
  right: number;
  total: number;
}

export function countRight(questions: readonly Question[], completedParts: Parts): Score {
  const right = questions.filter((question) => isRight(question, chosenAnswers(question, completedParts) ?? []));
  return { right: right.length, total: questions.length };
}

/** Returns the score in percent, rounded as it is stored. */
export function toPercent({ right, total }: Score): number {
  return Math.round((right / total) * 10_000) / 100;
}

/** Reads the form of a step. A question is unanswered if its answers are missing, unknown or too many. */
export function readStep(step: Step, form: URLSearchParams): { done: Parts; unanswered: readonly string[] } {
  const done: Record<string, CompletedPart> = {};
  const unanswered: string[] = [];
  if (step.lesson) done[step.lesson.key] = { version: step.lesson.version };
  for (const { id, key, version, kind, answers } of step.questions) {
    const chosenIds = new Set(form.getAll(id));
    const given = answers.flatMap((answer) => (chosenIds.delete(answer.id) ? answer.id : []));
    const isAnswered = chosenIds.size === 0 && given.length > 0 && (kind === 'many' || given.length === 1);
    if (isAnswered) done[key] = { version, given };
    else unanswered.push(key);
  }
  return { done, unanswered };
}

/** Adds the answers of a step. Earlier answers stay, unless the question has changed since. */
export function addDone(step: Step, before: Parts, added: Parts): Parts {
  return isDone(step, before) ? before : { ...before, ...without(added, before, step) };
}

function without(added: Parts, before: Parts, step: Step): Parts {
  const unchangedKeys = new Set(
    listParts(step).flatMap(({ key, version }) => (before[key]?.version === version ? key : [])),
  );
  return Object.fromEntries(Object.entries(added).filter(([key]) => !unchangedKeys.has(key)));
}

/** Returns the version of a step, which changes with the text of any part. */
export function buildStepVersion(step: Step): string {
  return listParts(step)
    .map(({ version }) => version)
    .join('.');
}
