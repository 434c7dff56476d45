/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-desk.test", "DNS_SERVERS": "127.53.22.2:5323"} */
import { randomUUID } from 'node:crypto';
import { openServicePool } from '../../support/service-pool.ts';
import { createTenantWriter } from '../../../src/db/tenant-session.ts';
import { hashPersonToken } from '../../../src/identity/person-token.ts';
import { queueDueMessages } from '../../../src/resources/simulations/sending/queue-due-messages.ts';
import { del, expectError, get, post } from '../../support/client.ts';
import { DnsServer } from '../../../scripts/demo/dns-server.ts';
import { CHALLENGE } from '../../support/world-simulations.ts';
import { companies, groupId, learnerId, unknownId } from '../../support/world.ts';
import { expectRefused, setPlan } from '../tenant-state.ts';
import { forgetSimulations, makeDraft, SENDER } from '../../support/own-simulations.ts';
const pool = openServicePool(2);
const server = new DnsServer();
const { query } = testService;

beforeAll(async () => {
  await server.start('127.53.22.2:5323');
  server.answers.set('_awareness-simulation.tenant.test', [CHALLENGE]);
  await setPlan({ domainLock: true });
});
afterEach(forgetSimulations);
afterAll(async () => {
  server.stop();
  await pool.end();
  await setPlan({});
});

const [first, third, fourth] = [learnerId('tenant', 1), learnerId('tenant', 3), learnerId('tenant', 4)];
const DAY_MS = 86_400_000;
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const exclude = async (body: object): Promise<string> => {
  const answer = await post('/simulation-exclusions', body);
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined });
  return answer.body.data.id;
};

/** Schedules a simulation for today with learners 1, 3 and 4. */
async function schedule(): Promise<string> {
  const id = await makeDraft({
    ...{ recipients: { learnerIds: [first, third, fourth] }, timeZone: 'UTC' },
    ...{ startDate: new Date(Date.now() - 60_000).toISOString(), endDate: new Date(Date.now() + DAY_MS).toISOString() },
    workingHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59' },
  });
  expect((await post(`/simulations/${id}/schedule`)).status).toBe(200);
  return id;
}

const recipientsOf = (id: string) =>
  query(
    `select learner_id, message_id is not null as queued, failure from simulation_recipients
      where simulation_id = $1 order by learner_id`,
    [id],
  );

/** Makes all messages due, queues them and returns the state of each recipient. */
async function whenDue(id: string) {
  await query(
    `update simulations set status = 'running', plan = jsonb_set(plan, '{workingHours,to}', '"24:00"') where id = $1`,
    [id],
  );
  await query('update simulation_recipients set scheduled_at = now() where simulation_id = $1', [id]);
  const queue = { senders: [SENDER], ratePerMinute: 6000, createToken: () => randomUUID(), hashToken: hashPersonToken };
  await queueDueMessages(createTenantWriter(pool, companies.tenant), queue);
  return (await recipientsOf(id)).map(({ learner_id, queued, failure }) => [learner_id, queued, failure]);
}

describe('POST /simulation-exclusions', () => {
  test.each([
    ['a learner', { learnerId: first, note: 'On leave' }],
    ['a group', { groupId: groupId('tenant', 1) }],
    ['days', { from: '2026-12-24', to: '2026-12-24' }],
  ])('excludes %s and lists the exclusion until it is deleted', async (_, body) => {
    const { data } = (await post('/simulation-exclusions', body)).body;
    expect(data).toMatchObject({ learnerId: null, groupId: null, from: null, to: null, note: null, ...body });
    expect((await get('/simulation-exclusions')).body.data).toContainEqual(data);
    expect((await del(`/simulation-exclusions/${data.id}`)).body.data).toEqual({ id: data.id });
    expectError(await del(`/simulation-exclusions/${data.id}`), 404, 'not_found');
  });

  test('deleting a learner deletes the exclusion', async () => {
    const { id } = (await post('/learners', { email: 'gone@tenant.test', firstName: 'Gone', lastName: 'Soon' })).body
      .data;
    const exclusion = await exclude({ learnerId: id });
    await query('delete from learners where id = $1', [id]);
    expectError(await del(`/simulation-exclusions/${exclusion}`), 404, 'not_found');
  });

  test.each([
    ['learnerId', { learnerId: unknownId }],
    ['learnerId', { learnerId: learnerId('other', 1) }],
    ['groupId', { groupId: groupId('other', 1) }],
  ])('an unknown or foreign %s returns 404', async (field, body) => {
    await expectRefused(() => post('/simulation-exclusions', body), 404, 'not_found', [`body/${field}`]);
  });

  test.each([
    ['body', { note: 'Whoever' }],
    ['body/to', { from: '2026-12-24' }],
    ['body/to', { from: '2026-12-24', to: '2026-02-30' }],
  ])('rejects at %s a body without exactly one learner, group or date range', async (field, body) => {
    await expectRefused(() => post('/simulation-exclusions', body), 400, 'invalid_request', [field]);
  });
});

describe('a learner excluded', () => {
  const WAYS: [string, object, string[]][] = [
    ['by themselves', { learnerId: first }, [third, fourth]],
    ['with a group', { groupId: groupId('tenant', 1) }, [fourth]],
  ];

  test.each(WAYS)('%s is not a recipient, even if the simulation names them', async (_, body, left) => {
    await exclude(body);
    expect((await recipientsOf(await schedule())).map(({ learner_id }) => learner_id)).toEqual(left);
  });

  test.each(WAYS)('%s after scheduling gets no message', async (_, body, left) => {
    const id = await schedule();
    await exclude(body);
    const excluded = (learner: string) => [learner, false, 'the learner is excluded'];
    expect(await whenDue(id)).toEqual(
      [first, third, fourth].map((learner) => (left.includes(learner) ? [learner, true, null] : excluded(learner))),
    );
  });

  test('by joining a group after scheduling gets no message', async () => {
    await exclude({ groupId: groupId('tenant', 1) });
    const id = await schedule();
    const member = [companies.tenant, groupId('tenant', 1), fourth];
    await query('insert into group_learners values ($1, $2, $3)', member);
    expect(await whenDue(id)).toEqual([[fourth, false, 'the learner is excluded']]);
    await query('delete from group_learners where group_id = $1 and learner_id = $2', [groupId('tenant', 1), fourth]);
  });
});

describe('an excluded day', () => {
  test('gets no scheduled messages', async () => {
    await exclude({ from: dayFromNow(0), to: dayFromNow(0) });
    const times = await query('select scheduled_at from simulation_recipients where simulation_id = $1', [
      await schedule(),
    ]);
    expect(times.map(({ scheduled_at }) => (scheduled_at as Date).toISOString().slice(0, 10))).toEqual(
      Array(3).fill(dayFromNow(1)),
    );
  });

  test('gets no messages, even if excluded after scheduling, until the exclusion is deleted', async () => {
    const id = await schedule();
    const exclusion = await exclude({ from: dayFromNow(-1), to: dayFromNow(1) });
    expect(await whenDue(id)).toEqual([first, third, fourth].map((learner) => [learner, false, null]));
    await del(`/simulation-exclusions/${exclusion}`);
    expect(await whenDue(id)).toEqual([first, third, fourth].map((learner) => [learner, true, null]));
  });
});
