// Measures the service against bare contestants on this machine, and writes the table that README refers to.
//   node tests/bench/run.ts [read-one] [tool-call] [small-list] [list] [bulk] [enrollment] [mails] [results]
//                          [participation] [simulations] [risk] [learner-creation] [bridge]
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchBridge } from './bridge.ts';
import { benchBulk } from './bulk.ts';
import { type BenchDatabase, prepareDatabase } from './dataset.ts';
import { benchEnrollment } from './enrollment.ts';
import { benchLearnerCreation } from './learner-creation.ts';
import { benchList } from './list.ts';
import { benchMails } from './mails.ts';
import { benchParticipation } from './participation.ts';
import { benchReadOne } from './read-one.ts';
import { benchResults } from './results.ts';
import { benchRisk } from './risk.ts';
import { benchSimulations } from './simulations.ts';
import { benchSmallList } from './small-list.ts';
import { benchToolCall } from './tool-call.ts';
import { benchWebhooks } from './webhooks.ts';

export interface Figure {
  what: string;
  against: string;
  unit: 'x' | 's' | 'ms' | 'MiB' | 'jobs' | 'learners/s' | 'mails/s';
  /** Value that the figure must reach; undefined for a figure without a target. */
  target: number | undefined;
  /** Whether the target is a minimum rather than a maximum. */
  least: boolean;
  value: number;
}

type Bench = (database: BenchDatabase, folder: string) => Promise<Figure[]>;
const benches: Record<string, Bench> = {
  'read-one': benchReadOne,
  'tool-call': benchToolCall,
  'small-list': benchSmallList,
  list: benchList,
  bulk: benchBulk,
  enrollment: benchEnrollment,
  mails: benchMails,
  results: benchResults,
  participation: benchParticipation,
  simulations: benchSimulations,
  risk: benchRisk,
  // Runs after the benchmarks that go through all companies, because it adds a million learners.
  'learner-creation': benchLearnerCreation,
  webhooks: benchWebhooks,
  bridge: benchBridge,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
  process.exit(64);
}

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const database = await prepareDatabase();
const figures: Figure[] = [];
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    console.log(`${name} …`);
    for (const figure of await bench(database, folder)) {
      figures.push(figure);
      console.log(row(figure));
    }
  }
} finally {
  await database.server.stop();
  await rm(folder, { recursive: true });
}
if (asked.length === 0) await writeFile(join(import.meta.dirname, 'RESULTS.md'), report());
if (!figures.every(reached)) process.exitCode = 1;

function reached({ value, target, least }: Figure): boolean {
  if (target === undefined) return true;
  return least ? value >= target : value <= target;
}

function row(figure: Figure): string {
  const { what, against, unit, target, least, value } = figure;
  const amount = (number: number) => `${number.toFixed(decimals(figure))} ${unit}`;
  if (target === undefined) return `| ${what} | ${against} |  | **${amount(value)}** |  |`;
  const bound = `${least ? 'at least' : 'at most'} ${amount(target)}`;
  return `| ${what} | ${against} | ${bound} | **${amount(value)}** | ${reached(figure) ? 'yes' : 'no'} |`;
}

function decimals({ unit, value }: Figure): number {
  if (unit === 'x') return 2;
  return (unit === 'ms' || unit === 's') && value < 20 ? 1 : 0;
}

function report(): string {
  const { model } = cpus()[0]!;
  return `# Results of \`make bench\`

Written by \`make bench\`. Contestants run in turn on one machine, with the load generator and Postgres; a figure
is the median of its rounds, and only ratios mean anything elsewhere.

Machine: ${cpus().length} cores of ${model.trim()}, Node ${process.versions.node}, the embedded Postgres,
${new Date().toISOString().slice(0, 10)}.

| Measurement | Against | Target | Measured | Reached |
| --- | --- | --- | --- | --- |
${figures.map(row).join('\n')}
`;
}
