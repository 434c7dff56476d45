import { del, get } from '../support/client.ts';
import { Learner } from '../support/learner.ts';
import { policyId, versionId } from '../support/world-policies.ts';
import { learnerId } from '../support/world.ts';
import { stopServices } from '../process/support.ts';
import { messageTo, startMailing, whenDone } from './transport-support.ts';
import { MailServer } from './smtp-support.ts';

const me = learnerId('tenant', 2);
const server = new MailServer();
beforeAll(() => server.start());
afterAll(async () => {
  stopServices();
  await server.stop();
});

async function sign(): Promise<void> {
  const { firstName, lastName } = (await get(`/learners/${me}`)).body.data;
  const fields = { name: `${firstName} ${lastName}`, agreed: 'yes', versionId: versionId('tenant', 1) };
  const path = `/learn/policies/${policyId('tenant', 1)}`;
  const learner = await Learner.of('tenant', 2);
  await learner.post(`${path}/visits`, fields);
  expect((await learner.post(`${path}/signatures`, fields)).status).toBe(303);
}

test('a learner who signs a policy gets a receipt with the version, the time and the hash of the file', async () => {
  await sign();
  await startMailing(server);
  await whenDone();
  expect(await messageTo(me)).toMatchObject({ kind: 'policy_receipt', status: 'sent' });
  const [result] = (await get(`/learners/${me}/policy-results?includeSignatures=true`)).body.data;
  const { signed, sha256 } = result.signatures.at(-1);
  const { text, subject } = server.taken[0]!.parsed;
  expect(subject).toContain('Policy 1 of tenant');
  for (const part of ['Version 1.0', sha256, signed.slice(11, 16)]) expect(text).toContain(part);
});

test('a receipt for a policy that has been deleted is not sent', async () => {
  stopServices();
  await testService.query('update policy_results set asked_at = now() where learner_id = $1', [me]);
  await testService.query('delete from messages');
  await sign();
  await del('/policies/bulk', { policyIds: [policyId('tenant', 1)] });
  await startMailing(server);
  await whenDone();
  expect(await messageTo(me)).toMatchObject({ kind: 'policy_receipt', status: 'cancelled' });
});
