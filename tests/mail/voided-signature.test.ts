import { get, post } from '../support/client.ts';
import { policyId, versionId } from '../support/world-policies.ts';
import { learnerId } from '../support/world.ts';
import { stopServices } from '../process/support.ts';
import { correctedSignatures, idsOf, signOnPage } from '../resources/corrections/signature-correction-state.ts';
import { forgetMail, messageTo, startMailing, whenDone } from './transport-support.ts';
import { MailServer } from './smtp-support.ts';

const me = learnerId('tenant', 2);
const server = new MailServer();
beforeAll(() => server.start());
afterEach(async () => {
  stopServices();
  server.reset();
  await forgetMail();
});
afterAll(() => server.stop());

/** Signs on the pages and voids the signature, with the reason given. Returns when it was signed. */
async function signAndVoid(): Promise<string> {
  await signOnPage(2, versionId('tenant', 1));
  const [result] = (await get(`/learners/${me}/policy-results`)).body.data;
  await forgetMail();
  const eventId = (await idsOf(2)).at(-1)!;
  await correctedSignatures({ eventId, action: 'void', reason: 'A secret matter' });
  return result.signed as string;
}

test('the signer learns which signature no longer counts, and to sign again, without the reason', async () => {
  const signed = await signAndVoid();
  await startMailing(server);
  await whenDone();
  expect(await messageTo(me)).toMatchObject({ kind: 'signature_voided', status: 'sent' });
  const { text, subject } = server.taken[0]!.parsed;
  expect(subject).toBe('Your signature on “Policy 1 of tenant” no longer counts');
  for (const part of ['version 1.0', signed.slice(11, 16), 'Please read and sign the policy again.'])
    expect(text).toContain(part);
  expect(text).not.toContain('secret matter');
});

test('a signer whose policy is no longer assigned need not sign again', async () => {
  await signOnPage(2, versionId('tenant', 1));
  await post('/policy-removals', { policyIds: [policyId('tenant', 1)], learnerIds: [me] });
  await forgetMail();
  await correctedSignatures({ eventId: (await idsOf(2)).at(-1)!, action: 'void' });
  await startMailing(server);
  await whenDone();
  expect(server.taken[0]!.parsed.text).toContain('You do not have to sign the policy again.');
  await post('/policy-assignments', { policyIds: [policyId('tenant', 1)], learnerIds: [me] });
});

test('the signer learns that the signature counts again, once, if it is restored after the message', async () => {
  await signAndVoid();
  await startMailing(server);
  await whenDone();
  const eventId = (await idsOf(2, '&includeVoided=true')).at(-1)!;
  await correctedSignatures({ eventId, action: 'restore', reason: 'A secret matter' });
  expect(await correctedSignatures({ eventId, action: 'restore' })).toEqual([false]);
  await whenDone();
  const subjects = server.taken.map(({ parsed }) => parsed.subject);
  expect(subjects).toEqual([
    'Your signature on “Policy 1 of tenant” no longer counts',
    'Your signature on “Policy 1 of tenant” counts again',
  ]);
  expect(server.taken.at(-1)!.parsed.text).not.toContain('secret matter');
});

test('a message is cancelled if the signature counts again before it is sent', async () => {
  await testService.query(`update signature_events set voided_at = voided_at - interval '2 days'`);
  await signAndVoid();
  const eventId = (await idsOf(2, '&includeVoided=true')).at(-1)!;
  await correctedSignatures({ eventId, action: 'restore' });
  await startMailing(server);
  await whenDone();
  expect(await messageTo(me)).toMatchObject({ kind: 'signature_voided', status: 'cancelled' });
});
