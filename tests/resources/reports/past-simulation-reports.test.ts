/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "100000"} */
import { del, expectError, get, post } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { groupId, learnerId, managedCourses } from '../../support/world.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { correctedEvents } from '../corrections/event-correction-state.ts';
import { merged, undone } from '../learner-merges/merge-state.ts';
import { createLearner, dayBefore, daysAgo, uniqueId, waitPastMidnight } from './past-state.ts';
import { addressOf, readCsv, readPages } from './report-pages.ts';

const results = '/reports/simulation-results';
const clickers = '/reports/repeat-clickers';
const metrics = '/simulations/metrics';

async function read(path: string, filters: object = {}): Promise<any> {
  const { status, body } = await get(addressOf(path, filters));
  expect({ path, filters, status, error: body.error }).toEqual({ path, filters, status: 200, error: undefined });
  return body.data;
}

/** Creates a simulation that another system runs. Returns its key and its id. */
async function createSimulation(): Promise<{ externalId: string; id: string }> {
  const externalId = uniqueId();
  const fields = { name: 'Parcel notice', deliveryMethod: 'email', startDate: daysAgo(0) };
  return { externalId, id: (await post('/simulations', { externalId, ...fields })).body.data.id };
}

/** Records an event of some days ago. Returns its id. */
async function record(externalId: string, learner: string, type: string, days: number): Promise<string> {
  const event = { eventId: uniqueId(), simulation: { externalId }, learner: { id: learner }, type };
  const { status, body } = await post('/simulation-events', { events: [{ ...event, occurredAt: daysAgo(days) }] });
  expect({ status, failures: body.data?.failures }).toEqual({ status: 200, failures: [] });
  return event.eventId;
}

/** Lets the given number of days pass. */
async function pass(days: number): Promise<void> {
  for (let n = 0; n < days; n++) await passDay();
}

/** Returns the milestones of a learner that the report shows, or 'missing'. */
async function milestonesOf(learner: string, simulation: string, past: object): Promise<string> {
  const [row] = await read(results, { learnerId: learner, simulationId: simulation, ...past });
  if (!row) return 'missing';
  return ['sent', 'open', 'visit', 'compromise', 'report'].filter((name) => row[name] !== null).join(' ');
}

beforeEach(waitPastMidnight);

test('without later changes, the report on today equals the current report', async () => {
  for (const path of [results, clickers, metrics]) {
    const all = path === metrics ? [{}] : [{}, { includeInactive: true }, { learnerId: learnerId('tenant', 1) }];
    const more = path === clickers ? { minimum: 1 } : {};
    for (const filters of [...all, { groupId: groupId('tenant', 1) }, { from: '2020-01-01', to: '2030-01-01' }]) {
      const now = await read(path, { ...filters, ...more });
      for (const past of [{ asOf: dayBefore(0) }, { knownAt: dayBefore(0) }]) {
        const found = await read(path, { ...filters, ...more, ...past });
        expect({ path, filters, found }).toEqual({ path, filters, found: now });
      }
    }
  }
});

test('an event belongs to the day on which it happened, and is known from the day on which it was recorded', async () => {
  const [learner, { externalId, id }] = [await createLearner(), await createSimulation()];
  await pass(6);
  await record(externalId, learner, 'sent', 5);
  await pass(1);
  const visited = await record(externalId, learner, 'visited', 4);
  await pass(1);
  const at = (asOf: number, knownAt = 0) =>
    milestonesOf(learner, id, { asOf: dayBefore(asOf), knownAt: dayBefore(knownAt) });
  expect([await at(8), await at(7), await at(6), await at(5)]).toEqual(['missing', 'sent', 'sent', 'sent open visit']);
  expect([await at(3, 3), await at(2, 2), await at(5, 2), await at(1, 1)]).toEqual([
    ...['missing', 'sent', 'sent', 'sent open visit'],
  ]);
  await correctedEvents({ eventId: visited, action: 'void' });
  expect([await at(1), await at(1, 1), await at(0)]).toEqual(['sent', 'sent open visit', 'sent']);
  await pass(1);
  await correctedEvents({ eventId: visited, action: 'restore' });
  expect([await at(1, 1), await at(1, 0)]).toEqual(['sent', 'sent open visit']);
  const clicks = (past: object) => read(clickers, { learnerId: learner, minimum: 1, ...past });
  expect(await clicks({ asOf: dayBefore(7) })).toEqual([]);
  expect(await clicks({ asOf: dayBefore(1) })).toMatchObject([{ sentCount: 1, visitCount: 1, compromiseCount: 0 }]);
});

test('the learning report selects the learners by their outcome of the day', async () => {
  const [learner, { externalId, id }] = [await createLearner(), await createSimulation()];
  await post('/course-enrollments', { learnerIds: [learner], courseIds: [managedCourses.phishing] });
  await pass(2);
  await record(externalId, learner, 'visited', 1);
  const count = async (past: object): Promise<number> => {
    const { summary, rows } = await read('/reports/learning', { simulationId: id, outcome: 'visited', ...past });
    expect(rows).toHaveLength(summary.enrollmentCount);
    return rows.length;
  };
  expect([await count({ asOf: dayBefore(2) }), await count({ asOf: dayBefore(1) })]).toEqual([0, 1]);
  expect([await count({ knownAt: dayBefore(1) }), await count({})]).toEqual([0, 1]);
});

test('a simulation has the name and the status of the day, and is counted from its creation', async () => {
  const { externalId, id } = await createSimulation();
  await pass(1);
  await post('/simulations', { externalId, name: 'Renamed', deliveryMethod: 'qr_code', status: 'cancelled' });
  await pass(1);
  const find = async (past: object) =>
    (await read(metrics, past)).simulations.find((simulation: { id: string }) => simulation.id === id);
  expect(await find({ asOf: dayBefore(2) })).toMatchObject({ name: 'Parcel notice', status: 'running' });
  expect(await find({ asOf: dayBefore(1) })).toMatchObject({ name: 'Renamed', status: 'cancelled' });
  expect(await find({ asOf: dayBefore(3) })).toBeUndefined();
});

test('metrics keep the outcomes of deleted learners, with their days and when they became known', async () => {
  const [learner, { externalId, id }] = [await createLearner(), await createSimulation()];
  await record(externalId, learner, 'sent', 0);
  await pass(3);
  await record(externalId, learner, 'visited', 2);
  await pass(1);
  const paths = [[4], [3], [2], [2, 2], [1, 1]].map(([asOf, knownAt = 0]) => {
    return { asOf: dayBefore(asOf!), knownAt: dayBefore(knownAt) };
  });
  const counts = async () => {
    const all: unknown[] = [];
    for (const past of paths) {
      const { simulations } = await read(metrics, past);
      const { recipientCount, sentCount, visitCount } = simulations.find((one: { id: string }) => one.id === id);
      all.push([recipientCount, sentCount, visitCount]);
    }
    return all;
  };
  const before = await counts();
  expect(before).toEqual([[1, 1, 0], [1, 1, 1], [1, 1, 1], [1, 1, 0], [1, 1, 1]]); // prettier-ignore
  expect((await del(`/learners/${learner}`)).status).toBe(200);
  expect(await counts()).toEqual(before);
});

test('a group has its members of that day, even if they left later', async () => {
  const [learner, { externalId, id }] = [await createLearner(), await createSimulation()];
  const group = { groupId: groupId('tenant', 1) };
  await post(`/groups/${group.groupId}/learners/add`, { learnerIds: [learner] });
  await record(externalId, learner, 'visited', 0);
  await pass(1);
  await post(`/groups/${group.groupId}/learners/remove`, { learnerIds: [learner] });
  await post('/learners/deactivate', { learnerIds: [learner] });
  const has = async (path: string, past: object): Promise<boolean> => {
    const found = await read(path, { ...group, ...(path === clickers && { minimum: 1 }), ...past });
    return JSON.stringify(found).includes(path === metrics ? id : learner);
  };
  for (const path of [results, clickers, metrics]) {
    const found = [await has(path, { asOf: dayBefore(1) }), await has(path, { asOf: dayBefore(0) })];
    expect({ path, found }).toEqual({ path, found: [true, false] });
  }
});

test('the recipients of a merged learner belong to the remaining learner on every day, and return with the merge', async () => {
  const [merging, staying] = [await createLearner(), await createLearner()];
  const [own, both] = [await createSimulation(), await createSimulation()];
  await pass(2);
  for (const [learner, simulations] of [
    [merging, [own, both]],
    [staying, [both]],
  ] as const)
    // prettier-ignore
    for (const { externalId } of simulations) await record(externalId, learner, 'sent', 1);
  await pass(1);
  for (const { externalId } of [own, both]) await record(externalId, merging, 'visited', 1);
  const states = async (learner: string, { id }: { id: string }) => {
    const days = [{ asOf: dayBefore(2) }, { asOf: dayBefore(1), knownAt: dayBefore(1) }, { asOf: dayBefore(1) }];
    const all: string[] = [];
    for (const past of days) all.push(await milestonesOf(learner, id, past));
    return all;
  };
  const before = [await states(merging, own), await states(merging, both), await states(staying, both)];
  expect(before).toEqual([
    ['sent', 'sent', 'sent open visit'],
    ['sent', 'sent', 'sent open visit'],
    ['sent', 'sent', 'sent'],
  ]);
  const counted = await read(metrics, { asOf: dayBefore(1), knownAt: dayBefore(1) });
  const { id: mergeId } = await merged(merging, staying);
  expect([await states(staying, own), await states(staying, both)]).toEqual([before[0], before[2]]);
  expect(await read(metrics, { asOf: dayBefore(1), knownAt: dayBefore(1) })).toEqual(counted);
  await undone(mergeId);
  expect([await states(merging, own), await states(merging, both), await states(staying, both)]).toEqual(before);
  expect(await read(metrics, { asOf: dayBefore(1), knownAt: dayBefore(1) })).toEqual(counted);
});

test('pages together and CSV have the rows of the report', async () => {
  for (const path of [results, clickers]) {
    const past = { asOf: dayBefore(0), ...(path === clickers && { minimum: 1 }) };
    const rows = await read(path, past);
    expect(await readPages(path, past, 2, 'tenant')).toEqual(rows);
    expect((await readCsv(addressOf(path, past), 'tenant')).text.trimEnd().split('\r\n')).toHaveLength(rows.length + 1);
  }
});

test('a day in the future, an impossible order and a group of another company are rejected', async () => {
  for (const path of [results, clickers, metrics]) {
    const fails = async (filters: object, status: number, code: string, fields?: string[]) =>
      expectError(await get(addressOf(path, filters)), status, code, fields);
    await fails({ asOf: dayBefore(-2) }, 400, 'invalid_request', ['query/asOf']);
    await fails({ asOf: dayBefore(0), knownAt: dayBefore(1) }, 400, 'invalid_request', ['query/asOf']);
    await fails({ asOf: dayBefore(0), groupId: groupId('other', 1) }, 404, 'not_found');
  }
  const foreign = { asOf: dayBefore(0), simulationId: simulationId('other', 1) };
  expectError(await get(addressOf(results, foreign)), 404, 'not_found');
});
