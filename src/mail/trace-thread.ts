// A thread that reads one mail: see `find-traces.ts`.
import { parentPort, workerData } from 'node:worker_threads';
import { tracesOf } from './mail-traces.ts';

parentPort!.postMessage(await tracesOf(workerData as Uint8Array));
