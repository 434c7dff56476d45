// Exposes the service to faults of machines, networks and other companies, and judges whether it keeps its guarantees.
//   node tests/faults/run.ts [--quick] [--seed NUMBER] [kills] [retries] [outages] [database] [smtp] [simulations]
// [campaigns] [feed] [rollout] [restarts] [failover] [webhooks] [floods] [bodies]
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Finding, type Scenario, Skipped } from './finding.ts';
import { report, row } from './report.ts';
import { bodies } from './scenarios/bodies.ts';
import { campaigns } from './scenarios/campaigns.ts';
import { database } from './scenarios/database.ts';
import { failover } from './scenarios/failover.ts';
import { feed } from './scenarios/feed.ts';
import { floods } from './scenarios/floods.ts';
import { kills } from './scenarios/kills.ts';
import { outages } from './scenarios/outages.ts';
import { restarts } from './scenarios/restarts.ts';
import { retries } from './scenarios/retries.ts';
import { rollout } from './scenarios/rollout.ts';
import { simulations } from './scenarios/simulations.ts';
import { smtp } from './scenarios/smtp.ts';
import { webhooks } from './scenarios/webhooks.ts';
import { FaultyPostgres } from './support/postgres.ts';
import { Stage } from './support/stage.ts';

/** A scenario, and the minutes after which it is aborted. */
const scenarios: Record<string, { play: Scenario; minutes: number }> = {
  kills: { play: kills, minutes: 9 },
  retries: { play: retries, minutes: 6 },
  outages: { play: outages, minutes: 6 },
  database: { play: database, minutes: 7 },
  smtp: { play: smtp, minutes: 4 },
  simulations: { play: simulations, minutes: 12 },
  campaigns: { play: campaigns, minutes: 8 },
  feed: { play: feed, minutes: 4 },
  rollout: { play: rollout, minutes: 8 },
  restarts: { play: restarts, minutes: 25 },
  failover: { play: failover, minutes: 8 },
  webhooks: { play: webhooks, minutes: 6 },
  floods: { play: floods, minutes: 6 },
  bodies: { play: bodies, minutes: 8 },
};

const { values, positionals: asked } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, seed: { type: 'string' } },
  allowPositionals: true,
});
const unknown = asked.filter((name) => !(name in scenarios));
if (unknown.length > 0) {
  console.error(`There is no scenario ${unknown.join(', ')}; there are ${Object.keys(scenarios).join(', ')}.`);
  process.exit(64);
}

/** A port that a run occupies: two concurrent runs would kill each other's Postgres. */
const TURN_PORT = 29_900;
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const folder = await mkdtemp(join(tmpdir(), 'faults-'));
let postgres: FaultyPostgres | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(130));
process.once('uncaughtException', (error) => {
  console.error(error);
  void leave(1);
});

const findings: Finding[] = [];
const skipped: string[] = [];
await takeTurn();
const server = (postgres = await FaultyPostgres.start(join(import.meta.dirname, '../../.postgres/faults')));
try {
  console.log(`seed ${seed}, logs in ${folder}`);
  for (const name of Object.keys(scenarios)) {
    if (asked.length === 0 || asked.includes(name)) await play(name, server);
  }
} finally {
  await server.stop();
}
const whole = asked.length === 0 && !values.quick;
if (whole) await writeFile(join(import.meta.dirname, 'RESULTS.md'), report(findings, { seed, skipped }));
const reached = findings.every((finding) => finding.reached);
if (reached) await rm(folder, { recursive: true });
process.exit(reached ? 0 : 1);

async function takeTurn(): Promise<void> {
  const turn = createServer().unref();
  for (;;) {
    try {
      await once(turn.listen(TURN_PORT, '127.0.0.1'), 'listening');
      return;
    } catch {
      await sleep(1000);
    }
  }
}

/**
 * Stops Postgres, which would otherwise outlive this process; the processes of a scenario end when this process exits.
 */
async function leave(code: number): Promise<never> {
  await postgres?.stop();
  process.exit(code);
}

async function play(name: string, postgres: FaultyPostgres): Promise<void> {
  console.log(`${name} …`);
  const { play: scenario, minutes } = scenarios[name]!;
  const stage = new Stage({ name, postgres, folder, quick: values.quick, seed, onFinding });
  const startedAt = Date.now();
  try {
    await Promise.race([scenario(stage), late(minutes, stage.over)]);
  } catch (error) {
    console.error(error instanceof Skipped ? `SKIPPED ${error.message}` : error);
    if (error instanceof Skipped) skipped.push(error.message);
    else onFinding({ what: `${name}: broke off, ${String(error)}`, times: 0, target: 'it ends', reached: false });
  } finally {
    await stage.end();
    stage.note(`${Math.round((Date.now() - startedAt) / 1000)} s`);
  }
}

function onFinding(finding: Finding): void {
  findings.push(finding);
  console.log(row(finding));
}

async function late(minutes: number, over: AbortSignal): Promise<never> {
  await sleep(minutes * 60_000, undefined, { signal: over });
  throw new Error(`it is not over after ${minutes} minutes`);
}
