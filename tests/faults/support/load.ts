import { setTimeout as sleep } from 'node:timers/promises';
import { ChangingClient } from './changes.ts';
import { type Answer, Client, succeeded } from './client.ts';
import type { Ledger } from './ledger.ts';
import { repeat } from './stage.ts';
import { type Company, learnerId } from './world.ts';

const READ_PAUSE_MS = 10;

export interface Load {
  url: string;
  company: Company;
  /** @param index the index of the client */
  onAnswer: (answer: Answer, index: number) => void;
  signal: AbortSignal;
}

export interface Changes extends Load {
  ledger: Ledger;
  courseId: string;
  random: () => number;
}

/** Starts clients with persistent connections that make changes until the signal; each promise resolves at its end. */
export function changing(count: number, { signal, url, company, onAnswer, ...rest }: Changes): Promise<void>[] {
  return Array.from({ length: count }, (_, index) => {
    const client = new Client(url, company.key);
    const one = new ChangingClient({
      client,
      name: `c${index}`,
      onAnswer: (answer) => onAnswer(answer, index),
      ...rest,
    });
    return repeat(signal, () => one.change(signal));
  });
}

/**
 * Starts clients with persistent connections that read until the signal: the first one the list, the others a learner
 * each. Responses are discarded, because thousands of lists would fill the memory.
 */
export function reading(count: number, { url, company, onAnswer, signal }: Load): Promise<void>[] {
  return Array.from({ length: count }, (_, index) => {
    const client = new Client(url, company.key);
    const path = index === 0 ? '/learners' : `/learners/${learnerId(company, index)}`;
    return repeat(signal, async () => {
      onAnswer({ ...(await client.get(path)), body: undefined }, index);
      await sleep(READ_PAUSE_MS);
    });
  });
}

/** Returns the longest time without a successful call. */
export function longestGapS(answers: Answer[]): number {
  const ends = answers.filter(succeeded).map(({ endedAt }) => endedAt);
  ends.sort((a, b) => a - b);
  return Math.max(0, ...ends.slice(1).map((end, index) => end - ends[index]!)) / 1000;
}

/** Formats the number of each unsuccessful outcome, such as `3 x 502, 1 x no answer`. */
export function failuresIn(answers: Answer[]): string {
  const counts = Map.groupBy(
    answers.filter((answer) => !succeeded(answer)),
    outcomeOf,
  );
  return [...counts].map(([outcome, { length }]) => `${length} x ${outcome}`).join(', ');
}

/** Returns a status, or a description of its absence. A list that has begun can only break off. */
export function outcomeOf({ status, whole }: Answer): string {
  if (status === 0) return 'no answer';
  return whole ? String(status) : 'broke off';
}
