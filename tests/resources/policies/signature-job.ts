import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { openPool } from '../../../src/db/pool.ts';
import { requestSignatures } from '../../../src/resources/policies/signatures/request-signatures.ts';
import { patch } from '../../support/client.ts';
import { companies, type CompanyName } from '../../support/world.ts';
import { message, queuedMessages } from './assignment-state.ts';

const pool = openPool({
  connectionString: testService.database.serviceUrl,
  poolSize: 5,
  statementTimeoutMs: 15_000,
  connectTimeoutMs: 2000,
  onIdleError: () => undefined,
});
const access = new TenantAccess(pool);
afterAll(() => pool.end());

export const timeAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
export const dayAgo = (days: number): string => timeAgo(days).slice(0, 10);
/** Does what is due today, or on another day, for a company. */
export const run = (company: CompanyName = 'tenant', day = dayAgo(0)): Promise<void> =>
  requestSignatures(access.ofJob(companies[company]), day);
export const monthly = { intervalLength: 1, intervalUnit: 'months' };

/** Sets today how often a live policy is signed, and publishes nothing. */
export async function scheduleToday(policyId: string, signatureSettings: object): Promise<void> {
  const { status, body } = await patch(`/policies/${policyId}`, { action: 'live', signatureSettings });
  expect(status).toBe(200);
  expect(body.data.majorVersion + body.data.minorVersion).toBe(1);
}

/** Says that all settings that there are were made so many days ago. */
export async function ageSettings(days: number): Promise<void> {
  await testService.query('update policies set signature_set_on = $1 where signature_type is not null', [dayAgo(days)]);
  await testService.query('update signature_defaults set set_on = $1', [dayAgo(days)]);
}

/** Has set long ago how often a live policy is signed. */
export async function schedule(policyId: string, signatureSettings: object): Promise<void> {
  await scheduleToday(policyId, signatureSettings);
  await ageSettings(100);
}

/** Who was sent a request, each about the policy alone. */
export async function asked(policyId: string): Promise<string[]> {
  const messages = await queuedMessages();
  expect(messages).toEqual(messages.map(({ learnerId }) => message('policy_request', learnerId, policyId)));
  return messages.map(({ learnerId }) => learnerId);
}
