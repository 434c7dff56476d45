import { type Answer, call, del, expectError, get, post } from '../../support/client.ts';
import { companies, type CompanyName, id, learnerId } from '../../support/world.ts';
import { recipientId, simulationId } from '../../support/world-simulations.ts';
import { hostileTexts } from '../reports/report-state.ts';

const pathOf = (learner: string): string => `/learners/${learner}/simulation-queue`;
const learner = (number: 1 | 2 | 3 | 4 | 5): string => learnerId('tenant', number);
const simulationsOf = ({ status, body }: Answer): string[] => {
  expect(status).toBe(200);
  return body.data.map(({ simulationId }: { simulationId: string }) => simulationId);
};
/** Returns the ids of the simulations in a learner's queue. */
const queueOf = async (company: CompanyName, number: 1 | 2 | 3 | 4 | 5): Promise<string[]> =>
  simulationsOf(await get(pathOf(learnerId(company, number)), company));

/** Puts learner 4, who is in no simulation of the test world, into new simulations scheduled at the given times. */
async function schedule(company: CompanyName, times: (string | null)[], status = 'scheduled'): Promise<string[]> {
  const ids = times.map((_time, n) => `0192e000-0000-7000-8000-${String(n).padStart(12, '0')}`);
  await testService.query(
    `with made as (
       insert into simulations (company_id, id, name, status, delivery_method, start_date)
       select $1, id, 'Made', $4, 'qr_code', '2026-01-01' from unnest($2::uuid[]) as id)
     insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at)
     select $1, id, $5, at from unnest($2::uuid[], $3::timestamptz[]) as t (id, at) order by random()`,
    [companies[company], ids, times, status, learnerId(company, 4)],
  );
  return ids;
}

afterEach(() => testService.query(`delete from simulations where id::text like '0192e%'`));

describe('GET /learners/{learnerId}/simulation-queue', () => {
  test('lists queued messages by time with exactly the documented fields', async () => {
    const { status, body } = await get(pathOf(learner(2)));
    expect(status).toBe(200);
    const item = (number: 2 | 5, scheduled: string, simulation: object): object => ({
      id: recipientId('tenant', number, 2),
      learnerId: learner(2),
      simulationId: simulationId('tenant', number),
      scheduled,
      simulation: {
        id: simulationId('tenant', number),
        name: `Simulation ${number} of tenant`,
        startDate: `2026-0${number}-10T07:00:00.000Z`,
        endDate: null,
        ...simulation,
      },
    });
    expect(body.data).toEqual([
      item(2, '2030-03-02T08:30:00.000Z', { status: 'scheduled' }),
      item(5, '2030-03-05T08:00:00.000Z', { status: 'running' }),
    ]);
  });

  test('omits sent messages and messages of cancelled simulations', async () => {
    expect(await queueOf('tenant', 1)).toEqual([simulationId('tenant', 2)]);
  });

  test.each([
    [3, 'who is only in a draft'],
    [4, 'who is in no simulation'],
    [5, 'who is inactive and has no unsent message'],
  ] as const)('learner %i, %s, has an empty list', async (number, _who) => {
    expect((await get(pathOf(learner(number)))).text).toBe('{"data":[]}');
  });

  test.each(['draft', 'scheduled', 'running', 'completed', 'cancelled'])(
    'lists unsent messages of a %s simulation only if it is scheduled or running',
    async (status) => {
      const made = await schedule('tenant', ['2030-01-01T00:00Z'], status);
      expect(await queueOf('tenant', 4)).toEqual(status === 'scheduled' || status === 'running' ? made : []);
    },
  );

  test('lists messages by time, not by id, with overdue messages first', async () => {
    const times = ['2031-01-01T00:00:00.001Z', '2031-01-01T00:00:00Z', '2020-01-01T00:00Z', '2030-12-31T23:30-02:00'];
    const [a, b, c, d] = await schedule('tenant', times);
    const answer = await get(pathOf(learner(4)));
    expect(simulationsOf(answer)).toEqual([c, b, a, d]);
    expect(answer.body.data.map((item: { scheduled: string }) => item.scheduled)).toEqual([
      '2020-01-01T00:00:00.000Z',
      '2031-01-01T00:00:00.000Z',
      '2031-01-01T00:00:00.001Z',
      '2031-01-01T01:30:00.000Z',
    ]);
  });

  test('omits a message until it has a scheduled time', async () => {
    const made = await schedule('tenant', [null]);
    expect(await queueOf('tenant', 4)).toEqual([]);
    await testService.query('update simulation_recipients set scheduled_at = now() where simulation_id = any($1)', [
      made,
    ]);
    expect(await queueOf('tenant', 4)).toEqual(made);
  });

  test('a message moves from the queue to the results when it is sent', async () => {
    const [made] = (await schedule('tenant', ['2026-05-01T08:00Z'], 'running')) as [string];
    const [waiting] = (await get(pathOf(learner(4)))).body.data;
    await testService.query(
      `update simulation_recipients set sent_at = '2026-05-01T08:00:01Z' where simulation_id = $1`,
      [made],
    );
    expect(await queueOf('tenant', 4)).toEqual([]);
    const results = (await get(`/learners/${learner(4)}/simulation-results`)).body.data;
    expect(results).toMatchObject([{ id: waiting.id, simulationId: made, createdAt: '2026-05-01T08:00:01.000Z' }]);
  });

  test('cancelling or completing a simulation removes its messages from the queue', async () => {
    const made = await schedule('tenant', ['2030-01-01T00:00Z', '2030-01-02T00:00Z', '2030-01-03T00:00Z'], 'running');
    const set = 'update simulations set status = $2 where id = $1';
    await testService.query(set, [made[0], 'cancelled']);
    await testService.query(set, [made[2], 'completed']);
    expect(await queueOf('tenant', 4)).toEqual([made[1]]);
  });

  test('returns the name and dates of the simulation unchanged', async () => {
    const [made] = await schedule('tenant', ['2030-01-01T00:00Z']);
    await testService.query(
      `update simulations set end_date = '2030-01-02T03:04:05.67Z', start_date = '2030-01-01T00:00:00.008Z' where id = $1`,
      [made],
    );
    for (const name of hostileTexts) {
      await testService.query('update simulations set name = $2 where id = $1', [made, name]);
      const dates = { startDate: '2030-01-01T00:00:00.008Z', endDate: '2030-01-02T03:04:05.670Z' };
      expect((await get(pathOf(learner(4)))).body.data).toMatchObject([{ simulation: { name, ...dates } }]);
    }
  });

  test('the queue of a deactivated learner is empty until the learner is activated again', async () => {
    const waiting = [simulationId('prospect', 2), simulationId('prospect', 5)];
    expect(await queueOf('prospect', 2)).toEqual(waiting);
    const learnerIds = [learnerId('prospect', 2)];
    await post('/learners/deactivate', { learnerIds }, 'prospect');
    expect(await queueOf('prospect', 2)).toEqual([]);
    await post('/learners/activate', { learnerIds }, 'prospect');
    expect(await queueOf('prospect', 2)).toEqual(waiting);
  });

  test('the queue of a deleted learner returns 404, and other queues stay unchanged', async () => {
    await del(`/learners/${learnerId('strangerMsp', 1)}`, undefined, 'strangerMsp');
    expectError(await get(pathOf(learnerId('strangerMsp', 1)), 'strangerMsp'), 404, 'not_found');
    expect(await queueOf('strangerMsp', 2)).toEqual([simulationId('strangerMsp', 2), simulationId('strangerMsp', 5)]);
  });

  test('lists all 700 messages by time, and HEAD returns no body', async () => {
    const times = Array.from({ length: 700 }, (_, n) => new Date(Date.UTC(2030, 0, 1) + ((n * 37) % 700) * 1000));
    const made = await schedule(
      'directChild',
      times.map((time) => time.toISOString()),
    );
    const expected = made.toSorted((a, b) => Number(times[made.indexOf(a)]) - Number(times[made.indexOf(b)]));
    expect(await queueOf('directChild', 4)).toEqual(expected);
    const path = pathOf(learnerId('directChild', 4));
    expect(await call('directChild', 'HEAD', path)).toMatchObject({ status: 200, text: '' });
  });
});

describe('GET /learners/{learnerId}/simulation-queue of another company', () => {
  test.each(['msp', 'distributor'] as const)('%s reads a learner of a child only with its companyId', async (key) => {
    const path = pathOf(learnerId('childA', 2));
    const answer = await get(`${path}?companyId=${companies.childA}`, key);
    expect(simulationsOf(answer)).toEqual([simulationId('childA', 2), simulationId('childA', 5)]);
    expect(answer.text).toBe((await get(path, 'childA')).text);
    expectError(await get(path, key), 404, 'not_found');
    expectError(await get(`${path}?companyId=${companies.childB}`, key), 404, 'not_found');
    const own = pathOf(learnerId(key, 2));
    expectError(await get(`${own}?companyId=${companies.childA}`, key), 404, 'not_found');
  });

  test.each([
    ['a learner of another company', learnerId('other', 1)],
    ['a simulation', simulationId('tenant', 2)],
    ['a queued message', recipientId('tenant', 2, 1)],
  ])('the id of %s returns 404', async (_case, other) => {
    expectError(await get(pathOf(other)), 404, 'not_found');
  });

  test('keeps queues apart if two companies have a learner and a simulation with the same ids', async () => {
    const before = await get(pathOf(learner(2)));
    await testService.query(
      `insert into learners (company_id, id, email, first_name, last_name) values ($1, $2, 'a@b.test', 'A', 'B')`,
      [companies.other, learner(2)],
    );
    await testService.query(
      `insert into simulations (company_id, id, name, status, delivery_method, start_date)
       values ($1, $2, 'The same id', 'running', 'email', '2026-01-01')`,
      [companies.other, simulationId('tenant', 2)],
    );
    expect((await get(pathOf(learner(2)), 'other')).text).toBe('{"data":[]}');
    await testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, id, scheduled_at)
       values ($1, $2, $3, $4, '2029-01-01T00:00Z')`,
      [companies.other, simulationId('tenant', 2), learner(2), id('d', 1)],
    );
    const { body } = await get(pathOf(learner(2)), 'other');
    expect(body.data).toMatchObject([{ id: id('d', 1), simulation: { name: 'The same id', status: 'running' } }]);
    expect((await get(pathOf(learner(2)))).text).toBe(before.text);
  });
});
