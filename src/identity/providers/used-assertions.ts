import { hash } from 'node:crypto';
import { sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { SamlAssertion } from './saml-client.ts';
import { SignInFault } from './sign-in-fault.ts';

// Keeps rows for ten minutes after they expire, which is longer than the accepted clock difference.
const forgetExpired = mutation<{ providerId: string }>(
  'used_assertion_forget_expired',
  (p) => sql`
    delete from used_assertions
     where company_id = ${p.companyId} and provider_id = ${p.providerId} and expires_at < now() - interval '10 minutes'`,
);

const insert = mutation<{ providerId: string; assertionHash: Buffer; expiresAt: string }, { id: string }>(
  'used_assertion_insert',
  (p) => sql`
    insert into used_assertions (company_id, provider_id, assertion_hash, expires_at)
    values (${p.companyId}, ${p.providerId}, ${p.assertionHash}, ${p.expiresAt})
    on conflict do nothing returning provider_id as id`,
);

/** Marks an assertion as used. @throws {SignInFault} `attempt_unknown` if it was used before */
export async function useAssertion(tenant: TenantWriter, providerId: string, assertion: SamlAssertion): Promise<void> {
  await use(tenant, providerId, assertion);
}

/** Marks a request to sign out as used, as `useAssertion` does. Assertion IDs contain no space. */
export async function useLogoutRequest(
  tenant: TenantWriter,
  providerId: string,
  { id, expiresAt }: SamlAssertion,
): Promise<void> {
  await use(tenant, providerId, { id: `logout ${id}`, expiresAt });
}

async function use(tenant: TenantWriter, providerId: string, { id, expiresAt }: SamlAssertion): Promise<void> {
  await tenant.mutate(forgetExpired, { providerId });
  const row = { providerId, assertionHash: hash('sha256', id, 'buffer'), expiresAt: expiresAt.toISOString() };
  if ((await tenant.mutate(insert, row)).length === 0) throw new SignInFault('attempt_unknown');
}
