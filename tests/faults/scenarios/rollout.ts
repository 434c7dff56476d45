import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '../finding.ts';
import { Balancer, NOTICE_MS } from '../support/balancer.ts';
import { type Answer, succeeded } from '../support/client.ts';
import { Ledger } from '../support/ledger.ts';
import { changing, failuresIn, longestGapS, reading } from '../support/load.ts';
import type { Stage } from '../support/stage.ts';
import type { World } from '../support/world.ts';

const LEARNERS = 5000;
const CHANGING_CLIENTS = 4;
const READING_CLIENTS = 8;

/** Restarts two replicas behind HAProxy alternately, under the load of clients with persistent connections. */
export async function rollout(stage: Stage): Promise<void> {
  const world = await stage.world();
  const company = await world.company(LEARNERS);
  const postgresPort = Number(new URL(world.serviceUrl).port);
  const balancer = await Balancer.start(stage, [postgresPort, postgresPort]);
  const replicas = await balancer.startReplicas({ DATABASE_URL: world.serviceUrl });
  const ledger = new Ledger();
  const answers: Answer[] = [];
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, stage.over]);
  const load = { url: balancer.url, company, onAnswer: (answer: Answer) => void answers.push(answer), signal };
  const { random } = stage;
  const running = [
    ...changing(CHANGING_CLIENTS, { ...load, ledger, random, courseId: world.courseIds[0]! }),
    ...reading(READING_CLIENTS, load),
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
  await Promise.all(running);
  const what = 'two replicas behind HAProxy restarted in turn with SIGTERM, under load';
  stage.report(await restartFinding({ what, times: restarts * 2, world, ledger, answers }));
}

interface Restarted {
  what: string;
  times: number;
  world: World;
  ledger: Ledger;
  answers: Answer[];
}

/** Judges restarts that clients must not notice. */
export async function restartFinding({ what, times, world, ledger, answers }: Restarted): Promise<Finding> {
  const { lost, torn, doubled } = await ledger.judge(world);
  const failed = answers.filter((answer) => !succeeded(answer)).length;
  return {
    what,
    times,
    longestS: longestGapS(answers),
    lost: lost.length + torn.length,
    doubled: doubled.length,
    seen: `${answers.length} requests, ${failed} failed${failed > 0 ? `: ${failuresIn(answers)}` : ''}`,
    target: 'no request fails',
    reached: failed + lost.length + torn.length + doubled.length === 0,
  };
}
