import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { type Call, createLearner, isDeleted, judge, type Verdicts } from './calls.ts';
import { explain, Skipped } from './commands.ts';
import type { DemoService } from './demo-service.ts';

export const root = join(import.meta.dirname, '../..');
/** What is installed and generated; `make clean` removes it. */
export const workshop = join(root, '.tools/sdk-check');
export const contract = join(root, 'generated/openapi.json');
/** The programs that call the service through a client, a file for each client. */
export const programs = join(import.meta.dirname, 'programs');

/** What a program is told about the service. */
export type ProgramEnv = Record<'SERVICE_URL' | 'SERVICE_KEY' | 'PDF_FILE' | 'LEARNER_ID' | 'EMAIL', string>;

export interface Check {
  language: string;
  generator: string;
  /**
   * Generates the client in an empty folder, compiles it with its program, and runs that.
   * @returns what the program said
   * @throws {Skipped} for want of a tool
   * @throws {Failed} when the client cannot be generated or compiled
   */
  run(folder: string, env: ProgramEnv): Promise<string>;
}

/** The result of a check: the outcome of each call, or why there is none. */
export type Outcome = { verdicts: Verdicts } | { skipped: string } | { failed: string };

/** Runs a check, prints its result and returns it. */
export async function perform(check: Check, service: DemoService): Promise<Outcome> {
  const began = performance.now();
  const outcome = await outcomeOf(check, service);
  printOutcome(check.language, check.generator, inWords(outcome), began);
  return outcome;
}

/** Prints the outcome of a check that began at a `performance.now()`. */
export function printOutcome(language: string, subject: string, outcome: string, began: number): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${language.padEnd(12)}${subject.padEnd(38)}${outcome} (${seconds} s)`);
}

async function outcomeOf(check: Check, service: DemoService): Promise<Outcome> {
  const name = `${check.language}-${check.generator}`.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  const folder = join(workshop, 'clients', name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    const learnerId = await createLearner(service, `deleted-by-${name}@acme-industries.test`);
    const { url: SERVICE_URL, key: SERVICE_KEY, pdf: PDF_FILE, expected } = service;
    const email = `${name}@acme-industries.test`;
    const said = await check.run(folder, { SERVICE_URL, SERVICE_KEY, PDF_FILE, LEARNER_ID: learnerId, EMAIL: email });
    const verdicts = judge(said, expected);
    if (verdicts.deletion === 'yes' && !(await isDeleted(service, learnerId))) verdicts.deletion = 'deleted nothing';
    return { verdicts };
  } catch (error) {
    if (error instanceof Skipped) return { skipped: error.message };
    return { failed: explain(error) };
  }
}

function inWords(outcome: Outcome): string {
  if ('skipped' in outcome) return `skipped: ${outcome.skipped}`;
  if ('failed' in outcome) return `FAILED: ${outcome.failed}`;
  const wrong = Object.entries(outcome.verdicts).filter(([, verdict]) => verdict !== 'yes');
  return wrong.length === 0 ? 'all calls' : wrong.map(([call, verdict]) => `${call as Call}: ${verdict}`).join('; ');
}
