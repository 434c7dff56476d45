// The worker thread of a check: runs it for each message, and keeps its state warm. `workerData` names the check.
import { parentPort, workerData } from 'node:worker_threads';

const check = await load(workerData as 'lint' | 'types');
parentPort!.on('message', () => void run().then((problems) => parentPort!.postMessage(problems)));

/** Runs the check. If the check itself fails, for example on a half-written file, reports that as a problem. */
async function run(): Promise<string[]> {
  try {
    return await check();
  } catch (error) {
    return [`The check itself failed: ${(error as Error).stack}`];
  }
}

async function load(name: 'lint' | 'types'): Promise<() => Promise<string[]> | string[]> {
  if (name === 'lint') return (await import('./lint.ts')).lintContract;
  return (await import('./types.ts')).createTypeCheck();
}
