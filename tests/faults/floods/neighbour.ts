// The company next to the flooding one: makes calls for some seconds, then prints their latencies as JSON.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Client, succeeded } from '../support/client.ts';
import { p99, repeat } from '../support/stage.ts';

export interface NeighbourTask {
  url: string;
  key: string;
  learnerIds: [string, string];
  /** Seconds of unmeasured calls, before `seconds` of measured calls. */
  warmSeconds: number;
  seconds: number;
}

export interface Felt {
  /** 99th percentile of the response time by kind of call, in milliseconds. */
  p99Ms: Record<string, number>;
  calls: number;
  /** Number of responses by status, for statuses other than 200; 0 stands for no response. */
  failures: Record<number, number>;
}

const PAUSE_MS = 20;
/** Timeout of a call; a call without a response counts as this slow. */
const ANSWER_TIMEOUT_MS = 15_000;

if (import.meta.main) process.stdout.write(JSON.stringify(await call(JSON.parse(process.argv[2]!) as NeighbourTask)));

async function call({ url, key, learnerIds: [read, changed], warmSeconds, seconds }: NeighbourTask): Promise<Felt> {
  const name = { firstName: 'Ada', lastName: 'Lovelace' };
  const kinds: Record<string, (client: Client) => Promise<Answer>> = {
    read: (client) => client.get(`/learners/${read}`),
    list: (client) => client.get('/learners'),
    change: (client) => client.call('PATCH', `/learners/${changed}`, name),
  };
  const countedFrom = performance.now() + warmSeconds * 1000;
  const signal = AbortSignal.timeout((warmSeconds + seconds) * 1000);
  const felt: Felt = { p99Ms: {}, calls: 0, failures: {} };
  const calling = Object.entries(kinds).map(async ([kind, work]) => {
    const client = new Client(url, key, ANSWER_TIMEOUT_MS);
    const times: number[] = [];
    await repeat(signal, async () => {
      const answer = await work(client);
      await sleep(PAUSE_MS);
      if (answer.endedAt < countedFrom) return;
      times.push(answer.endedAt - answer.startedAt);
      felt.calls += 1;
      if (!succeeded(answer)) felt.failures[answer.status] = (felt.failures[answer.status] ?? 0) + 1;
    });
    client.close();
    felt.p99Ms[kind] = p99(times);
  });
  await Promise.all(calling);
  return felt;
}
