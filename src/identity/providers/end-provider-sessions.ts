import type pg from 'pg';
import { sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import { createTenantWriter } from '../../db/tenant-session.ts';
import type { ProviderAccess } from './identity-providers.ts';
import type { SignOut } from './logout-token.ts';

interface Ended {
  providerId: string;
  sessionId: string | null;
  subject: string | null;
  at: string;
}

// A provider that names a session can also end those for which it has reported none.
const end = mutation<Ended, { id: string }>(
  'session_end_of_provider',
  (p) => sql`
    delete from person_sessions s
     where s.company_id = ${p.companyId} and s.provider_id = ${p.providerId} and s.created_at <= ${p.at}
       and (${p.sessionId}::text is null or s.provider_session = ${p.sessionId} or s.provider_session is null)
       and (${p.sessionId}::text is not null and s.provider_session is not null
            or coalesce(s.learner_id, s.admin_id) in (
              select i.person_id from provider_identities i
               where i.company_id = ${p.companyId} and i.provider_id = ${p.providerId} and i.subject = ${p.subject}))
    returning s.id`,
);

/** Ends the sessions that a provider has ended, and returns their number. */
export async function endProviderSessions(
  pool: pg.Pool,
  { companyId, id: providerId }: Pick<ProviderAccess, 'companyId' | 'id'>,
  { sessionId, subject, at }: SignOut,
): Promise<number> {
  const ended = { providerId, sessionId: sessionId ?? null, subject: subject ?? null, at: at.toISOString() };
  return (await createTenantWriter(pool, companyId).mutate(end, ended)).length;
}
