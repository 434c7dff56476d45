import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { explainError, formatReason, printOutcome, type Unfinished } from './attempts.ts';
import { type Call, createLearner, isDeleted, judge, type Verdicts } from './calls.ts';
import type { DemoService } from './demo-service.ts';

export const root = join(import.meta.dirname, '../..');
/** The folder of installed tools and generated clients; `make clean` removes it. */
export const workshop = join(root, '.tools/sdk-check');
export const contract = join(root, 'generated/openapi.json');
/** The folder of the programs that call the service, one for each client. */
export const programs = join(import.meta.dirname, 'programs');

/** Environment variables that describe the service to a program. */
export type ProgramEnv = Record<'SERVICE_URL' | 'SERVICE_KEY' | 'PDF_FILE' | 'LEARNER_ID' | 'EMAIL', string>;

export interface Check {
  language: string;
  generator: string;
  /**
   * Generates the client in an empty folder, compiles it with its program, and runs the program.
   * @returns the output of the program
   * @throws {Skipped} if a tool is missing
   * @throws {Failed} if the client cannot be generated or compiled
   */
  run(folder: string, env: ProgramEnv): Promise<string>;
}

/** The result of a check: the outcome of each call, or the reason why it is missing. */
export type Outcome = { verdicts: Verdicts } | Unfinished;

/** Runs a check, prints its result and returns it. */
export function perform(check: Check, service: DemoService): Promise<Outcome> {
  return printOutcome([check.language, check.generator], () => getOutcome(check, service), formatOutcome);
}

async function getOutcome(check: Check, service: DemoService): Promise<Outcome> {
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
    return explainError(error);
  }
}

function formatOutcome(outcome: Outcome): string {
  if (!('verdicts' in outcome)) return formatReason(outcome);
  const wrong = Object.entries(outcome.verdicts).filter(([, verdict]) => verdict !== 'yes');
  return wrong.length === 0 ? 'all calls' : wrong.map(([call, verdict]) => `${call as Call}: ${verdict}`).join('; ');
}
