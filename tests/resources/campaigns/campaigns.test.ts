import { call, del, expectError, get, patch, post, put } from '../../support/client.ts';
import { campaignId } from '../../support/world-campaigns.ts';
import { policyId } from '../../support/world-policies.ts';
import { companies, unknownId } from '../../support/world.ts';
import { uniqueId } from '../reports/past-state.ts';
import { EVERYONE, evaluate, inDays, only, phishing, runCampaign } from './campaign-state.ts';

const VALID = { name: 'Basics', items: [phishing], audience: EVERYONE, due: { days: 14 } };

test.each([
  ['body/items/1/id', { items: [phishing, phishing] }],
  ['body/audience/include', { audience: { everyone: false } }],
  ['body/audience/include', { audience: { everyone: true, ...only(unknownId) } }],
  ['body/due/date', { due: { date: '2020-02-29' } }],
  ['body/due/days', { due: { days: 60 }, recurrence: { type: 'afterCompletion', months: 1 } }],
  ['body/due/days', { due: { days: 400 }, recurrence: { type: 'yearly' } }],
  ['body/due/date', { due: { date: inDays(9) }, recurrence: { type: 'afterCompletion', months: 1 } }],
  ['body/recurrence/months', { recurrence: { type: 'afterCompletion' } }],
  ['body/recurrence/months', { recurrence: { type: 'yearly', months: 3 } }],
  ['body/recurrence/months', { recurrence: { type: 'beforeExpiry', months: 3 } }],
  ['body/due/date', { due: { date: inDays(9) }, recurrence: { type: 'beforeExpiry' } }],
])('POST /campaigns rejects a campaign that contradicts itself, naming %s: %j', async (field, fields) => {
  expectError(await post('/campaigns', { ...VALID, ...fields }), 400, 'invalid_request', [field]);
});

test.each([
  ['body/items/0/0', { items: [{ type: 'course', id: policyId('tenant', 1) }] }],
  ['body/items/0/0', { items: [{ type: 'policy', id: policyId('other', 1) }] }],
  ['body/audience/include/0/learnerIds/0', { audience: only(unknownId) }],
  ['body/audience/exclude/0/groupIds/0', { audience: { ...EVERYONE, exclude: [{ groupIds: [unknownId] }] } }],
  ['body/audience/include/0/failedSimulationIds/0', { audience: { include: [{ failedSimulationIds: [unknownId] }] } }],
])('POST /campaigns rejects items that the company does not have, naming %s', async (field, fields) => {
  expectError(await post('/campaigns', { ...VALID, ...fields }), 404, 'not_found', [field]);
});

test('a campaign needs the modules of its items', async () => {
  await testService.query('update companies set smpolicy = false where id = $1', [companies.childB]);
  const items = [{ type: 'policy', id: policyId('childB', 1) }];
  const answer = await post('/campaigns', { ...VALID, items }, 'childB');
  await testService.query('update companies set smpolicy = true where id = $1', [companies.childB]);
  expectError(answer, 403, 'module_not_enabled');
});

test('a draft can be changed, started, paused and deleted until it starts', async () => {
  const { body } = await post('/campaigns', VALID);
  const path = `/campaigns/${body.data.id}`;
  expect(body.data).toMatchObject({ ...VALID, due: { days: 14, date: null }, status: 'draft', recurrence: null });
  const startAt = new Date(Date.now() + 3_600_000).toISOString();
  const changed = await patch(path, { startAt, status: 'active', due: { date: inDays(30) } });
  expect(changed.body.data).toMatchObject({ status: 'scheduled', startAt, due: { days: null, date: inDays(30) } });
  expect((await patch(path, { status: 'draft' })).body.data).toMatchObject({ status: 'draft' });
  expect((await del(path)).body.data).toEqual({ id: body.data.id });
  expectError(await get(path), 404, 'not_found');
});

test('a campaign that has started cannot be deleted, become a draft or start at another time, and an ended one is final', async () => {
  const path = `/campaigns/${await runCampaign()}`;
  expectError(await del(path), 400, 'campaign_locked');
  expectError(await patch(path, { status: 'draft' }), 400, 'campaign_locked', ['body/status']);
  expectError(await patch(path, { startAt: new Date().toISOString() }), 400, 'campaign_locked', ['body/startAt']);
  expect((await patch(path, { status: 'ended' })).body.data).toMatchObject({ status: 'ended' });
  await evaluate();
  expectError(await patch(path, { status: 'active' }), 400, 'campaign_locked');
});

test('PUT creates a campaign once, even if two calls arrive at once, and a later PUT replaces it', async () => {
  const declared = { ...VALID, externalId: uniqueId() };
  const race = () => call('tenant', 'PUT', '/campaigns', { body: declared, alone: false });
  const [first, second] = await Promise.all([race(), race()]);
  expect(first.body.data).toEqual(second.body.data);
  const replaced = await put('/campaigns', { ...declared, name: 'Other', includeNewcomers: false });
  expect(replaced.body.data).toMatchObject({ id: first.body.data.id, name: 'Other', includeNewcomers: false });
  expectError(await post('/campaigns', declared), 400, 'external_campaign_id_taken', ['body/externalId']);
});

test('countries are stored as codes, and another company’s campaign does not exist', async () => {
  const { body } = await post('/campaigns', { ...VALID, audience: { include: [{ countries: ['gb', 'DE'] }] } });
  expect(body.data.audience.include).toMatchObject([{ countries: ['GB', 'DE'], groupIds: null }]);
  expectError(await patch(`/campaigns/${campaignId('other')}`, { name: 'Mine' }), 404, 'not_found');
});
