// Identity: how learners and admins sign in to the pages, and how a session ends.
//
// Nobody has a password. There are four ways to start a session:
// - A link in an email (sign-in-links.ts). Opening it changes nothing, because mail programs open links by themselves;
//   the button on its page signs in. A learner can use a link until it expires, an admin once.
// - A passkey, for admins (passkeys.ts). The challenge that it signs works once, within five minutes.
// - The setup of an invited admin (setup-links.ts).
// - The identity provider of the company (providers/identity-providers.ts).
//
// All four end in `beginSession` (begin-session.ts), which records the method, IP address and browser in the session
// and in the sign-in log (sign-in-log.ts). The log also has failures, but only those that a stranger cannot fabricate:
// links that have ended, stored passkeys with a wrong proof, and people whom an identity provider has identified. It
// keeps at most 20 failures per hour for a person, and as many per network for people whom the company does not know.
// An admin who signs in from a new network gets an email.
//
// The secrets of sign-in links and sessions hold the id of the company and 256 random bits (person-token.ts). The
// database has only their SHA-256.
//
// sign-in-rules.ts has the rules for what each of these methods can do while a company requires a provider, or requires
// passkeys for the console. Actions that matter need proof of identity from the last ten minutes: the sign-in
// that began the session, or a confirmation (confirm-session.ts). A confirmation neither extends the session nor
// changes its secret.
//
// A learner's session ends after two hours without use, and after twelve hours at most. An admin's session ends after
// 30 minutes and eight hours (people.ts), or earlier if a SAML provider requires it. Both also end when the person
// signs out, or signs in again in the same browser. "Sign out everywhere" ends all sessions, mailed links, known
// devices and passkeys. Triggers and foreign keys do the same if a person is deactivated, removed or gets another
// address (migrations/*_create_identity.ts), except that a change of address only suspends passkeys
// (suspended-passkeys.ts). A person has at most 20 sessions; a further one ends the least recently used. People see a
// list of their sessions, and can end each of them; admins can also see and end the sessions of others
// (session-repository.ts).
//
// Guarantees:
// - Sessions are not cached, so deactivating a person takes effect with the next request.
// - Signing in by a link or a passkey locks the person first, and so does "sign out everywhere". So no session begins
//   from a link that has just been ended.
// - Sign-ins and sign-outs write their audit entry in the same transaction.
// - Forms carry a token that is derived from the session's secret, so another site cannot submit them.
// - A request for a link gets the same response for every e-mail address, whether or not a person has it.
//
// Abuse: anybody can make up a secret, so lookups use few connections and share them by network
// (unauthenticated-lookups.ts). Mailed links are limited. A person's known devices have separate limits, so no stranger
// locks the person out (known-devices.ts).
//
// Failures: if the database is unavailable, requests fail and nobody can sign in.
//
// Not for: API keys and sources (src/auth/), OAuth grants (src/oauth/), and links of simulations, which sign nobody in.
import { hash, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { NIL } from 'uuid';
import { literal, sql } from '../db/sql.ts';
import { mutation, pointQuery } from '../db/statement.ts';
import { createTenantReader, createTenantWriter } from '../db/tenant-session.ts';
import type { TenantWriter } from '../db/tenant.ts';
import type { Target } from '../audit/audit-rules.ts';
import { AuditTrail } from '../audit/operation-audit-recorder.ts';
import type { Caller, Origin } from '../auth/caller.ts';
import { getPermissions } from '../auth/roles.ts';
import type { NameIdAttributes } from './saml/assertion-rules.ts';
import type { EndedSignIn } from './saml/logout-messages.ts';
import { KINDS, personColumns, type Person, type PersonKind } from './people.ts';
import { readPersonToken } from './person-token.ts';
import { hasRecentProof, missingPasskey, type MissingPasskey } from './sign-in-rules.ts';
import { endSession, endSessions, lockPerson } from './session-repository.ts';
import { limitUnauthenticatedLookups } from './unauthenticated-lookups.ts';

interface SessionParams {
  tokenHash: Buffer;
}

/**
 * The person of a session. `isDue` is true if the last recorded use is older than a minute, so that this use must be
 * recorded.
 */
type SessionRow = Person & SessionState & { isDue: boolean };

/** The identity provider's data about a session that has ended here. */
interface EndedSession {
  id: string;
  /** The provider's id of the person; null for other methods. */
  subject: string | null;
  sessionIndex: string | null;
  /** Null unless the provider uses SAML. */
  nameIdAttributes: NameIdAttributes | null;
}

/** The state of a session. */
interface SessionState {
  /** The id of the session in lists. */
  sessionId: string;
  /** Whether the person has confirmed who they are within the last ten minutes. */
  hasRecentProof: boolean;
  /** The identity provider with which the session began; null for other methods. */
  providerId: string | null;
  /** Passkey step that the session must complete before it can open pages of the console; null if there is none. */
  missingPasskey: MissingPasskey;
}

const createFindPerson = (kind: PersonKind) => {
  const { table, column, canSignIn, idle } = KINDS[kind];
  return pointQuery<SessionParams, SessionRow>(
    `session_person_${kind}`,
    (p) => sql`
      select ${personColumns(p, kind)}, s.id as "sessionId", s.provider_id as "providerId", ${hasRecentProof} as "hasRecentProof",
             ${missingPasskey(p, kind)} as "missingPasskey", s.last_used_at < now() - interval '1 minute' as "isDue"
        from person_sessions s
        join ${table} p on p.company_id = ${p.companyId} and p.id = s.${column}
        join companies c on c.id = ${p.companyId}
       where s.company_id = ${p.companyId} and s.token_hash = ${p.tokenHash} and ${canSignIn}
         and s.expires_at > now() and s.last_used_at > now() - ${idle}`,
  );
};
const people = { learner: createFindPerson('learner'), admin: createFindPerson('admin') };

const stampUse = mutation<SessionParams>(
  'session_stamp_use',
  (p) => sql`
    update person_sessions set last_used_at = statement_timestamp()
     where company_id = ${p.companyId} and token_hash = ${p.tokenHash}`,
);

const end = mutation<SessionParams, EndedSession>(
  'session_end',
  (p) => sql`
    delete from person_sessions where company_id = ${p.companyId} and token_hash = ${p.tokenHash}
    returning id, provider_subject as subject, provider_session as "sessionIndex",
              name_id_attributes as "nameIdAttributes"`,
);

const createEndSessions = (kind: PersonKind) =>
  mutation<{ personId: string }>(
    `session_end_all_of_${kind}`,
    (p) => sql`
      with links as (
        delete from sign_in_links where company_id = ${p.companyId} and ${KINDS[kind].column} = ${p.personId}
      ), devices as (
        delete from known_devices where company_id = ${p.companyId} and ${KINDS[kind].column} = ${p.personId}
      ), waiting as (
        update messages set setup_token = null
         where company_id = ${p.companyId} and ${KINDS[kind].column} = ${p.personId} and status = 'queued'
           and kind <> 'admin_invite'
      )
      delete from person_sessions where company_id = ${p.companyId} and ${KINDS[kind].column} = ${p.personId}`,
  );
const removePasskeys = mutation<{ adminId: string }>('passkey_remove_all', (p, knex) =>
  knex('passkeys').where({ company_id: p.companyId, admin_id: p.adminId }).delete(),
);
const endings = { learner: createEndSessions('learner'), admin: createEndSessions('admin') };

/** Maximum number of sessions of a person. A further session ends the least recently used one. */
const MAX_SESSIONS = 20;

const createEndOldest = (kind: PersonKind) =>
  mutation<{ personId: string }>(
    `session_end_oldest_of_${kind}`,
    (p) => sql`
      delete from person_sessions where company_id = ${p.companyId} and token_hash in (
        select token_hash from person_sessions
         where company_id = ${p.companyId} and ${KINDS[kind].column} = ${p.personId}
         order by last_used_at desc, token_hash offset ${literal(MAX_SESSIONS)})`,
  );
const endOldest = { learner: createEndOldest('learner'), admin: createEndOldest('admin') };

/** Ends sessions above the maximum. Call it after a session has begun. The caller must hold the lock of the person. */
export async function boundSessions(tenant: TenantWriter, kind: PersonKind, personId: string): Promise<void> {
  await tenant.mutate(endOldest[kind], { personId });
}

/** An action of a person, for the audit log. */
export interface Act {
  /** An operationId, or another name that the contract lists for audit entries. */
  operation: string;
  targets?: Target[];
  fields?: string[];
}

/** The session of a signed-in person. */
export interface Session extends Person, SessionState {
  kind: PersonKind;
  companyId: string;
  /** A writer of the company without a recorder, for reads and for changes without an audit entry. */
  tenant: TenantWriter;
  /** Mints a writer for one change, which the audit log records as the person's. */
  open: (act: Act, origin: Origin) => TenantWriter;
  /** The token that forms of this session must send. */
  formToken: string;
  /** The SHA-256 of the secret, which is the key of the session in the database. */
  tokenHash: Buffer;
}

export class PersonSessions {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Finds a session by its secret, and records its use. Returns undefined for a malformed, unknown or expired secret,
   * and for a person who was deleted or deactivated.
   */
  async find(kind: PersonKind, token: string, from: Origin): Promise<Session | undefined> {
    const personToken = readPersonToken(token);
    if (!personToken) return undefined;
    const { companyId, tokenHash } = personToken;
    const reader = createTenantReader(this.#pool, companyId, NIL);
    const row = await limitUnauthenticatedLookups(from, () => reader.queryOne(people[kind], { tokenHash }));
    if (!row) return undefined;
    const { isDue, ...person } = row;
    const tenant = createTenantWriter(this.#pool, companyId);
    if (isDue) await tenant.mutate(stampUse, { tokenHash });
    const open = (act: Act, origin: Origin) =>
      createTenantWriter(this.#pool, companyId, {
        recorder: createPersonRecorder(kind, companyId, person.id, act, origin),
      });
    return { ...person, kind, companyId, tenant, open, formToken: deriveFormToken(token), tokenHash };
  }

  /** Ends a session. Returns the sign-in at a SAML provider with which it began; undefined if there is none. */
  async end({ open }: Session, token: string, origin: Origin): Promise<EndedSignIn | undefined> {
    const { tokenHash } = readPersonToken(token)!;
    const [ended] = await open({ operation: 'signOut' }, origin).mutate(end, { tokenHash });
    const { subject = null, nameIdAttributes = null, sessionIndex } = ended ?? {};
    if (subject === null || nameIdAttributes === null) return undefined;
    return { nameId: subject, nameIdAttributes, sessionIndex: sessionIndex ?? undefined };
  }

  /** Ends one session of the person. Returns false if the person has no such session. */
  async endOne({ open, kind, id }: Session, sessionId: string, origin: Origin): Promise<boolean> {
    const targets = [{ field: 'sessionId', count: 1, ids: [sessionId] }];
    return endSession(open({ operation: 'endOwnSession', targets }, origin), kind, { personId: id, sessionId });
  }

  /** Ends all sessions of the person except this one. Keeps mailed links, known devices and passkeys. */
  async endOthers({ open, kind, id, sessionId }: Session, origin: Origin): Promise<void> {
    await open({ operation: 'endOtherSessions' }, origin).transaction(async (tx) => {
      await lockPerson(tx, kind, id);
      await endSessions(tx, kind, { personId: id, keptId: sessionId });
    });
  }

  /** Ends all sessions, mailed links and known devices of the person, and the passkeys of an admin. */
  async endAll({ open, kind, id }: Session, origin: Origin): Promise<void> {
    await open({ operation: 'signOutEverywhere' }, origin).transaction(async (tx) => {
      await lockPerson(tx, kind, id);
      if (kind === 'admin') await tx.mutate(removePasskeys, { adminId: id });
      await tx.mutate(endings[kind], { personId: id });
    });
  }
}

/**
 * Creates the caller for a person. An admin can do what a key with the role's scopes can do, but nothing while the
 * session lacks a passkey.
 */
export function toPersonCaller(session: Session, origin: Origin): Caller {
  const { kind, id, companyId, accountType, modules, hasRecentProof } = session;
  const permissions = session.missingPasskey === null ? getPermissions(session) : { scopes: [] };
  const access = { companyId, accountType, keyId: id, modules, ...permissions, expiresAt: null };
  return Object.freeze({ ...access, actor: { type: kind, id }, hasRecentProof, origin });
}

/** Reports whether a form token belongs to the session. */
export function isFormToken(input: string, { formToken }: Pick<Session, 'formToken'>): boolean {
  const [bytes, own] = [Buffer.from(input), Buffer.from(formToken)];
  return bytes.length === own.length && timingSafeEqual(bytes, own);
}

/** Derives the form token from the session's secret, which no page shows. */
function deriveFormToken(token: string): string {
  return hash('sha256', `form ${token}`, 'base64url');
}

export function createPersonRecorder(
  kind: PersonKind,
  companyId: string,
  id: string,
  act: Act,
  origin: Origin,
): AuditTrail {
  const { operation, targets = [], fields = [] } = act;
  return new AuditTrail(companyId, () => ({
    ...{ actor: { type: kind, id }, actorCompanyId: companyId },
    ...{ operation, outcome: 'done', code: null, targets, fields },
    ...origin,
  }));
}
