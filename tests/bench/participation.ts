import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import '../../src/resources/reports/learning/past-participation-repository.ts';
import '../../src/resources/reports/learning/participation-repository.ts';
import { registeredStatements } from '../../src/db/statement.ts';
import { API_KEY, type BenchDatabase, COMPANY_ID, COURSES, GROUP_ID, GROUPS, LEARNERS } from './dataset.ts';
import {
  type Contestant,
  median,
  memoryGrowth,
  startContestant,
  stopContestant,
  timeGet,
  timesInPsql,
} from './processes.ts';
import type { Figure } from './run.ts';

const ROUNDS = 9;
const PATH = '/reports/course-participation';
const NO_FILTER = { learnerId: null, groupId: null, department: null, location: null, country: null, managerId: null };
const LATEST = { attempts: 'latest', from: null, to: null };

interface Question {
  query: string;
  learners: number;
  /** The statement that lists the learners, and its parameters. */
  statement: string;
  params: object;
  /** The statements for the other parts of the response, if they account for part of the time. */
  others?: string[];
}

const WHOLE: Question = {
  query: '',
  learners: LEARNERS,
  statement: 'participation_learners',
  params: { includeInactive: false },
};
const OF_A_PERIOD: Question = {
  query: '?from=2026-01-01&to=2026-06-30&attempts=all',
  learners: LEARNERS,
  statement: 'participation_attempts',
  params: { includeInactive: false, attempts: 'all', from: '2026-01-01', to: '2026-06-30' },
};
const OF_A_DAY: Question = {
  query: `?groupId=${GROUP_ID}&asOf=2026-06-30`,
  learners: LEARNERS / GROUPS,
  statement: 'participation_past_group',
  params: {
    ...{ ...NO_FILTER, groupId: GROUP_ID, includeInactive: false, ...LATEST },
    ...{ asOf: '2026-06-30', asOfEnd: '2026-07-01T00:00:00.000Z', knownUntil: 'infinity' },
  },
  // These statements read the whole company.
  others: ['participation_past_tree', 'participation_past_courses'],
};

/** Measures GET /reports/course-participation of 100,000 learners with 20 results each, 330 MB: time and memory. */
export async function benchParticipation({ ownerUrl, serviceUrl }: BenchDatabase, folder: string): Promise<Figure[]> {
  const ours = await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' });
  const growth = await memoryGrowth(ours, () => timeGet(`${ours.url}${PATH}`, API_KEY.key), 3);
  const figures: Figure[] = [];
  for (const question of [WHOLE, OF_A_PERIOD, OF_A_DAY]) {
    const script = join(folder, `${question.statement}.sql`);
    await writeFile(script, copyScript(question));
    figures.push(await compareWithCopy(ours, question, async () => sum(await timesInPsql(ownerUrl, script))));
  }
  await stopContestant(ours);
  const memory: Figure = {
    what: 'the same, growth of the process',
    against: 'its memory when busy with small calls',
    unit: 'MiB',
    target: 96,
    least: false,
    value: growth,
  };
  return [figures[0]!, memory, ...figures.slice(1)];
}

async function compareWithCopy(
  { url }: Contestant,
  { query, learners }: Question,
  copy: () => Promise<number>,
): Promise<Figure> {
  await copy();
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const copied = await copy();
    ratios.push((await timeGet(`${url}${PATH}${query}`, API_KEY.key)) / copied);
  }
  const results = (learners * COURSES).toLocaleString('en');
  return {
    what: `\`GET ${PATH}${query.replace(GROUP_ID, '{id}')}\` of ${learners.toLocaleString('en')} learners, ${results} results`,
    against: '`psql` copy of the same JSON',
    unit: 'x',
    target: 1.25,
    least: false,
    value: median(ratios),
  };
}

const sum = (times: number[]): number => times.reduce((total, time) => total + time, 0);

/** Returns the service's own statements with their parameters filled in. */
function copyScript({ statement, params, others = [] }: Question): string {
  const copies = [statement, ...others].map((name) => {
    const { text, values } = registeredStatements().find((registered) => registered.name === name)!;
    const literals = values(COMPANY_ID, params as never).map((value) =>
      value === null ? 'null' : pg.escapeLiteral(String(value as string | boolean)),
    );
    const query = text.replace(/\$(\d+)/g, (_, place) => literals[place - 1]!).replace(/\s+/g, ' ');
    return `\\copy (${query}) to '/dev/null'\n`;
  });
  return `\\timing on\n${copies.join('')}`;
}
