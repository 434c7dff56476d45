import type { Part, Question, Step } from '../authored/course.ts';

/** What a learner has read and answered, by the keys of parts: the version, and of a question the answers given. */
export type Parts = Readonly<Record<string, DonePart>>;

export interface DonePart {
  version: string;
  given?: readonly string[];
}

export function partsOf({ lesson, questions }: Step): readonly Part[] {
  return lesson ? [lesson, ...questions] : questions;
}

/** A part that has been changed since is not done. */
export function isDone(step: Step, done: Parts): boolean {
  return partsOf(step).every(({ key, version }) => done[key]?.version === version);
}

/** The first step that is not done; the number of steps when all are. */
export function placeIn(steps: readonly Step[], done: Parts): number {
  const place = steps.findIndex((step) => !isDone(step, done));
  return place < 0 ? steps.length : place;
}

/** What was answered to a question as it is now. */
export function givenTo({ key, version }: Question, done: Parts): readonly string[] | undefined {
  const part = done[key];
  return part?.version === version ? part.given : undefined;
}

/** Whether all right answers were given, and no other. */
export function isRight({ answers }: Question, given: readonly string[]): boolean {
  return answers.every(({ id, right }) => given.includes(id) === right);
}

export interface Score {
  right: number;
  total: number;
}

export function countRight(questions: readonly Question[], done: Parts): Score {
  const right = questions.filter((question) => isRight(question, givenTo(question, done) ?? []));
  return { right: right.length, total: questions.length };
}

/** In percent, as it is stored. */
export function percentOf({ right, total }: Score): number {
  return Math.round((right / total) * 10_000) / 100;
}

/** Reads what a form says of a step. A question without an answer, or with one that it does not have, is unanswered. */
export function readStep(step: Step, form: URLSearchParams): { done: Parts; unanswered: readonly string[] } {
  const done: Record<string, DonePart> = {};
  const unanswered: string[] = [];
  if (step.lesson) done[step.lesson.key] = { version: step.lesson.version };
  for (const { id, key, version, kind, answers } of step.questions) {
    const asked = new Set(form.getAll(id));
    const given = answers.flatMap((answer) => (asked.delete(answer.id) ? answer.id : []));
    const isAnswered = asked.size === 0 && given.length > 0 && (kind === 'many' || given.length === 1);
    if (isAnswered) done[key] = { version, given };
    else unanswered.push(key);
  }
  return { done, unanswered };
}

/** What is done after a step: what was answered first stays, unless the question is another now. */
export function addDone(step: Step, before: Parts, added: Parts): Parts {
  return isDone(step, before) ? before : { ...before, ...without(added, before, step) };
}

function without(added: Parts, before: Parts, step: Step): Parts {
  const kept = new Set(partsOf(step).flatMap(({ key, version }) => (before[key]?.version === version ? key : [])));
  return Object.fromEntries(Object.entries(added).filter(([key]) => !kept.has(key)));
}

/** What a form of a step is made for: another text of one of its parts is another one. */
export function versionOfStep(step: Step): string {
  return partsOf(step)
    .map(({ version }) => version)
    .join('.');
}
