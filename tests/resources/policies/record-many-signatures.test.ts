import { expectError } from '../../support/client.ts';
import { insertLearners } from '../tenant-state.ts';
import { policy, restorePolicies } from './policy-state.ts';
import { at, record } from './signature-event-state.ts';

restorePolicies();

test('POST /policy-signatures accepts 10,000 signatures in a call and returns 400 for 10,001', async () => {
  await insertLearners('tenant', 5000);
  const rows = await testService.query(`select id from learners where email like '%@many.test'`);
  const signatures = rows.flatMap((row, index) => [
    { learner: { id: row.id }, eventId: `a${index}` },
    { learner: { id: row.id }, eventId: `b${index}`, signedAt: at('05') },
  ]);
  expect((await record(...signatures)).body.data).toMatchObject({ success: true, failures: [] });
  const shown = await testService.query(
    `select count(*)::integer from policy_results where policy_id = $1 and signed = $2 and asked_at = signed`,
    [policy(1), at('05')],
  );
  expect(shown).toEqual([{ count: 5000 }]);
  expectError(await record(...signatures, { eventId: 'more' }), 400, 'invalid_request');
});
