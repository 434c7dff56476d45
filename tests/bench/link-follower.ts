// Follows simulation links, each recipient from a separate IP address: the image in one round, the page in the next.
// Like people, it sends hits at random moments without waiting for earlier responses.
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface Plan {
  url: string;
  tokens: string[];
  /** The number of hits before this plan. */
  first: number;
  hitsPerSecond: number;
  seconds: number;
}

export interface Followed {
  seconds: number;
  /** Milliseconds until the response to each hit. */
  times: number[];
}

const AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
const TICK_MS = 2;

const { url, tokens, first, hitsPerSecond, seconds } = workerData as Plan;
const agent = new Agent({ keepAlive: true });

function follow(hit: number): Promise<number> {
  const [recipient, round] = [hit % tokens.length, Math.floor(hit / tokens.length)];
  const path = `/s/${tokens[recipient]!}${round % 2 === 0 ? '/picture.gif' : ''}`;
  const address = `10.0.${recipient >> 8}.${recipient & 255}`;
  // A repeated hit of the same program would not be a new event.
  const headers = { 'x-forwarded-for': address, 'user-agent': `${AGENT} ${round}` };
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    get(url + path, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
      response.resume().once('end', () => resolve(performance.now() - startedAt));
    }).on('error', reject);
  });
}

const startedAt = performance.now();
const end = startedAt + seconds * 1000;
const hits: Promise<number>[] = [];
for (let next = startedAt; next < end; await sleep(TICK_MS)) {
  for (; next < performance.now(); next += -Math.log(1 - Math.random()) * (1000 / hitsPerSecond)) {
    hits.push(follow(first + hits.length));
  }
}
const times = await Promise.all(hits);
const followed: Followed = { seconds: (performance.now() - startedAt) / 1000, times };
parentPort!.postMessage(followed);
