// A worker thread that runs one check for each message, and keeps its state warm. `workerData` names the check.
import { parentPort, workerData } from 'node:worker_threads';

const check = await load(workerData as 'lint' | 'types');
parentPort!.on('message', () => void Promise.resolve(check()).then((problems) => parentPort!.postMessage(problems)));

async function load(name: 'lint' | 'types'): Promise<() => Promise<string[]> | string[]> {
  if (name === 'lint') return (await import('./lint.ts')).lintContract;
  return (await import('./types.ts')).createTypeCheck();
}
