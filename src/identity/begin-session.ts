import type { Origin } from '../auth/caller.ts';
import { sql } from '../db/sql.ts';
import { mutation } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { deviceHashFor, rememberDevice } from './known-devices.ts';
import { KINDS, type PersonKind } from './people.ts';
import type { NameIdAttributes } from './saml/assertion-rules.ts';
import { boundSessions } from './person-sessions.ts';
import { createPersonToken, hashPersonToken } from './person-token.ts';
import { allowsMethod } from './sign-in-rules.ts';
import { recordSignIn, type SignInMethod, type StoredClient, toStoredClient } from './sign-in-log.ts';

type NewSession = StoredClient & {
  personId: string;
  tokenHash: Buffer;
  method: string;
  providerId: string | null;
  providerSession: string | null;
  providerSubject: string | null;
  nameIdAttributes: string | null;
  endsAt: string | null;
};

const createBegin = (kind: PersonKind) =>
  mutation<NewSession, { companyId: string }>(
    `session_begin_for_${kind}`,
    (p) => sql`
      insert into person_sessions as s (company_id, token_hash, ${KINDS[kind].column}, expires_at, method, address, user_agent, provider_id,
                                        provider_session, provider_subject, name_id_attributes)
      select p.company_id, ${p.tokenHash}, p.id,
             least(now() + ${KINDS[kind].maxLength}, ${p.endsAt}::timestamptz), ${p.method}::text, ${p.address}, ${p.userAgent},
             ${p.providerId}::uuid, ${p.providerSession}::text, ${p.providerSubject}::text, ${p.nameIdAttributes}::jsonb
        from ${KINDS[kind].table} p
       where p.company_id = ${p.companyId} and p.id = ${p.personId} and ${KINDS[kind].canSignIn}
         and ${allowsMethod(p, kind, sql`${p.method}::text`)}
      returning s.company_id as "companyId"`,
    { method: 'passkey', nameIdAttributes: '{}' },
  );
const begin = { learner: createBegin('learner'), admin: createBegin('admin') };

/** A person's session at an identity provider. */
interface ProviderSession {
  id: string;
  /** The provider's id of its session; undefined if it reports none. */
  sessionId: string | undefined;
  /** The provider's id of the person. */
  subject: string;
  /** The attributes of the NameID of SAML; undefined with OpenID Connect. */
  nameIdAttributes: NameIdAttributes | undefined;
  /** Time at which the provider requires the session to end; undefined if it sets none. */
  endsAt: Date | undefined;
}

/** The person to sign in. `device` is the secret of the device; empty if the device has none. */
export interface ProvenPerson {
  kind: PersonKind;
  personId: string;
  device: string;
  method: SignInMethod;
  /** The identity provider of the sign-in; undefined for other methods. */
  provider?: ProviderSession;
  origin: Origin;
}

/**
 * Signs in a person who has identified themselves. All sessions begin here. Adds the sign-in to the sign-in log. The
 * caller must hold the lock of the person, and run this in the transaction that verified the identity.
 * @returns the secret of the session; undefined for a person who cannot sign in, or not in this way
 */
export async function beginSession(
  tenant: TenantWriter,
  { kind, personId, device, method, provider, origin }: ProvenPerson,
): Promise<string | undefined> {
  const token = createPersonToken(tenant.companyId);
  const session = {
    personId,
    tokenHash: hashPersonToken(token),
    method,
    providerId: provider?.id ?? null,
    providerSession: provider?.sessionId ?? null,
    providerSubject: provider?.subject ?? null,
    nameIdAttributes: provider?.nameIdAttributes ? JSON.stringify(provider.nameIdAttributes) : null,
    endsAt: provider?.endsAt?.toISOString() ?? null,
    ...toStoredClient(origin),
  };
  const begun = await tenant.mutate(begin[kind], session);
  if (begun.length === 0) return undefined;
  await boundSessions(tenant, kind, personId);
  await rememberDevice(tenant, kind, { personId, deviceHash: deviceHashFor(device, token) });
  await recordSignIn(tenant, { kind, personId, method, reason: null, origin });
  return token;
}

/** An error that rolls back the transaction of a sign-in, so that it leaves no audit entry. */
export class SignInRefused extends Error {}

/** @throws {SignInRefused} if no session has begun */
export function requireSession(token: string | undefined): string {
  if (token === undefined) throw new SignInRefused();
  return token;
}

/** Returns undefined for a refused sign-in. @throws every other error */
export function toUndefined(error: unknown): undefined {
  if (!(error instanceof SignInRefused)) throw error;
  return undefined;
}
