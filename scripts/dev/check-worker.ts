// A worker thread that runs one check for each message, and keeps its state warm. `workerData` names the check.
import { parentPort, workerData } from 'node:worker_threads';

const check = await load(workerData as 'lint' | 'types');
parentPort!.on('message', () => void run().then((problems) => parentPort!.postMessage(problems)));

/** A check that fails itself, on a file that is half written say, is one more problem. */
async function run(): Promise<string[]> {
  try {
    return await check();
  } catch (error) {
    return [`The check itself has failed: ${(error as Error).stack}`];
  }
}

async function load(name: 'lint' | 'types'): Promise<() => Promise<string[]> | string[]> {
  if (name === 'lint') return (await import('./lint.ts')).lintContract;
  return (await import('./types.ts')).createTypeCheck();
}
