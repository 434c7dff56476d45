// Reads one list after another until it is terminated; posts a message when the first list has begun.
import { get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { url, headers } = workerData as { url: string; headers: Record<string, string> };

function readAgain(): void {
  get(url, { headers }, (response) => {
    parentPort!.postMessage('reading');
    response.resume().once('end', readAgain);
  });
}
readAgain();
