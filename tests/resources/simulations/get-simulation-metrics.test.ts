import { call, del, expectError, get, post } from '../../support/client.ts';
import { companies, type CompanyName, learnerId } from '../../support/world.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { insertLearners } from '../tenant-state.ts';

const PATH = '/simulations/metrics';
const ofWorld = { opened: 4, visited: 2, compromised: 1, reported: 1, total: 5 };
const NOTHING = { opened: 0, visited: 0, compromised: 0, reported: 0, total: 0 };

const read = async (company?: CompanyName, query = ''): Promise<any> => {
  const { status, body } = await get(PATH + query, company);
  expect(status).toBe(200);
  return body.data;
};
const totals = async (company: CompanyName): Promise<unknown> => (await read(company)).totalMetrics;

/** Adds up the counts of the simulations in a response. */
function sumsOf(simulations: any[]): object {
  const sum = (name: string): number => simulations.reduce((total, simulation) => total + simulation[name], 0);
  const [opened, visited, compromised] = [sum('openCount'), sum('visitCount'), sum('compromiseCount')];
  return { opened, visited, compromised, reported: sum('reportCount'), total: sum('sentCount') };
}

/** Sets columns of every sent message of a simulation. */
const record = (company: CompanyName, simulation: 1 | 4 | 5, setting: string): Promise<unknown> =>
  testService.query(`update simulation_recipients set ${setting} where simulation_id = $1 and sent_at is not null`, [
    simulationId(company, simulation),
  ]);

describe('GET /simulations/metrics', () => {
  test('returns the totals of sent messages and the simulations of the list', async () => {
    expect(await read()).toEqual({ totalMetrics: ofWorld, simulations: (await get('/simulations')).body.data });
  });

  test('a company without simulations has zeros and an empty list', async () => {
    await testService.query('delete from simulations where company_id = $1', [companies.prospect]);
    expect(await read('prospect')).toEqual({ totalMetrics: NOTHING, simulations: [] });
  });

  test('simulations without recipients are listed and add nothing', async () => {
    await testService.query('delete from simulation_recipients where company_id = $1', [companies.strangerMsp]);
    const { totalMetrics, simulations } = await read('strangerMsp');
    expect(totalMetrics).toEqual(NOTHING);
    expect(simulations).toEqual((await get('/simulations', 'strangerMsp')).body.data);
    expect(simulations).toHaveLength(5);
  });

  test('recipients without a sent message are not in the total', async () => {
    await testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at)
       select company_id, $2, id, now() from learners where company_id = $1 on conflict do nothing`,
      [companies.other, simulationId('other', 2)],
    );
    expect(await totals('other')).toEqual(ofWorld);
  });

  test('an event counts once, with the milestones that it implies', async () => {
    for (const time of ['2026-03-03T08:00Z', '2026-03-04T08:00Z', '2026-03-03T07:00Z']) {
      await record('other', 5, `compromised_at = '${time}'`);
      expect(await totals('other')).toEqual({ ...ofWorld, compromised: 2 });
    }
    await record('other', 1, `visited_at = '2026-02-12T08:00Z', reported_at = '2026-02-12T08:00Z'`);
    expect(await totals('other')).toEqual({ opened: 5, visited: 5, compromised: 2, reported: 4, total: 5 });
  });

  test('a sent message counts, even after its simulation is cancelled', async () => {
    const send = 'update simulation_recipients set sent_at = now() where simulation_id = $1';
    await testService.query(send, [simulationId('childA', 5)]);
    expect(await totals('childA')).toEqual({ ...ofWorld, total: 6 });
    await testService.query(`update simulations set status = 'cancelled' where id = $1`, [simulationId('childA', 5)]);
    const { totalMetrics, simulations } = await read('childA');
    expect(totalMetrics).toEqual({ ...ofWorld, total: 6 });
    expect(simulations[4]).toMatchObject({ status: 'cancelled', sentCount: 2 });
  });

  test('deactivated learners still count', async () => {
    const learnerIds = ([1, 2, 3] as const).map((number) => learnerId('childB', number));
    await post('/learners/deactivate', { learnerIds }, 'childB');
    expect(await totals('childB')).toEqual(ofWorld);
  });

  test('deleted learners still count', async () => {
    const before = await totals('directChild');
    const learnerIds = ([1, 2, 3, 5] as const).map((number) => learnerId('directChild', number));
    await del('/learners/bulk', { learnerIds }, 'directChild');
    const { totalMetrics, simulations } = await read('directChild');
    expect(totalMetrics).toEqual(before);
    expect(totalMetrics).toEqual(sumsOf(simulations));
  });
});

describe('GET /simulations/metrics of other companies', () => {
  test.each([
    ['an MSP', 'msp', 'childA'],
    ['a distributor', 'distributor', 'childA'],
    ['a distributor', 'distributor', 'directChild'],
    ['a tenant itself', 'tenant', 'tenant'],
  ] as const)('%s reads the metrics of the named company', async (_case, key, company) => {
    const answer = await get(`${PATH}?companyId=${companies[company]}`, key);
    expect(answer.body.data).toEqual(await read(company));
    const ids = answer.body.data.simulations.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(([1, 2, 3, 4, 5] as const).map((number) => simulationId(company, number)));
  });

  test('the totals of an MSP and a distributor exclude their children', async () => {
    for (const company of ['msp', 'distributor'] as const) expect(await totals(company)).toEqual(ofWorld);
  });

  test('simulations with the same id in two companies do not mix their totals', async () => {
    await testService.query(
      `insert into simulations (company_id, id, name, status, delivery_method, start_date)
       select $1, id, name, 'completed', delivery_method, '2026-01-01' from simulations where company_id = $2`,
      [companies.prospect, companies.tenant],
    );
    await testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, sent_at, reported_at)
       select company_id, $2, id, now(), now() from learners where company_id = $1`,
      [companies.prospect, simulationId('tenant', 1)],
    );
    const { totalMetrics, simulations } = await read('prospect');
    expect(totalMetrics).toEqual({ ...NOTHING, reported: 5, total: 5 });
    expect(simulations).toHaveLength(5);
    expect(await totals('tenant')).toEqual(ofWorld);
  });
});

describe('GET /simulations/metrics of a large company', () => {
  beforeAll(async () => {
    await testService.query(
      `insert into simulations (company_id, id, name, status, delivery_method, start_date)
       select $1::uuid, ('0192e000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n::text, 'running', 'email', now()
         from generate_series(1, 2000) as n order by random()`,
      [companies.tenant],
    );
    await testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, sent_at, visited_at)
       select company_id, id, $2, now(), case when name::integer % 4 = 0 then now() end
         from simulations where company_id = $1 and id::text like '0192e%'`,
      [companies.tenant, learnerId('tenant', 5)],
    );
  });

  test('counts 5,000 recipients of a simulation as the list and the detail do', async () => {
    await insertLearners('msp', 5000);
    const id = simulationId('msp', 3);
    await testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, sent_at, opened_at,
                                          visited_at, compromised_at, reported_at)
       select company_id, $2, id, day, case when n % 10 > 0 then day end, case when n % 10 > 2 then day end,
              case when n % 10 > 4 then day end, case when n % 10 > 7 then day end, case when n % 10 = 1 then day end
         from (select *, row_number() over (order by id) as n from learners
                where company_id = $1 and email like 'many%') as l,
              lateral (select timestamptz '2026-01-01T00:00Z' + n % 100 * interval '1 day' as day) as d`,
      [companies.msp, id],
    );
    const counts = { sentCount: 4500, openCount: 3500, visitCount: 2500, compromiseCount: 1000, reportCount: 500 };
    const { totalMetrics, simulations } = await read('msp');
    expect(simulations[2]).toMatchObject({ id, recipientCount: 5001, ...counts });
    expect(totalMetrics).toEqual({ opened: 3504, visited: 2502, compromised: 1001, reported: 501, total: 4505 });
    expect((await get('/simulations', 'msp')).body.data).toEqual(simulations);
    const { timeline, ...simulation } = (await get(`/simulations/${id}`, 'msp')).body.data;
    expect(simulation).toMatchObject(simulations[2]);
    expect(timeline).toEqual(
      Array.from({ length: 100 }, (_, n) => ({
        date: new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10),
        sentCount: 50,
        openCount: n % 10 > 2 ? 50 : 0,
        visitCount: n % 10 > 4 ? 50 : 0,
        compromiseCount: n % 10 > 7 ? 50 : 0,
        reportCount: n % 10 === 1 ? 50 : 0,
      })).filter((_day, n) => n % 10 > 0),
    );
  });

  test('lists 2,000 more simulations completely and in order, and totals them all', async () => {
    const { totalMetrics, simulations } = await read();
    expect(simulations.slice(5).map(({ name }: { name: string }) => name)).toEqual(
      Array.from({ length: 2000 }, (_, n) => String(n + 1)),
    );
    expect(totalMetrics).toEqual({ ...ofWorld, opened: 504, visited: 502, total: 2005 });
    expect(await call('tenant', 'HEAD', PATH)).toMatchObject({ status: 200, text: '' });
  });

  test('the totals match the listed simulations while events are written', async () => {
    let reading = true;
    const write = async (): Promise<void> => {
      for (let n = 1; reading && n <= 2000; n += 1) {
        await testService.query(
          `update simulation_recipients set reported_at = now()
            where company_id = $1 and simulation_id::text like $2`,
          [companies.tenant, `0192e%${n.toString(16).padStart(3, '0')}`],
        );
      }
    };
    const writing = write();
    const reported = new Set<number>();
    try {
      for (let reads = 0; reported.size < 3 && reads < 100; reads += 1) {
        const { totalMetrics, simulations } = await read();
        expect(totalMetrics).toEqual(sumsOf(simulations));
        reported.add(totalMetrics.reported);
      }
    } finally {
      reading = false;
      await writing;
    }
    expect(reported.size).toBe(3);
  });
});

test('an MSP cannot read the metrics of a child without the module', async () => {
  await testService.query('update companies set smphish = false where id = $1', [companies.childB]);
  expectError(await get(`${PATH}?companyId=${companies.childB}`, 'msp'), 403, 'module_not_enabled');
});
