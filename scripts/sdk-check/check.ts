import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Failed, Skipped } from './commands.ts';
import type { DemoService } from './demo-service.ts';

export const root = join(import.meta.dirname, '../..');
/** What is installed and generated; `make clean` removes it. */
export const workshop = join(root, '.tools/sdk-check');
export const contract = join(root, 'generated/openapi.json');

export interface Check {
  language: string;
  generator: string;
  /**
   * Works in an empty folder, and resolves to what it has done.
   * @throws {Skipped} for want of a tool
   * @throws {Failed} when something is wrong with the client
   */
  run(folder: string, service: DemoService): Promise<string>;
}

/** Runs a check and says how it went. Resolves to false when it failed. */
export async function perform(check: Check, service: DemoService): Promise<boolean> {
  const { language, generator } = check;
  const folder = join(workshop, 'clients', `${language}-${generator}`.toLowerCase());
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const began = performance.now();
  const say = (verdict: string, words: string) => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${verdict.padEnd(8)}${language.padEnd(12)}${generator.padEnd(34)}${words} (${seconds} s)`);
  };
  try {
    say('ok', await check.run(folder, service));
    return true;
  } catch (error) {
    if (error instanceof Skipped) {
      say('skipped', error.message);
      return true;
    }
    say('FAILED', error instanceof Failed ? error.message : ((error as Error).stack ?? String(error)));
    return false;
  }
}
