// Measures reports, filters and periods of a small and of a large company with ten years of facts, and writes
// REPORTS.md.
//   node tests/bench/reports.ts [learners [part of a path]]
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { apiKeyFrom } from '../../src/auth/api-key.ts';
import { API_KEY, COMPANY_ID, insertCompany, insertLearners, prepareDatabase } from './dataset.ts';
import { median, startContestant, stopContestant } from './processes.ts';
import { processorMeter } from './processor-time.ts';
import { addTenYears, firstGroupOf, YEARS } from './reports-dataset.ts';

const [learners = '1000000', pathPart = ''] = process.argv.slice(2);
const SIZES = [1000, Number(learners)];
const LIMIT = 250;
/** Pages of a list that a round reads, from its start. */
const PAGES = 4;
const ROUNDS = 5;
const MAX_GROWTH = 1.5;

/** The company with each number of learners; `digit` identifies the ids of its learners. */
const companies = SIZES.map((learners, n) => ({
  id: `0192a3b4-0000-7000-8000-b000000002${n.toString(16).padStart(2, '0')}`,
  key: apiKeyFrom(`benchkey02${n.toString().padStart(2, '0')}`, Buffer.alloc(32, 200 + n)),
  digit: (10 + n).toString(16),
  learners,
}));
type Company = (typeof companies)[number];

const managerOf = ({ digit }: Company) => `0192a3b4-0000-7000-8000-${digit}${(1).toString(16).padStart(11, '0')}`;
const groupOf = ({ digit }: Company) => `groupId=${firstGroupOf(digit)}`;
const YEAR = 'from=2021-01-01&to=2021-12-31';
const DAY = 'asOf=2021-06-30';
const NIGHT = `${DAY}&knownAt=2021-06-30`;
const PATHS: ((company: Company) => string)[] = [
  ...[
    '',
    'q=first12',
    'email=learner77@bench.test',
    'externalLearnerId=HR-77',
    'inactive=true',
    'riskScoreLevel=high',
  ].map((query) => () => `/learners?${query}`),
  (company) => `/learners?${groupOf(company)}`,
  (company) => `/learners?managerId=${managerOf(company)}`,
  ...['course-results', 'learning', 'gap-analysis-results', 'course-participation'].flatMap((report) => [
    ...['', YEAR, `${YEAR}&attempts=all`, 'attempts=all', 'attempts=best', DAY, NIGHT, `${DAY}&attempts=all`].map(
      (query) => () => `/reports/${report}?${query}`,
    ),
    (company: Company) => `/reports/${report}?${groupOf(company)}`,
    (company: Company) => `/reports/${report}?${groupOf(company)}&${DAY}`,
  ]),
  ...['policy-results', 'simulation-results', 'repeat-clickers'].flatMap((report) => [
    () => `/reports/${report}?`,
    (company: Company) => `/reports/${report}?${groupOf(company)}`,
  ]),
  ...[DAY, NIGHT].map((query) => () => `/reports/policy-results?${query}`),
  ...['simulation-results', 'repeat-clickers'].map(
    (report) => () => `/reports/${report}?from=2018-01-01&to=2022-12-31`,
  ),
  ...['', YEAR, DAY].map((query) => () => `/reports/groups?${query}`),
  () => '/reports/risk-score-history?',
];

interface Row {
  path: string;
  rows: number[];
  /** Processor time for each row, in microseconds; for each call if the small company has fewer than ten rows. */
  costs: number[];
  /** Median milliseconds per page of the large company. */
  pageMs: number;
}

const database = await prepareDatabase(fill);
const service = await startContestant('src/main.ts', {
  DATABASE_URL: database.serviceUrl,
  ROLES: 'api',
  RATE_LIMIT_PER_MINUTE: '100000000',
});
const measure = await processorMeter(service.child.pid!, database.ownerUrl);
try {
  const rows: Row[] = [];
  const failures: string[] = [];
  for (const pathOf of PATHS.filter((pathOf) => pathOf(companies[0]!).includes(pathPart))) {
    try {
      rows.push(await compare(pathOf));
      console.log(line(rows.at(-1)!));
    } catch (error) {
      failures.push((error as Error).message);
      console.error(failures.at(-1));
    }
  }
  if (pathPart === '') await writeFile(join(import.meta.dirname, 'REPORTS.md'), report(rows, failures));
  if (failures.length > 0 || rows.some((row) => growthOf(row) > MAX_GROWTH)) process.exitCode = 1;
} finally {
  await stopContestant(service);
  await database.server.stop();
}

async function fill(owner: Knex): Promise<void> {
  // `startContestant` warms up with one of these learners.
  await insertCompany(owner, COMPANY_ID, API_KEY);
  await insertLearners(owner, COMPANY_ID, '1', 5000);
  await owner.raw(
    `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales, created_at,
                          recorded_at)
     select managed_catalogue(), new_id(), type, type, type, 'Subject', 1, 80, '{en}', '2016-01-01', '2016-01-01'
       from unnest(array['training', 'gap_analysis']) as t (type)`,
  );
  for (const { id, key, digit, learners } of companies) {
    const startedAt = performance.now();
    await insertCompany(owner, id, key);
    await owner.raw(`update companies set created_at = '2016-01-01' where id = ?`, [id]);
    await insertLearners(owner, id, digit, learners);
    await addTenYears(owner, id, digit);
    console.log(`${learners.toLocaleString('en')} learners in ${seconds(startedAt)} s`);
  }
  const startedAt = performance.now();
  await owner.raw('vacuum analyze');
  console.log(`vacuum analyze in ${seconds(startedAt)} s`);
}

function seconds(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0);
}

/** Reads the same pages of both companies alternately. */
async function compare(pathOf: (company: Company) => string): Promise<Row> {
  const times: number[] = [];
  const costs = companies.map((): number[] => []);
  const rows = companies.map(() => 0);
  for (let round = -1; round < ROUNDS; round++) {
    for (const [n, company] of companies.entries()) {
      const spent = await measure(async () => {
        rows[n] = await readPages(company, pathOf(company), n === companies.length - 1 && round >= 0 ? times : []);
      });
      if (round >= 0) costs[n]!.push((spent.service + spent.postgres) * 1e6);
    }
  }
  const isByRow = rows[0]! >= 10;
  const path = pathOf(companies[0]!)
    .replace(/[0-9a-f-]{36}/, '{id}')
    .replace(/\?$/, '');
  const costOf = (n: number) => median(costs[n]!) / (isByRow ? rows[n]! : 1);
  return { path, rows, costs: companies.map((_, n) => costOf(n)), pageMs: median(times) };
}

/** Reads the first pages of a list. Returns the number of rows, and adds the milliseconds of each page to `times`. */
async function readPages({ key }: Company, path: string, times: number[]): Promise<number> {
  let rows = 0;
  for (let [cursor, pages] = ['' as string | null, 0]; cursor !== null && pages < PAGES; pages++) {
    const startedAt = performance.now();
    const headers = { authorization: `Bearer ${key.key}` };
    const answer = await fetch(`${service.url}${path}&limit=${LIMIT}${cursor && `&cursor=${cursor}`}`, { headers });
    const body = (await answer.json()) as { data: unknown; page: { nextCursor: string | null } };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
    times.push(performance.now() - startedAt);
    rows += listIn(body.data).length;
    cursor = body.page.nextCursor;
  }
  return rows;
}

function listIn(data: unknown): unknown[] {
  if (Array.isArray(data)) return data;
  const { learners, groups, rows } = data as Record<string, unknown[] | undefined>;
  return (learners ?? groups ?? rows)!;
}

function growthOf({ costs }: Row): number {
  return costs.at(-1)! / costs[0]!;
}

function line(row: Row): string {
  const unit = row.rows[0]! >= 10 ? 'row' : 'call';
  const numbers = [...row.costs, row.pageMs].map((number) => number.toFixed(1));
  const isFlat = growthOf(row) <= MAX_GROWTH ? 'yes' : 'no';
  return `| \`GET ${row.path}\` | ${row.rows.join(', ')} | ${unit} | ${numbers.join(' | ')} | ${growthOf(row).toFixed(2)} x | ${isFlat} |`;
}

function report(rows: Row[], failures: string[]): string {
  const [small, large] = SIZES.map((size) => size.toLocaleString('en'));
  return `# Reports, filters and periods

Written by \`make bench-reports\`: the first ${PAGES} pages of ${LIMIT} rows of a company of ${small} learners and of one of
${large}, each with ${YEARS} years of facts, in turns. Microseconds of the processors of the service and of Postgres for a
row, or for a call that returns few rows. At most ${MAX_GROWTH} times from the small to the large company is flat.

Machine: ${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node ${process.versions.node}, the embedded Postgres,
${new Date().toISOString().slice(0, 10)}.

| List | Rows | A | ${small} learners, µs | ${large}, µs | A page of ${large}, ms | Growth | Flat |
| --- | ---: | --- | ---: | ---: | ---: | ---: | --- |
${rows.map(line).join('\n')}
${failures.map((failure) => `\nFailed: ${failure}\n`).join('')}`;
}
