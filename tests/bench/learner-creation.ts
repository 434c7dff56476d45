import pg from 'pg';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import { apiKeyFrom } from '../../src/auth/api-key.ts';
import { type BenchDatabase, insertCompany, insertLearners } from './dataset.ts';
import { median, startContestant, stopContestant } from './processes.ts';
import type { Figure } from './run.ts';

const SMALL = {
  id: '0192a3b4-0000-7000-8000-b00000000004',
  key: apiKeyFrom('benchkey0004', Buffer.alloc(32, 4)),
  idKind: '5',
  learners: 1000,
};
const LARGE = {
  id: '0192a3b4-0000-7000-8000-b00000000005',
  key: apiKeyFrom('benchkey0005', Buffer.alloc(32, 5)),
  idKind: '6',
  learners: 1_000_000,
};
type Company = typeof SMALL;

const ROUNDS = 15;
const CREATIONS = 20;
const TOGETHER = 1000;

/** Measures POST /learners and POST /learners/bulk in companies of 1,000,000 and 1,000 learners, alternating. */
export async function benchLearnerCreation({ ownerUrl, serviceUrl }: BenchDatabase): Promise<Figure[]> {
  await createCompanies(ownerUrl);
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  const ours = await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' });
  const ratios: Record<'single' | 'together', number[]> = { single: [], together: [] };
  for (let round = -2; round < ROUNDS; round++) {
    const single = (await timeSingle(ours.url, LARGE)) / (await timeSingle(ours.url, SMALL));
    await removeNew(owner);
    const together = (await timeTogether(ours.url, LARGE)) / (await timeTogether(ours.url, SMALL));
    await removeNew(owner);
    if (round < 0) continue;
    ratios.single.push(single);
    ratios.together.push(together);
  }
  await stopContestant(ours);
  await owner.end();
  const [large, small] = [LARGE, SMALL].map(({ learners }) => learners.toLocaleString('en'));
  const common = { against: `one of ${small}`, unit: 'x', target: 1.5, least: false } as const;
  return [
    { ...common, what: `\`POST /learners\` in a company of ${large}`, value: median(ratios.single) },
    {
      ...common,
      what: `\`POST /learners/bulk\` of ${TOGETHER.toLocaleString('en')} in a company of ${large}`,
      value: median(ratios.together),
    },
  ];
}

async function createCompanies(ownerUrl: string): Promise<void> {
  const owner = openOwnerDatabase(ownerUrl);
  for (const { id, key, idKind, learners } of [SMALL, LARGE]) {
    await insertCompany(owner, id, key);
    await insertLearners(owner, id, idKind, learners);
  }
  await owner.raw('vacuum analyze learners');
  await owner.destroy();
}

/** Returns the milliseconds of consecutive creations. */
async function timeSingle(url: string, company: Company): Promise<number> {
  const startedAt = performance.now();
  for (let number = 0; number < CREATIONS; number++) await post(`${url}/learners`, company, learner(number));
  return performance.now() - startedAt;
}

async function timeTogether(url: string, company: Company): Promise<number> {
  const learners = Array.from({ length: TOGETHER }, (_, number) => learner(number));
  const startedAt = performance.now();
  await post(`${url}/learners/bulk`, company, { learners });
  return performance.now() - startedAt;
}

/** Builds a learner whose address and external id sort among the existing ones. */
function learner(number: number): Record<string, string> {
  const place = Math.floor(((number + 0.5) / TOGETHER) * LARGE.learners);
  return {
    email: `Learner${place}.New@bench.test`,
    firstName: `First${number}`,
    lastName: `Last${number}`,
    externalLearnerId: `HR-${place}-new`,
  };
}

async function post(url: string, { key }: Company, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok || text.startsWith('{"data":{"success":false'))
    throw new Error(`no creation: ${text.slice(0, 200)}`);
}

/**
 * Removes new learners by their ids: ids from the service contain the current time, ids of the data set an older time.
 */
async function removeNew(owner: pg.Client): Promise<void> {
  await owner.query('delete from learners where company_id = any($1) and id > $2', [
    [SMALL.id, LARGE.id],
    '0192a3b4-ffff-7000-8000-000000000000',
  ]);
}
