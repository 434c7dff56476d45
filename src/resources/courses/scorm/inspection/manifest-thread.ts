import { parentPort, workerData } from 'node:worker_threads';
import { readManifestOrFault } from './manifest.ts';

const { text, paths } = workerData as { text: string; paths: string[] };
parentPort!.postMessage(readManifestOrFault(text, paths));
