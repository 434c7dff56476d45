import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Client, succeeded } from '../support/client.ts';
import { failuresIn } from '../support/load.ts';
import type { Service } from '../support/processes.ts';
import { repeat, type Stage, within } from '../support/stage.ts';
import type { Company } from '../support/world.ts';

const PROCESSES = 2;
const CLIENTS = 8;
const PAUSE_MS = 5;
const START_TIMEOUT_MS = 60_000;
/** The time for which the load continues after the last process has started. */
const AFTERWARDS_MS = 300;

/**
 * Starts a supervisor repeatedly while clients call its port on new connections. After the first success, no call can
 * fail: the supervisor must hand no connection to a process that is still starting.
 */
export async function firstStarts(stage: Stage): Promise<void> {
  const world = await stage.world('_first');
  const company = await world.company(100);
  const settings = {
    ROLES: 'api',
    HTTP_PROCESSES: String(PROCESSES),
    DATABASE_URL: world.serviceUrl,
    DRAIN_DELAY_MS: '0',
  };
  const supervisor = await stage.service('first-starts', settings);
  const times = stage.count(50, 3);
  const answers: Answer[] = [];
  for (let start = 1; start <= times; start++) {
    await supervisor.terminate();
    answers.push(...(await callDuringStart(stage, supervisor, company)));
  }
  const failed = answers.filter((answer) => !succeeded(answer)).length;
  stage.report({
    what: `first starts of a supervisor of ${PROCESSES} processes, under load`,
    times,
    seen: `${answers.length} requests after the first success of each start, ${failed} failed${failed > 0 ? `: ${failuresIn(answers)}` : ''}`,
    target: 'no request fails after the first success',
    reached: failed === 0 && answers.length > times * CLIENTS,
  });
}

/** Returns the responses since the first success. */
async function callDuringStart(stage: Stage, supervisor: Service, company: Company): Promise<Answer[]> {
  const answers: Answer[] = [];
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, stage.over]);
  const callers = Array.from({ length: CLIENTS }, () =>
    repeat(signal, async () => {
      const client = new Client(supervisor.url, company.key);
      answers.push(await client.get('/company'));
      client.close();
      await sleep(PAUSE_MS);
    }),
  );
  const logFile = stage.logFile('first-starts');
  const before = await timesReady(logFile);
  supervisor.spawn();
  const allReady = async () => (await timesReady(logFile)) === before + PROCESSES;
  if (!(await within(START_TIMEOUT_MS, allReady))) throw new Error('a first start does not end');
  await sleep(AFTERWARDS_MS);
  done.abort();
  await Promise.all(callers);
  const firstSuccess = Math.min(...answers.filter(succeeded).map(({ endedAt }) => endedAt));
  return answers.filter(({ startedAt }) => startedAt >= firstSuccess);
}

async function timesReady(logFile: string): Promise<number> {
  return (await readFile(logFile, 'utf8')).split('"msg":"ready"').length - 1;
}
