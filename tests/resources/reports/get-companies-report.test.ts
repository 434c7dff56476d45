import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { countCompanyFigures } from '../../../src/resources/reports/companies/count-company-figures.ts';
import { expectError, get } from '../../support/client.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { companies, type CompanyName, type KeyName, learnerId } from '../../support/world.ts';

const path = '/reports/companies';
const access = new TenantAccess(openServicePool(2));
const count = (company: CompanyName) => countCompanyFigures(access.ofJob(companies[company]));
const setFigures = (company: CompanyName, figures: Record<string, unknown>) =>
  testService.query(
    `insert into company_figures (company_id, counted_at, ${Object.keys(figures).join(', ')})
     values ($1, '2026-03-02Z', ${Object.keys(figures)
       .map((_, index) => `$${index + 2}`)
       .join(', ')})`,
    [companies[company], ...Object.values(figures)],
  );

async function list(query = '', key: KeyName = 'msp'): Promise<any[]> {
  const { status, body } = await get(path + query, key);
  expect(status).toBe(200);
  return body.data;
}
const namesOf = async (query: string) => (await list(query, 'distributor')).map(({ name }) => name.split(' ')[1]);

beforeEach(async () => {
  await testService.query('delete from company_figures; delete from company_settings');
});

describe('GET /reports/companies', () => {
  // Runs first, because the process remembers what it has recorded in this hour.
  test('the audit log of each selected child records the report once an hour', async () => {
    await list('?name=childA');
    await list('?name=childA');
    const entriesOf = async (key: KeyName) =>
      (await get('/audit-log?operation=getCompaniesReport', key)).body.data.entries;
    expect(await entriesOf('childA')).toMatchObject([{ actorCompanyId: companies.msp, outcome: 'done' }]);
    expect(await entriesOf('childB')).toEqual([]);
  });

  test('a child without recorded figures has its name and learners', async () => {
    const none = {
      ...{ asOf: null, averageRiskScore: null, riskScoreLevel: null, overdueLearners: null, overdueRate: null },
      ...{ sentCount: null, clickRate: null, reportRate: null, breachedAccounts: null, lastActivityAt: null },
    };
    expect(await list()).toEqual([
      { id: companies.childA, name: 'The childA company', isTrial: expect.any(Boolean), learnerCount: 4, ...none },
      { id: companies.childB, name: 'The childB company', isTrial: expect.any(Boolean), learnerCount: 4, ...none },
    ]);
  });

  test("the nightly figures match the child's reports, with the child's own minimum group size", async () => {
    await testService.query('insert into company_settings values ($1, 2)', [companies.childA]);
    await testService.query(`update companies set smphish = true, smbreachproenabled = false where id = $1`, [
      companies.childA,
    ]);
    await testService.query(`update learners set risk_score = 40 where company_id = any($1)`, [
      [companies.childA, companies.childB],
    ]);
    await count('childA');
    await count('childB');
    const [childA, childB] = await list();
    const { company } = (await get('/reports/groups', 'childA')).body.data;
    expect(childA).toMatchObject({
      averageRiskScore: 40,
      riskScoreLevel: 'moderate',
      sentCount: company.simulations.sentCount,
      clickRate: company.simulations.clickRate,
      reportRate: company.simulations.reportRate,
      breachedAccounts: null,
    });
    const { data: overdue } = (await get('/reports/overdue', 'childA')).body;
    const late = overdue.reduce((sum: number, row: any) => sum + row.overdueLearners, 0);
    expect(childA).toMatchObject({ overdueLearners: late, overdueRate: late / 4 });
    // Four learners are fewer than the default minimum of five.
    expect(childB).toMatchObject({ averageRiskScore: null, riskScoreLevel: null, clickRate: null, reportRate: null });
  });

  test('inactive learners are never overdue', async () => {
    await testService.query('update learners set inactive = true where id = $1', [learnerId('childA', 1)]);
    await count('childA');
    const [{ overdueLearners }] = await list();
    const { data } = (await get('/reports/overdue', 'childA')).body;
    expect(overdueLearners).toBe(data.reduce((sum: number, row: any) => sum + row.overdueLearners, 0));
    await testService.query('update learners set inactive = false where id = $1', [learnerId('childA', 1)]);
  });

  test('the last activity is the last successful sign-in', async () => {
    await testService.query(
      `insert into sign_ins (company_id, kind, person_id, method, reason, occurred_at)
       values ($1, 'admin', $2, 'link', null, '2029-01-01Z'), ($1, 'admin', $2, 'link', 'expired', '2029-01-02Z')`,
      [companies.childA, learnerId('childA', 1)],
    );
    await count('childA');
    expect((await list())[0].lastActivityAt).toBe('2029-01-01T00:00:00.000Z');
    await testService.query('delete from sign_ins');
  });

  test('a company that nobody manages is not counted', async () => {
    await count('tenant');
    expect(await testService.query('select company_id from company_figures')).toEqual([]);
  });

  test('the figures of a second night replace the first ones', async () => {
    await setFigures('childA', { overdue_learners: 99 });
    await count('childA');
    const [childA] = await list();
    expect(childA.overdueLearners).not.toBe(99);
    expect(Date.parse(childA.asOf)).toBeGreaterThan(Date.parse('2026-03-02'));
  });

  test('each order begins with the child that needs the most attention, and ends with children without the figure', async () => {
    const [bad, good] = [
      {
        ...{ average_risk_score: 80, overdue_rate: 0.5, click_rate: 0.3, report_rate: 0.1, breached_accounts: 9 },
        last_activity_at: '2025-01-01Z',
      },
      {
        ...{ average_risk_score: 20, overdue_rate: 0.1, click_rate: 0.1, report_rate: 0.6, breached_accounts: 1 },
        last_activity_at: '2026-01-01Z',
      },
    ];
    await testService.query('update companies set smphish = true, smbreachproenabled = true');
    await setFigures('childB', bad);
    await setFigures('directChild', good);
    for (const sort of [
      'averageRiskScore',
      'overdueRate',
      'clickRate',
      'reportRate',
      'breachedAccounts',
      'lastActivityAt',
    ])
      expect({ sort, names: (await namesOf(`?sort=${sort}`)).slice(0, 2) }).toEqual({
        sort,
        names: ['childB', 'directChild'],
      });
    expect(await namesOf('')).toEqual(['childA', 'childB', 'directChild']);
    await testService.query('update companies set smphish = false where id = $1', [companies.childB]);
    expect((await namesOf('?sort=clickRate'))[0]).toBe('directChild');
    await testService.query('update companies set smphish = true');
  });

  test('pages follow the order and together form the list', async () => {
    await setFigures('childB', { overdue_rate: 0.5 });
    for (const sort of ['companyName', 'learnerCount', 'overdueRate', 'lastActivityAt']) {
      const whole = await list(`?sort=${sort}`, 'distributor');
      const paged: any[] = [];
      for (let cursor = ''; ;) {
        const { body }: { body: any } = await get(`${path}?sort=${sort}&limit=1${cursor}`, 'distributor');
        paged.push(...body.data);
        if (body.page.nextCursor === null) break;
        cursor = `&cursor=${encodeURIComponent(body.page.nextCursor)}`;
      }
      expect(paged).toEqual(whole);
    }
  });

  test('name finds a part of the name, case-insensitively, and takes wildcards literally', async () => {
    expect(await namesOf('?name=CHILDb')).toEqual(['childB']);
    for (const text of ['%25', '_', '%5C']) expect(await namesOf(`?name=${text}`)).toEqual([]);
  });

  test('only an MSP and a distributor can call it, and an MSP sees only its own children', async () => {
    for (const key of ['tenant', 'childA', 'prospect'] as const) expectError(await get(path, key), 403, 'forbidden');
    expect(await list('', 'strangerMsp')).toEqual([]);
    expectError(await get(`${path}?sort=id`, 'msp'), 400, 'invalid_request');
  });
});
