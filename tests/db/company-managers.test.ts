import pg from 'pg';
import { get } from '../support/client.ts';
import { companies, type CompanyName, type KeyName } from '../support/world.ts';

// The database maintains managers for every writer, so these tests write as its owner.
const { tenant, msp, childA, childB, distributor, directChild, strangerMsp, prospect } = companies;
const DISTRIBUTOR = '0192a3b6-0000-7000-8000-000000000002';

const setParent = (company: string, parent: string | null): Promise<unknown> =>
  testService.query('update companies set parent_id = $2 where id = $1', [company, parent]);
const circle = expect.objectContaining({ code: '23514', constraint: 'companies_no_circle' });

async function managersOf(company: string): Promise<unknown> {
  const [row] = await testService.query('select managed_by from companies where id = $1', [company]);
  return row!.managed_by;
}

/** Returns the statuses that a key gets for each child. */
async function reads(key: KeyName, children: CompanyName[]): Promise<number[]> {
  const answers = children.map((child) => get(`/learners?companyId=${companies[child]}`, key));
  return (await Promise.all(answers)).map(({ status }) => status);
}

afterEach(async () => {
  for (const [company, parent] of [
    [distributor, null],
    [strangerMsp, null],
    [prospect, null],
    [msp, distributor],
    [childA, msp],
    [childB, msp],
    [directChild, distributor],
  ] as const)
    await setParent(company, parent);
  await testService.query('delete from companies where id = $1', [DISTRIBUTOR]);
});

test('changing a parent changes at once who can read the companies below', async () => {
  await testService.query(`update companies set account_type = 'distributor' where id = $1`, [strangerMsp]);
  expect(await reads('distributor', ['childA', 'childB'])).toEqual([200, 200]);
  expect(await reads('strangerMsp', ['childA', 'childB'])).toEqual([403, 403]);
  await setParent(msp, strangerMsp);
  expect(await reads('distributor', ['childA', 'childB', 'directChild'])).toEqual([403, 403, 200]);
  expect(await reads('strangerMsp', ['childA', 'childB', 'directChild'])).toEqual([200, 200, 403]);
  expect(await reads('msp', ['childA', 'childB'])).toEqual([200, 200]);
  await testService.query(`update companies set account_type = 'msp' where id = $1`, [strangerMsp]);
});

test('managed_by contains only the companies above, regardless of the written value', async () => {
  await testService.query('update companies set managed_by = array[$2::uuid] where id = $1', [tenant, strangerMsp]);
  expect(await managersOf(tenant)).toEqual([]);
  await testService.query(
    `insert into companies (id, name, account_type, parent_id, managed_by, plan_name)
     values ($1, 'New', 'tenant', $2, array[$3::uuid], 'business')`,
    [DISTRIBUTOR, msp, strangerMsp],
  );
  expect(await managersOf(DISTRIBUTOR)).toEqual([msp, distributor]);
});

test.each([
  ['itself', distributor, distributor],
  ['its child', distributor, msp],
  ['a company below its child', distributor, childA],
])('a company cannot be placed below %s', async (_what, company, parent) => {
  await expect(setParent(company, parent)).rejects.toEqual(circle);
  expect([await managersOf(distributor), await managersOf(childA)]).toEqual([[], [msp, distributor]]);
});

test('concurrent changes can neither create a cycle nor keep a former parent as manager', async () => {
  const clients = [1, 2, 3].map(() => new pg.Client(testService.database.ownerUrl));
  const [first, second, third] = clients as [pg.Client, pg.Client, pg.Client];
  await Promise.all(clients.map((client) => client.connect()));
  const moving = 'update companies set parent_id = $2 where id = $1';
  try {
    await first.query('begin');
    await first.query(moving, [msp, strangerMsp]);
    const closing = expect(second.query(moving, [strangerMsp, childA])).rejects.toEqual(circle);
    const adding = third.query(moving, [prospect, msp]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await first.query('commit');
    await Promise.all([closing, adding]);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  expect(await managersOf(prospect)).toEqual([msp, strangerMsp]);
  expect(await managersOf(childB)).toEqual([msp, strangerMsp]);
});

test('a company added below a parent that concurrently loses its own parent is not managed by the lost parent', async () => {
  const [losing, adding] = [new pg.Client(testService.database.ownerUrl), new pg.Client(testService.database.ownerUrl)];
  await Promise.all([losing.connect(), adding.connect()]);
  try {
    await losing.query('begin');
    await losing.query('update companies set parent_id = null where id = $1', [msp]);
    const added = adding.query('update companies set parent_id = $2 where id = $1', [prospect, msp]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await losing.query('commit');
    await added;
  } finally {
    await Promise.all([losing.end(), adding.end()]);
  }
  expect(await managersOf(prospect)).toEqual([msp]);
});

test('a new trial without a limit, as the previous release inserts it, gets the default limit', async () => {
  await testService.query(
    `insert into companies (id, name, account_type, plan_name, learner_limit) values ($1, 'New', 'tenant', 'freeTrial', null)`,
    [DISTRIBUTOR],
  );
  const [row] = await testService.query('select learner_limit from companies where id = $1', [DISTRIBUTOR]);
  expect(row).toEqual({ learner_limit: 25 });
});

test('a free trial must have a limit', async () => {
  const endless = testService.query(`update companies set plan_name = 'freeTrial' where id = $1`, [tenant]);
  await expect(endless).rejects.toMatchObject({ code: '23514', constraint: 'companies_trial_limit' });
});
