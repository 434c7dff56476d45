import { call, del, expectError, get, post } from '../../support/client.ts';
import { companies, type CompanyName, learnerId } from '../../support/world.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { hostileTexts } from '../reports/report-state.ts';

const idsOf = async (path: string, key?: CompanyName): Promise<string[]> => {
  const { status, body } = await get(path, key);
  expect(status).toBe(200);
  return body.data.map(({ id }: { id: string }) => id);
};
const ofCompany = (company: CompanyName): string[] => ([1, 2, 3, 4, 5] as const).map((n) => simulationId(company, n));

const counts = (recipientCount: number, sent = 0, open = 0, visit = 0, compromise = 0, report = 0): object => {
  return {
    recipientCount,
    sentCount: sent,
    openCount: open,
    visitCount: visit,
    compromiseCount: compromise,
    reportCount: report,
  };
};

/** Inserts drafts without recipients, with ids in the order of their names. */
async function insertDrafts(company: CompanyName, names: string[]): Promise<void> {
  await testService.query(
    `insert into simulations (company_id, id, name, status, delivery_method)
     select $1::uuid, ('0192e000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, name, 'draft', 'qr_code'
       from unnest($2::text[]) with ordinality as t (name, n) order by random()`,
    [companies[company], names],
  );
}

/** Returns the first simulation in the list of a company. */
const first = async (company: CompanyName): Promise<unknown> => (await get('/simulations', company)).body.data[0];

describe('GET /simulations', () => {
  test('lists simulations of every status by id, with their counts and no other fields', async () => {
    const { status, body } = await get('/simulations');
    expect(status).toBe(200);
    const expected = [
      ['completed', counts(4, 4, 3, 1, 1, 1)],
      ['scheduled', counts(2)],
      ['draft', counts(1)],
      ['cancelled', counts(1)],
      ['running', counts(2, 1, 1, 1)],
    ] as const;
    expect(body.data).toEqual(
      expected.map(([status, counted], index) => ({
        id: simulationId('tenant', (index + 1) as 1),
        externalId: null,
        campaignId: null,
        name: `Simulation ${index + 1} of tenant`,
        status,
        createdAt: '2026-01-05T09:00:00.000Z',
        ...counted,
        startDate: status === 'draft' ? null : `2026-0${index + 1}-10T07:00:00.000Z`,
        endDate: status === 'completed' ? '2026-02-20T17:00:00.000Z' : null,
      })),
    );
  });

  test('a company without simulations has an empty list', async () => {
    await testService.query('delete from simulations where company_id = $1', [companies.prospect]);
    expect((await get('/simulations', 'prospect')).text).toBe('{"data":[]}');
  });

  test('a simulation without recipients has zero counts', async () => {
    await testService.query('delete from simulation_recipients where simulation_id = $1', [simulationId('childA', 1)]);
    expect(await first('childA')).toMatchObject({ id: simulationId('childA', 1), ...counts(0) });
    expect((await get('/simulations', 'childA')).body.data[4]).toMatchObject(counts(2, 1, 1, 1));
  });

  test('the list is ordered by id regardless of dates, and createdAt keeps its milliseconds', async () => {
    await testService.query(
      `insert into simulations (company_id, id, name, status, delivery_method, created_at) values
         ($1, '0192a3b4-0000-7000-8000-000000000001', 'The lowest id', 'draft', 'email', '2027-01-01T00:00:00.07Z'),
         ($1, '0192ffff-0000-7000-8000-000000000001', 'The highest id', 'draft', 'email', '2025-01-01T01:00:00.999+02')`,
      [companies.strangerMsp],
    );
    const { data } = (await get('/simulations', 'strangerMsp')).body;
    expect(data.map(({ id }: { id: string }) => id).slice(1, -1)).toEqual(ofCompany('strangerMsp'));
    expect(data[0]).toMatchObject({ name: 'The lowest id', createdAt: '2027-01-01T00:00:00.070Z' });
    expect(data[6]).toMatchObject({ name: 'The highest id', createdAt: '2024-12-31T23:00:00.999Z' });
  });

  test('hostile names are returned unchanged', async () => {
    await insertDrafts('directChild', hostileTexts);
    const { body } = await get('/simulations', 'directChild');
    expect(body.data.slice(5).map(({ name }: { name: string }) => name)).toEqual(hostileTexts);
  });
});

describe('the counts of GET /simulations', () => {
  const record = (learner: 1 | 2 | 3 | 5, settings: string): Promise<unknown> =>
    testService.query(`update simulation_recipients set ${settings} where simulation_id = $1 and learner_id = $2`, [
      simulationId('other', 1),
      learnerId('other', learner),
    ]);

  test('include each event and the milestones that it implies', async () => {
    await record(3, `reported_at = '2026-02-12T08:00Z'`);
    expect(await first('other')).toMatchObject(counts(4, 4, 3, 1, 1, 2));
    await record(3, `compromised_at = '2026-02-12T08:00Z'`);
    expect(await first('other')).toMatchObject(counts(4, 4, 4, 2, 2, 2));
    await record(1, `visited_at = '2026-02-12T08:00Z'`);
    expect(await first('other')).toMatchObject(counts(4, 4, 4, 3, 2, 2));
  });

  test('do not grow when an event is repeated', async () => {
    await record(2, `compromised_at = now(), visited_at = now(), opened_at = now(), sent_at = now()`);
    expect(await first('other')).toMatchObject(counts(4, 4, 4, 3, 2, 2));
  });

  test('count a recipient without a sent message only in recipientCount', async () => {
    await testService.query(
      'insert into simulation_recipients (company_id, simulation_id, learner_id) values ($1, $2, $3)',
      [companies.other, simulationId('other', 1), learnerId('other', 4)],
    );
    expect(await first('other')).toMatchObject(counts(5, 4, 4, 3, 2, 2));
  });

  test('include deactivated learners', async () => {
    const before = (await get('/simulations', 'childB')).text;
    const learnerIds = ([1, 2, 3] as const).map((number) => learnerId('childB', number));
    expect((await post('/learners/deactivate', { learnerIds }, 'childB')).status).toBe(200);
    expect((await get('/simulations', 'childB')).text).toBe(before);
  });

  test('lose only the unsent messages of deleted learners', async () => {
    await del(`/learners/${learnerId('msp', 2)}`, undefined, 'msp');
    await del('/learners/bulk', { learnerIds: [learnerId('msp', 5), learnerId('other', 1)] }, 'msp');
    expect((await get('/simulations', 'msp')).body.data).toMatchObject([
      counts(4, 4, 3, 1, 1, 1),
      counts(1),
      counts(1),
      counts(1),
      counts(1, 1, 1, 1),
    ]);
  });

  test("exclude another company's simulation with the same id", async () => {
    const id = simulationId('tenant', 1);
    await testService.query(
      `insert into simulations (company_id, id, name, status, delivery_method, start_date)
       values ($1, $2, 'The same id', 'running', 'email', now())`,
      [companies.directChild, id],
    );
    const before = (await get('/simulations')).text;
    expect((await first('directChild')) as object).toMatchObject({ id, name: 'The same id', ...counts(0) });
    await testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, sent_at, compromised_at)
       select company_id, $2, id, now(), now() from learners where company_id = $1`,
      [companies.directChild, id],
    );
    expect(await first('directChild')).toMatchObject(counts(5, 5, 5, 5, 5, 0));
    expect((await get('/simulations')).text).toBe(before);
  });
});

describe('GET /simulations of other companies', () => {
  test.each([
    ['an MSP', 'msp', 'childB'],
    ['a distributor', 'distributor', 'childB'],
    ['a distributor', 'distributor', 'directChild'],
    ['a tenant itself', 'tenant', 'tenant'],
  ] as const)('%s lists only the simulations of the named company', async (_case, key, company) => {
    const answer = await get(`/simulations?companyId=${companies[company]}`, key);
    expect(answer.text).toBe((await get('/simulations', company)).text);
    expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(ofCompany(company)));
  });

  test.each(['msp', 'distributor'] as const)('%s without companyId lists only its own simulations', async (key) => {
    expect(await idsOf('/simulations', key)).toEqual(ofCompany(key));
  });

  test('an MSP cannot list the simulations of a child without the module', async () => {
    await testService.query('update companies set smphish = false where id = $1', [companies.childA]);
    expectError(await get(`/simulations?companyId=${companies.childA}`, 'msp'), 403, 'module_not_enabled');
    expect(await idsOf('/simulations', 'msp')).toEqual(ofCompany('msp'));
  });
});

describe('a long GET /simulations', () => {
  const names = Array.from({ length: 2000 }, (_, n) => `Köder 🎣 ${n + 1}`);

  test('lists 2,000 more simulations completely and in order, several times at once', async () => {
    await insertDrafts('tenant', names);
    const lists = await Promise.all(Array.from({ length: 4 }, () => get('/simulations')));
    for (const { headers, body } of lists) {
      expect(headers.get('content-length')).toBeNull();
      expect(body.data.slice(5).map(({ name }: { name: string }) => name)).toEqual(names);
      expect(body.data.slice(0, 5).map(({ id }: { id: string }) => id)).toEqual(ofCompany('tenant'));
    }
    expect(await call('tenant', 'HEAD', '/simulations')).toMatchObject({ status: 200, text: '' });
  });
});
