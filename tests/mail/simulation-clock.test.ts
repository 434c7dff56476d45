import { setTimeout as sleep } from 'node:timers/promises';
import {
  allowSimulations,
  forgetSimulations,
  makeDueSimulation,
  recipientsOf,
  startSimulating,
  whenSent,
} from '../support/own-simulations.ts';
import { companies } from '../support/world.ts';
import { DnsServer } from '../../scripts/demo/dns-server.ts';
import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { MailServer } from './smtp-support.ts';

const { query } = testService;
const RECORD = '_awareness-simulation.tenant.test';
const server = new MailServer();
const dns = new DnsServer();
beforeAll(async () => {
  await server.start();
  await dns.start();
});
beforeEach(async () => {
  await allowSimulations();
  dns.answers.set(RECORD, ['challenge']);
});
afterEach(async () => {
  stopServices();
  server.reset();
  await forgetSimulations();
});
afterAll(async () => {
  dns.stop();
  await server.stop();
});

const start = () => startSimulating(server, { DNS_SERVERS: dns.place });
const simulationNow = async (id: string) => {
  return (await query('select status, blocked_because as because from simulations where id = $1', [id]))[0]!;
};
const becomes = (id: string, expected: object) =>
  until(async () => JSON.stringify(await simulationNow(id)) === JSON.stringify(expected));

test('a simulation starts on time, and completes when its window is over and no message waits', async () => {
  const { simulationId } = await makeDueSimulation({ recipients: 5, status: 'scheduled' });
  await start();
  await whenSent(simulationId);
  expect(server.received).toHaveLength(5);
  expect(await simulationNow(simulationId)).toEqual({ status: 'running', because: null });
  expect(dns.asked).toContain(RECORD);
  await query(`update simulations set end_date = now() where id = $1`, [simulationId]);
  await becomes(simulationId, { status: 'completed', because: null });
});

test.each([
  ['domain', () => void dns.answers.delete(RECORD)],
  ['approval', () => query(`update simulations set needs_approval = true, approved_by = '{}' where is_own`)],
])('a simulation without its %s does not start, and does not block other companies', async (because, take) => {
  const { simulationId } = await makeDueSimulation({ recipients: 2, status: 'scheduled' });
  await take();
  await start();
  await becomes(simulationId, { status: 'scheduled', because });
  expect(await query('select from due_simulations(20)')).toEqual([]);
  await sleep(1200);
  expect(await recipientsOf(simulationId)).toMatchObject(Array(2).fill({ message_id: null }));
  expect(server.received).toEqual([]);
});

test('losing the proof of the domain stops the remaining messages', async () => {
  const { simulationId } = await makeDueSimulation({ recipients: 2 });
  dns.answers.delete(RECORD);
  await start();
  const lost = `select from simulation_domains where company_id = '${companies.tenant}' and proved_at is null`;
  await until(async () => (await query(lost)).length === 1);
  await sleep(1200);
  expect(await simulationNow(simulationId)).toMatchObject({ status: 'running' });
  expect(server.received).toEqual([]);
});
