// A thread that writes a contract as YAML: see `published-contract.ts`.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { dump } from 'js-yaml';

const document = JSON.parse(readFileSync(new URL(workerData as string), 'utf8')) as object;
// Without anchors, which some YAML readers do not support, and without line breaks in strings.
parentPort!.postMessage(dump(document, { noRefs: true, lineWidth: -1 }));
