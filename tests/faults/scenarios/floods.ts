import { execFile } from 'node:child_process';
import { join } from 'node:path';
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
const TIMES_ALONE = 3;
/** Response time that is never too slow: the flood runs on the same machine, so a few milliseconds mean nothing. */
const FLOOR_MS = 25;

export interface Cast {
  stage: Stage;
  world: World;
  flooding: [Company, Company];
  groupId: string;
  neighbour: Company;
}

/** A flood that takes longer than others, and its requirements of a service. */
export interface LongFlood {
  seconds: number;
  prepare: (service: Service) => Promise<Partial<FloodTarget>>;
}

/** One company floods the service in each way, while another repeats calls that it made before. */
export async function floods(stage: Stage): Promise<void> {
  const cast = await castOf(stage);
  for (const kind of Object.keys(kinds)) await play(cast, kind);
}

export async function castOf(stage: Stage): Promise<Cast> {
  const world = await stage.world();
  const flooding: [Company, Company] = [await world.company(LEARNERS), await world.company(LEARNERS)];
  const groupId = await world.group(flooding[0], GROUP);
  const neighbour = await world.company(NEIGHBOURS_LEARNERS);
  await world.query('vacuum analyze');
  return { stage, world, flooding, groupId, neighbour };
}

/** Runs a flood on a new service, so that earlier floods do not affect the result. */
export async function play(cast: Cast, kind: string, long?: LongFlood): Promise<void> {
  const { stage, world } = cast;
  const seconds = stage.count(10, 3);
  const service = await stage.service('api', { ROLES: 'api', DATABASE_URL: world.serviceUrl });
  const own = await long?.prepare(service);
  const alone = await call(cast, service, { warmSeconds: 3, seconds });
  const flood = startFlood(cast, service, kind, own);
  const felt = await call(cast, service, { warmSeconds: 2, seconds: long?.seconds ?? seconds });
  await endChild(flood, 'SIGKILL');
  await service.kill();
  stage.report(finding(kind, felt, alone));
}

function startFlood(cast: Cast, { url }: Service, kind: string, own: Partial<FloodTarget> = {}) {
  const { stage, world, flooding, groupId } = cast;
  const target: FloodTarget = { url, companies: flooding, groupId, courseIds: world.courseIds, ...own };
  const flood = startChild(process.execPath, [FLOODER, kind, JSON.stringify(target)], {}, stage.logFile('flooder'));
  stage.atEnd(() => endChild(flood, 'SIGKILL'));
  return flood;
}

type Times = Pick<NeighbourTask, 'warmSeconds' | 'seconds'>;

async function call({ neighbour }: Cast, { url }: Service, times: Times): Promise<Felt> {
  const learnerIds: [string, string] = [learnerId(neighbour, 1), learnerId(neighbour, 2)];
  const task: NeighbourTask = { url, key: neighbour.key, learnerIds, ...times };
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
