/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-desk.test", "DNS_SERVERS": "127.53.0.9:5309"} */
import { DnsServer } from '../../../scripts/demo/dns-server.ts';
import { call, del, expectError, get, patch, post } from '../../support/client.ts';
import { forgetSimulations, makeTemplate, SENDER } from '../../support/own-simulations.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { evaluateCampaigns } from '../../../src/resources/campaigns/evaluate-campaigns.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { CHALLENGE, simulationTemplateId } from '../../support/world-simulations.ts';
import { companies, learnerId, unknownId } from '../../support/world.ts';
import { forgetNewLearners, setPlan } from '../tenant-state.ts';
import { EVERYONE, evaluate, inDays, listAssignments, only, phishing } from './campaign-state.ts';

const pool = openServicePool(2);
afterAll(() => pool.end());
const dns = new DnsServer();
const RECORD = '_awareness-simulation.tenant.test';
beforeAll(() => dns.start('127.53.0.9:5309'));
afterAll(() => dns.stop());
beforeEach(async () => {
  dns.answers.set(RECORD, [CHALLENGE]);
  await setPlan({ domainLock: true });
});
afterEach(forgetSimulations);
afterEach(forgetNewLearners);

const settings = { senders: [SENDER], url: '', delivery: undefined, dkim: undefined, ratePerMinute: 60 };
const learners = [learnerId('tenant', 1), learnerId('tenant', 2)] as const;
const base = { name: 'Bait', audience: only(...learners), due: { days: 5 }, status: 'active' };
const asItem = (id: string) => ({ type: 'simulationTemplate', id });

/** Runs the worker's evaluation, with this TXT record at the company's domain. */
const work = (record = CHALLENGE) =>
  evaluate('tenant', { simulations: settings, findTexts: () => Promise.resolve([record]) });
/** Runs the worker's evaluation. Returns the names of the statements that were run outside of transactions. */
async function workWatched(): Promise<string[]> {
  const tenant = new TenantAccess(pool).ofJob(companies.tenant);
  const names: string[] = [];
  const queryAll = tenant.queryAll.bind(tenant);
  tenant.queryAll = (statement, params) => {
    names.push(statement.name);
    return queryAll(statement, params);
  };
  const findTexts = () => Promise.resolve([CHALLENGE]);
  const { signal } = new AbortController();
  await evaluateCampaigns(tenant, { signal, simulations: settings, findTexts });
  return names;
}
const workAgain = async (record?: string) => {
  await testService.query(`update campaigns set evaluate_at = now() where status = 'running'`);
  await work(record);
};

async function create(fields: object = {}): Promise<string> {
  const { status, body } = await post('/campaigns', { ...base, items: [asItem(await makeTemplate())], ...fields });
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body.data.id;
}
const read = async (path: string) => (await get(path)).body.data;
/** Returns the simulations of a campaign, oldest first. */
const simulationsOf = async (id: string) =>
  (await read('/simulations?limit=100')).filter(({ campaignId }: any) => campaignId === id);
/** Backdates the campaign's start by some months. */
const passMonths = (months: number) =>
  testService.query(
    `with moved as (update campaigns set started_on = started_on - make_interval(months => $1) where status = 'running')
     update campaign_items set simulation_began_on = simulation_began_on - make_interval(months => $1)`,
    [months],
  );

test('a campaign starts one simulation, even if two workers evaluate at once, and assigns only the course', async () => {
  const template = await makeTemplate();
  const id = await create({ items: [asItem(template), phishing] });
  await Promise.all([work(), work()]);
  await workAgain();
  const [simulation, ...others] = await simulationsOf(id);
  expect([simulation, others]).toMatchObject([{ status: 'scheduled', recipientCount: 2 }, []]);
  const { plan, ...facts } = await read(`/simulations/${simulation.id}`);
  expect(facts).toMatchObject({ campaignId: id, name: 'Bait: Parcel on hold', endDate: `${inDays(6)}T00:00:00.000Z` });
  expect(plan).toMatchObject({
    ...{ templateIds: [template], senderDomain: SENDER, timeZone: 'UTC', needsApproval: false },
    ...{ recipients: { everyone: false, learnerIds: learners } },
    ...{ workingHours: { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' } },
  });
  expect(await read(`/campaigns/${id}`)).toMatchObject({
    items: [asItem(template), phishing],
    simulations: [{ templateId: template, round: 1, simulationId: simulation.id, failure: null }],
  });
  expect((await listAssignments(`campaignId=${id}`)).map(({ item }) => item)).toEqual([phishing, phishing]);
});

test.each([
  [true, 5],
  [false, 4],
])('with includeNewcomers %s, a newcomer waits for the next round, which has %i recipients', async (...row) => {
  const [includeNewcomers, second] = row;
  const id = await create({ audience: EVERYONE, includeNewcomers, recurrence: { type: 'yearly' } });
  await work();
  await post('/learners', { email: 'late@tenant.test', firstName: 'Late', lastName: 'Comer' });
  await workAgain();
  expect(await simulationsOf(id)).toMatchObject([{ recipientCount: 4 }]);
  await passMonths(11);
  await workAgain();
  expect(await simulationsOf(id)).toHaveLength(1);
  await passMonths(1);
  await workAgain();
  expect(await simulationsOf(id)).toMatchObject([{ recipientCount: 4 }, { recipientCount: second }]);
  expect((await read(`/campaigns/${id}`)).simulations).toMatchObject([{ round: 2 }]);
  expect(await listAssignments(`campaignId=${id}`)).toEqual([]);
});

test.each([
  ['pausing the campaign', { status: 'paused' }, { status: 'active' }],
  ['ending the campaign', { status: 'ended' }, undefined],
  ['removing the template', { items: [phishing] }, undefined],
])('%s cancels its open simulation, and the round is not sent again', async (_, change, undo: object | undefined) => {
  const id = await create();
  await work();
  const { items } = await read(`/campaigns/${id}`);
  await patch(`/campaigns/${id}`, { name: 'Other' });
  expect(await simulationsOf(id)).toMatchObject([{ status: 'scheduled' }]);
  expect((await patch(`/campaigns/${id}`, change)).status).toBe(200);
  expect(await simulationsOf(id)).toMatchObject([{ status: 'cancelled' }]);
  await patch(`/campaigns/${id}`, undo ?? { items });
  await workAgain();
  expect(await simulationsOf(id)).toMatchObject([{ status: 'cancelled' }]);
});

test('a simulation that cannot be scheduled shows the reason, and is tried again', async () => {
  const id = await create();
  await work('another text');
  const [{ failure, ...failed }] = (await read(`/campaigns/${id}`)).simulations;
  expect(failed).toMatchObject({ round: 1, simulationId: null });
  expect(failure).toMatch(/not proved by its DNS record/);
  await workAgain();
  const [simulation] = await simulationsOf(id);
  expect((await read(`/campaigns/${id}`)).simulations).toMatchObject([{ simulationId: simulation.id, failure: null }]);
});

test('a preview has the recipients, the window and the later days', async () => {
  const id = await create({ status: 'draft', audience: EVERYONE, due: { days: 30 } });
  const [expected, ...others] = (await read(`/campaigns/${id}/preview`)).simulations;
  expect([expected, others]).toMatchObject([{ round: 1, recipientCount: 4, failure: null }, []]);
  await patch(`/campaigns/${id}`, { status: 'active' });
  await work();
  expect((await read(`/campaigns/${id}/preview`)).simulations).toEqual([]);
  const [{ id: simulation, endDate }] = await simulationsOf(id);
  const rows = await testService.query(
    `select (scheduled_at at time zone 'UTC')::date::text as day from simulation_recipients where simulation_id = $1`,
    [simulation],
  );
  expect(endDate).toBe(expected.endDate);
  // The preview and the simulation each draw random times for the messages, so only the bounds are the same.
  const previewed = expected.messages.flatMap(({ day, messages }: any) => Array<string>(messages).fill(day));
  const planned = rows.map(({ day }) => day as string);
  expect([previewed.length, planned.length]).toEqual([4, 4]);
  for (const day of [...previewed, ...planned]) {
    expect(day >= inDays(0) && day <= inDays(30)).toBe(true);
    expect(new Date(day).getUTCDay() % 6).not.toBe(0);
  }
});

test('a preview says why a simulation could not be scheduled', async () => {
  dns.answers.set(RECORD, ['another text']);
  const id = await create({ status: 'draft' });
  const { simulations } = await read(`/campaigns/${id}/preview`);
  expect(simulations).toMatchObject([
    { recipientCount: 0, messages: [], failure: expect.stringMatching(/not proved/) },
  ]);
});

test('an unknown, foreign or retired template is rejected', async () => {
  const rejected = (id: string) => post('/campaigns', { ...base, items: [phishing, asItem(id)] });
  expectError(await rejected(unknownId), 404, 'not_found', ['body/items/1/0']);
  expectError(await rejected(simulationTemplateId('other')), 404, 'not_found', ['body/items/1/0']);
  const retired = await makeTemplate({ isRetired: true });
  expectError(await rejected(retired), 400, 'invalid_request', ['body/items/1/id']);
});

test('a template needs the module smphish, and starting it the scope simulations:send', async () => {
  const body = { ...base, items: [asItem(await makeTemplate())], audience: EVERYONE };
  await testService.query('update companies set smphish = false where id = $1', [companies.childB]);
  const answer = await post('/campaigns', body, 'childB');
  await testService.query('update companies set smphish = true where id = $1', [companies.childB]);
  expectError(answer, 403, 'module_not_enabled');
  const key = await keyWith('tenant', ['campaigns:read', 'campaigns:write']);
  const write = (method: string, path: string, fields: object) =>
    call('tenant', method, path, { headers: { authorization: `Bearer ${key}` }, body: fields });
  expectError(await write('POST', '/campaigns', body), 403, 'insufficient_scope');
  const draft = await write('POST', '/campaigns', { ...body, status: 'draft' });
  const path = `/campaigns/${draft.body.data.id}`;
  expectError(await write('PATCH', path, { status: 'active' }), 403, 'insufficient_scope');
  await patch(path, { status: 'active' });
  await work();
  expect((await write('PATCH', path, { status: 'paused' })).status).toBe(200);
});

test('a template that a campaign uses is retired instead of deleted', async () => {
  const template = await makeTemplate({ ownerId: companies.tenant });
  await create({ items: [asItem(template)], status: 'draft' });
  const { body } = await del(`/simulation-templates/${template}`);
  expect(body.data).toMatchObject({ id: template, retiredAt: expect.any(String) });
});

test.each([
  ['switched on', undefined],
  ['changed', { type: 'afterCompletion', months: 12 }],
])('if recurrence is %s, the next round begins at the next boundary', async (_, recurrence) => {
  const template = await makeTemplate();
  const id = await create({ items: [asItem(template)], recurrence });
  await work();
  await passMonths(3);
  const change = { recurrence: { type: 'afterCompletion', months: 2 } };
  expect((await patch(`/campaigns/${id}`, change)).status).toBe(200);
  await workAgain();
  expect(await simulationsOf(id)).toHaveLength(1);
  await passMonths(1);
  await workAgain();
  expect(await simulationsOf(id)).toHaveLength(2);
});

test('a template of an active campaign can be rewritten only with the scope simulations:send', async () => {
  const template = await makeTemplate({ ownerId: companies.tenant });
  const path = `/simulation-templates/${template}`;
  const content = (await read(path)).content.map(({ attachment: _, ...words }: any) => words);
  const key = await keyWith('tenant', ['simulations:read', 'simulations:write']);
  const rewrite = () =>
    call('tenant', 'PATCH', path, { headers: { authorization: `Bearer ${key}` }, body: { content } });
  const id = await create({ items: [asItem(template)], startAt: `${inDays(1)}T00:00:00Z` });
  expectError(await rewrite(), 403, 'insufficient_scope');
  expect((await patch(path, { content })).status).toBe(200);
  await patch(`/campaigns/${id}`, { status: 'draft' });
  expect((await rewrite()).status).toBe(200);
  await patch(`/campaigns/${id}`, { items: [asItem(await makeTemplate())], status: 'active' });
  expect((await rewrite()).status).toBe(200);
});

test('a campaign that has only templates is not compared with learners, and its audience is read once', async () => {
  const items = [asItem(await makeTemplate()), asItem(await makeTemplate())];
  const id = await create({ items });
  const names = await workWatched();
  expect(await simulationsOf(id)).toHaveLength(2);
  expect(names.filter((name) => name === 'campaign_simulation_audience')).toHaveLength(1);
  expect(names).not.toContain('campaign_learner_page');
});

test("if a simulation cannot be stored, the campaign's courses are still assigned", async () => {
  const id = await create({ items: [asItem(await makeTemplate()), phishing] });
  await testService.query(`
    create function fail_simulation() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$;
    create trigger fail_simulation before insert on simulations for each row execute function fail_simulation();`);
  try {
    await expect(work()).rejects.toThrow('stuck');
  } finally {
    await testService.query('drop function fail_simulation cascade');
  }
  expect(await listAssignments(`campaignId=${id}`)).toHaveLength(2);
  await workAgain();
  expect(await simulationsOf(id)).toHaveLength(1);
});

test.each(['the first try failed', 'the template is added later'])(
  'a campaign that leaves newcomers out schedules no simulation for a newcomer if %s',
  async (reason) => {
    const isAdded = reason.includes('added');
    const template = asItem(await makeTemplate());
    const items = isAdded ? [phishing] : [template];
    const id = await create({ items, audience: EVERYONE, includeNewcomers: false });
    await work('another text');
    await post('/learners', { email: 'late@tenant.test', firstName: 'Late', lastName: 'Comer' });
    await testService.query(
      `update learners set created_at = now() + interval '1 day' where email = 'late@tenant.test'`,
    );
    if (isAdded) await patch(`/campaigns/${id}`, { items: [phishing, template] });
    await workAgain();
    expect(await simulationsOf(id)).toMatchObject([{ recipientCount: 4 }]);
  },
);

test('a draft with a template is not started without the module smphish', async () => {
  const childB = async (method: string, path: string, body: object) => {
    // A new key, because the service remembers the modules of a key for seconds.
    const headers = { authorization: `Bearer ${await keyWith('childB', null)}` };
    return call('childB', method, path, { headers, body });
  };
  const body = { ...base, items: [asItem(await makeTemplate())], audience: EVERYONE, status: 'draft' };
  const { id } = (await childB('POST', '/campaigns', body)).body.data;
  await testService.query('update companies set smphish = false where id = $1', [companies.childB]);
  const answer = await childB('PATCH', `/campaigns/${id}`, { status: 'active' });
  await testService.query('update companies set smphish = true where id = $1', [companies.childB]);
  expectError(answer, 403, 'module_not_enabled');
});
