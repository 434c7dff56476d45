// Measures every page of lists of a million rows, and writes PAGES.md.
//   node tests/bench/pages.ts [learners]
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { apiKeyFrom } from '../../src/auth/api-key.ts';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import { type BenchDatabase, insertCompany, insertLearners, prepareDatabase } from './dataset.ts';
import { grow } from './growth-dataset.ts';
import { median, startContestant, stopContestant } from './processes.ts';

const COMPANY_ID = '0192a3b4-0000-7000-8000-b00000000021';
const KEY = apiKeyFrom('benchkey0021', Buffer.alloc(32, 21));
const LEARNERS = Number(process.argv[2] ?? 1_000_000);
const LIMIT = 1000;
/** The number of parts of a list whose pages are compared. */
const PARTS = 10;
const MAX_GROWTH = 1.5;

interface Row {
  path: string;
  items: number;
  /** Median milliseconds of the pages in each part; `longest` is the slowest page. */
  medians: number[];
  longest: number;
  allSeconds: number;
}

const database = await prepareDatabase();
await fill(database);
const service = await startContestant('src/main.ts', {
  DATABASE_URL: database.serviceUrl,
  ROLES: 'api',
  RATE_LIMIT_PER_MINUTE: '100000000',
});
try {
  const rows: Row[] = [];
  for (const path of ['/learners', '/reports/course-results', '/reports/course-participation', await simulation()]) {
    rows.push(await read(path));
    console.log(line(rows.at(-1)!));
  }
  const text = report(rows);
  await writeFile(join(import.meta.dirname, 'PAGES.md'), text);
  if (rows.some((row) => growthOf(row) > MAX_GROWTH)) process.exitCode = 1;
} finally {
  await stopContestant(service);
  await database.server.stop();
}

async function fill({ ownerUrl }: BenchDatabase): Promise<void> {
  const owner = openOwnerDatabase(ownerUrl);
  await insertCompany(owner, COMPANY_ID, KEY);
  await insertLearners(owner, COMPANY_ID, 'e', LEARNERS);
  await grow(owner, COMPANY_ID);
  await owner.raw('vacuum analyze');
  await owner.destroy();
}

interface Page {
  data: unknown;
  page: { nextCursor: string | null };
}

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${KEY.key}` } });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
}

async function simulation(): Promise<string> {
  const { data } = await get<{ data: { id: string }[] }>('/simulations');
  return `/simulations/${data[0]!.id}`;
}

async function read(path: string): Promise<Row> {
  const times: number[] = [];
  let items = 0;
  const startedAt = performance.now();
  for (let cursor: string | null = ''; cursor !== null;) {
    const pageAt = performance.now();
    const { data, page }: Page = await get(`${path}?limit=${LIMIT}${cursor && `&cursor=${cursor}`}`);
    times.push(performance.now() - pageAt);
    items += listIn(data).length;
    cursor = page.nextCursor;
  }
  // The last page can be short.
  const whole = times.slice(0, -1);
  const part = (number: number) => Math.floor((whole.length * number) / PARTS);
  const medians = Array.from({ length: PARTS }, (_, n) => median(whole.slice(part(n), part(n + 1))));
  return { path, items, medians, longest: Math.max(...whole), allSeconds: (performance.now() - startedAt) / 1000 };
}

function listIn(data: unknown): unknown[] {
  if (Array.isArray(data)) return data;
  const { learners, recipients } = data as Record<string, unknown[] | undefined>;
  return (learners ?? recipients)!;
}

/** Returns how many times longer a page of the last part takes than a page of the first part. */
function growthOf({ medians }: Row): number {
  return medians.at(-1)! / medians[0]!;
}

function line(row: Row): string {
  const shown = [row.medians[0]!, row.medians[PARTS / 2]!, row.medians.at(-1)!, row.longest].map((ms) => ms.toFixed(1));
  const name = row.path.replace(/[0-9a-f-]{36}/, '{simulationId}');
  const growth = `${growthOf(row).toFixed(2)} x`;
  return `| ${[`\`GET ${name}\``, row.items.toLocaleString('en'), ...shown, growth, row.allSeconds.toFixed(1)].join(' | ')} |`;
}

function report(rows: Row[]): string {
  return `# Pages

Written by \`make bench-pages\`: milliseconds for a page of ${LIMIT} items, asked for one after the other, in a company of
${LEARNERS.toLocaleString('en')} learners with two results each. A tenth of the pages counts by its median. At most
${MAX_GROWTH} times from the first tenth to the last is flat. A page of a simulation counts all recipients too, for the
figures beside them.

Machine: ${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node ${process.versions.node}, the embedded Postgres,
${new Date().toISOString().slice(0, 10)}.

| List | Items | First tenth, ms | Sixth | Last | Longest page | Last to first | All pages, s |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.map(line).join('\n')}
`;
}
