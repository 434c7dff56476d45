/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "SIMULATION_SENDER_DOMAINS": "parcel-desk.test", "DNS_SERVERS": "127.53.0.21:5321"} */
import {
  allowSimulations,
  forgetSimulations,
  makeDraft,
  makeMailedSimulation,
  makeTemplate,
  SENDER,
} from '../support/own-simulations.ts';
import { Admin } from '../support/admin.ts';
import { expectError, get, patch, post } from '../support/client.ts';
import { DnsServer } from '../../scripts/demo/dns-server.ts';
import { adminId, companies, learnerId } from '../support/world.ts';
import { CHALLENGE, simulationId } from '../support/world-simulations.ts';
import { textOf } from './setup-page.ts';

const PATH = '/console/simulations';
const server = new DnsServer();
let mary = new Admin('');
beforeAll(async () => {
  await server.start('127.53.0.21:5321');
  server.answers.set('_awareness-simulation.tenant.test', [CHALLENGE]);
  await allowSimulations();
  await testService.query('update simulation_domains set challenge = $1', [CHALLENGE]);
  mary = await Admin.of('tenant', 1);
});
afterEach(async () => {
  await testService.query(`delete from messages where kind = 'simulation_test'`);
  await forgetSimulations();
});
afterAll(() => server.stop());

const plan = (templateId: string, fields: [string, string][] = []): [string, string][] => [
  ...([
    ['name', 'Autumn'],
    ['recipients', 'everyone'],
    ['templateIds', templateId],
  ] as [string, string][]),
  ...([
    ['startDate', '2090-01-02'],
    ['endDate', '2090-01-13'],
    ['from', '09:00'],
    ['to', '16:00'],
  ] as [string, string][]),
  ...['1', '2', '3', '4', '5'].map((day): [string, string] => ['workingHours', day]),
  ...([
    ['timeZone', 'Europe/Berlin'],
    ['senderDomain', SENDER],
    ['trainingCourseId', ''],
  ] as [string, string][]),
  ...fields,
];
const locationOf = ({ headers }: { headers: Headers }) => headers.get('location')!.replace(/\?.*/, '');
const idOf = (path: string) => path.split('/').at(-1)!;

test('an admin plans a simulation, sees the calendar, gets a test, and schedules', async () => {
  const templateId = await makeTemplate();
  const form = await mary.get(`${PATH}/new?template=${templateId}`);
  expect(form.html).toMatch(new RegExp(`value="${templateId}" checked`));
  const created = await mary.post(`${PATH}/new`, plan(templateId));
  const path = locationOf(created);
  const draft = await get(`/simulations/${idOf(path)}`);
  expect(draft.body.data).toMatchObject({
    status: 'draft',
    startDate: '2090-01-01T23:00:00.000Z',
    endDate: '2090-01-13T23:00:00.000Z',
  });
  const page = textOf(await mary.get(path));
  expect(page).toMatch(/Send me a test.*Schedule.*Calendar.*Parcel on hold \(\d+\)/s);
  expect((await post(`/simulations/${idOf(path)}/schedule`)).status).toBe(200);
  const shown = await mary.get(path);
  expect(textOf(shown)).toMatch(/Stop the simulation.*Results.*Reported.*Time to the first report.*Link followed/s);
  expect(shown.html).toMatch(/<script type="module" src="\/assets\/live-.*data-live/s);
});

test('the calendar of a draft shows the plan that scheduling makes', async () => {
  const id = await makeDraft();
  const before = (await get(`/simulations/${id}/calendar`)).body.data;
  expect(before.failure).toBeNull();
  await post(`/simulations/${id}/schedule`);
  const after = (await get(`/simulations/${id}/calendar`)).body.data;
  expect(after).toEqual(before);
  expect(before.days.reduce((sum: number, { messages }: { messages: number }) => sum + messages, 0)).toBe(
    before.recipientCount,
  );
});

test('the calendar says why a draft cannot be scheduled', async () => {
  const id = await makeDraft();
  await patch('/simulation-settings', { stopped: false });
  await testService.query('update simulation_domains set proved_at = null');
  const { data } = (await get(`/simulations/${id}/calendar`)).body;
  await allowSimulations();
  await testService.query('update simulation_domains set challenge = $1', [CHALLENGE]);
  expect(data).toMatchObject({
    recipientCount: 0,
    days: [],
    firstMessages: [],
    failure: expect.stringContaining('not proved'),
  });
});

test('a test message goes to the admin who requests it, once per form, and a key cannot request one', async () => {
  const id = await makeDraft();
  const path = `${PATH}/${id}`;
  const { html } = await mary.get(path);
  const first = html.slice(html.indexOf(`action="${path}/test"`));
  const hidden = [...first.slice(0, first.indexOf('</form>')).matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name, value]): [string, string] => [name!, value!],
  );
  const answers = [await mary.send(`${path}/test`, hidden), await mary.send(`${path}/test`, hidden)];
  expect(answers.map((answer) => answer.headers.get('location'))).toEqual([
    `${path}?notice=tested`,
    `${path}?notice=tested`,
  ]);
  const messages = await testService.query(
    `select admin_id, learner_id, status from messages where kind = 'simulation_test'`,
  );
  expect(messages).toEqual([{ admin_id: adminId('tenant', 1), learner_id: null, status: 'queued' }]);
  expectError(await post(`/simulations/${id}/test-messages`, {}), 403, 'admin_required');
});

test('faults of the plan are shown at their fields, and the form keeps the input', async () => {
  const templateId = await makeTemplate();
  const page = await mary.post(
    `${PATH}/new`,
    plan(templateId).map(([name, value]): [string, string] => [name, name === 'endDate' ? '2089-01-01' : value]),
  );
  expect(page.status).toBe(400);
  expect(page.html).toMatch(/id="endDate-fault" role="alert">Please correct this: must be later than `startDate`\./);
  expect(page.html).toContain('value="Autumn"');
});

test('a draft is edited, an outdated form is explained, and the draft is deleted', async () => {
  const templateId = await makeTemplate();
  const path = locationOf(await mary.post(`${PATH}/new`, plan(templateId)));
  const stale = await mary.get(`${path}/edit`);
  const edited = await mary.post(
    `${path}/edit`,
    plan(templateId).map(([name, value]): [string, string] => [name, name === 'name' ? 'Winter' : value]),
  );
  expect(edited.headers.get('location')).toBe(`${path}?notice=saved`);
  const hidden = [
    ...stale.html
      .slice(stale.html.lastIndexOf('<form'))
      .matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g),
  ];
  const fields = hidden.map(([, name, value]): [string, string] => [name!, value!]);
  const refused = await mary.send(`${path}/edit`, [...fields, ...plan(templateId)]);
  expect([refused.status, textOf(refused)]).toEqual([
    412,
    expect.stringContaining('Somebody else has changed the draft'),
  ]);
  expect((await get(`/simulations/${idOf(path)}`)).body.data.name).toBe('Winter');
  expect((await mary.post(path, {}, `${path}/delete`)).headers.get('location')).toBe(`${PATH}/all?notice=removed`);
});

test('results show reports before clicks, the verdicts with their reasons, and the trend', async () => {
  const simulation = await makeMailedSimulation([1, 2]);
  await testService.query(
    `update simulation_recipients set sent_at = now() - interval '2 hours', reported_at = now() - interval '110 minutes' where simulation_id = $1 and learner_id = $2`,
    [simulation.id, learnerId('tenant', 1)],
  );
  const unreported = await makeMailedSimulation([3]);
  await testService.query('update simulation_recipients set sent_at = now() where simulation_id = $1', [unreported.id]);
  expect(textOf(await mary.get(`${PATH}/${unreported.id}`))).toMatch(/Time to the first report\s+nobody yet/);
  const page = textOf(await mary.get(`${PATH}/${simulation.id}`));
  expect(page).toMatch(/Reported\s+100% \(1\).*Time to the first report\s+10 min.*Link followed\s+0% \(0\)/s);
  const { months, simulations } = (await get('/reports/simulation-trend')).body.data;
  expect(months).toHaveLength(12);
  expect(simulations.find(({ id }: { id: string }) => id === simulation.id)).toMatchObject({
    sentCount: 1,
    reportRate: 1,
    firstReportMinutes: 10,
  });
  expect(textOf(await mary.get(`${PATH}/results`))).toMatch(/Reports come first.*Reported, adjusted.*Parcel notice/s);
  const verdicts = textOf(await mary.get(`${PATH}/${simulationId('tenant', 1)}/interactions`));
  expect(verdicts).toContain('Each open and click has a verdict');
  expect(textOf(await mary.get(`${PATH}/results/repeat-clickers`))).toContain('Offer them help, not blame');
});

test("an auditor reads plans and is offered no action, and another company's simulation returns 404", async () => {
  const id = await makeDraft();
  expect((await mary.get(`${PATH}/${simulationId('other', 1)}`)).status).toBe(404);
  await testService.query(`update admins set role = 'auditor' where id = $1`, [adminId('tenant', 1)]);
  const pages = [
    await mary.get(`${PATH}/all`),
    await mary.get(`${PATH}/${id}`),
    await mary.get(`${PATH}/${simulationId('tenant', 1)}`),
  ];
  await testService.query(`update admins set role = 'owner' where id = $1`, [adminId('tenant', 1)]);
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const { html } of pages) expect(html).not.toMatch(/\/(test|schedule|edit|delete|new)"/);
  expect(companies.tenant).toBeDefined();
});

test('a simulation that was recorded elsewhere has no plan to edit', async () => {
  expect((await mary.get(`/console/simulations/${simulationId('tenant', 1)}/edit`)).status).toBe(404);
});
