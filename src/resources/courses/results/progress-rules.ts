import type { Part, Question, Step } from '../authored/course.ts';
import { HARMLESS } from '../authored/mail.ts';
import { findEnd, followPath } from '../authored/scenario.ts';

/** Parts that a learner has read or answered, by key. */
export type Parts = Readonly<Record<string, CompletedPart>>;

export interface CompletedPart {
  version: string;
  /** Chosen answers, or the path through a scenario. */
  given?: readonly string[];
}

/** Parts that a form submits, by key. */
export type SentParts = Readonly<Record<string, SentPart>>;

export interface SentPart extends CompletedPart {
  /** Path in the scenario at the time of the choice that the form submits. */
  after?: readonly string[];
}

function listParts({ lesson, questions }: Step): readonly (Part | Question)[] {
  return lesson ? [lesson, ...questions] : questions;
}

/**
 * Reports whether all parts of a step are completed. A part whose text has changed in the meantime counts as
 * incomplete.
 */
export function isDone(step: Step, completedParts: Parts): boolean {
  return listParts(step).every((part) => isPartDone(part, completedParts));
}

/** Reports whether a lesson was read, a question answered, or the end of a scenario reached. */
export function isPartDone(part: Part | Question, completedParts: Parts): boolean {
  const completed = completedParts[part.key];
  if (completed?.version !== part.version) return false;
  return !isScenario(part) || findEnd(part.scenes, completed.given ?? []) !== null;
}

function isScenario(part: Part | Question): part is Question {
  return 'kind' in part && part.kind === 'scenario';
}

/** Returns the index of the first incomplete step; the number of steps if there is none. */
export function placeIn(steps: readonly Step[], completedParts: Parts): number {
  const place = steps.findIndex((step) => !isDone(step, completedParts));
  return place < 0 ? steps.length : place;
}

/** Returns the answers given to the current version of a question. */
export function chosenAnswers({ key, version }: Question, completedParts: Parts): readonly string[] | undefined {
  const part = completedParts[key];
  return part?.version === version ? part.given : undefined;
}

/**
 * Reports whether all correct answers were given, or as many as the question requires, and no wrong answers. A scenario
 * is correct if its path reaches a good end.
 */
export function isRight({ kind, answers, scenes, atLeast }: Question, chosen: readonly string[]): boolean {
  if (kind === 'scenario') return findEnd(scenes, chosen) === 'good';
  const rights = answers.filter(({ right }) => right);
  const found = rights.filter(({ id }) => chosen.includes(id));
  const hasWrong = answers.some(({ id, right }) => !right && chosen.includes(id));
  return !hasWrong && found.length >= (atLeast ?? rights.length);
}

export interface Score {
  right: number;
  total: number;
}

export function countRight(questions: readonly Question[], completedParts: Parts): Score {
  const right = questions.filter((question) => isRight(question, chosenAnswers(question, completedParts) ?? []));
  return { right: right.length, total: questions.length };
}

/** Returns the score in percent, rounded to the precision in which it is stored. */
export function toPercent({ right, total }: Score): number {
  return Math.round((right / total) * 10_000) / 100;
}

/**
 * Reads the form of a step. A question is unanswered if its answers are missing, unknown or too many, or if an email
 * has marked parts and the answer "harmless".
 */
export function readStep(step: Step, form: URLSearchParams): { done: SentParts; unanswered: readonly string[] } {
  const done: Record<string, SentPart> = {};
  const unanswered: string[] = [];
  if (step.lesson) done[step.lesson.key] = { version: step.lesson.version };
  for (const question of step.questions) {
    const { id, key, version, kind, answers } = question;
    if (kind === 'scenario') {
      const move = readMove(question, form);
      if (move) done[key] = move;
      else unanswered.push(key);
      continue;
    }
    const chosenIds = new Set(form.getAll(id));
    const given = answers.flatMap((answer) => (chosenIds.delete(answer.id) ? answer.id : []));
    const isOne = kind === 'one' || given.includes(HARMLESS);
    const isAnswered = chosenIds.size === 0 && given.length > 0 && (!isOne || given.length === 1);
    if (isAnswered) done[key] = { version, given };
    else unanswered.push(key);
  }
  return { done, unanswered };
}

/** Reads the choice in a scene. Returns undefined if the scene does not have the choice. */
function readMove({ id, version, scenes }: Question, form: URLSearchParams): SentPart | undefined {
  const after = (form.get(`${id}-path`) ?? '').split('.').filter(Boolean);
  const given = followPath(scenes, [...after, form.get(id) ?? ''])?.path;
  return given && { version, given, after };
}

/**
 * Adds the answers of a step. Keeps earlier answers, unless the question has changed in the meantime. A choice in a
 * scenario counts only in the scene that the learner has reached.
 */
export function addDone(step: Step, before: Parts, added: SentParts): Parts {
  const parts = new Map(listParts(step).map((part) => [part.key, part]));
  const fresh = Object.entries(added).flatMap(([key, { after, ...part }]) => {
    const stored = before[key]?.version === part.version ? before[key] : undefined;
    const isLate = after !== undefined && after.join('.') !== (stored?.given ?? []).join('.');
    return isLate || isPartDone(parts.get(key)!, before) ? [] : [[key, part] as const];
  });
  return fresh.length === 0 ? before : { ...before, ...Object.fromEntries(fresh) };
}

/** Returns the version of a step, which changes with the text of any of its parts. */
export function buildStepVersion(step: Step): string {
  return listParts(step)
    .map(({ version }) => version)
    .join('.');
}
