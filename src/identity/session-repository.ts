import type { components } from '../../generated/api-types.ts';
import { BY_ID } from '../db/keyset.ts';
import { sql } from '../db/sql.ts';
import { mutation, pagedQuery } from '../db/statement.ts';
import type { TenantReader, TenantWriter } from '../db/tenant.ts';
import { KINDS, type PersonKind } from './people.ts';

/** A session as its owner and admins see it. */
export type ListedSession = components['schemas']['PersonSession'];

/** Person whose sessions are listed. `showsClient` states whether the reader can see IP addresses and browsers. */
interface SessionFilter {
  personId: string;
  showsClient: boolean;
}

const createList = (kind: PersonKind) =>
  pagedQuery<SessionFilter, ListedSession>(
    `session_list_of_${kind}`,
    BY_ID,
    (p) => sql`
      select id, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt", method,
             case when ${p.showsClient}::boolean then address end as address,
             case when ${p.showsClient}::boolean then user_agent end as "userAgent"
        from person_sessions
       where company_id = ${p.companyId} and ${KINDS[kind].column} = ${p.personId}
         and expires_at > now() and last_used_at > now() - ${KINDS[kind].idle}`,
  );

/** The sessions of a person that have not ended, oldest first. A person has at most 20. */
export const listSessions = { learner: createList('learner'), admin: createList('admin') };

/** Returns the sessions of a person that have not ended, oldest first, for the person. */
export function findSessions(tenant: TenantReader, kind: PersonKind, personId: string): Promise<ListedSession[]> {
  return tenant.queryAll(listSessions[kind], { personId, showsClient: true });
}

const createLockPerson = (kind: PersonKind) =>
  mutation<{ personId: string }>(
    `session_lock_${kind}`,
    (p) => sql`
      select p.id from ${KINDS[kind].table} p
       where p.company_id = ${p.companyId} and p.id = ${p.personId} for no key update`,
  );
const locks = { learner: createLockPerson('learner'), admin: createLockPerson('admin') };

/**
 * Locks a person, and reports whether the person exists. A concurrent sign-in either completes before the lock, or
 * begins after it.
 */
export async function lockPerson(tenant: TenantWriter, kind: PersonKind, personId: string): Promise<boolean> {
  return (await tenant.mutate(locks[kind], { personId })).length > 0;
}

interface EndedSessions {
  personId: string;
  /** Id of the only session to end; null for all. */
  sessionId: string | null;
  /** Id of the session to keep; null for none. */
  keptId: string | null;
}

const createEnd = (kind: PersonKind) =>
  mutation<EndedSessions, { id: string }>(
    `session_end_for_${kind}`,
    (p) => sql`
      delete from person_sessions
       where company_id = ${p.companyId} and ${KINDS[kind].column} = ${p.personId}
         and (${p.sessionId}::uuid is null or id = ${p.sessionId}::uuid)
         and (${p.keptId}::uuid is null or id <> ${p.keptId}::uuid)
      returning id`,
  );
const ends = { learner: createEnd('learner'), admin: createEnd('admin') };

/** Ends a session of a person. Returns false if the person has no such session. */
export async function endSession(
  tenant: TenantWriter,
  kind: PersonKind,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<boolean> {
  return (await tenant.mutate(ends[kind], { personId, sessionId, keptId: null })).length > 0;
}

/**
 * Ends the sessions of a person, and returns their ids. The caller must hold the lock of the person.
 * @param keptId the session to keep; null for none
 */
export async function endSessions(
  tenant: TenantWriter,
  kind: PersonKind,
  { personId, keptId }: { personId: string; keptId: string | null },
): Promise<string[]> {
  const ended = await tenant.mutate(ends[kind], { personId, sessionId: null, keptId });
  return ended.map(({ id }) => id).toSorted();
}
