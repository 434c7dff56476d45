// The thread that reads one mail of the bounce mailbox; see read-in-thread.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { readBounceMail } from './read-bounce.ts';

parentPort!.postMessage(await readBounceMail(workerData as Uint8Array));
