import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { requestSignatures } from '../../../src/resources/policies/signatures/request-signatures.ts';
import { patch } from '../../support/client.ts';
import { companies, type CompanyName } from '../../support/world.ts';
import { message, queuedMessages } from './assignment-state.ts';

const pool = openServicePool(5);
const access = new TenantAccess(pool);
afterAll(() => pool.end());

export const timeAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
export const dayAgo = (days: number): string => timeAgo(days).slice(0, 10);
/** Requests the signatures of a company that are due on a day, by default today. */
export const run = (company: CompanyName = 'tenant', day = dayAgo(0)): Promise<void> =>
  requestSignatures(access.ofJob(companies[company]), day);
export const monthly = { intervalLength: 1, intervalUnit: 'months' };

/** Sets the signature settings of a live policy today and expects that no version is published. */
export async function scheduleToday(policyId: string, signatureSettings: object): Promise<void> {
  const { status, body } = await patch(`/policies/${policyId}`, { action: 'live', signatureSettings });
  expect(status).toBe(200);
  expect(body.data.majorVersion + body.data.minorVersion).toBe(1);
}

/** Dates all signature settings back to the given number of days ago. */
export async function ageSettings(days: number): Promise<void> {
  await testService.query('update policies set signature_set_on = $1 where signature_type is not null', [dayAgo(days)]);
  await testService.query('update signature_defaults set set_on = $1', [dayAgo(days)]);
}

/** Sets the signature settings of a live policy and dates all settings back 100 days. */
export async function schedule(policyId: string, signatureSettings: object): Promise<void> {
  await scheduleToday(policyId, signatureSettings);
  await ageSettings(100);
}

/** Returns the learners with a queued request and expects that each request names only the policy. */
export async function asked(policyId: string): Promise<string[]> {
  const messages = await queuedMessages();
  expect(messages).toEqual(messages.map(({ learnerId }) => message('policy_request', learnerId, policyId)));
  return messages.map(({ learnerId }) => learnerId);
}
