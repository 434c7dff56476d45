import pg from 'pg';
import type { Caller } from '../../src/auth/caller.ts';
import { TenantAccess } from '../../src/auth/tenant-access.ts';
import { openServicePool } from '../support/service-pool.ts';
import { sql } from '../../src/db/sql.ts';
import { mutation, type Statement } from '../../src/db/statement.ts';
import type { TenantReader } from '../../src/db/tenant.ts';
import { companies, learnerId } from '../support/world.ts';
import { allStatements, sampleValues } from './samples.ts';

type Rename = { learnerId: string };
const rename = mutation<Rename>('test_rename', (p, knex) =>
  knex('learners').where({ company_id: p.companyId, id: p.learnerId }).update({ first_name: 'Renamed' }),
);
const lock = mutation<Rename>(
  'test_lock',
  (p) => sql`select id from learners where company_id = ${p.companyId} and id = ${p.learnerId} for update`,
);

const msp: Caller = {
  companyId: companies.msp,
  accountType: 'msp',
  keyId: 'key',
  modules: [],
  scopes: null,
  expiresAt: null,
};
let pool: pg.Pool;

beforeAll(() => {
  pool = openServicePool(2);
});
afterAll(() => pool.end());

/** Casts a mutation to a statement, which the compiler would otherwise reject. */
function forced<P, R>(made: { name: string } & Pick<Statement<P, R>, 'values'>): Statement<P, R> {
  return made as Statement<P, R>;
}

describe.each([
  ['a managed child', companies.childA, learnerId('childA', 1)],
  ['the company itself', undefined, learnerId('msp', 1)],
])('a reader of %s', (_whose, companyId, learner) => {
  const params = { learnerId: learner };
  let reader: TenantReader;
  beforeAll(async () => {
    reader = await new TenantAccess(pool).reader(msp, companyId, []);
  });

  test.each([
    ['a mutation', rename],
    ['a lock', lock],
  ])('is denied %s in each way of reading, by the compiler and by Postgres', async (_what, made) => {
    const refused = { code: '25006' };
    // @ts-expect-error: statements that change or lock rows are for writers
    await expect(reader.queryOne(made, params)).rejects.toMatchObject(refused);
    // @ts-expect-error: as above
    await expect(reader.queryAll(made, params)).rejects.toMatchObject(refused);
    // @ts-expect-error: as above
    const list = await reader.stream(made, params).open();
    await expect(list.next()).rejects.toMatchObject(refused);
    const [row] = await testService.query('select first_name from learners where id = $1', [learner]);
    expect(row!.first_name).not.toBe('Renamed');
  });

  test('has no method for mutations', () => {
    // @ts-expect-error: only a writer has `run`
    expect(reader.run).toBeUndefined();
  });
});

test("a writer's mutation takes effect after it has read on the same connection", async () => {
  const writer = new TenantAccess(pool).ofJob(companies.msp);
  const [changed] = await testService.query('select id from learners where company_id = $1 limit 1', [companies.msp]);
  for (let calls = 0; calls < 4; calls++) {
    await writer.queryAll(forced(lock), { learnerId: changed!.id as string }).catch(() => undefined);
    await writer.mutate(rename, { learnerId: changed!.id as string });
  }
  expect(await testService.query(`select id from learners where first_name = 'Renamed'`)).toEqual([changed]);
});

describe('every statement that is declared as reading', () => {
  let service: pg.Client;
  beforeAll(async () => {
    service = new pg.Client(testService.database.serviceUrl);
    await service.connect();
  });
  afterAll(() => service.end());

  const reading = allStatements().filter(({ isMutation }) => !isMutation);
  test.each(reading.map((made) => [made.name, made] as const))('%s changes nothing', async (_name, made) => {
    const values = await sampleValues(service, made);
    await service.query('begin read only');
    try {
      await service.query(`select set_config('app.company_id', $1, true)`, [companies.tenant]);
      await service.query(made.text, values);
    } finally {
      await service.query('rollback');
    }
  });
});
