import { performance } from 'node:perf_hooks';
import { Failed, Skipped } from './commands.ts';

/** The reason why a step has no result. */
export type Unfinished = { skipped: string } | { failed: string };

/** Converts an error to the reason: a missing tool or a failure. */
export function explainError(error: unknown): Unfinished {
  if (error instanceof Skipped) return { skipped: error.message };
  return { failed: error instanceof Failed ? error.message : ((error as Error).stack ?? String(error)) };
}

export function formatReason(reason: Unfinished): string {
  return 'skipped' in reason ? `skipped: ${reason.skipped}` : `FAILED: ${reason.failed}`;
}

/** Runs the work, prints the outcome with the seconds that it took, and returns the outcome. */
export async function printOutcome<T>(
  [language, name]: [string, string],
  work: () => Promise<T>,
  format: (outcome: T) => string,
): Promise<T> {
  const began = performance.now();
  const outcome = await work();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${language.padEnd(12)}${name.padEnd(38)}${format(outcome)} (${seconds} s)`);
  return outcome;
}

/** Runs work that resolves to a description of its result, and prints the description. Returns the problems. */
export async function attempt(language: string, name: string, work: () => Promise<string>): Promise<string[]> {
  const outcome = await printOutcome(
    [language, name],
    () => work().then((result) => ({ result }), explainError),
    (ended) => ('result' in ended ? ended.result : formatReason(ended)),
  );
  return 'failed' in outcome ? [`${language}, ${name}: ${outcome.failed}`] : [];
}
