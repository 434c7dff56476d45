import { call } from '../../support/client.ts';
import { one, people, random } from './random-changes.ts';

// Random changes to simulations that another system runs.

const DAY_MS = 86_400_000;
const TYPES = ['sent', 'opened', 'visited', 'compromised', 'reported'];
const simulations: string[] = [];
const eventIds: string[] = [];
const messageIds: string[] = [];
let count = 0;

async function act(path: string, body: object): Promise<void> {
  const { status, body: answer } = await call('tenant', 'POST', path, { body, alone: false });
  // A milestone that was not reached cannot be withdrawn.
  const isExpected = status === 200 || status === 404 || path === '/simulation-withdrawals';
  expect({ path, body, answer: isExpected ? 'fine' : answer }).toMatchObject({ answer: 'fine' });
}

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

async function putSimulation(externalId: string, more: object = {}): Promise<void> {
  const fields = { name: `Simulation ${++count}`, deliveryMethod: one(['email', 'qr_code']), startDate: daysAgo(0) };
  await act('/simulations', { externalId, ...fields, ...more });
}

async function createOne(): Promise<void> {
  simulations.push(`engine-${++count}`);
  await putSimulation(simulations.at(-1)!);
}

async function record(type: string, days: number): Promise<void> {
  if (simulations.length === 0) await createOne();
  const event = { eventId: `s${++count}`, simulation: { externalId: one(simulations) }, learner: { id: one(people) } };
  const messageId = `m${count}@engine.test`;
  eventIds.push(event.eventId);
  if (type === 'sent') messageIds.push(messageId);
  const evidence = type === 'sent' ? { messageId } : {};
  await act('/simulation-events', { events: [{ ...event, type, occurredAt: daysAgo(days), evidence }] });
}

async function correct(action: string, more: object = {}): Promise<void> {
  if (eventIds.length === 0) return;
  const correction = { kind: 'simulation_event', eventId: one(eventIds), action, reason: 'A random correction' };
  await act('/corrections', { corrections: [{ ...correction, ...more }] });
}

/** Simulations that are created and renamed, and events that are recorded at once. */
export const SIMULATION_CHANGES: (() => Promise<unknown>)[] = [
  createOne,
  async () => {
    if (simulations.length > 0) await putSimulation(one(simulations));
  },
  () => record('scheduled', -1 - random(5)),
  ...[1, 2].flatMap(() => TYPES.map((type) => () => record(type, 0))),
  async () => {
    if (messageIds.length > 0) await act('/reported-messages', { messageId: one(messageIds) });
  },
];

/** Late events, corrections and withdrawals. */
export const SIMULATION_CORRECTIONS: typeof SIMULATION_CHANGES = [
  ...TYPES.map((type) => () => record(type, random(8))),
  () => correct(one(['void', 'restore'])),
  () => correct('void'),
  () => {
    eventIds.push(`s${++count}`);
    return correct('replace', { replacement: { eventId: `s${count}`, occurredAt: daysAgo(random(8)) } });
  },
  async () => {
    const { body } = await call('tenant', 'GET', '/reports/simulation-results?includeInactive=true');
    const rows: { simulationId: string; learnerId: string }[] = body.data;
    if (rows.length === 0) return;
    const { simulationId, learnerId } = one(rows);
    const milestone = one(TYPES.slice(1));
    await act('/simulation-withdrawals', { simulationId, learnerId, milestone, reason: 'A random withdrawal' });
  },
];
