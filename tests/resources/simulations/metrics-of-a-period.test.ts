import { del, expectError, get, patch, post } from '../../support/client.ts';
import { groupId, learnerId } from '../../support/world.ts';
import { simulationId } from '../../support/world-simulations.ts';

const PATH = '/simulations/metrics';

interface Message {
  simulation: 1 | 2 | 3;
  learner: 1 | 2 | 3;
  sent: string;
  visited?: string;
}

/** Replaces all messages of the tenant. */
async function store(messages: Message[]): Promise<void> {
  await testService.query(`delete from simulation_recipients where learner_id::text like '0192a3b4%'`);
  for (const { simulation, learner, sent, visited = null } of messages) {
    await testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, sent_at, opened_at, visited_at)
       select company_id, $2, id, $3, $4, $4 from learners where id = $1`,
      [learnerId('tenant', learner), simulationId('tenant', simulation), sent, visited],
    );
  }
}

/** Returns the ids of the simulations with the numbers of messages and visits, and the totals. */
async function read(query: string): Promise<{ counts: [string, number, number][]; totals: [number, number] }> {
  const { status, body } = await get(`${PATH}?${query}`);
  expect(status).toBe(200);
  const { simulations, totalMetrics } = body.data;
  return {
    counts: simulations.map(({ id, sentCount, visitCount }: any) => [id, sentCount, visitCount]),
    totals: [totalMetrics.total, totalMetrics.visited],
  };
}

const first = simulationId('tenant', 1);
const second = simulationId('tenant', 2);

beforeEach(() =>
  store([
    { simulation: 1, learner: 1, sent: '2026-02-28T23:59:59.999Z', visited: '2026-03-02T08:00Z' },
    { simulation: 1, learner: 2, sent: '2026-03-01T00:00Z' },
    { simulation: 2, learner: 1, sent: '2026-03-31T23:59:59.999Z', visited: '2026-04-02T08:00Z' },
    { simulation: 2, learner: 3, sent: '2026-04-01T00:00Z', visited: '2026-04-02T08:00Z' },
  ]),
);

test.each([
  ['from=2026-03-01&to=2026-03-31', [[first, 1, 0], [second, 1, 1]], [2, 1]], // prettier-ignore
  ['from=2026-04-01', [[second, 1, 1]], [1, 1]],
  ['to=2026-02-28', [[first, 1, 1]], [1, 1]],
  ['from=2026-03-31&to=2026-03-31', [[second, 1, 1]], [1, 1]],
  ['from=1000-01-01&to=2020-02-29', [], [0, 0]],
])('%s counts the messages that were sent on these days', async (query, counts, totals) => {
  expect(await read(query)).toEqual({ counts, totals });
});

test("days are counted in the company's time zone", async () => {
  expect((await patch('/company/settings', { timeZone: 'Europe/Berlin' })).status).toBe(200);
  // Midnight in Berlin is at 23:00 UTC before 1 March, and at 22:00 UTC before 1 April.
  expect(await read('from=2026-03-01&to=2026-03-31')).toEqual({ counts: [[first, 2, 1]], totals: [2, 1] });
  await patch('/company/settings', { timeZone: null });
});

test('with groupId, only messages to current members count', async () => {
  const group = groupId('tenant', 1);
  await post(`/groups/${group}/learners/add`, { learnerIds: [learnerId('tenant', 1), learnerId('tenant', 2)] });
  await post(`/groups/${group}/learners/remove`, { learnerIds: [learnerId('tenant', 3)] });
  expect((await read(`groupId=${group}`)).totals).toEqual([3, 2]);
  expect((await read(`groupId=${group}&from=2026-03-01&to=2026-03-31`)).totals).toEqual([2, 1]);
});

test('a message to a learner who was deleted later counts in its period', async () => {
  expect((await del(`/learners/${learnerId('tenant', 3)}`)).status).toBe(200);
  expect(await read('from=2026-04-01')).toEqual({ counts: [[second, 1, 1]], totals: [1, 1] });
});

test('simulations show their dates in the list and in the metrics', async () => {
  const { body } = await get('/simulations');
  for (const listed of body.data) {
    const { startDate, endDate } = (await get(`/simulations/${listed.id}`)).body.data;
    expect(listed).toMatchObject({ startDate, endDate });
  }
  expect(new Set(body.data.map(({ startDate }: any) => startDate)).size).toBeGreaterThan(1);
});

test.each([
  ['from=2026-03-02&to=2026-03-01', 400, 'invalid_request', ['query/from']],
  ['from=2026-02-29', 400, 'invalid_request', ['query/from']],
  [`groupId=${groupId('other', 1)}`, 404, 'not_found', undefined],
  ['groupId=none', 400, 'invalid_request', ['query/groupId']],
] as const)('%s returns %i %s', async (query, status, code, fields) => {
  expectError(await get(`${PATH}?${query}`), status, code, fields && [...fields]);
});
