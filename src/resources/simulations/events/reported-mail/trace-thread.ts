// The thread that reads one mail; see find-traces.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { readMailTraces } from './mail-traces.ts';

parentPort!.postMessage(await readMailTraces(workerData as Uint8Array));
