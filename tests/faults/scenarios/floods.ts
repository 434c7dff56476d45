import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Finding } from '../finding.ts';
import { type FloodTarget, floods as kinds, LEARNERS } from '../floods/kinds.ts';
import type { Felt, NeighbourTask } from '../floods/neighbour.ts';
import { endChild, type Service, startChild } from '../support/processes.ts';
import type { Stage } from '../support/stage.ts';
import { type Company, learnerId, type World } from '../support/world.ts';

const FLOODER = 'tests/faults/floods/flooder.ts';
const NEIGHBOUR = join(import.meta.dirname, '../floods/neighbour.ts');
const GROUP = 30_000;
const NEIGHBOURS_LEARNERS = 300;
const WARM_S = 3;
const FLOOD_BEFORE_MS = 2000;
const TIMES_ALONE = 3;
/** On a machine that is shared with the flood itself, so few milliseconds say nothing. */
const FLOOR_MS = 25;

interface Cast {
  stage: Stage;
  world: World;
  flooding: [Company, Company];
  groupId: string;
  neighbour: Company;
  seconds: number;
}

/** One company floods the service in each way, while another calls; before that, the other calls alone. */
export async function floods(stage: Stage): Promise<Finding[]> {
  const world = await stage.world();
  const flooding: [Company, Company] = [await world.company(LEARNERS), await world.company(LEARNERS)];
  const groupId = await world.group(flooding[0], GROUP);
  const neighbour = await world.company(NEIGHBOURS_LEARNERS);
  await world.query('vacuum analyze');
  const cast = { stage, world, flooding, groupId, neighbour, seconds: stage.count(10, 4) };
  const alone = await feel(cast, undefined);
  stage.note(`alone: ${inWords(alone)}`);
  const findings: Finding[] = [];
  for (const kind of Object.keys(kinds)) {
    const felt = await feel(cast, kind);
    stage.note(`${kind}: ${inWords(felt)}`);
    findings.push(finding(kind, felt, alone));
  }
  return findings;
}

/** On a service of its own, so that nobody is judged by what the flood before has left behind. */
async function feel(cast: Cast, kind: string | undefined): Promise<Felt> {
  const { stage, world, seconds } = cast;
  const service = await stage.service('api', { ROLES: 'api', DATABASE_URL: world.serviceUrl });
  await call(cast, service, WARM_S);
  const flood = kind === undefined ? undefined : startFlood(cast, service, kind);
  if (flood) await sleep(FLOOD_BEFORE_MS);
  const felt = await call(cast, service, seconds);
  if (flood) await endChild(flood, 'SIGKILL');
  await service.kill();
  return felt;
}

function startFlood({ stage, world, flooding, groupId }: Cast, { url }: Service, kind: string) {
  const target: FloodTarget = { url, companies: flooding, groupId, courseIds: world.courseIds };
  const flood = startChild(process.execPath, [FLOODER, kind, JSON.stringify(target)], {}, stage.logFile('flooder'));
  stage.atEnd(() => endChild(flood, 'SIGKILL'));
  return flood;
}

async function call({ neighbour }: Cast, { url }: Service, seconds: number): Promise<Felt> {
  const learnerIds: [string, string] = [learnerId(neighbour, 1), learnerId(neighbour, 2)];
  const task: NeighbourTask = { url, key: neighbour.key, learnerIds, seconds };
  const { stdout } = await promisify(execFile)(process.execPath, [NEIGHBOUR, JSON.stringify(task)]);
  return JSON.parse(stdout) as Felt;
}

function finding(kind: string, felt: Felt, alone: Felt): Finding {
  const isSlow = Object.entries(felt.p99Ms).some(
    ([call, ms]) => ms > Math.max(FLOOR_MS, TIMES_ALONE * (alone.p99Ms[call] ?? 0)),
  );
  return {
    what: `another company floods: ${kind}`,
    times: felt.calls,
    seen: `${inWords(felt)} (alone ${milliseconds(alone)})`,
    target: `p99 at most ${TIMES_ALONE} x its own alone or ${FLOOR_MS} ms, and no failure`,
    reached: !isSlow && Object.keys(felt.failures).length === 0,
  };
}

function inWords(felt: Felt): string {
  const failures = Object.entries(felt.failures).map(
    ([status, times]) => `${times} x ${status === '0' ? 'no answer' : status}`,
  );
  return `p99 ${milliseconds(felt)}${failures.length > 0 ? `; ${failures.join(', ')}` : ''}`;
}

function milliseconds({ p99Ms }: Felt): string {
  return Object.entries(p99Ms)
    .map(([call, ms]) => `${call} ${ms.toFixed(0)} ms`)
    .join(', ');
}
