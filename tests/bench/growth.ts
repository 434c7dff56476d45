// Measures the processor time of a call and a row as companies grow in size and number, and writes GROWTH.md.
//   node tests/bench/growth.ts
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { apiKeyFrom } from '../../src/auth/api-key.ts';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import { type BenchDatabase, insertCompany, insertLearners, prepareDatabase } from './dataset.ts';
import { grow, growCompanies } from './growth-dataset.ts';
import { median, startContestant, stopContestant, timeGet } from './processes.ts';
import { processorMeter, type ProcessorTime } from './processor-time.ts';

const SIZES = [1000, 10_000, 100_000, 1_000_000];
const COMPANIES = [10, 5000];
const ROUNDS = 3;
/** Approximate number of rows to read in a round; calls that return many rows are repeated until they reach it. */
const ROWS = 200_000;
const POINT_READS = 2000;
const MAX_GROWTH = 1.5;

/** Returns the id and key of company `n`, and the digits that identify its learners' ids. */
const companyOf = (n: number) => ({
  id: `0192a3b4-0000-7000-8000-b000000001${n.toString(16).padStart(2, '0')}`,
  key: apiKeyFrom(`benchkey01${n.toString().padStart(2, '0')}`, Buffer.alloc(32, 100 + n)),
  idKind: (10 + n).toString(16),
});
type Company = ReturnType<typeof companyOf>;

interface Work {
  what: string;
  /**
   * Unit by which the cost of a call is divided; `unitsOf` is its number in a call, `calls` the number of calls in a
   * round.
   */
  unit: string;
  unitsOf(learners: number): number;
  calls(learners: number): number;
  call(company: Company, learners: number, number: number): Promise<unknown>;
}

let created = 0;
const database = await prepareDatabase();
const service = await startContestant('src/main.ts', {
  DATABASE_URL: database.serviceUrl,
  RATE_LIMIT_PER_MINUTE: '100000000',
});
const measure = await processorMeter(service.child.pid!, database.ownerUrl);
try {
  await fill(database);
  const sizes = await rowsOf(
    worksOf(),
    SIZES.map((learners, n) => ({ learners, company: companyOf(n) })),
  );
  const many = await byCompanies(database);
  const text = report([...sizes, many]);
  await writeFile(join(import.meta.dirname, 'GROWTH.md'), text);
  console.log(text);
} finally {
  await stopContestant(service);
  await database.server.stop();
}

function worksOf(): Work[] {
  const get = (path: string) => (company: Company) => timeGet(service.url + path, company.key.key);
  const untilRows = (factor: number) => (learners: number) => Math.max(1, Math.ceil(ROWS / (learners * factor)));
  return [
    {
      what: '`GET /learners/{learnerId}`',
      unit: 'call',
      unitsOf: () => 1,
      calls: () => POINT_READS,
      call: (company, learners, number) => get(`/learners/${learnerOf(company, learners, number)}`)(company),
    },
    { what: '`GET /learners`', unit: 'learner', unitsOf: (n) => n, calls: untilRows(1), call: get('/learners') },
    {
      what: '`GET /reports/learning`',
      unit: 'enrolment',
      unitsOf: (n) => 2 * n,
      calls: untilRows(2),
      call: get('/reports/learning'),
    },
    {
      what: '`GET /simulations/metrics`',
      unit: 'recipient',
      unitsOf: (n) => n,
      calls: untilRows(1),
      call: get('/simulations/metrics'),
    },
    {
      what: '`POST /learners`',
      unit: 'call',
      unitsOf: () => 1,
      calls: () => 50,
      call: (company) => create(company, 1),
    },
    {
      what: '`POST /learners/bulk` of 1,000',
      unit: 'learner',
      unitsOf: () => 1000,
      calls: () => 3,
      call: (company) => create(company, 1000),
    },
  ];
}

function learnerOf({ idKind }: Company, learners: number, number: number): string {
  const n = 1 + ((number * 7919) % learners);
  return `0192a3b4-0000-7000-8000-${idKind}${n.toString(16).padStart(11, '0')}`;
}

async function create({ key }: Company, count: number): Promise<void> {
  const learner = () => ({ email: `new${(created += 1)}@bench.test`, firstName: 'First', lastName: 'Last' });
  const [path, body] = count === 1 ? ['', learner()] : ['/bulk', { learners: Array.from({ length: count }, learner) }];
  const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${service.url}/learners${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
}

async function fill({ ownerUrl }: BenchDatabase): Promise<void> {
  const owner = openOwnerDatabase(ownerUrl);
  for (const [n, learners] of SIZES.entries()) {
    const { id, key, idKind } = companyOf(n);
    await insertCompany(owner, id, key);
    await insertLearners(owner, id, idKind, learners);
    await grow(owner, id);
  }
  await owner.raw('vacuum analyze');
  await owner.destroy();
}

interface Row {
  what: string;
  unit: string;
  costs: ProcessorTime[];
}

async function rowsOf(works: Work[], sizes: { learners: number; company: Company }[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const work of works) {
    const costs: ProcessorTime[] = [];
    for (const { learners, company } of sizes) costs.push(await cost(work, company, learners));
    rows.push({ what: work.what, unit: work.unit, costs });
    console.log(line(rows.at(-1)!));
  }
  return rows;
}

/** Returns microseconds per unit: the median of the rounds after a warm-up round. */
async function cost(work: Work, company: Company, learners: number): Promise<ProcessorTime> {
  const calls = work.calls(learners);
  const rounds: ProcessorTime[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const spent = await measure(async () => {
      for (let number = 0; number < calls; number++) await work.call(company, learners, number);
    });
    const units = calls * work.unitsOf(learners);
    if (round >= 0) rounds.push({ service: (spent.service / units) * 1e6, postgres: (spent.postgres / units) * 1e6 });
  }
  return {
    service: median(rounds.map((one) => one.service)),
    postgres: median(rounds.map((one) => one.postgres)),
  };
}

/** Measures reads of one learner in a company of 10,000: in a database with ten companies, then with five thousand. */
async function byCompanies({ ownerUrl }: BenchDatabase): Promise<Row> {
  const [work] = worksOf() as [Work];
  const [few, many] = COMPANIES as [number, number];
  const before = await cost(work, companyOf(1), SIZES[1]!);
  const owner = openOwnerDatabase(ownerUrl);
  await growCompanies(owner, many - few);
  await owner.destroy();
  const after = await cost(work, companyOf(1), SIZES[1]!);
  const count = (n: number) => n.toLocaleString('en');
  return {
    what: `${work.what} among ${count(few)} companies, and ${count(many)}`,
    unit: 'call',
    costs: [before, after],
  };
}

function total({ service: ours, postgres }: ProcessorTime): number {
  return ours + postgres;
}

function line({ what, unit, costs }: Row): string {
  const cells = costs.map((one) => `${total(one).toFixed(1)} (${one.service.toFixed(1)} + ${one.postgres.toFixed(1)})`);
  const empty = Array<string>(SIZES.length - cells.length).fill('');
  const ratio = total(costs.at(-1)!) / total(costs[0]!);
  const isFlat = ratio <= MAX_GROWTH ? 'yes' : 'no';
  return `| ${[what, unit, ...cells, ...empty, `${ratio.toFixed(2)} x`, isFlat].join(' | ')} |`;
}

function report(rows: Row[]): string {
  const sizes = SIZES.map((size) => size.toLocaleString('en'));
  return `# Growth

Written by \`make bench-growth\`: microseconds of the processors for a call or a row, as a company grows; in brackets what
of it the service and Postgres take. Flat is at most ${MAX_GROWTH} times from first to last.

Machine: ${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node ${process.versions.node}, the embedded Postgres,
${new Date().toISOString().slice(0, 10)}.

| Measurement | A | ${sizes.map((size) => `${size} learners`).join(' | ')} | Last to first | Flat |
| --- | --- | ${sizes.map(() => '---').join(' | ')} | --- | --- |
${rows.map(line).join('\n')}
`;
}
