/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import type { Schemas } from '../../src/contract/contract.ts';
import { judgeNewLearners, type NewLearner } from '../../src/resources/learners/learner-rules.ts';
import { freeMailDomains } from '../../src/config/free-mail.ts';
import { expectRefusal, run } from '../process/support.ts';
import { send } from '../support/client.ts';
import { dropDatabase } from '../support/databases.ts';
import { companies } from '../support/world.ts';
import { ask, emptyOut, type Holder, holders, KINDS, rowsOf, seed } from './seeded.ts';

/** Columns that the tests read. */
interface SeededCompany {
  id: string;
  name: string;
  account_type: string;
  parent_id: string | null;
  managed_by: string[];
  learner_limit: number | null;
  active: number | null;
  domain: string;
  domain_lock: boolean;
}
interface SeededLearner {
  company_id: string;
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  external_learner_id: string | null;
  inactive: boolean;
  group_ids: string[];
}

const freeMail = freeMailDomains({ added: [], excepted: [] });

const ownRows = () => rowsOf(testService.database.ownerUrl);

async function seededCompanies(): Promise<SeededCompany[]> {
  return (await testService.query(
    'select c.*, s.active from companies c left join company_seats s on s.company_id = c.id',
  )) as unknown as SeededCompany[];
}

async function learnersOf({ id }: { id: string }): Promise<SeededLearner[]> {
  const groupIds = `array(select group_id::text from group_learners g where g.learner_id = l.id)`;
  const rows = await testService.query(
    `select *, ${groupIds} as group_ids from learners l where company_id = $1 order by created_at, id`,
    [id],
  );
  return rows as unknown as SeededLearner[];
}

const toNewLearner = (row: SeededLearner, index: number): NewLearner => ({ ...toInput(row), index, id: row.id });

function toInput(row: SeededLearner): Schemas['LearnerCreationItem'] {
  return {
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    groupIds: row.group_ids,
    ...(row.external_learner_id !== null && { externalLearnerId: row.external_learner_id }),
  };
}

test('the seed command gives the same rows in another database and time zone, and seeds only once', async () => {
  const name = `${testService.database.name}_twin`;
  const url = testService.database.ownerUrl.replace(testService.database.name, name);
  const admin = new pg.Client(process.env.TEST_ADMIN_URL);
  const twin = new pg.Client(url);
  await admin.connect();
  try {
    await admin.query(`create database ${name} template ${process.env.TEST_TEMPLATE} owner awareness_owner`);
    await twin.connect();
    await twin.query('truncate companies, file_contents cascade');
    await twin.end();
    const serviceUrl = testService.database.serviceUrl.replace(testService.database.name, name);
    const urls = { DATABASE_OWNER_URL: url, DATABASE_URL: serviceUrl };
    const env = { ...urls, TZ: 'Pacific/Auckland', LANG: 'tr_TR.UTF-8' };
    expect(await run(['scripts/demo/seed.ts'], env)).toMatchObject({ code: 0, stdout: 'seeded the demo\n' });
    expect(await rowsOf(url)).toEqual(await ownRows());
    const again = await run(['scripts/demo/seed.ts'], env);
    expect(again).toMatchObject({ code: 0, stdout: 'nothing seeded: the database already has companies\n' });
  } finally {
    await admin.end();
    await dropDatabase(name);
  }
});

describe('the demo data', () => {
  test('satisfies every foreign key, and each company lists its ancestors in managed_by', async () => {
    const keys = await testService.query(`
      select conname, conrelid::regclass as child, confrelid::regclass as parent,
             (select string_agg(format('p.%I = c.%I', pa.attname, ca.attname), ' and ')
                from unnest(conkey, confkey) as pair(child, parent)
                join pg_attribute ca on ca.attrelid = conrelid and ca.attnum = pair.child
                join pg_attribute pa on pa.attrelid = confrelid and pa.attnum = pair.parent) as same,
             (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[cardinality(conkey)]) as last
        from pg_constraint where contype = 'f'`);
    expect(keys.length).toBeGreaterThanOrEqual(7);
    for (const { conname, child, parent, same, last } of keys as Record<string, string>[]) {
      const orphans = await testService.query(
        `select * from ${child} c where c.${last} is not null and not exists (select from ${parent} p where ${same})`,
      );
      expect({ conname, orphans }).toEqual({ conname, orphans: [] });
    }
    const seeded = await seededCompanies();
    for (const { parent_id, managed_by } of seeded) {
      const parent = seeded.find(({ id }) => id === parent_id);
      expect(managed_by).toEqual(parent ? [parent.id, ...parent.managed_by] : []);
    }
  });

  test('follows the learner rules: no free-mail address, unique addresses and ids, domain lock, limit', async () => {
    for (const company of await seededCompanies()) {
      const learners = await learnersOf(company);
      const groups = await testService.query('select id from groups where company_id = $1', [company.id]);
      const facts = {
        emailPolicy: { domain: company.domain, domainLock: company.domain_lock, freeMail },
        freeSeats: null,
        emailHolders: new Map<string, string>(),
        externalIdHolders: new Map<string, string>(),
        existingGroupIds: new Set(groups.map(({ id }) => id as string)),
        existingManagerIds: new Set<string>(),
      };
      expect({ name: company.name, ...judgeNewLearners(learners.map(toNewLearner), facts) }).toMatchObject({
        refused: [],
      });
      const active = learners.filter(({ inactive }) => !inactive).map(toNewLearner);
      expect(judgeNewLearners(active, { ...facts, freeSeats: company.learner_limit })).toMatchObject({ refused: [] });
      expect(company.active ?? 0).toBe(active.length);
    }
  });

  test('has hundreds of learners, some of them inactive, and groups with active managers', async () => {
    const seeded = await seededCompanies();
    const tenant = await ask('tenant', '/company');
    const learners = await learnersOf(tenant);
    expect(learners.length).toBeGreaterThanOrEqual(200);
    expect(learners.filter(({ inactive }) => inactive).length).toBeGreaterThanOrEqual(20);
    for (const company of seeded) {
      const members = await learnersOf(company);
      expect(members.length).toBeGreaterThanOrEqual(5);
      const managers = await testService.query('select * from group_managers where company_id = $1', [company.id]);
      for (const { learner_id, group_id } of managers) {
        const manager = members.find(({ id }) => id === learner_id);
        expect(manager).toMatchObject({ inactive: false, group_ids: expect.arrayContaining([group_id]) });
      }
      const led = new Set(managers.map(({ group_id }) => group_id));
      expect([...new Set(members.flatMap(({ group_ids }) => group_ids))].filter((id) => !led.has(id))).toEqual([]);
      expect(led.size).toBeGreaterThan(0);
    }
  });

  test.each(holders)(
    'has the key of %s, which reads a company of that kind, its learners and its groups',
    async (holder) => {
      const company = await ask(holder, '/company');
      expect(company).toMatchObject({ accountType: KINDS[holder] });
      const [learners, groups] = await Promise.all([ask(holder, '/learners'), ask(holder, '/groups')]);
      expect(learners.length).toBe((await learnersOf(company)).length);
      expect(groups.length).toBeGreaterThan(0);
    },
  );

  test('has two unrelated tenants, and an MSP with two children below a distributor', async () => {
    const seeded = await seededCompanies();
    const idOf = async (holder: Holder) => (await ask(holder, '/company')).id as string;
    const parentOf = async (holder: Holder) => {
      const id = await idOf(holder);
      return seeded.find((company) => company.id === id)!.parent_id;
    };
    expect(await parentOf('msp')).toBe(await idOf('distributor'));
    for (const holder of ['tenant', 'otherTenant'] as const) expect(await parentOf(holder)).toBeNull();
    const children = (await ask('msp', '/companies')) as { id: string }[];
    expect(children.length).toBeGreaterThanOrEqual(2);
    const below = (await ask('distributor', '/companies')) as { id: string }[];
    expect(below).toEqual(expect.arrayContaining(children));
    expect(below.length).toBeGreaterThan(children.length);
    for (const { id } of children) {
      expect((await ask('msp', `/learners?companyId=${id}`)).length).toBeGreaterThan(10);
    }
  });

  test('has the keys, the ids and the response that README shows', async () => {
    const readme = readFileSync('README.md', 'utf8');
    const shown = readme.match(/sk_\w+/g)!;
    expect(shown.length).toBeGreaterThan(0);
    for (const key of shown) expect(Object.values(demoKeys)).toContain(key);
    const children = ((await ask('msp', '/companies')) as { id: string }[]).map(({ id }) => id);
    for (const [, id] of readme.matchAll(/companyId=([\w-]+)/g)) expect(children).toContain(id);
    const answer = JSON.parse(/```json\n(.*?)```/s.exec(readme)![1]!) as { data: unknown };
    expect(await ask('tenant', '/company')).toEqual(answer.data);
  });

  test.each(holders)('has learners of %s that the service accepts in a bulk creation', async (holder) => {
    const company = await ask(holder, '/company');
    const learners = await learnersOf(company);
    await testService.query('delete from learners where company_id = $1', [company.id]);
    const body = JSON.stringify({ learners: learners.map(toInput) });
    const headers = { authorization: `Bearer ${demoKeys[holder]}`, 'content-type': 'application/json' };
    const answer = await send('POST', '/learners/bulk', { headers, body });
    expect(answer.body).toMatchObject({ data: { success: true, errors: [] } });
  });
});

// Last, since it empties the database.
describe('seeding', () => {
  beforeEach(emptyOut);

  test('runs once across concurrent and later calls, and completes after a failed call', async () => {
    await expect(seed('postgres://nobody@127.0.0.1:1/nowhere')).rejects.toThrow();
    const begun = await ownRows();
    expect((await Promise.all([seed(), seed()])).sort()).toEqual([false, true]);
    const before = await ownRows();
    expect(before.length).toBeGreaterThan(begun.length);
    const names = await testService.query('select distinct name from api_keys order by name');
    expect(names).toEqual([{ name: 'Demo' }, { name: 'HR import' }]);
    expect(await seed()).toBe(false);
    expect(await ownRows()).toEqual(before);
  });

  test('does nothing in a database that has a company', async () => {
    await testService.query(
      `insert into companies (id, name, account_type, plan_name) values ($1, 'Mine', 'tenant', 'business')`,
      [companies.tenant],
    );
    expect(await seed()).toBe(false);
    expect(await ownRows()).toHaveLength(1);
  });

  test('is rejected in production, by the function and by the command', async () => {
    const usual = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    try {
      await expect(seed()).rejects.toThrow('NODE_ENV is production');
    } finally {
      process.env.NODE_ENV = usual;
    }
    const env = { DATABASE_OWNER_URL: testService.database.ownerUrl, NODE_ENV: 'production' };
    expectRefusal(await run(['scripts/demo/seed.ts'], env), 1, 'NODE_ENV is production');
    expect(await ownRows()).toEqual([]);
  });
});
