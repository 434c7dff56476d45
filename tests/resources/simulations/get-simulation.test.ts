import { call, expectError, get, post } from '../../support/client.ts';
import { companies, type CompanyName, id, learnerId } from '../../support/world.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { hostileTexts } from '../reports/report-state.ts';

/** Id of the tenant's simulation that a test inserts. */
const MADE = '0192e000-0000-7000-8000-000000000001';
const CREATED = '2026-01-01T00:00Z';
const STATUSES = ['draft', 'scheduled', 'running', 'completed', 'cancelled'] as const;
const numbers = [1, 2, 3, 4, 5] as const;

const read = async (id: string, key?: CompanyName): Promise<any> => {
  const { status, body } = await get(`/simulations/${id}`, key);
  expect(status).toBe(200);
  return body.data;
};

const counts = (sentCount = 0, openCount = 0, visitCount = 0, compromiseCount = 0, reportCount = 0): object => {
  return { sentCount, openCount, visitCount, compromiseCount, reportCount };
};

async function insertSimulation(fields: Record<string, string> = {}): Promise<void> {
  const row = { name: 'Made', status: 'running', delivery_method: 'email', start_date: '2026-01-01T00:00Z', ...fields };
  const all: Record<string, string> = { company_id: companies.tenant, id: MADE, created_at: CREATED, ...row };
  const columns = Object.keys(all);
  await testService.query(
    `insert into simulations (${columns.join()}) values (${columns.map((_, index) => `$${index + 1}`).join()})`,
    Object.values(all),
  );
}

/** Inserts messages of the simulation with the given times, one for each of the tenant's first learners. */
async function insertSent(...times: Record<string, string>[]): Promise<void> {
  const rows = times.map((milestones, index) => {
    const learner_id = learnerId('tenant', numbers[index]!);
    const key = { company_id: companies.tenant, simulation_id: MADE, learner_id, id: id('d', index) };
    return { ...key, created_at: CREATED, ...milestones };
  });
  await testService.query(
    'insert into simulation_recipients select * from jsonb_populate_recordset(null::simulation_recipients, $1)',
    [JSON.stringify(rows)],
  );
}

afterEach(() => testService.query('delete from simulations where id = $1', [MADE]));

describe('GET /simulations/{simulationId}', () => {
  test('returns a completed simulation with its schedule and daily counts, and no other fields', async () => {
    const { recipients, ...simulation } = await read(simulationId('tenant', 1));
    expect(recipients).toHaveLength(4);
    expect(simulation).toEqual({
      ...{ id: simulationId('tenant', 1), externalId: null, campaignId: null },
      name: 'Simulation 1 of tenant',
      status: 'completed',
      createdAt: '2026-01-05T09:00:00.000Z',
      recipientCount: 4,
      ...counts(4, 3, 1, 1, 1),
      startDate: '2026-01-10T07:00:00.000Z',
      endDate: '2026-02-20T17:00:00.000Z',
      deliveryMethod: 'email',
      scheduledCount: 0,
      plan: null,
      timeline: [
        { date: '2026-02-10', ...counts(4, 2, 1, 0, 1) },
        { date: '2026-02-11', ...counts(0, 1, 0, 1, 0) },
      ],
    });
  });

  test.each([
    [2, { status: 'scheduled', deliveryMethod: 'qr_code', startDate: '2026-02-10T07:00:00.000Z' }, [2, 2]],
    [3, { status: 'draft', deliveryMethod: 'attachment', startDate: null }, [1, 0]],
    [4, { status: 'cancelled', deliveryMethod: 'email', startDate: '2026-04-10T07:00:00.000Z' }, [1, 0]],
  ] as const)('simulation %i has no sent messages: %j', async (number, fields, [recipientCount, scheduledCount]) => {
    const { name, createdAt, recipients, ...simulation } = await read(simulationId('tenant', number));
    expect(recipients).toHaveLength(recipientCount);
    expect([name, createdAt]).toEqual([`Simulation ${number} of tenant`, '2026-01-05T09:00:00.000Z']);
    expect(simulation).toEqual({
      ...{ id: simulationId('tenant', number), externalId: null, campaignId: null },
      ...fields,
      ...counts(),
      endDate: null,
      recipientCount,
      scheduledCount,
      plan: null,
      timeline: [],
    });
  });

  test('returns a running simulation with its sent and scheduled counts', async () => {
    expect(await read(simulationId('tenant', 5))).toMatchObject({
      status: 'running',
      startDate: '2026-05-10T07:00:00.000Z',
      endDate: null,
      recipientCount: 2,
      ...counts(1, 1, 1),
      scheduledCount: 1,
      timeline: [{ date: '2026-03-02', ...counts(1, 1, 1) }],
    });
  });

  test('contains the fields of the list, and its timeline adds up to its counts', async () => {
    const { body } = await get('/simulations');
    for (const item of body.data as { [name: string]: unknown }[]) {
      const { timeline, ...simulation } = await read(item.id as string);
      expect(simulation).toMatchObject(item);
      for (const name of Object.keys(counts())) {
        expect(timeline.reduce((sum: number, day: any) => sum + day[name], 0)).toBe(item[name]);
      }
    }
  });

  test('a simulation without recipients has dates, zero counts and an empty timeline', async () => {
    await insertSimulation({ status: 'scheduled', end_date: '2026-01-01T00:00Z', start_date: '2026-01-01T00:00Z' });
    expect(await read(MADE)).toMatchObject({
      startDate: '2026-01-01T00:00:00.000Z',
      endDate: '2026-01-01T00:00:00.000Z',
      recipientCount: 0,
      ...counts(),
      scheduledCount: 0,
      timeline: [],
    });
  });

  test('a draft shows the dates that it already has', async () => {
    await insertSimulation({ status: 'draft', start_date: '2026-12-24T23:59:59.07+05', end_date: '2027-01-01T00:00Z' });
    expect(await read(MADE)).toMatchObject({
      startDate: '2026-12-24T18:59:59.070Z',
      endDate: '2027-01-01T00:00:00.000Z',
    });
  });

  test('hostile names are returned unchanged', async () => {
    await insertSimulation();
    for (const name of hostileTexts) {
      await testService.query('update simulations set name = $2 where id = $1', [MADE, name]);
      expect(await read(MADE)).toMatchObject({ name, timeline: [] });
    }
  });
});

describe('the timeline of GET /simulations/{simulationId}', () => {
  test('a day begins at midnight UTC, to the millisecond', async () => {
    await insertSimulation();
    await insertSent(
      { sent_at: '2026-02-28T23:59:59.999Z', opened_at: '2026-03-01T00:00:00.000Z' },
      { sent_at: '2026-02-28T00:00:00.000Z', reported_at: '2026-03-01T23:59:59.999Z' },
      { sent_at: '2026-02-27T23:59:59.999Z', opened_at: '2026-03-02T00:00:00.000Z' },
    );
    expect((await read(MADE)).timeline).toEqual([
      { date: '2026-02-27', ...counts(1) },
      { date: '2026-02-28', ...counts(2) },
      { date: '2026-03-01', ...counts(0, 1, 0, 0, 1) },
      { date: '2026-03-02', ...counts(0, 1) },
    ]);
  });

  test('days follow UTC for times written with any offset', async () => {
    await insertSimulation();
    await insertSent(
      { sent_at: '2026-07-01T01:30:00+02:00', opened_at: '2026-06-30T23:30:00-05:00' },
      { sent_at: '2026-07-01T13:59:00+14:00' },
    );
    expect((await read(MADE)).timeline).toEqual([
      { date: '2026-06-30', ...counts(2) },
      { date: '2026-07-01', ...counts(0, 1) },
    ]);
  });

  test('each milestone of a learner counts on its own day, oldest first, across a leap year', async () => {
    await insertSimulation();
    await insertSent({
      sent_at: '2027-12-31T12:00Z',
      opened_at: '2028-01-01T12:00Z',
      visited_at: '2028-02-29T12:00Z',
      compromised_at: '2028-03-01T12:00Z',
      reported_at: '2027-12-31T13:00Z',
    });
    expect((await read(MADE)).timeline).toEqual([
      { date: '2027-12-31', ...counts(1, 0, 0, 0, 1) },
      { date: '2028-01-01', ...counts(0, 1) },
      { date: '2028-02-29', ...counts(0, 0, 1) },
      { date: '2028-03-01', ...counts(0, 0, 0, 1) },
    ]);
  });

  test('a scheduled time adds nothing to the timeline', async () => {
    await insertSimulation();
    await insertSent(
      { scheduled_at: '2026-05-01T08:00Z' },
      { scheduled_at: '2026-05-02T08:00Z', sent_at: '2026-05-03Z' },
    );
    expect((await read(MADE)).timeline).toEqual([{ date: '2026-05-03', ...counts(1) }]);
  });

  test('a recorded event counts on its day, with the milestones that it implies', async () => {
    await insertSimulation();
    await insertSent({ sent_at: '2026-05-03T08:00Z' });
    await testService.query(
      `update simulation_recipients set compromised_at = '2026-05-04T08:00Z' where simulation_id = $1`,
      [MADE],
    );
    expect(await read(MADE)).toMatchObject({
      ...counts(1, 1, 1, 1),
      timeline: [
        { date: '2026-05-03', ...counts(1) },
        { date: '2026-05-04', ...counts(0, 1, 1, 1) },
      ],
    });
  });
});

describe('scheduledCount of GET /simulations/{simulationId}', () => {
  test.each(STATUSES)('of a %s simulation counts only messages that will be sent', async (status) => {
    await insertSimulation({ status });
    const [past, future] = ['2020-05-01T08:00Z', '2030-05-01T08:00Z'];
    await insertSent({ scheduled_at: past }, { scheduled_at: future }, { scheduled_at: past, sent_at: past });
    const goesOut = status === 'scheduled' || status === 'running';
    expect(await read(MADE)).toMatchObject({ recipientCount: 3, sentCount: 1, scheduledCount: goesOut ? 2 : 0 });
  });

  test('matches the simulation queues of the learners', async () => {
    const queued = await Promise.all(
      numbers.map(async (n) => (await get(`/learners/${learnerId('tenant', n)}/simulation-queue`)).body.data),
    );
    const waiting = queued.flat().map((item: any) => item.simulationId);
    for (const number of numbers) {
      const id = simulationId('tenant', number);
      expect((await read(id)).scheduledCount).toBe(waiting.filter((other) => other === id).length);
    }
  });

  test('decreases as messages are sent', async () => {
    await insertSimulation();
    await insertSent({ scheduled_at: '2026-05-01T08:00Z' }, { scheduled_at: '2026-05-01T08:00Z' });
    const send = 'update simulation_recipients set sent_at = now() where simulation_id = $1 and learner_id = $2';
    await testService.query(send, [MADE, learnerId('tenant', 2)]);
    expect(await read(MADE)).toMatchObject({ sentCount: 1, scheduledCount: 1 });
  });

  test('excludes deactivated learners until they are active again', async () => {
    const id = simulationId('childA', 2);
    const learnerIds = [learnerId('childA', 1)];
    await post('/learners/deactivate', { learnerIds }, 'childA');
    expect(await read(id, 'childA')).toMatchObject({ recipientCount: 2, scheduledCount: 1 });
    await post('/learners/activate', { learnerIds }, 'childA');
    expect(await read(id, 'childA')).toMatchObject({ recipientCount: 2, scheduledCount: 2 });
  });
});

describe('the counts of GET /simulations/{simulationId}', () => {
  test('include deactivated learners', async () => {
    const id = simulationId('childB', 1);
    const before = await read(id, 'childB');
    await post('/learners/deactivate', { learnerIds: numbers.map((n) => learnerId('childB', n)) }, 'childB');
    expect({ ...(await read(id, 'childB')), recipients: null }).toEqual({ ...before, recipients: null });
  });
});

describe('GET /simulations/{simulationId} of another company', () => {
  test.each<[string, string]>([
    ['of another tenant', simulationId('other', 1)],
    ['of an MSP', simulationId('msp', 1)],
    ['of a learner', learnerId('tenant', 1)],
  ])('an id %s returns 404', async (_case, id) => {
    expectError(await get(`/simulations/${id}`), 404, 'not_found');
  });

  test.each(['msp', 'distributor'] as const)('%s reads a child only with its companyId', async (key) => {
    const path = `/simulations/${simulationId('childA', 1)}`;
    expect((await get(`${path}?companyId=${companies.childA}`, key)).text).toBe((await get(path, 'childA')).text);
    expectError(await get(path, key), 404, 'not_found');
    expectError(await get(`${path}?companyId=${companies.childB}`, key), 404, 'not_found');
    expectError(await get(`/simulations/${simulationId(key, 1)}?companyId=${companies.childA}`, key), 404, 'not_found');
  });

  test('the same id in two companies names two simulations, each with its own counts and days', async () => {
    await insertSimulation();
    await insertSent({ sent_at: '2026-05-03T08:00Z' }, { scheduled_at: '2026-05-04T08:00Z' });
    const before = await read(MADE);
    await testService.query(
      `insert into simulations (company_id, id, name, status, delivery_method, start_date)
       select $1, id, 'The same id', status, delivery_method, start_date from simulations where id = $2`,
      [companies.other, MADE],
    );
    const empty = { recipientCount: 0, ...counts(), scheduledCount: 0, timeline: [] };
    expect(await read(MADE, 'other')).toMatchObject({ name: 'The same id', ...empty });
    expect(await read(MADE)).toEqual(before);
    expect(before).toMatchObject({ name: 'Made', recipientCount: 2, ...counts(1), scheduledCount: 1 });
  });

  test("HEAD returns no body, and 404 for another company's simulation", async () => {
    const head = (id: string) => call('tenant', 'HEAD', `/simulations/${id}`);
    expect(await head(simulationId('tenant', 1))).toMatchObject({ status: 200, text: '' });
    expect(await head(simulationId('other', 2))).toMatchObject({ status: 404, text: '' });
  });
});
