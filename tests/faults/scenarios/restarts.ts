import { readFile } from 'node:fs/promises';
import type { Answer } from '../support/client.ts';
import { Ledger } from '../support/ledger.ts';
import { changing, reading } from '../support/load.ts';
import { type Stage, within } from '../support/stage.ts';
import { firstStarts } from './first-starts.ts';
import { restartFinding } from './rollout.ts';

const LEARNERS = 5000;
const PROCESSES = 2;
const CHANGING_CLIENTS = 4;
const READING_CLIENTS = 8;
const RESTART_TIMEOUT_MS = 60_000;

/** Has a supervisor replace its processes repeatedly, under the load of clients with persistent connections. */
export async function restarts(stage: Stage): Promise<void> {
  const world = await stage.world();
  const company = await world.company(LEARNERS);
  const supervisor = await stage.service('supervisor', {
    ROLES: 'api',
    HTTP_PROCESSES: String(PROCESSES),
    DATABASE_URL: world.serviceUrl,
    DRAIN_DELAY_MS: '2000',
  });
  const ledger = new Ledger();
  const answers: Answer[] = [];
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, stage.over]);
  const load = { url: supervisor.url, company, onAnswer: (answer: Answer) => void answers.push(answer), signal };
  const { random } = stage;
  const running = [
    ...changing(CHANGING_CLIENTS, { ...load, ledger, random, courseId: world.courseIds[0]! }),
    ...reading(READING_CLIENTS, load),
  ];
  const times = stage.count(50, 2);
  for (let round = 1; round <= times; round++) {
    supervisor.signal('SIGHUP');
    const isOver = async () => (await timesRestarted(stage.logFile('supervisor'))) === round;
    if (!(await within(RESTART_TIMEOUT_MS, isOver))) throw new Error(`restart ${round} does not end`);
  }
  done.abort();
  await Promise.all(running);
  const what = `each of ${PROCESSES} processes of a supervisor replaced by SIGHUP, under load`;
  stage.report(await restartFinding({ what, times: times * PROCESSES, world, ledger, answers }));
  await supervisor.terminate();
  await firstStarts(stage);
}

async function timesRestarted(logFile: string): Promise<number> {
  return (await readFile(logFile, 'utf8')).split('"msg":"restarted"').length - 1;
}
