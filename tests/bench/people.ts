// Simulates people who take a course in its pages concurrently, as on the morning after an email to everybody, and
// measures pages next to API load. Writes PEOPLE.md.
//   node tests/bench/people.ts [people]
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createPersonToken, hashPersonToken } from '../../src/identity/person-token.ts';
import { shippedCatalogue } from '../../src/commands/catalogue/shipped-catalogue.ts';
import { loadCatalogue } from '../../src/commands/catalogue/load-catalogue.ts';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import { type BenchDatabase, ENROLL_COMPANY_ID, prepareDatabase } from './dataset.ts';
import { load, median, startContestant, stopContestant } from './processes.ts';

const PEOPLE = Number(process.argv[2] ?? 500);
const PAGES_BESIDE_LOAD = 300;
const MAX_MEDIAN_MS = 50;

const database = await prepareDatabase();
const { courseId, secrets } = await fill(database);
const service = await startContestant('src/main.ts', {
  DATABASE_URL: database.serviceUrl,
  ROLES: 'api',
  RATE_LIMIT_PER_MINUTE: '100000000',
});
const origin = service.url.replace(/\/v1$/, '');
try {
  const startedAt = performance.now();
  const times = (await Promise.all(secrets.map(takeCourse))).flat();
  const seconds = (performance.now() - startedAt) / 1000;
  const finished = await countFinished();
  const alone = await pageTimes();
  const load = startLoad();
  const beside = await pageTimes();
  const reads = await load;
  const text = report({ times, seconds, finished, alone, beside, reads });
  console.log(text);
  await writeFile(join(import.meta.dirname, 'PEOPLE.md'), text);
  if (finished !== PEOPLE || median(beside) > MAX_MEDIAN_MS) process.exitCode = 1;
} finally {
  await stopContestant(service);
  await database.server.stop();
}

/** Stores the first shipped course, people enrolled in it, and a mailed link for each. */
async function fill({ ownerUrl }: BenchDatabase): Promise<{ courseId: string; secrets: string[] }> {
  const owner = openOwnerDatabase(ownerUrl);
  const courses = await shippedCatalogue();
  await loadCatalogue(owner, courses, false);
  const courseId = courses.find(({ content }) => content.name === 'phishing')!.id!;
  const tokens = Array.from({ length: PEOPLE }, () => createPersonToken(ENROLL_COMPANY_ID));
  await owner.raw(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     select company_id, id, ?::uuid, managed_catalogue(), current_date from learners where company_id = ? order by id limit ?`,
    [courseId, ENROLL_COMPANY_ID, PEOPLE],
  );
  await owner.raw(
    `insert into sign_in_links (company_id, token_hash, learner_id, expires_at)
     select company_id, hash, id, now() + interval '1 day'
       from (select company_id, id, row_number() over (order by id) as n from learners where company_id = ?) as l
       join unnest(?::bytea[]) with ordinality as given (hash, n) using (n)`,
    [ENROLL_COMPANY_ID, tokens.map(hashPersonToken)],
  );
  await owner.raw('vacuum analyze');
  await owner.destroy();
  return { courseId, secrets: tokens };
}

interface Browser {
  cookie: string;
  times: number[];
}

interface Page {
  html: string;
  location: string | null;
}

/** Takes the course; returns the milliseconds of each request. */
async function takeCourse(secret: string): Promise<number[]> {
  const browser: Browser = { cookie: '', times: [] };
  await ask(browser, `/learn/sign-in/${secret}`, new URLSearchParams());
  await ask(browser, '/learn');
  const course = `/learn/courses/${courseId}`;
  let page = await ask(browser, course);
  let next = (await send(browser, course, page)).location!;
  while (next !== course) {
    page = await ask(browser, next);
    const form = page.html.includes('name="version"');
    next = form ? (await send(browser, next, page)).location! : /class="button" href="([^"]+)"/.exec(page.html)![1]!;
  }
  await ask(browser, course);
  return browser.times;
}

/** Sends the form of a page with the first answer to each of its questions. */
function send(browser: Browser, path: string, { html }: Page): Promise<Page> {
  const body = new URLSearchParams();
  for (const [input] of html.matchAll(/<input [^>]*>/g)) {
    const given = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? '';
    if (!body.has(given('name'))) body.append(given('name'), given('value'));
  }
  return ask(browser, path, body);
}

async function ask(browser: Browser, path: string, body?: URLSearchParams): Promise<Page> {
  const startedAt = performance.now();
  const headers = { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' };
  const method = body ? 'POST' : 'GET';
  const answer = await fetch(origin + path, { method, headers, redirect: 'manual', ...(body && { body }) });
  const html = await answer.text();
  browser.times.push(performance.now() - startedAt);
  if (answer.status !== (body ? 303 : 200)) throw new Error(`${method} ${path} answered ${answer.status}: ${html}`);
  browser.cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? browser.cookie;
  return { html, location: answer.headers.get('location') };
}

async function countFinished(): Promise<number> {
  const owner = openOwnerDatabase(database.ownerUrl);
  const rows = await owner('enrollments')
    .where({ company_id: ENROLL_COMPANY_ID, course_id: courseId })
    .whereNotNull('finish_date');
  await owner.destroy();
  return rows.length;
}

/** Opens the pages of a finished course one after another, as one person. */
async function pageTimes(): Promise<number[]> {
  const browser: Browser = { cookie: '', times: [] };
  await ask(browser, `/learn/sign-in/${secrets[0]}`, new URLSearchParams());
  const paths = [
    '/learn',
    `/learn/courses/${courseId}`,
    `/learn/courses/${courseId}/1`,
    `/learn/courses/${courseId}/2`,
  ];
  browser.times = [];
  for (let number = 0; number < PAGES_BESIDE_LOAD; number += 1) await ask(browser, paths[number % paths.length]!);
  return browser.times;
}

/** Reads single learners on sixteen connections for as long as the pages take. */
function startLoad(): Promise<number> {
  return load(service, { duration: 10 });
}

interface Measured {
  times: number[];
  seconds: number;
  finished: number;
  alone: number[];
  beside: number[];
  reads: number;
}

function report({ times, seconds, finished, alone, beside, reads }: Measured): string {
  const ms = (values: number[], share: number) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
  const shown = (values: number[]) => [0.5, 0.95, 0.999].map((share) => ms(values, share).toFixed(1)).join(' | ');
  const rate = (times.length / seconds).toFixed(0);
  return `# People on the pages

Written by \`make bench-people\`. ${PEOPLE} people sign in by their links at the same moment and take a course of
${(times.length / PEOPLE).toFixed(0)} requests each, without a pause between them: ${finished} finished it, no request
failed, all of it took ${seconds.toFixed(1)} s, ${rate} requests a second. Then one person opens pages, alone and during
${reads.toFixed(0)} reads of the API a second from sixteen connections; the target is a median of ${MAX_MEDIAN_MS} ms.
Client, service and Postgres share the machine.

Machine: ${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node ${process.versions.node}, one process, the embedded
Postgres, ${new Date().toISOString().slice(0, 10)}.

| A page, in ms | Median | 95 % within | 99.9 % within |
| --- | ---: | ---: | ---: |
| ${PEOPLE} people at once | ${shown(times)} |
| One person, alone | ${shown(alone)} |
| One person, during the load of the API | ${shown(beside)} |
`;
}
