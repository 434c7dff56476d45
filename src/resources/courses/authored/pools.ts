import { hash } from 'node:crypto';
import type { Question, Step } from './course.ts';

/**
 * Draws the steps of an attempt, which includes only some steps of each pool. The attempt's id decides which steps are
 * drawn, and the order of these steps and of their answers: everything is sorted by a hash of the attempt's id and its
 * own id. The draw therefore needs no storage and stays the same on every page of the attempt. A client cannot choose
 * it, because the service creates the id. Adding a question to the pool of a running attempt can displace at most one
 * drawn question.
 */
export function drawSteps(steps: readonly Step[], attemptId: string | null): readonly Step[] {
  const drawn = new Set<string>();
  return steps.flatMap((step) => {
    const { pool } = step;
    if (!pool) return [step];
    if (drawn.has(pool.name)) return [];
    drawn.add(pool.name);
    const ofPool = steps.filter((other) => other.pool?.name === pool.name);
    return sortByHash(ofPool, ({ questions }) => `${attemptId}/${questions[0]!.key}`)
      .slice(0, pool.draw)
      .map((one) => ({ ...one, questions: one.questions.map((question) => shuffleAnswers(question, attemptId)) }));
  });
}

function shuffleAnswers(question: Question, attemptId: string | null): Question {
  return { ...question, answers: sortByHash(question.answers, ({ id }) => `${attemptId}/${question.key}/${id}`) };
}

function sortByHash<T>(items: readonly T[], toText: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, hash: hash('sha256', toText(item), 'hex') }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ item }) => item);
}

/**
 * Reports pools with too few questions, questions of unknown pools, and pools whose questions follow different lessons.
 */
export function judgePools(
  pools: Readonly<Record<string, number>>,
  questions: readonly { id: string; pool?: string; lesson?: string }[],
  report: (message: string) => void,
): void {
  for (const { id, pool } of questions) {
    if (pool !== undefined && pools[pool] === undefined) report(`course.yaml has no pool ${pool} (${id})`);
  }
  for (const [name, draw] of Object.entries(pools)) {
    const ofPool = questions.filter(({ pool }) => pool === name);
    if (ofPool.length <= draw)
      report(`the pool ${name} has ${ofPool.length} questions and must have more than the ${draw} that it draws`);
    if (new Set(ofPool.map(({ lesson }) => lesson)).size > 1)
      report(`the questions of the pool ${name} must follow the same lesson`);
  }
}
