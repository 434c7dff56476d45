import { expectError, post } from '../../support/client.ts';
import { companies, unknownId } from '../../support/world.ts';
import { expectRefused } from '../tenant-state.ts';
import { draftWith, forgetSimulations, makeTemplate } from '../../support/own-simulations.ts';

// Simulations are disabled here, as they are by default.

afterEach(forgetSimulations);

test('without sender domains, a draft is rejected with 400', async () => {
  const draft = draftWith(await makeTemplate());
  await expectRefused(() => post('/simulations', draft), 400, 'invalid_request', ['body/senderDomain']);
});

test('an existing draft cannot be scheduled or approved, but can be cancelled', async () => {
  const { templateIds, recipients, workingHours, timeZone, senderDomain } = draftWith(await makeTemplate());
  const id = unknownId.replace(/.$/, '9');
  await testService.query(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date, end_date, is_own, plan)
     values ($1, $2, 'Left over', 'draft', 'email', '2090-01-02', '2090-01-16', true, $3)`,
    [companies.tenant, id, { templateIds, recipients, workingHours, timeZone, senderDomain, seed: 'a' }],
  );
  await expectRefused(() => post(`/simulations/${id}/schedule`), 403, 'simulations_off');
  expectError(await post(`/simulations/${unknownId}/schedule`), 404, 'not_found');
  await expectRefused(() => post(`/simulations/${id}/approve`), 403, 'simulations_off');
  expect((await post(`/simulations/${id}/cancel`)).body.data.status).toBe('cancelled');
});

test('a campaign with a template of simulations is rejected with 400', async () => {
  const items = [{ type: 'simulationTemplate', id: await makeTemplate() }];
  const campaign = { name: 'Bait', items, audience: { everyone: true }, due: { days: 5 } };
  await expectRefused(() => post('/campaigns', campaign), 400, 'invalid_request', ['body/items/0/type']);
});
