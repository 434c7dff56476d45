import type pg from 'pg';
import { NIL } from 'uuid';
import { type Sql, sql } from '../db/sql.ts';
import { mutation, pointQuery, type Parameters } from '../db/statement.ts';
import { createTenantReader, createTenantWriter } from '../db/tenant-session.ts';
import type { Origin } from '../auth/caller.ts';
import { deviceHashFor, hashDeviceToken, rememberDevice } from './known-devices.ts';
import { KINDS, PERSON, type Person, type PersonKind } from './people.ts';
import { boundSessions, createPersonRecorder } from './person-sessions.ts';
import { createPersonToken, hashPersonToken, readPersonToken } from './person-token.ts';
import { limitUnauthenticatedLookups } from './unauthenticated-lookups.ts';

const createFindPerson = (kind: PersonKind) => {
  const { table, column, canSignIn: mayEnter } = KINDS[kind];
  return pointQuery<{ linkHash: Buffer }, Person>(
    `sign_in_link_${kind}`,
    (p) => sql`
      select ${PERSON}
        from sign_in_links s
        join ${table} p on p.company_id = ${p.companyId} and p.id = s.${column}
        join companies c on c.id = ${p.companyId}
       where s.company_id = ${p.companyId} and s.token_hash = ${p.linkHash} and ${mayEnter} and s.expires_at > now()`,
  );
};
const people = { learner: createFindPerson('learner'), admin: createFindPerson('admin') };

const createLockPerson = (kind: PersonKind) =>
  mutation<{ personId: string }>(
    `sign_in_lock_${kind}`,
    (p) => sql`
      select p.id from ${KINDS[kind].table} p
       where p.company_id = ${p.companyId} and p.id = ${p.personId} and ${KINDS[kind].canSignIn}
         for share of p`,
  );
const locks = { learner: createLockPerson('learner'), admin: createLockPerson('admin') };

/** A link that works once ends with its use. */
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

/** The task that mails links to those who asked. Its payload has their ids, and no address. */
export const SEND_SIGN_IN_LINKS = 'send_sign_in_links';
export interface LinkRequests extends LinkAsker {
  kind: PersonKind;
  people: { companyId: string; personId: string }[];
}

/** Where a request for a link comes from. */
export interface LinkAsker {
  network: string;
  /** The SHA-256 of the secret of the device in hexadecimal; null for a device without one. */
  device: string | null;
}

/** Whom a link lets in. */
export interface SignInOffer extends Person {
  /**
   * Signs them in.
   * @param device the secret of the device; empty for one that has none yet
   * @returns the session's secret; undefined when the link or the person has ended meanwhile
   */
  accept: (origin: Origin, device: string) => Promise<string | undefined>;
}

/**
 * Turns the secret of a mailed link into a session. That of a learner works until it expires, so that a mail can be read
 * twice; that of an admin works once.
 */
export class SignInLinks {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Undefined for a secret that is malformed, unknown, expired, or of somebody who may not come in. */
  async find(kind: PersonKind, token: string, from: Origin): Promise<SignInOffer | undefined> {
    const personToken = readPersonToken(token);
    if (!personToken) return undefined;
    const { companyId, tokenHash: linkHash } = personToken;
    const reader = createTenantReader(this.#pool, companyId, NIL);
    const person = await limitUnauthenticatedLookups(from, () => reader.queryOne(people[kind], { linkHash }));
    if (!person) return undefined;
    const accept = (origin: Origin, device: string) =>
      this.#accept({ kind, companyId, personId: person.id, linkHash, device }, origin);
    return { ...person, accept };
  }

  /**
   * Has a link mailed to each person with the address, who may be one in several companies. It does the same for every
   * address, so that neither the answer nor its time says whether somebody is known. Requests from one place that come
   * together make one mail; those from another place do not replace them.
   * @param from the network of the request, and the secret of its device; empty for a device without one
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

  /** Locks the person first, as what deactivates them does: then the link is there, or it is not. */
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

/** Takes the transaction back, which then leaves no entry. */
class LinkEnded extends Error {}
