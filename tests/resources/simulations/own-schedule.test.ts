/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-desk.test", "DNS_SERVERS": "127.53.0.7:5307"} */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Answer, call, del, expectError, get, patch, post } from '../../support/client.ts';
import { DnsServer } from '../../../scripts/demo/dns-server.ts';
import { companies, groupId, learnerId } from '../../support/world.ts';
import { CHALLENGE, simulationId } from '../../support/world-simulations.ts';
import { expectNoFailure, expectRefused, setPlan } from '../tenant-state.ts';
import { forgetSimulations, makeDraft, makeTemplate } from '../../support/own-simulations.ts';

const RECORD = '_awareness-simulation.tenant.test';
const server = new DnsServer();

beforeAll(() => server.start('127.53.0.7:5307'));
afterAll(() => server.stop());
beforeEach(async () => {
  server.answers.set(RECORD, [CHALLENGE]);
  await setPlan({ domainLock: true });
});
afterEach(forgetSimulations);
afterAll(() => setPlan({}));

const schedule = (id: string) => post(`/simulations/${id}/schedule`);
const learner = (number: 1 | 2 | 3 | 4 | 5) => learnerId('tenant', number);
const rowsOf = (id: string) =>
  testService.query(
    `select learner_id, template_id, locale, scheduled_at from simulation_recipients where simulation_id = $1
      order by learner_id`,
    [id],
  );
const reached = async (id: string) => (await rowsOf(id)).map(({ learner_id }) => learner_id);

describe('POST /simulations/{simulationId}/schedule', () => {
  test('fixes the template, language and time of each recipient, within working hours', async () => {
    const [template, french] = [await makeTemplate({ locales: ['en', 'de'] }), await makeTemplate({ locales: ['fr'] })];
    await testService.query(
      `update learners set locale = case id when $1 then 'de-CH' when $2 then 'fr' else locale end`,
      [learner(1), learner(2)],
    );
    const id = await makeDraft({ templateIds: [template, french] }, template);
    const { status, body } = await schedule(id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'scheduled', plan: { needsApproval: false, blockedBecause: null } });
    expect(body.data.plan.scheduledAt).not.toBeNull();
    const rows = await rowsOf(id);
    expect(rows.map(({ learner_id, template_id, locale }) => [learner_id, template_id, locale])).toEqual([
      [learner(1), template, 'de'],
      [learner(2), french, 'fr'],
      [learner(3), template, 'en'],
      [learner(4), template, 'en'],
    ]);
    for (const { scheduled_at } of rows) {
      expect((scheduled_at as Date).toISOString()).toMatch(/^2090-01-(0[2-9]|1[0-5])T(0[89]|1[0-5]):/);
    }
    const read = (await get(`/simulations/${id}`)).body.data;
    expect([read.recipientCount, read.scheduledCount]).toEqual([4, 4]);
    await testService.query(`update learners set locale = 'en'`);
  });

  test("returns each recipient's template and mailFailedAt, and changes the ETag when a message fails", async () => {
    const template = await makeTemplate();
    const id = await makeDraft({ recipients: { learnerIds: [learner(1)] } }, template);
    await schedule(id);
    const path = `/simulations/${id}`;
    const waits = await get(path);
    expect(waits.body.data.recipients).toMatchObject([{ templateId: template, sent: null, mailFailedAt: null }]);
    await testService.query(`update simulation_recipients set failed_at = now() where simulation_id = $1`, [id]);
    const given = await get(path);
    expect(given.body.data.recipients).toMatchObject([{ sent: null, mailFailedAt: expect.any(String) }]);
    expect(given.headers.get('etag')).not.toBe(waits.headers.get('etag'));
  });

  test('reaches named learners and groups once each, and no excluded learner', async () => {
    const exclude = (column: string, value: string) =>
      testService.query(
        `insert into simulation_exclusions (company_id, id, ${column}) values ($1, gen_random_uuid(), $2)`,
        [...[companies.tenant, value]],
      );
    const id = await makeDraft({
      recipients: { learnerIds: [learner(1), learner(5)], groupIds: [groupId('tenant', 1)] },
    });
    await exclude('learner_id', learner(2));
    expect((await schedule(id)).status).toBe(200);
    expect(await reached(id)).toEqual([learner(1), learner(3)]);
    await exclude('group_id', groupId('tenant', 1));
    const everyone = await makeDraft();
    expect((await schedule(everyone)).status).toBe(200);
    expect(await reached(everyone)).toEqual([learner(4)]);
  });

  test('reaches no address outside the proved domain', async () => {
    await testService.query(
      `update learners set email = 'ada@elsewhere.test', email_key = 'ada@elsewhere.test' where id = $1`,
      [learner(1)],
    );
    const id = await makeDraft();
    await schedule(id);
    expect(await reached(id)).toEqual([learner(2), learner(3), learner(4)]);
    const alone = await makeDraft({ recipients: { learnerIds: [learner(1)] } });
    await expectRefused(() => schedule(alone), 400, 'invalid_request', ['simulation/recipients']);
    await testService.query(
      `update learners set email = 'learner1@tenant.test', email_key = 'learner1@tenant.test' where id = $1`,
      [learner(1)],
    );
  });

  test.each([
    ['has no record', [], true],
    ['has the record of another company', ['b'.repeat(32)], true],
    ['has no DNS response', 'servfail', true],
    ['is not locked', [CHALLENGE], false],
  ] as const)('nothing is scheduled if the domain %s', async (_case, answer, domainLock) => {
    const id = await makeDraft();
    server.answers.set(RECORD, answer === 'servfail' ? answer : [...answer]);
    await setPlan({ domainLock });
    await expectRefused(() => schedule(id), 403, 'domain_not_proved');
  });

  test('no transaction waits for DNS, even with an Idempotency-Key and an If-Match', async () => {
    const path = `/simulations/${await makeDraft()}`;
    const headers = { 'idempotency-key': '"slow-dns"', 'if-match': (await get(path)).headers.get('etag')! };
    server.answers.set(RECORD, 'silence');
    server.asked.length = 0;
    const answer = call('tenant', 'POST', `${path}/schedule`, { headers });
    while (!server.asked.includes(RECORD)) await sleep(10);
    const open = `select query from pg_stat_activity where datname = current_database() and state like 'idle in%'`;
    expect(await testService.query(open)).toEqual([]);
    server.answers.set(RECORD, [CHALLENGE]);
    expect((await answer).status).toBe(200);
  });

  test('a draft that has become invalid is rejected with the field of the simulation', async () => {
    const template = await makeTemplate();
    const id = await makeDraft({ endDate: '2090-01-03T23:00:00Z' }, template);
    const refused = async (change: string, values: unknown[], field: string) => {
      await testService.query(change, values);
      await expectRefused(() => schedule(id), 400, 'invalid_request', [`simulation/${field}`]);
    };
    const days = `insert into simulation_exclusions (company_id, id, from_date, to_date)
                  values ($1, gen_random_uuid(), '2090-01-01', '2090-01-31')`;
    await refused(days, [companies.tenant], 'workingHours');
    await testService.query('delete from simulation_exclusions');
    await refused('update simulation_templates set retired_at = now() where id = $1', [template], 'templateIds/0');
    await refused(
      `update simulations set start_date = '2020-01-01', end_date = '2020-01-09' where id = $1`,
      [id],
      'endDate',
    );
  });

  test('a window that has already started is used from the current time', async () => {
    const [startDate, endDate] = [-10, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const workingHours = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59' };
    const id = await makeDraft({ startDate, endDate, workingHours });
    const before = Date.now();
    const scheduled = (await schedule(id)).body.data;
    expect(Date.parse(scheduled.startDate)).toBeGreaterThanOrEqual(before);
    for (const { scheduled_at } of await rowsOf(id)) {
      expect((scheduled_at as Date).toISOString() >= scheduled.startDate).toBe(true);
    }
  });

  test('waits for a concurrent template change and validates the new state', async () => {
    const template = await makeTemplate({ ownerId: companies.tenant });
    const id = await makeDraft({}, template);
    const owner = new pg.Client(testService.database.ownerUrl);
    await owner.connect();
    await owner.query('begin');
    await owner.query('update simulation_templates set retired_at = now() where id = $1', [template]);
    const answer = schedule(id);
    await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 500))]);
    await owner.query('commit');
    await owner.end();
    expectError(await answer, 400, 'invalid_request', ['simulation/templateIds/0']);
  });

  test('a scheduled simulation cannot be changed, deleted or scheduled again, and is cancelled for good', async () => {
    const path = `/simulations/${await makeDraft()}`;
    expect((await post(`${path}/schedule`)).status).toBe(200);
    await expectRefused(() => patch(path, { name: 'Another' }), 400, 'simulation_not_draft');
    await expectRefused(() => del(path), 400, 'simulation_not_draft');
    await expectRefused(() => post(`${path}/schedule`), 400, 'simulation_not_draft');
    const { body } = await post(`${path}/cancel`);
    expect(body.data.status).toBe('cancelled');
    expect((await post(`${path}/cancel`)).body).toEqual(body);
    await expectRefused(() => post(`${path}/schedule`), 400, 'simulation_not_draft');
  });

  test('an API key cannot approve a simulation, nor one that another system runs', async () => {
    const id = await makeDraft();
    await schedule(id);
    await testService.query(
      `update simulations set needs_approval = true, blocked_because = 'approval' where id = $1`,
      [id],
    );
    await expectRefused(() => post(`/simulations/${id}/approve`), 403, 'admin_required');
    await expectRefused(() => post(`/simulations/${simulationId('tenant', 2)}/approve`), 403, 'forbidden');
  });

  test('a completed simulation cannot be cancelled', async () => {
    const id = await makeDraft();
    await testService.query(`update simulations set status = 'completed' where id = $1`, [id]);
    await expectRefused(() => post(`/simulations/${id}/cancel`), 400, 'simulation_ended');
  });
});

test('more than 500 recipients need approval, even split across simultaneous or successive simulations', async () => {
  await testService.query(
    `insert into learners (company_id, id, email, email_key, first_name, last_name)
     select $1, gen_random_uuid(), 'many' || n || '@tenant.test', 'many' || n || '@tenant.test', 'Many', 'People'
       from generate_series(1, 300) as n`,
    [companies.tenant],
  );
  const waits = ({ body }: Answer) => [body.data.plan.needsApproval, body.data.plan.blockedBecause];
  const drafts = [await makeDraft(), await makeDraft(), await makeDraft()];
  const sideBySide = drafts
    .slice(1)
    .map((id) => call('tenant', 'POST', `/simulations/${id}/schedule`, { alone: false }));
  expect((await Promise.all(sideBySide)).map(waits).toSorted()).toEqual([
    [false, null],
    [true, 'approval'],
  ]);
  for (const id of drafts.slice(1)) await post(`/simulations/${id}/cancel`);
  expect(waits(await schedule(drafts[0]!))).toEqual([false, null]);
  await testService.query(
    `update simulation_recipients set sent_at = now() - interval '6 days' where simulation_id = $1`,
    [drafts[0]!],
  );
  await post(`/simulations/${drafts[0]!}/cancel`);
  expect(waits(await schedule(await makeDraft()))).toEqual([true, 'approval']);
  await testService.query(`delete from learners where first_name = 'Many'`);
});

describe('concurrent calls', () => {
  const at = (path: string, method = 'POST') => call('tenant', method, path, { alone: false });

  test('schedule a draft once, with each learner once', async () => {
    const id = await makeDraft();
    const answers = Array.from({ length: 5 }, () => at(`/simulations/${id}/schedule`));
    expect(await expectNoFailure(answers)).toEqual({ 200: 1, 400: 4 });
    expect(await reached(id)).toHaveLength(4);
  });

  test('that cancel and schedule a draft leave nothing scheduled', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await makeDraft();
      await expectNoFailure([at(`/simulations/${id}/schedule`), at(`/simulations/${id}/cancel`)]);
      expect((await get(`/simulations/${id}`)).body.data).toMatchObject({ status: 'cancelled', scheduledCount: 0 });
    }
  });

  test('that delete and schedule a draft leave it scheduled or deleted completely', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await makeDraft();
      const [scheduled, removed] = await Promise.all([
        at(`/simulations/${id}/schedule`),
        at(`/simulations/${id}`, 'DELETE'),
      ]);
      expect([`${scheduled.status} ${removed.status}`]).toContainEqual(expect.stringMatching(/^(200 400|404 200)$/));
      expect((await reached(id)).length).toBe(scheduled.status === 200 ? 4 : 0);
    }
  });
});
