import type pg from 'pg';
import { AuditTrail } from '../../audit/operation-audit-recorder.ts';
import type { Origin } from '../../auth/caller.ts';
import { sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import { createTenantWriter } from '../../db/tenant-session.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { SamlLogoutRequest } from '../saml/logout-rules.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../saml/response-values.ts';
import type { ProviderAccess } from './identity-providers.ts';
import type { SignOut } from './logout-token.ts';
import { useLogoutRequest } from './used-assertions.ts';

type Provider = Pick<ProviderAccess, 'companyId' | 'id'>;

interface Ended {
  providerId: string;
  sessionId: string | null;
  subject: string | null;
  at: string;
}

interface EndedSession {
  id: string;
  learnerId: string | null;
  adminId: string | null;
}

// A provider that names a session can also end sessions for which it has reported no session id.
const end = mutation<Ended, EndedSession>(
  'session_end_of_provider',
  (p) => sql`
    delete from person_sessions s
     where s.company_id = ${p.companyId} and s.provider_id = ${p.providerId} and s.created_at <= ${p.at}
       and (${p.sessionId}::text is null or s.provider_session = ${p.sessionId} or s.provider_session is null)
       and (${p.sessionId}::text is not null and s.provider_session is not null or s.provider_subject = ${p.subject})
    returning s.id, s.learner_id as "learnerId", s.admin_id as "adminId"`,
);

interface EndedByRequest {
  providerId: string;
  subject: string;
  sessionIds: string[];
  at: string;
}

// At some providers, session indexes are unique only per person.
const endByRequest = mutation<EndedByRequest, EndedSession>(
  'session_end_by_logout_request',
  (p) => sql`
    delete from person_sessions s
     where s.company_id = ${p.companyId} and s.provider_id = ${p.providerId} and s.created_at <= ${p.at}
       and s.provider_subject = ${p.subject}
       and (cardinality(${p.sessionIds}::text[]) = 0 or s.provider_session = any(${p.sessionIds}::text[])
            or s.provider_session is null)
    returning s.id, s.learner_id as "learnerId", s.admin_id as "adminId"`,
);

/** Ends the sessions that an OpenID Connect provider has ended. The audit log gets an entry if there are any. */
export async function endProviderSessions(
  pool: pg.Pool,
  provider: Provider,
  { sessionId, subject, at }: SignOut,
  origin: Origin,
): Promise<void> {
  const ended = { sessionId: sessionId ?? null, subject: subject ?? null, at: at.toISOString() };
  await endAll(pool, provider, origin, (tx) => tx.mutate(end, { providerId: provider.id, ...ended }));
}

/**
 * Ends the sessions that a verified request of a SAML provider names. The audit log gets an entry if there are any.
 * @throws {SignInFault} `attempt_unknown` if the request was used before
 */
export async function endRequestedSessions(
  pool: pg.Pool,
  provider: Provider,
  request: SamlLogoutRequest,
  origin: Origin,
): Promise<void> {
  const { nameId: subject, sessionIndexes: sessionIds, issuedAt } = request;
  const use = (tx: TenantWriter) => useLogoutRequest(tx, provider.id, request);
  const at = new Date(issuedAt.getTime() + MAX_CLOCK_DIFFERENCE_MS).toISOString();
  const areEnded = await endAll(pool, provider, origin, async (tx) => {
    await use(tx);
    return tx.mutate(endByRequest, { providerId: provider.id, subject, sessionIds, at });
  });
  // A transaction that ends nothing is rolled back, and with it the record that the request was used.
  if (!areEnded) await createTenantWriter(pool, provider.companyId).transaction(use);
}

/** Returns whether any sessions were ended. */
async function endAll(
  pool: pg.Pool,
  { companyId, id }: Provider,
  origin: Origin,
  work: (tx: TenantWriter) => Promise<EndedSession[]>,
): Promise<boolean> {
  const recorder = new AuditTrail(companyId, () => ({
    ...{ actor: { type: 'identity_provider', id }, actorCompanyId: companyId },
    ...{ operation: 'signOut', outcome: 'done', code: null, targets: [], fields: [] },
    ...{ requestId: origin.requestId, address: origin.address },
  }));
  const ending = createTenantWriter(pool, companyId, { recorder }).transaction(async (tx) => {
    const ended = await work(tx);
    if (ended.length === 0) throw new NothingEnded();
    tx.addTargets('sessionId', toIds(ended, 'id'));
    tx.addTargets('learnerId', toIds(ended, 'learnerId'));
    tx.addTargets('adminId', toIds(ended, 'adminId'));
  });
  return ending.then(
    () => true,
    (error: unknown) => {
      if (error instanceof NothingEnded) return false;
      throw error;
    },
  );
}

/** An error that rolls back a transaction without changes, so that it leaves no audit entry. */
class NothingEnded extends Error {}

function toIds(ended: readonly EndedSession[], field: keyof EndedSession): string[] {
  return ended.flatMap((session) => session[field] ?? []).toSorted();
}
