import { type Answer, call, del, expectError, get, post } from '../../support/client.ts';
import { companies, type CompanyName, id, learnerId } from '../../support/world.ts';
import { recipientId, simulationId } from '../../support/world-simulations.ts';
import { hostileTexts } from '../reports/report-state.ts';

const pathOf = (learner: string): string => `/learners/${learner}/simulation-results`;
const learner = (number: 1 | 2 | 3 | 4 | 5): string => learnerId('tenant', number);
const simulationsOf = ({ status, body }: Answer): string[] => {
  expect(status).toBe(200);
  return body.data.map(({ simulationId }: { simulationId: string }) => simulationId);
};
const resultsOf = async (company: CompanyName, number: 1 | 2 | 3 | 4 | 5): Promise<any[]> =>
  (await get(pathOf(learnerId(company, number)), company)).body.data;

const nothing = {
  open: null,
  visit: null,
  compromise: null,
  report: null,
  settledAt: null,
  withdrawn: null,
  withdrawnBecause: null,
  interactions: null,
};
/** Returns the completed simulation of the test world, as results refer to it. */
const completed = (company: CompanyName): object => ({
  id: simulationId(company, 1),
  name: `Simulation 1 of ${company}`,
  status: 'completed',
  startDate: '2026-01-10T07:00:00.000Z',
  endDate: '2026-02-20T17:00:00.000Z',
});
/** Returns a learner's result for the completed simulation. */
const resultOfCompleted = (company: CompanyName, number: 1 | 2 | 3 | 5, times: object): object => ({
  id: recipientId(company, 1, number),
  learnerId: learnerId(company, number),
  simulationId: simulationId(company, 1),
  ...nothing,
  ...times,
  createdAt: '2026-02-10T08:00:00.000Z',
  deliveryMethod: 'email',
  simulation: completed(company),
});

interface Sent {
  id: string;
  sent: string | null;
  opened?: string;
  visited?: string;
  compromised?: string;
  reported?: string;
}

/** Puts learner 4, who is in no simulation of the test world, into a new simulation for each message. */
async function insertMessages(company: CompanyName, messages: Sent[], status = 'running'): Promise<string[]> {
  const ids = messages.map((_message, n) => `0192e000-0000-7000-8000-${String(n).padStart(12, '0')}`);
  await testService.query(
    `with made as (
       insert into simulations (company_id, id, name, status, delivery_method, start_date)
       select $1, id, 'Made', $4, 'attachment', '2026-01-01' from unnest($2::uuid[]) as id)
     insert into simulation_recipients (company_id, simulation_id, learner_id, id, scheduled_at, sent_at, opened_at,
                                        visited_at, compromised_at, reported_at)
     select $1, s, $5, m.id, now(), sent, opened, visited, compromised, reported
       from rows from (unnest($2::uuid[]), jsonb_to_recordset($3) as (id uuid, sent timestamptz, opened timestamptz,
            visited timestamptz, compromised timestamptz, reported timestamptz))
         as m (s, id, sent, opened, visited, compromised, reported) order by random()`,
    [companies[company], ids, JSON.stringify(messages), status, learnerId(company, 4)],
  );
  return ids;
}

afterEach(() => testService.query(`delete from simulations where id::text like '0192e%'`));

describe('GET /learners/{learnerId}/simulation-results', () => {
  test('lists only sent messages, not queued or cancelled ones, with exactly the documented fields', async () => {
    const { status, body } = await get(pathOf(learner(1)));
    expect(status).toBe(200);
    expect(body.data).toEqual([
      resultOfCompleted('tenant', 1, {
        open: '2026-02-10T08:01:00.000Z',
        report: '2026-02-10T08:02:00.000Z',
        settledAt: '2026-02-10T08:11:00.000Z',
      }),
      {
        id: recipientId('tenant', 5, 1),
        learnerId: learner(1),
        simulationId: simulationId('tenant', 5),
        ...nothing,
        open: '2026-03-02T08:05:00.000Z',
        visit: '2026-03-02T08:05:00.000Z',
        settledAt: '2026-03-02T08:15:00.000Z',
        createdAt: '2026-03-02T08:00:00.000Z',
        deliveryMethod: 'email',
        simulation: {
          id: simulationId('tenant', 5),
          name: 'Simulation 5 of tenant',
          status: 'running',
          startDate: '2026-05-10T07:00:00.000Z',
          endDate: null,
        },
      },
    ]);
  });

  test.each([
    [
      2,
      'who submitted data',
      {
        open: '2026-02-10T09:00:00.000Z',
        visit: '2026-02-10T09:01:00.000Z',
        compromise: '2026-02-11T09:02:00.000Z',
        settledAt: '2026-02-11T09:12:00.000Z',
      },
    ],
    [3, 'who did nothing', {}],
    [5, 'who is inactive', { open: '2026-02-11T10:00:00.000Z', settledAt: '2026-02-11T10:10:00.000Z' }],
  ] as const)('learner %i, %s, has the times of their actions and null for the others', async (number, _who, times) => {
    expect(await resultsOf('tenant', number)).toEqual([resultOfCompleted('tenant', number, times)]);
  });

  test('the list is empty for a learner without sent messages', async () => {
    await insertMessages('tenant', [{ id: id('d', 1), sent: null }]);
    expect((await get(pathOf(learner(4)))).text).toBe('{"data":[]}');
  });

  test('lists results by id, not by the time sent', async () => {
    const sent = ['2026-05-03', '2026-05-01', '2026-05-04', '2026-05-02'];
    const made = await insertMessages(
      'tenant',
      sent.map((day, n) => ({ id: id('d', [7, 3, 5, 1][n]!), sent: day })),
    );
    const answer = await get(pathOf(learner(4)));
    expect(simulationsOf(answer)).toEqual([made[3], made[1], made[2], made[0]]);
    expect(answer.body.data.map((result: { id: string }) => result.id)).toEqual([1, 3, 5, 7].map((n) => id('d', n)));
  });

  test('returns times in UTC with milliseconds', async () => {
    const times = {
      sent: '2026-05-01T00:30:00.5+02:00',
      opened: '2026-05-01T00:00:00.007Z',
      visited: '2026-05-01T00:00:00.07Z',
      compromised: '2026-05-01T00:00:00.7Z',
      reported: '2026-12-31T23:59:59.999-01:00',
    };
    await insertMessages('tenant', [{ id: id('d', 1), ...times }]);
    expect(await resultsOf('tenant', 4)).toMatchObject([
      {
        createdAt: '2026-04-30T22:30:00.500Z',
        open: '2026-05-01T00:00:00.007Z',
        visit: '2026-05-01T00:00:00.070Z',
        compromise: '2026-05-01T00:00:00.700Z',
        report: '2027-01-01T00:59:59.999Z',
        deliveryMethod: 'attachment',
      },
    ]);
  });

  test('a compromise recorded without other events also counts as visit and open', async () => {
    const compromised = '2026-05-01T09:00:00.000Z';
    await insertMessages('tenant', [{ id: id('d', 1), sent: '2026-05-01T08:00Z', compromised }]);
    const times = { open: compromised, visit: compromised, compromise: compromised, report: null };
    expect(await resultsOf('tenant', 4)).toMatchObject([times]);
  });

  test.each(['draft', 'scheduled', 'running', 'completed', 'cancelled'])(
    'keeps the result of a sent message if its simulation is %s',
    async (status) => {
      await insertMessages('tenant', [{ id: id('d', 1), sent: '2026-05-01T08:00Z' }], status);
      expect(await resultsOf('tenant', 4)).toMatchObject([{ id: id('d', 1), simulation: { status } }]);
    },
  );

  test('returns hostile simulation names unchanged', async () => {
    const [made] = await insertMessages('tenant', [{ id: id('d', 1), sent: '2026-05-01T08:00Z' }]);
    for (const name of hostileTexts) {
      await testService.query('update simulations set name = $2 where id = $1', [made, name]);
      expect(await resultsOf('tenant', 4)).toMatchObject([{ simulation: { name } }]);
    }
  });

  test('keeps the results of a deactivated learner', async () => {
    const before = await resultsOf('prospect', 2);
    await post('/learners/deactivate', { learnerIds: [learnerId('prospect', 2)] }, 'prospect');
    expect(await resultsOf('prospect', 2)).toEqual(before);
    expect(before).toHaveLength(1);
  });

  test('a deleted learner returns 404, and a new learner with the same address has no results', async () => {
    const path = pathOf(learnerId('strangerMsp', 1));
    expect(simulationsOf(await get(path, 'strangerMsp'))).toHaveLength(2);
    await del(`/learners/${learnerId('strangerMsp', 1)}`, undefined, 'strangerMsp');
    expectError(await get(path, 'strangerMsp'), 404, 'not_found');
    const fields = { email: 'learner1@strangermsp.test', firstName: 'Ada', lastName: 'Again' };
    const { id: again } = (await post('/learners', fields, 'strangerMsp')).body.data;
    expect(simulationsOf(await get(pathOf(again), 'strangerMsp'))).toEqual([]);
    expect(await resultsOf('strangerMsp', 2)).toHaveLength(1);
  });

  test('lists all 700 results in order, and HEAD returns no body', async () => {
    const made = await insertMessages(
      'directChild',
      Array.from({ length: 700 }, (_, n) => ({ id: id('d', (n * 37) % 700), sent: '2026-05-01T08:00Z' })),
    );
    const ids = (await resultsOf('directChild', 4)).map((result) => [result.id, result.simulationId]);
    expect(ids).toEqual(made.map((made, n) => [id('d', (n * 37) % 700), made]).toSorted());
    const path = pathOf(learnerId('directChild', 4));
    expect(await call('directChild', 'HEAD', path)).toMatchObject({ status: 200, text: '' });
  });
});

describe('GET /learners/{learnerId}/simulation-results of another company', () => {
  test.each(['msp', 'distributor'] as const)('%s reads a learner of a child only with its companyId', async (key) => {
    const path = pathOf(learnerId('childA', 3));
    const answer = await get(`${path}?companyId=${companies.childA}`, key);
    expect(answer.body.data).toEqual([resultOfCompleted('childA', 3, {})]);
    expectError(await get(path, key), 404, 'not_found');
    expectError(await get(`${path}?companyId=${companies.childB}`, key), 404, 'not_found');
    const own = pathOf(learnerId(key, 3));
    expectError(await get(`${own}?companyId=${companies.childA}`, key), 404, 'not_found');
  });

  test.each([
    ['a learner of another company', learnerId('other', 1)],
    ['a simulation', simulationId('tenant', 1)],
    ['a result', recipientId('tenant', 1, 1)],
  ])('the id of %s returns 404', async (_case, other) => {
    expectError(await get(pathOf(other)), 404, 'not_found');
  });

  test('keeps results apart if two companies have a learner and a simulation with the same ids', async () => {
    const before = await get(pathOf(learner(1)));
    await testService.query(
      `insert into learners (company_id, id, email, first_name, last_name) values ($1, $2, 'a@b.test', 'A', 'B')`,
      [companies.other, learner(1)],
    );
    await testService.query(
      `insert into simulations (company_id, id, name, status, delivery_method, start_date)
       values ($1, $2, 'The same id', 'running', 'email', '2026-01-01')`,
      [companies.other, simulationId('tenant', 1)],
    );
    expect((await get(pathOf(learner(1)), 'other')).text).toBe('{"data":[]}');
    await testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, id, sent_at)
       values ($1, $2, $3, $4, '2026-05-01T08:00Z')`,
      [companies.other, simulationId('tenant', 1), learner(1), recipientId('tenant', 1, 1)],
    );
    const { body } = await get(pathOf(learner(1)), 'other');
    expect(body.data).toMatchObject([{ ...nothing, simulation: { name: 'The same id', status: 'running' } }]);
    expect(body.data).toHaveLength(1);
    expect((await get(pathOf(learner(1)))).text).toBe(before.text);
  });
});
