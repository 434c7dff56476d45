/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-desk.test"} */
import { stopServices } from '../process/support.ts';
import { Admin, hiddenOf } from '../support/admin.ts';
import { allowSimulations, forgetSimulations, makeDraft, SENDER, startSimulating } from '../support/own-simulations.ts';
import { until } from '../support/until.ts';
import { MailServer } from './smtp-support.ts';

const server = new MailServer();
beforeAll(() => server.start());
afterAll(async () => {
  stopServices();
  await forgetSimulations();
  await server.stop();
});

test('a test message reaches the admin who asked, as recipients would get it, and counts nothing', async () => {
  await allowSimulations();
  const path = `/console/simulations/${await makeDraft()}`;
  const admin = await Admin.of('tenant', 1);
  const { html } = await admin.get(path);
  const form = html.slice(html.indexOf(`action="${path}/test"`));
  const hidden = hiddenOf(`<form ${form.slice(0, form.indexOf('</form>'))}`);
  expect((await admin.send(`${path}/test`, hidden)).headers.get('location')).toBe(`${path}?notice=tested`);
  await startSimulating(server);
  const stateOf = () => testService.query(`select status, reason from messages where kind = 'simulation_test'`);
  await until(async () => (await stateOf())[0]?.status !== 'queued');
  expect(await stateOf()).toEqual([{ status: 'sent', reason: null }]);
  const received = JSON.stringify(server.received);
  expect(received).toContain(`notice@${SENDER}`);
  expect(received).toContain('A parcel for Mary');
  expect(await testService.query('select from simulation_recipients where message_id is not null')).toEqual([]);
});
