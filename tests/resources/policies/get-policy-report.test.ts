import { expectError, get } from '../../support/client.ts';
import { companies } from '../../support/world.ts';
import { policy, restorePolicies, update } from './policy-state.ts';

restorePolicies();

const report = async (query = '') => (await get(`/reports/policies?${query}`)).body.data;
const idsOf = async (query: string) => (await report(query)).map((row: any) => row.policyId);

test('counts the assigned active learners of each policy and the signatures in force', async () => {
  expect(await report()).toMatchObject([
    { policyId: policy(3), isLive: false, inDraft: true, publishedAt: null, versionCount: 0, assignedCount: 0 },
    { policyId: policy(2), isLive: true, inDraft: true, versionCount: 1, assignedCount: 1, signedCount: 0 },
    { policyId: policy(1), isLive: true, inDraft: false, versionCount: 1, assignedCount: 2, signedCount: 1 },
  ]);
});

test('finds policies by state and by a part of the name', async () => {
  await update(policy(1), { action: 'live', name: 'Règlement  intérieur' });
  expect(await idsOf('policyState=live')).toEqual([policy(2), policy(1)]);
  expect(await idsOf('policyState=draft')).toEqual([policy(3), policy(2)]);
  expect(await idsOf('nameContains=reglement%20INT')).toEqual([policy(1)]);
  expect(await idsOf('nameContains=%25')).toEqual([]);
  expectError(await get('/reports/policies?policyState=signed'), 400, 'invalid_request', ['query/policyState']);
});

test('an MSP reads the policies of a child', async () => {
  const { status, body } = await get(`/reports/policies?companyId=${companies.childA}`, 'msp');
  expect([status, body.data.length]).toEqual([200, 3]);
});
