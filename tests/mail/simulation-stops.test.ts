import { setTimeout as sleep } from 'node:timers/promises';
import { patch } from '../support/client.ts';
import { companies, groupId } from '../support/world.ts';
import {
  allowSimulations,
  forgetSimulations,
  makeDueSimulation,
  recipientsOf,
  SENDER,
  startSimulating,
  whenSent,
} from '../support/own-simulations.ts';
import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { MailServer } from './smtp-support.ts';
import { hurry, messagesTo, whenTried } from './transport-support.ts';

const { query } = testService;
const company = companies.tenant;
const server = new MailServer();
beforeAll(async () => {
  await server.start();
  await startSimulating(server, {
    SIMULATION_RATE_PER_MINUTE: '600',
    SIMULATION_SENDER_DOMAINS: `${SENDER},tenant.test,login.tenant.test`,
  });
});
beforeEach(() => allowSimulations());
afterEach(async () => {
  server.reset();
  await query('update simulation_switch set stopped_at = null');
  await query('update companies set smphish = true where id = $1', [company]);
  await forgetSimulations();
});
afterAll(async () => {
  stopServices();
  await server.stop();
});

const FOR_NOW: [string, string, string][] = [
  [
    'the operator stops all sending',
    'update simulation_switch set stopped_at = now()',
    'update simulation_switch set stopped_at = null',
  ],
  [
    'the company stops all sending',
    'update simulation_settings set stopped_at = now()',
    'update simulation_settings set stopped_at = null',
  ],
  [
    'the proof of the domain is lost',
    'update simulation_domains set proved_at = null',
    'update simulation_domains set proved_at = now() where checked_at is not null',
  ],
  [
    'the proof has not been checked for a day',
    `update simulation_domains set checked_at = now() - interval '25 hours'`,
    'update simulation_domains set checked_at = now()',
  ],
  [
    'the domain is no longer locked',
    `update companies set domain_lock = false where id = '${company}'`,
    `update companies set domain_lock = true where id = '${company}'`,
  ],
  [
    'the module is disabled',
    `update companies set smphish = false where id = '${company}'`,
    `update companies set smphish = true where id = '${company}'`,
  ],
  [
    'the simulation is blocked',
    `update simulations set blocked_because = 'domain' where is_own`,
    `update simulations set blocked_because = null where is_own`,
  ],
  [
    'the day is excluded',
    `insert into simulation_exclusions (company_id, id, from_date, to_date)
     values ('${company}', gen_random_uuid(), current_date - 1, current_date + 1)`,
    'delete from simulation_exclusions',
  ],
];

test.each(FOR_NOW)('when %s, sending stops within a second and resumes when the cause ends', async (_, stop, goOn) => {
  const { simulationId } = await makeDueSimulation({ recipients: 60 });
  await until(() => server.received.length > 0);
  await query(stop);
  await sleep(1000);
  const atStop = server.received.length;
  await sleep(600);
  expect(server.received).toHaveLength(atStop);
  expect(atStop).toBeLessThan(60);
  await query(goOn);
  // The withdrawn messages have used up the sending rate.
  await query('update simulation_settings set next_send_at = null');
  await whenSent(simulationId);
  expect(server.received).toHaveLength(60);
  expect(new Set(server.received.flatMap(({ to }) => to)).size).toBe(60);
});

test('PATCH /simulation-settings stops sending within a second, and lets it continue', async () => {
  const { simulationId } = await makeDueSimulation({ recipients: 60 });
  await until(() => server.received.length > 0);
  expect((await patch('/simulation-settings', { stopped: true })).body.data.stopped).toBe(true);
  await sleep(1000);
  const atStop = server.received.length;
  await sleep(600);
  expect(server.received).toHaveLength(atStop);
  expect(atStop).toBeLessThan(60);
  await patch('/simulation-settings', { stopped: false });
  await query('update simulation_settings set next_send_at = null');
  await whenSent(simulationId);
  expect(server.received).toHaveLength(60);
});

test('a cancelled simulation stops sending within a second, and no message waits', async () => {
  const { simulationId } = await makeDueSimulation({ recipients: 60 });
  await until(() => server.received.length > 0);
  await query(`update simulations set status = 'cancelled' where id = $1`, [simulationId]);
  await sleep(1000);
  const atStop = server.received.length;
  await sleep(600);
  expect(server.received).toHaveLength(atStop);
  expect(atStop).toBeLessThan(60);
  expect(await query(`select from messages where kind = 'simulation' and status = 'queued'`)).toEqual([]);
});

const NEVER: [string, string, string][] = [
  ['is inactive', 'update learners set inactive = true where id = $1', 'the learner is inactive'],
  [
    'has another address',
    `update learners set email = 'bait-' || id || '@elsewhere.test' where id = $1`,
    'the address is outside of the domain of the company',
  ],
  [
    'is excluded',
    `insert into simulation_exclusions (company_id, id, learner_id) values ('${company}', gen_random_uuid(), $1)`,
    'the learner is excluded',
  ],
  [
    'is excluded with a group',
    `with member as (insert into group_learners values ('${company}', '${groupId('tenant', 1)}', $1))
     insert into simulation_exclusions (company_id, id, group_id)
     values ('${company}', gen_random_uuid(), '${groupId('tenant', 1)}')`,
    'the learner is excluded',
  ],
];

test.each(NEVER)('a recipient who %s gets no message, whether it was queued or not', async (_, change, failure) => {
  // One message is queued and has failed once; the other has not been queued.
  server.refuse('data', 451, 'busy');
  const queued = await makeDueSimulation({ recipients: 1 });
  await until(() => server.received.length > 0);
  await whenTried(queued.learnerIds[0]!);
  server.reset();
  await query('update simulation_settings set stopped_at = now()');
  const waiting = await makeDueSimulation({ recipients: 1 });
  for (const { learnerIds } of [queued, waiting]) await query(change, learnerIds);
  await query('update simulation_settings set stopped_at = null');
  await hurry();
  for (const { simulationId } of [queued, waiting]) {
    await whenSent(simulationId);
    expect(await recipientsOf(simulationId)).toMatchObject([{ failure, sent_at: null }]);
  }
  expect(await messagesTo(queued.learnerIds[0]!)).toMatchObject([{ status: 'cancelled', reason: failure }]);
  expect(await messagesTo(waiting.learnerIds[0]!)).toEqual([]);
  expect(server.received).toEqual([]);
});

test.each([
  ["with a sender domain that is not the operator's", { senderDomain: 'elsewhere.example' }],
  ['with the domain of the company as the sender, even if the operator has it', { senderDomain: 'tenant.test' }],
  ['with a subdomain of the company as the sender', { senderDomain: 'login.tenant.test' }],
  ['outside working hours', { workingHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' } }],
  ['on a day without working hours', { workingHours: { days: [], from: '00:00', to: '24:00' } }],
])('nothing is sent %s', async (_, plan) => {
  const { simulationId } = await makeDueSimulation({ recipients: 3, plan });
  await sleep(600);
  expect(await recipientsOf(simulationId)).toMatchObject(Array(3).fill({ message_id: null, failure: null }));
  expect(server.received).toEqual([]);
});

test.each(['from', 'to'] as const)(
  'a message that a slow server is receiving (at %s) is withdrawn within a second',
  async (step) => {
    server.silentAt = step;
    const { simulationId } = await makeDueSimulation({ recipients: 1 });
    await until(async () => (await recipientsOf(simulationId))[0]!.message_id !== null);
    await sleep(500);
    await query('update simulation_settings set stopped_at = now()');
    await until(async () => (await query(`select from messages where reason like '%withdrawn'`)).length === 1, 1500);
    server.accept();
    await hurry();
    await sleep(600);
    expect(server.received).toEqual([]);
    await query('update simulation_settings set stopped_at = null');
    await hurry();
    await whenSent(simulationId);
    expect(server.received).toHaveLength(1);
  },
);

test('a message that was tried before a long stop is sent again as the same message', async () => {
  server.hangsUp = true;
  const { simulationId, learnerIds } = await makeDueSimulation({ recipients: 1 });
  await until(() => server.received.length > 0);
  await whenTried(learnerIds[0]!);
  server.accept();
  await query('update simulation_settings set stopped_at = now()');
  await query('update graphile_worker._private_jobs set attempts = 20');
  await hurry();
  await sleep(1000);
  expect(server.received).toHaveLength(1);
  await query('update simulation_settings set stopped_at = null');
  await hurry();
  await whenSent(simulationId);
  const [first, second, ...more] = server.received.map(({ parsed }) => parsed.messageId);
  expect([second, more]).toEqual([first, []]);
});
