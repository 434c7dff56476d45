import type pg from 'pg';
import { NIL } from 'uuid';
import { type Sql, sql } from '../db/sql.ts';
import { mutation, pointQuery, type Parameters } from '../db/statement.ts';
import { createTenantReader, createTenantWriter } from '../db/tenant-session.ts';
import type { Origin } from '../auth/caller.ts';
import { deviceHashFor, hashDeviceToken, rememberDevice } from './known-devices.ts';
import { KINDS, mustUseProvider, personColumns, type Person, type PersonKind } from './people.ts';
import { buildStartPath } from './providers/identity-providers.ts';
import { boundSessions, createPersonRecorder } from './person-sessions.ts';
import { createPersonToken, hashPersonToken, readPersonToken } from './person-token.ts';
import { limitUnauthenticatedLookups } from './unauthenticated-lookups.ts';

const createFindPerson = (kind: PersonKind) => {
  const { table, column, canSignIn } = KINDS[kind];
  return pointQuery<{ linkHash: Buffer }, Person & { providerId: string | null }>(
    `sign_in_link_${kind}`,
    (p) => sql`
      select ${personColumns(p, kind)}, (
               select r.id from identity_providers r where r.company_id = ${p.companyId} and r.${table} = 'required'
                order by r.id limit 1) as "providerId"
        from sign_in_links s
        join ${table} p on p.company_id = ${p.companyId} and p.id = s.${column}
        join companies c on c.id = ${p.companyId}
       where s.company_id = ${p.companyId} and s.token_hash = ${p.linkHash} and ${canSignIn} and s.expires_at > now()`,
  );
};
const people = { learner: createFindPerson('learner'), admin: createFindPerson('admin') };

const createLockPerson = (kind: PersonKind) =>
  mutation<{ personId: string }>(
    `sign_in_lock_${kind}`,
    (p) => sql`
      select p.id from ${KINDS[kind].table} p
       where p.company_id = ${p.companyId} and p.id = ${p.personId} and ${KINDS[kind].canSignIn}
         and not ${mustUseProvider(p, kind)}
         for share of p`,
  );
const locks = { learner: createLockPerson('learner'), admin: createLockPerson('admin') };

/** Selects the person of a valid link, and deletes the link if it is single-use. */
const linkFor = (kind: PersonKind, p: Parameters<{ linkHash: Buffer }>): Sql => {
  const link = sql`sign_in_links s
         where s.company_id = ${p.companyId} and s.token_hash = ${p.linkHash} and s.expires_at > now()`;
  return KINDS[kind].isSingleUse
    ? sql`delete from ${link} returning s.learner_id, s.admin_id`
    : sql`select s.learner_id, s.admin_id from ${link}`;
};

const beginBy = (kind: PersonKind) =>
  mutation<{ linkHash: Buffer; tokenHash: Buffer }, { companyId: string }>(
    `session_begin_${kind}`,
    (p) => sql`
      with link as (${linkFor(kind, p)})
      insert into person_sessions (company_id, token_hash, learner_id, admin_id, expires_at)
      select ${p.companyId}, ${p.tokenHash}, learner_id, admin_id, now() + ${KINDS[kind].maxLength} from link
      returning company_id as "companyId"`,
  );
const beginnings = { learner: beginBy('learner'), admin: beginBy('admin') };

const FIND_BY_EMAIL = {
  learner: {
    name: 'find_learners_by_email',
    text: 'select company_id, learner_id as person_id from find_learners_by_email($1)',
  },
  admin: {
    name: 'find_admins_by_email',
    text: 'select company_id, admin_id as person_id from find_admins_by_email($1)',
  },
};

/** The task that mails the requested links. Its payload has the ids of people, and no address. */
export const SEND_SIGN_IN_LINKS = 'send_sign_in_links';
export interface LinkRequests extends LinkAsker {
  kind: PersonKind;
  people: { companyId: string; personId: string }[];
}

/** The origin of a request for a link. */
export interface LinkAsker {
  network: string;
  /** The SHA-256 of the device's secret in hexadecimal; null if the device has none. */
  device: string | null;
}

/** The person whom a link can sign in. */
export interface SignInOffer extends Person {
  /** The path of the identity provider with which the person must sign in; undefined if the link signs in. */
  providerPath: string | undefined;
  /**
   * Signs the person in.
   * @param device the secret of the device; empty if the device has none
   * @returns the secret of the session; undefined if the link has ended, or if the person can no longer sign in
   */
  accept: (origin: Origin, device: string) => Promise<string | undefined>;
}

/**
 * Mailed links that sign people in. A learner's link works until it expires, so that the mail can be used twice. An
 * admin's link works once.
 */
export class SignInLinks {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Finds the person of a link by its secret. Returns undefined for a malformed, unknown or expired secret, and for a
   * person who cannot sign in.
   */
  async find(kind: PersonKind, token: string, from: Origin): Promise<SignInOffer | undefined> {
    const personToken = readPersonToken(token);
    if (!personToken) return undefined;
    const { companyId, tokenHash: linkHash } = personToken;
    const reader = createTenantReader(this.#pool, companyId, NIL);
    const row = await limitUnauthenticatedLookups(from, () => reader.queryOne(people[kind], { linkHash }));
    if (!row) return undefined;
    const { providerId, ...person } = row;
    const providerPath = providerId === null ? undefined : buildStartPath(companyId, providerId, kind);
    const accept = (origin: Origin, device: string) =>
      this.#accept({ kind, companyId, personId: person.id, linkHash, device }, origin);
    return { ...person, providerPath, accept };
  }

  /**
   * Queues a mail with a link to each person with the address, in up to 20 companies. Does the same work for every
   * address, so neither the response nor its time reveals whether a person has it. Pending requests from the same
   * device or network are merged into one. Requests from other devices or networks do not replace them.
   * @param from the network of the request, and the secret of its device, which is empty if the device has none
   */
  async ask(kind: PersonKind, email: string, from: { network: string; device: string }): Promise<void> {
    const { rows } = await this.#pool.query<{ company_id: string; person_id: string }>({
      ...FIND_BY_EMAIL[kind],
      values: [email],
    });
    const people = rows.map((row) => ({ companyId: row.company_id, personId: row.person_id }));
    const { network } = from;
    const device = hashDeviceToken(from.device)?.toString('hex') ?? null;
    const request: LinkRequests = { kind, people, network, device };
    await this.#pool.query({
      name: 'queue_sign_in_links',
      text: `select from graphile_worker.add_job($1, $2::json, job_key => $3 || encode(address_hash($4), 'hex') || ' ' || $5,
                                                 max_attempts => 5, priority => 0)`,
      values: [SEND_SIGN_IN_LINKS, JSON.stringify(request), `${SEND_SIGN_IN_LINKS} ${kind} `, email, device ?? network],
    });
  }

  /** Locks the person first, as deactivation does. After that, the link either exists or has been deleted for good. */
  async #accept(
    { kind, companyId, personId, linkHash, device }: Accepted,
    origin: Origin,
  ): Promise<string | undefined> {
    const token = createPersonToken(companyId);
    const recorder = createPersonRecorder(kind, companyId, personId, { operation: 'signIn' }, origin);
    const begun = createTenantWriter(this.#pool, companyId, { recorder }).transaction(async (tx) => {
      const locked = await tx.mutate(locks[kind], { personId });
      const [session] =
        locked.length > 0 ? await tx.mutate(beginnings[kind], { linkHash, tokenHash: hashPersonToken(token) }) : [];
      if (!session) throw new LinkEnded();
      await boundSessions(tx, kind, personId);
      await rememberDevice(tx, kind, { personId, deviceHash: deviceHashFor(device, token) });
    });
    return begun.then(
      () => token,
      (error: unknown) => {
        if (error instanceof LinkEnded) return undefined;
        throw error;
      },
    );
  }
}

interface Accepted {
  kind: PersonKind;
  companyId: string;
  personId: string;
  linkHash: Buffer;
  device: string;
}

/** An error that rolls back the transaction, so that it leaves no audit entry. */
class LinkEnded extends Error {}
