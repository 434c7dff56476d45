import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import '../../src/resources/reports/participation-repository.ts';
import { registeredStatements } from '../../src/db/statement.ts';
import { API_KEY, type BenchDatabase, COMPANY_ID, COURSES, LEARNERS } from './dataset.ts';
import { median, memoryGrowth, startContestant, stopContestant, timeGet, timeInPsql } from './processes.ts';
import type { Figure } from './run.ts';

const ROUNDS = 9;

/** Measures GET /reports/course-participation of 100,000 learners with 20 results each, 330 MB: time and memory. */
export async function benchParticipation({ ownerUrl, serviceUrl }: BenchDatabase, folder: string): Promise<Figure[]> {
  const script = join(folder, 'participation.sql');
  await writeFile(script, copyScript());
  const ours = await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' });
  const report = () => timeGet(`${ours.url}/reports/course-participation`, API_KEY.key);
  const growth = await memoryGrowth(ours, report, 3);
  await timeInPsql(ownerUrl, script);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const copied = await timeInPsql(ownerUrl, script);
    ratios.push((await report()) / copied);
  }
  await stopContestant(ours);
  const results = (LEARNERS * COURSES).toLocaleString('en');
  return [
    {
      what: `\`GET /reports/course-participation\` of ${LEARNERS.toLocaleString('en')} learners, ${results} results`,
      against: '`psql` copy of the same JSON',
      unit: 'x',
      target: 1.25,
      least: false,
      value: median(ratios),
    },
    {
      what: 'the same, growth of the process',
      against: 'its memory when busy with small calls',
      unit: 'MiB',
      target: 96,
      least: false,
      value: growth,
    },
  ];
}

/** Returns the service's own statement with its parameters filled in. */
function copyScript(): string {
  const { text, values } = registeredStatements().find(({ name }) => name === 'participation_learners')!;
  const given = values(COMPANY_ID, { includeInactive: false } as never).map(String);
  const query = text.replace(/\$(\d+)/g, (_, place) => pg.escapeLiteral(given[place - 1]!)).replace(/\s+/g, ' ');
  return `\\timing on\n\\copy (${query}) to '/dev/null'\n`;
}
