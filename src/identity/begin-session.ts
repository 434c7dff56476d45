import { sql } from '../db/sql.ts';
import { mutation } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { deviceHashFor, rememberDevice } from './known-devices.ts';
import { KINDS, mustUseProvider, type PersonKind } from './people.ts';
import { boundSessions } from './person-sessions.ts';
import { createPersonToken, hashPersonToken } from './person-token.ts';

const createBegin = (kind: PersonKind) =>
  mutation<{ personId: string; tokenHash: Buffer; method: SignInMethod }, { companyId: string }>(
    `session_begin_for_${kind}`,
    (p) => sql`
      insert into person_sessions as s (company_id, token_hash, ${KINDS[kind].column}, expires_at)
      select p.company_id, ${p.tokenHash}, p.id, now() + ${KINDS[kind].maxLength} from ${KINDS[kind].table} p
       where p.company_id = ${p.companyId} and p.id = ${p.personId} and ${KINDS[kind].canSignIn}
         and (${p.method}::text <> 'setup' or not ${mustUseProvider(p, kind)})
      returning s.company_id as "companyId"`,
  );
const begin = { learner: createBegin('learner'), admin: createBegin('admin') };

/** How a person has identified themselves. */
export type SignInMethod = 'passkey' | 'setup' | 'identity_provider';

/** The person to sign in. `device` is the secret of the device; empty if the device has none. */
export interface ProvenPerson {
  kind: PersonKind;
  personId: string;
  method: SignInMethod;
  device: string;
}

/**
 * Signs in a person who has identified themselves by other means than a sign-in link. The caller must hold the lock of
 * the person.
 * @returns the secret of the session; undefined for a person who cannot sign in, or not in this way
 */
export async function beginSession(
  tenant: TenantWriter,
  { kind, personId, method, device }: ProvenPerson,
): Promise<string | undefined> {
  const token = createPersonToken(tenant.companyId);
  const begun = await tenant.mutate(begin[kind], { personId, method, tokenHash: hashPersonToken(token) });
  if (begun.length === 0) return undefined;
  await boundSessions(tenant, kind, personId);
  await rememberDevice(tenant, kind, { personId, deviceHash: deviceHashFor(device, token) });
  return token;
}
