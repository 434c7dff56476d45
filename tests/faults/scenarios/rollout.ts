import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, statusOf } from '../../process/support.ts';
import { type Finding, Skipped } from '../finding.ts';
import { ChangingClient } from '../support/changes.ts';
import { type Answer, Client, succeeded } from '../support/client.ts';
import { Ledger } from '../support/ledger.ts';
import { endChild, type Service, startChild } from '../support/processes.ts';
import { repeat, type Stage, within } from '../support/stage.ts';
import { type Company, learnerId, type World } from '../support/world.ts';

const LEARNERS = 5000;
const CHANGING_CLIENTS = 4;
const READING_CLIENTS = 8;
const READ_PAUSE_MS = 10;
/** Longer than the balancer needs to notice that a replica is not ready. */
const DRAIN_DELAY_MS = 3000;
/** The balancer looks every half second. */
const NOTICE_MS = 1000;
const HAPROXY_CONFIG = join(import.meta.dirname, '../haproxy.cfg');

/** Restarts two replicas behind HAProxy in turn, under the load of clients that keep their connections. */
export async function rollout(stage: Stage): Promise<void> {
  if (spawnSync('haproxy', ['-v']).error) throw new Skipped('rollout: there is no haproxy on the path');
  const world = await stage.world();
  const company = await world.company(LEARNERS);
  const replicas = await Promise.all(['a', 'b'].map((name) => startReplica(stage, world, name)));
  const url = await startBalancer(stage, replicas);
  const ledger = new Ledger();
  const answers: Answer[] = [];
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, stage.over]);
  const onAnswer = (answer: Answer) => void answers.push(answer);
  const load = [
    ...changing(stage, { url, company, world, ledger, onAnswer, signal }),
    ...reading({ url, company, onAnswer, signal }),
  ];
  const restarts = stage.count(20, 2);
  for (let round = 0; round < restarts; round++) {
    for (const replica of replicas) {
      await replica.terminate();
      await replica.start();
      await sleep(NOTICE_MS);
    }
  }
  done.abort();
  await Promise.all(load);
  stage.report(await finding(world, ledger, answers, restarts));
}

function startReplica(stage: Stage, world: World, name: string): Promise<Service> {
  return stage.service(`replica-${name}`, {
    ROLES: 'api',
    DATABASE_URL: world.serviceUrl,
    TRUSTED_PROXY_HOPS: '1',
    KEEP_ALIVE_MS: '75000',
    DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
  });
}

/** Resolves with the address of the service behind the balancer. */
async function startBalancer(stage: Stage, [a, b]: Service[]): Promise<string> {
  const port = await freePort();
  const env = { FRONT_PORT: String(port), PORT_A: String(a!.port), PORT_B: String(b!.port) };
  const balancer = startChild('haproxy', ['-db', '-f', HAPROXY_CONFIG], env, stage.logFile('haproxy'));
  stage.atEnd(() => endChild(balancer, 'SIGKILL'));
  const url = `http://127.0.0.1:${port}/v1`;
  if (await within(10_000, async () => (await statusOf(`${url}/ready`)) === 200)) return url;
  throw new Error('HAProxy does not start; its log has the reason');
}

interface Load {
  url: string;
  company: Company;
  onAnswer: (answer: Answer) => void;
  signal: AbortSignal;
}

function changing(stage: Stage, { signal, url, company, world, ...rest }: Load & { world: World; ledger: Ledger }) {
  return Array.from({ length: CHANGING_CLIENTS }, (_, index) => {
    const client = new Client(url, company.key);
    const options = { client, random: stage.random, name: `c${index}`, courseId: world.courseIds[0]!, ...rest };
    const one = new ChangingClient(options);
    return repeat(signal, () => one.change(signal));
  });
}

function reading({ url, company, onAnswer, signal }: Load): Promise<void>[] {
  return Array.from({ length: READING_CLIENTS }, (_, index) => {
    const client = new Client(url, company.key);
    const path = index === 0 ? '/learners' : `/learners/${learnerId(company, index)}`;
    return repeat(signal, async () => {
      onAnswer(await client.get(path));
      await sleep(READ_PAUSE_MS);
    });
  });
}

async function finding(world: World, ledger: Ledger, answers: Answer[], restarts: number): Promise<Finding> {
  const { lost, torn, doubled } = await ledger.judge(world);
  const failed = answers.filter((answer) => !succeeded(answer));
  const counts = Map.groupBy(failed, ({ status, whole }) =>
    status === 200 && !whole ? 'broke off' : status || 'no answer',
  );
  const how = [...counts].map(([outcome, { length }]) => `${length} x ${outcome}`).join(', ');
  return {
    what: 'two replicas behind HAProxy restarted in turn with SIGTERM, under load',
    times: restarts * 2,
    longestS: longestGapS(answers),
    lost: lost.length + torn.length,
    doubled: doubled.length,
    seen: `${answers.length} requests, ${failed.length} failed${how && `: ${how}`}`,
    target: 'no request fails',
    reached: failed.length + lost.length + torn.length + doubled.length === 0,
  };
}

/** The longest time in which no call succeeded. */
function longestGapS(answers: Answer[]): number {
  const ends = answers.filter(succeeded).map(({ endedAt }) => endedAt);
  ends.sort((a, b) => a - b);
  return Math.max(...ends.slice(1).map((end, index) => end - ends[index]!)) / 1000;
}
