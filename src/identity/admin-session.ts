import { sql } from '../db/sql.ts';
import { mutation } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { deviceHashFor, rememberDevice } from './known-devices.ts';
import { KINDS } from './people.ts';
import { boundSessions } from './person-sessions.ts';
import { createPersonToken, hashPersonToken } from './person-token.ts';

const begin = mutation<{ adminId: string; tokenHash: Buffer }, { companyId: string }>(
  'admin_session_begin',
  (p) => sql`
    insert into person_sessions as s (company_id, token_hash, admin_id, expires_at)
    select p.company_id, ${p.tokenHash}, p.id, now() + ${KINDS.admin.maxLength} from admins p
     where p.company_id = ${p.companyId} and p.id = ${p.adminId} and ${KINDS.admin.canSignIn}
    returning s.company_id as "companyId"`,
);

/**
 * Signs in an admin who has identified themselves by other means than a sign-in link. The caller must hold the lock of
 * the admin.
 * @param device the secret of the device; empty if the device has none
 * @returns the secret of the session; undefined for an admin who cannot sign in
 */
export async function beginAdminSession(
  tenant: TenantWriter,
  adminId: string,
  device: string,
): Promise<string | undefined> {
  const token = createPersonToken(tenant.companyId);
  const begun = await tenant.mutate(begin, { adminId, tokenHash: hashPersonToken(token) });
  if (begun.length === 0) return undefined;
  await boundSessions(tenant, 'admin', adminId);
  await rememberDevice(tenant, 'admin', { personId: adminId, deviceHash: deviceHashFor(device, token) });
  return token;
}
