import { call } from '../../support/client.ts';
import { policyId } from '../../support/world-policies.ts';
import { companies, learnerId } from '../../support/world.ts';
import { policy, read, restorePolicies } from '../policies/policy-state.ts';
import { at, record } from '../policies/signature-event-state.ts';
import { bodyOf, correctedSignatures as corrected } from './signature-correction-state.ts';

restorePolicies();
afterEach(() => testService.query('delete from corrections'));

test("an MSP's key corrects a signature in the MSP's company", async () => {
  const signature = { learner: { id: learnerId('msp', 4) }, policyId: policyId('msp', 1), signedAt: at('04') };
  const signatures = [{ ...signature, offline: true, eventId: 'msp-1' }];
  const path = `/learners/${learnerId('msp', 4)}/policy-results`;
  const signed = async () => (await call('msp', 'GET', path)).body.data.map((result: any) => result.signed);
  await call('msp', 'POST', '/policy-signatures', { body: { signatures } });
  expect(await signed()).toContain(at('04'));
  const { body } = await call('msp', 'POST', '/corrections', { body: bodyOf([{ eventId: 'msp-1', action: 'void' }]) });
  expect(body.data.completed).toEqual([{ index: 0, eventId: 'msp-1', changed: true }]);
  expect(await signed()).toEqual([]);
});

test('one call voids 1,000 signatures, and another restores them', async () => {
  const learners = await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name, locale)
     select $1, gen_random_uuid(), 'signer' || n || '@tenant.test', 'Grace', 'No ' || n, 'en'
       from generate_series(1, 1000) as n returning id`,
    [companies.tenant],
  );
  const signedCount = async () => (await read(policy(1))).signedCount;
  const before = await signedCount();
  await record(...learners.map(({ id }, index) => ({ learner: { id }, eventId: `bulk-${index}` })));
  const everyone = learners.map((_, index) => ({ eventId: `bulk-${index}` }));
  const allChanged = learners.map(() => true);
  expect(await signedCount()).toBe(before + 1000);
  expect(await corrected(...everyone.map((one) => ({ ...one, action: 'void' as const })))).toEqual(allChanged);
  expect(await signedCount()).toBe(before);
  expect(await corrected(...everyone.map((one) => ({ ...one, action: 'restore' as const })))).toEqual(allChanged);
  expect(await signedCount()).toBe(before + 1000);
});
