import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { type BenchDatabase, BULK_API_KEY, BULK_COMPANY_ID } from './dataset.ts';
import { median, startContestant, stopContestant, timeInPsql } from './processes.ts';
import type { Figure } from './run.ts';

const LEARNERS = 10_000;
const ROUNDS = 9;

/**
 * Measures POST /learners/bulk of 10,000 learners against the bare INSERT of the same rows. Both commit; the rows are
 * removed between rounds.
 */
export async function benchBulk({ ownerUrl, serviceUrl }: BenchDatabase, folder: string): Promise<Figure[]> {
  const ours = await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' });
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  const body = bulkBody();
  const script = join(folder, 'insert.sql');
  await writeFile(script, insertScript());
  const ratios: number[] = [];
  for (let round = -2; round < ROUNDS; round++) {
    const inserted = await timeInPsql(ownerUrl, script);
    await emptyBulkCompany(owner);
    const created = await timePost(`${ours.url}/learners/bulk`, body);
    await emptyBulkCompany(owner);
    if (round >= 0) ratios.push(created / inserted);
  }
  await owner.end();
  await stopContestant(ours);
  return [
    {
      what: `\`POST /learners/bulk\` of ${LEARNERS.toLocaleString('en')}, JSON and validation included`,
      against: '`INSERT … SELECT FROM unnest` in `psql`',
      unit: 'x',
      target: 2,
      least: false,
      value: median(ratios),
    },
  ];
}

/** Builds a body that creates 10,000 learners. */
export function bulkBody(): string {
  return JSON.stringify({ learners: Array.from({ length: LEARNERS }, (_, index) => learner(index)) });
}

function learner(index: number): Record<string, string> {
  return {
    email: `new.learner${index}@bench-bulk.test`,
    firstName: `First${index}`,
    lastName: `Last${index}`,
    externalLearnerId: `NEW-${index}`,
  };
}

function insertScript(): string {
  const rows = Array.from({ length: LEARNERS }, (_, index) => ({ id: uuidv7(), ...learner(index) }));
  const array = (field: string, type: string) =>
    `array[${rows.map((row: Record<string, string>) => `'${row[field]}'`).join(',')}]::${type}[]`;
  return `\\timing on
insert into learners (company_id, id, email, email_key, first_name, last_name, external_learner_id)
select '${BULK_COMPANY_ID}', id, email, lower(email), first_name, last_name, external_id
  from unnest(${array('id', 'uuid')}, ${array('email', 'text')}, ${array('firstName', 'text')},
    ${array('lastName', 'text')}, ${array('externalLearnerId', 'text')})
    as new (id, email, first_name, last_name, external_id);
`;
}

/** Returns the milliseconds that the creation of all learners takes. */
export async function timePost(url: string, body: string): Promise<number> {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${BULK_API_KEY.key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const { data } = (await response.json()) as { data: { success: boolean } };
  if (!data.success) throw new Error('the bulk creation refused rows');
  return performance.now() - startedAt;
}

export async function emptyBulkCompany(owner: pg.Client): Promise<void> {
  await owner.query('delete from learners where company_id = $1', [BULK_COMPANY_ID]);
  await owner.query('vacuum analyze learners');
  await owner.query('checkpoint').catch(() => undefined);
}
