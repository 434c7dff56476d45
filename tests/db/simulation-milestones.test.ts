import pg from 'pg';
import { companies, learnerId } from '../support/world.ts';
import { simulationId } from '../support/world-simulations.ts';

// The database enforces these rules for every writer, so the tests write as its owner.
const STATUSES = ['draft', 'scheduled', 'running', 'completed', 'cancelled'] as const;
type Status = (typeof STATUSES)[number];
const FORWARD: Record<Status, readonly Status[]> = {
  draft: STATUSES,
  scheduled: ['scheduled', 'running', 'completed', 'cancelled'],
  running: ['running', 'completed', 'cancelled'],
  completed: ['completed'],
  cancelled: ['cancelled'],
};
const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));

const MILESTONES = ['sent_at', 'opened_at', 'visited_at', 'compromised_at', 'reported_at'] as const;
type Times = Partial<Record<(typeof MILESTONES)[number] | 'scheduled_at', string | null>>;
const SIMULATION = '0192a3b6-0000-7000-8000-000000000001';
const at = (time: string): string => `2026-05-04T${time}:00.000Z`;
const everything = {
  scheduled_at: at('08:00'),
  sent_at: at('08:01'),
  opened_at: at('08:02'),
  visited_at: at('08:03'),
  compromised_at: at('08:04'),
  reported_at: at('08:05'),
};
const nothing = { sent_at: null, opened_at: null, visited_at: null, compromised_at: null, reported_at: null };
const refusal = (constraint: string) => expect.objectContaining({ code: '23514', constraint });
const impossible = expect.objectContaining({ code: '23514', table: 'simulation_recipients' });

const insertSimulation = (status: string, startDate: string | null = at('07:00')): Promise<unknown> =>
  testService.query(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date)
     values ($1, $2, 'Under test', $3, 'email', $4)`,
    [companies.tenant, SIMULATION, status, startDate],
  );
const updateSimulation = (settings: string): Promise<unknown> =>
  testService.query(`update simulations set ${settings} where id = $1`, [SIMULATION]);
const statusOf = async (): Promise<unknown> =>
  (await testService.query('select status from simulations where id = $1', [SIMULATION]))[0]!.status;

async function insertRecipient(times: Times): Promise<void> {
  const names = Object.keys(times);
  await testService.query(
    `insert into simulation_recipients (company_id, simulation_id, learner_id${names.map((name) => `, ${name}`).join('')})
     values ($1, $2, $3${names.map((_name, index) => `, $${index + 4}`).join('')})`,
    [companies.tenant, SIMULATION, learnerId('tenant', 1), ...Object.values(times)],
  );
}

async function updateRecipient(times: Times): Promise<void> {
  const settings = Object.keys(times).map((name, index) => `${name} = $${index + 2}`);
  const values = [SIMULATION, ...Object.values(times)];
  await testService.query(`update simulation_recipients set ${settings.join(', ')} where simulation_id = $1`, values);
}

async function storedTimes(): Promise<Times> {
  const rows = await testService.query(
    `select scheduled_at, ${MILESTONES.join(', ')} from simulation_recipients where simulation_id = $1`,
    [SIMULATION],
  );
  expect(rows).toHaveLength(1);
  const entries = Object.entries(rows[0]!).map(([name, time]) => [name, (time as Date | null)?.toISOString() ?? null]);
  return Object.fromEntries(entries) as Times;
}

afterEach(() => testService.query('delete from simulations where id = $1', [SIMULATION]));

describe('the status of a simulation', () => {
  const allowed = pairs.filter(([from, to]) => FORWARD[from].includes(to));
  const refused = pairs.filter(([from, to]) => !FORWARD[from].includes(to));

  test.each(allowed)('that is %s can be set to %s', async (from, to) => {
    await insertSimulation(from);
    await updateSimulation(`status = '${to}'`);
    expect(await statusOf()).toBe(to);
  });

  test.each(refused)('that is %s cannot become %s, by update or upsert', async (from, to) => {
    await insertSimulation(from);
    const anew = testService.query(
      `insert into simulations (company_id, id, name, status, delivery_method, start_date)
       select company_id, id, name, $2, delivery_method, start_date from simulations where id = $1
       on conflict (company_id, id) do update set status = excluded.status`,
      [SIMULATION, to],
    );
    await expect(anew).rejects.toEqual(refusal('simulations_status_forward'));
    await expect(updateSimulation(`status = '${to}'`)).rejects.toEqual(refusal('simulations_status_forward'));
    expect(await statusOf()).toBe(from);
  });

  test('must be one of five values and not null', async () => {
    for (const status of ['paused', 'Running', '']) {
      await expect(insertSimulation(status)).rejects.toEqual(refusal('simulations_status_check'));
    }
    await insertSimulation('draft');
    await expect(updateSimulation('status = null')).rejects.toMatchObject({ code: '23502' });
  });

  test('that is invalid for one of several simulations changes none of them', async () => {
    await insertSimulation('draft');
    const both = [SIMULATION, simulationId('tenant', 1)];
    const update = testService.query(
      `update simulations set status = 'running', start_date = now() where id = any($1)`,
      [both],
    );
    await expect(update).rejects.toEqual(refusal('simulations_status_forward'));
    expect(await statusOf()).toBe('draft');
  });

  test.each(['scheduled', 'running', 'completed'])('%s requires a start date', async (status) => {
    await expect(insertSimulation(status, null)).rejects.toMatchObject({ code: '23514' });
    await insertSimulation('draft', null);
    await expect(updateSimulation(`status = '${status}'`)).rejects.toMatchObject({ code: '23514' });
    await updateSimulation(`status = '${status}', start_date = now()`);
    await expect(updateSimulation('start_date = null')).rejects.toMatchObject({ code: '23514' });
  });

  test('draft and cancelled require no start date, and no simulation ends before it begins', async () => {
    await insertSimulation('draft', null);
    await updateSimulation(`status = 'cancelled'`);
    await updateSimulation(`start_date = '2026-05-04T08:00Z', end_date = '2026-05-04T08:00Z'`);
    await expect(updateSimulation(`end_date = '2026-05-04T07:59:59.999Z'`)).rejects.toMatchObject({ code: '23514' });
  });
});

describe('the milestones of a recipient', () => {
  beforeEach(() => insertSimulation('running'));

  test.each([...MILESTONES.map((name) => [name, { [name]: null }] as const), ['everything', nothing] as const])(
    '%s cannot be taken back',
    async (_name, times) => {
      await insertRecipient(everything);
      await expect(updateRecipient(times)).rejects.toEqual(refusal('simulation_recipients_forward'));
      expect(await storedTimes()).toEqual(everything);
    },
  );

  test('a scheduled time cannot be withdrawn, before or after sending', async () => {
    await insertRecipient({ scheduled_at: at('08:00') });
    await expect(updateRecipient({ scheduled_at: null })).rejects.toEqual(refusal('simulation_recipients_forward'));
    await updateRecipient({ sent_at: at('08:01') });
    await expect(updateRecipient({ scheduled_at: null })).rejects.toEqual(refusal('simulation_recipients_forward'));
    expect(await storedTimes()).toEqual({ ...nothing, scheduled_at: at('08:00'), sent_at: at('08:01') });
  });

  test.each(MILESTONES)('%s keeps its first time', async (milestone) => {
    await insertRecipient(everything);
    for (const time of ['00:00', '23:59']) await updateRecipient({ [milestone]: at(time) });
    expect(await storedTimes()).toEqual(everything);
  });

  test('each can be set after the previous one, without changing the others', async () => {
    await insertRecipient({});
    let expected: Times = { ...nothing, scheduled_at: null };
    for (const [milestone, time] of Object.entries(everything)) {
      await updateRecipient({ [milestone]: time });
      expected = { ...expected, [milestone]: time };
      expect(await storedTimes()).toEqual(expected);
    }
  });

  const implied: [string, Times, Times][] = [
    [
      'a compromise implies a visit and an opening',
      { compromised_at: at('09:00') },
      { visited_at: at('09:00'), opened_at: at('09:00') },
    ],
    ['a visit implies an opening', { visited_at: at('09:00') }, { opened_at: at('09:00') }],
    [
      'a compromise after a visit keeps its time, and the opening gets the time of the visit',
      { visited_at: at('08:30'), compromised_at: at('09:00') },
      { opened_at: at('08:30') },
    ],
    [
      'a compromise after an opening keeps its time and implies a visit',
      { opened_at: at('08:30'), compromised_at: at('09:00') },
      { visited_at: at('09:00') },
    ],
    ['a report does not imply an opening', { reported_at: at('09:00') }, {}],
    ['an opening does not imply a visit', { opened_at: at('09:00') }, {}],
  ];

  test.each(implied)('%s, on insert', async (_case, given, filled) => {
    await insertRecipient({ sent_at: at('08:00'), ...given });
    expect(await storedTimes()).toEqual({ ...nothing, scheduled_at: null, sent_at: at('08:00'), ...given, ...filled });
  });

  test.each(implied)('%s, on update', async (_case, given, filled) => {
    await insertRecipient({ sent_at: at('08:00') });
    await updateRecipient(given);
    expect(await storedTimes()).toEqual({ ...nothing, scheduled_at: null, sent_at: at('08:00'), ...given, ...filled });
  });

  test('earlier events that arrive late do not change implied times', async () => {
    await insertRecipient({ sent_at: at('08:00') });
    await updateRecipient({ compromised_at: at('09:00') });
    await updateRecipient({ visited_at: at('08:59') });
    await updateRecipient({ opened_at: at('08:58') });
    const times = { opened_at: at('09:00'), visited_at: at('09:00'), compromised_at: at('09:00') };
    expect(await storedTimes()).toEqual({ ...nothing, scheduled_at: null, sent_at: at('08:00'), ...times });
  });

  const refused: [string, Times][] = [
    ['opened without being sent', { opened_at: at('09:00') }],
    ['visited without being sent', { visited_at: at('09:00') }],
    ['compromised without being sent', { compromised_at: at('09:00') }],
    ['reported without being sent', { reported_at: at('09:00') }],
    ['opened before it was sent', { sent_at: at('08:00'), opened_at: at('07:59') }],
    ['visited before it was sent', { sent_at: at('08:00'), visited_at: at('07:59') }],
    ['compromised before it was sent', { sent_at: at('08:00'), compromised_at: at('07:59') }],
    ['reported before it was sent', { sent_at: at('08:00'), reported_at: at('07:59') }],
    ['visited before it was opened', { sent_at: at('08:00'), opened_at: at('08:02'), visited_at: at('08:01') }],
    ['compromised before the visit', { sent_at: at('08:00'), visited_at: at('08:02'), compromised_at: at('08:01') }],
    ['compromised before it was opened', { sent_at: at('08:00'), opened_at: at('08:02'), compromised_at: at('08:01') }],
  ];

  test.each(refused)('a message cannot be %s', async (_case, times) => {
    await expect(insertRecipient(times)).rejects.toEqual(impossible);
    await insertRecipient({});
    await expect(updateRecipient(times)).rejects.toEqual(impossible);
    expect(await storedTimes()).toEqual({ ...nothing, scheduled_at: null });
  });

  test('an event a millisecond before sending is rejected, one at the same time is not', async () => {
    await insertRecipient({ sent_at: at('08:00') });
    const tooEarly = '2026-05-04T07:59:59.999Z';
    for (const milestone of MILESTONES.slice(1)) {
      await expect(updateRecipient({ [milestone]: tooEarly })).rejects.toEqual(impossible);
    }
    const atOnce = Object.fromEntries(MILESTONES.map((milestone) => [milestone, at('08:00')]));
    await updateRecipient(atOnce);
    expect(await storedTimes()).toEqual({ ...atOnce, scheduled_at: null });
  });

  test('of two concurrent events the first one written counts', async () => {
    await insertRecipient({ sent_at: at('08:00') });
    const [first, second] = [1, 2].map(() => new pg.Client(testService.database.ownerUrl)) as [pg.Client, pg.Client];
    await Promise.all([first.connect(), second.connect()]);
    const open = 'update simulation_recipients set opened_at = $2 where simulation_id = $1';
    await first.query('begin');
    await first.query(open, [SIMULATION, at('09:00')]);
    const waiting = second.query(open, [SIMULATION, at('08:30')]);
    await first.query('select pg_sleep(0.1)');
    await first.query('commit');
    await waiting;
    await Promise.all([first.end(), second.end()]);
    expect(await storedTimes()).toMatchObject({ opened_at: at('09:00') });
  });
});

describe('a recipient', () => {
  test.each([
    ['simulation', simulationId('other', 1), learnerId('tenant', 4)],
    ['learner', simulationId('tenant', 1), learnerId('other', 4)],
  ])('cannot have a %s of another company', async (name, simulation, learner) => {
    const values = [companies.tenant, simulation, learner];
    const insert = 'insert into simulation_recipients (company_id, simulation_id, learner_id) values ($1, $2, $3)';
    const refused = { code: '23503', constraint: `simulation_recipients_${name}` };
    await expect(testService.query(insert, values)).rejects.toMatchObject(refused);
  });

  test.each(['simulation_id', 'learner_id', 'id'])('keeps its %s', async (column) => {
    const change = testService.query(`update simulation_recipients set ${column} = gen_random_uuid()`);
    const constraint = column === 'learner_id' ? 'learner_of_row' : 'simulation_recipients_forward';
    await expect(change).rejects.toMatchObject({ constraint });
  });

  test('is unique per simulation and learner', async () => {
    await insertSimulation('running');
    await insertRecipient({});
    await expect(insertRecipient({})).rejects.toMatchObject({ code: '23505' });
  });
});

describe('the service', () => {
  const service = new pg.Client(testService.database.serviceUrl);
  beforeAll(async () => {
    await service.connect();
    await service.query("select set_config('app.company_id', $1, false)", [companies.tenant]);
  });
  afterAll(() => service.end());

  test.each(['simulations', 'simulation_recipients'])(
    'reads the %s of its company but cannot empty the table or change owners',
    async (table) => {
      const { rows } = await service.query(`select distinct company_id from ${table}`);
      expect(rows).toEqual([{ company_id: companies.tenant }]);
      for (const statement of [
        `update ${table} set company_id = company_id`,
        `truncate ${table} cascade`,
        `alter table ${table} disable trigger user`,
      ]) {
        await expect(service.query(statement)).rejects.toMatchObject({ code: '42501' });
      }
    },
  );
});
