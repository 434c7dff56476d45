import { expectError, get } from '../../support/client.ts';
import { onePagePdf, policyId } from '../../support/world-policies.ts';
import { keys } from '../../support/world.ts';
import { policy, restorePolicies } from './policy-state.ts';

restorePolicies();

const pathOf = (id: string) => `/policies/${id}/draft/pdf`;

test('returns the bytes of the draft as an attachment', async () => {
  const headers = { authorization: `Bearer ${keys.tenant}` };
  const response = await fetch(`${testService.url}/v1${pathOf(policy(3))}`, { headers });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(onePagePdf);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="policy\.pdf"/);
});

test('a policy without a draft and a policy of another company return 404', async () => {
  expectError(await get(pathOf(policy(1))), 404, 'not_found');
  expectError(await get(pathOf(policyId('other', 3))), 404, 'not_found');
});
