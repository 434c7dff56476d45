import {
  allowSimulations,
  forgetSimulations,
  makeDueSimulation,
  recipientsOf,
  startSimulating,
  whenSent,
} from '../support/own-simulations.ts';
import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { kill } from './crash-support.ts';
import { MailServer } from './smtp-support.ts';
import { whenDone } from './transport-support.ts';

const server = new MailServer();
beforeAll(() => server.start());
beforeEach(() => allowSimulations());
afterEach(async () => {
  stopServices();
  server.reset();
  await forgetSimulations();
});
afterAll(() => server.stop());

test('processes killed between queueing, sending and recording leave one message for each recipient', async () => {
  const { simulationId } = await makeDueSimulation({ recipients: 150 });
  server.slowMs = 30;
  for (const many of [20, 60, 100]) {
    const service = await startSimulating(server);
    await until(() => server.received.length > many);
    await kill(service);
  }
  await startSimulating(server);
  await whenSent(simulationId, 60_000);
  await whenDone();
  const ids = new Map<string, Set<string>>();
  for (const { to, parsed } of server.received) {
    ids.set(to[0]!, (ids.get(to[0]!) ?? new Set()).add(parsed.messageId!));
  }
  // A message that was on its way is sent again as the same email, so that no recipient gets two.
  expect(ids.size).toBe(150);
  expect([...ids.values()].filter(({ size }) => size !== 1)).toEqual([]);
  // At most what each of the five connections was sending, and what it had sent during the last commits.
  expect(server.received.length).toBeLessThan(150 + 3 * 5 * 3);
  expect((await recipientsOf(simulationId)).filter(({ sent_at }) => sent_at === null)).toEqual([]);
});
