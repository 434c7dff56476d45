import type pg from 'pg';
import { NIL } from 'uuid';
import { sql } from '../db/sql.ts';
import { mutation, pointQuery } from '../db/statement.ts';
import { createTenantReader, createTenantWriter } from '../db/tenant-session.ts';
import type { Origin } from '../auth/caller.ts';
import { beginSession, requireSession, SignInRefused, toUndefined } from './begin-session.ts';
import { confirmSession } from './confirm-session.ts';
import { hashDeviceToken } from './known-devices.ts';
import { KINDS, personColumns, type Person, type PersonKind } from './people.ts';
import { createPersonRecorder, type Session } from './person-sessions.ts';
import { readPersonToken } from './person-token.ts';
import { buildStartPath } from './providers/identity-providers.ts';
import { allowsMethod } from './sign-in-rules.ts';
import { recordSignIn } from './sign-in-log.ts';
import { limitUnauthenticatedLookups } from './unauthenticated-lookups.ts';

/**
 * The person of a link. `rejection` is null if the link works. `providers` lists the identity providers that the person
 * must choose from to sign in; empty if the person can sign in without a provider.
 */
type LinkRow = Person & {
  rejection: 'person_inactive' | 'link_used' | 'link_expired' | null;
  providers: { id: string; name: string }[];
  /** Whether the person cannot sign in with links. */
  isRefused: boolean;
};

const createFindPerson = (kind: PersonKind) => {
  const { table, column, canSignIn } = KINDS[kind];
  return pointQuery<{ linkHash: Buffer }, LinkRow>(
    `sign_in_link_${kind}`,
    (p) => sql`
      select ${personColumns(p, kind)},
             case when not (${canSignIn}) then 'person_inactive' when s.used_at is not null then 'link_used'
                  when s.expires_at <= now() then 'link_expired' end as rejection,
             (select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name) order by r.id), '[]')
                from identity_providers r where r.company_id = ${p.companyId} and r.${table} = 'required') as providers,
             not ${allowsMethod(p, kind, sql`'sign_in_link'`)} as "isRefused"
        from sign_in_links s
        join ${table} p on p.company_id = ${p.companyId} and p.id = s.${column}
        join companies c on c.id = ${p.companyId}
       where s.company_id = ${p.companyId} and s.token_hash = ${p.linkHash}`,
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

/** Finds a valid link, and marks it as used if it is single-use. */
const createTakeLink = (kind: PersonKind) =>
  mutation<{ linkHash: Buffer }>(`sign_in_take_link_of_${kind}`, (p) => {
    const isValid = sql`company_id = ${p.companyId} and token_hash = ${p.linkHash} and ${KINDS[kind].column} is not null
         and expires_at > now() and used_at is null`;
    return KINDS[kind].isSingleUse
      ? sql`update sign_in_links set used_at = now() where ${isValid} returning company_id`
      : sql`select company_id from sign_in_links where ${isValid} for key share`;
  });
const takeLink = { learner: createTakeLink('learner'), admin: createTakeLink('admin') };

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

/** The task that mails the requested links. Its payload has the ids of people, but no e-mail addresses. */
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

/** The browser that follows a link. */
export interface LinkBrowser {
  origin: Origin;
  /** The secret of the device; empty if the device has none. */
  device: string;
  /** The session of the browser; undefined if it has none. */
  session: Session | undefined;
}

/** The secret of the session that a link has begun; null if the link has confirmed the session of the browser. */
export interface AcceptedLink {
  token: string | null;
}

/** An identity provider with which a person must sign in. */
export interface RequiredProvider {
  name: string;
  /** The path at which the sign-in begins. */
  path: string;
}

/** The person whom a link can sign in. */
export interface SignInOffer extends Person {
  /** The identity providers that the person must choose from to sign in; empty if the link signs in. */
  providers: RequiredProvider[];
  /** Whether the admin must sign in with a passkey instead. */
  mustUsePasskey: boolean;
  /**
   * Signs the person in. If the browser has a session of the same admin, the link confirms it instead.
   * @returns undefined if the link has ended, or if the person can no longer sign in
   */
  accept: (browser: LinkBrowser) => Promise<AcceptedLink | undefined>;
}

/**
 * Mailed links that sign people in. A learner's link works until it expires, so that the email can be used twice. An
 * admin's link works once.
 */
export class SignInLinks {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Finds the person of a link by its secret. Returns undefined for a malformed, unknown, used or expired secret, and
   * for a person who cannot sign in. Only somebody with the email knows the secret of a link that has ended, so the
   * attempt is added to the sign-in log.
   */
  async find(kind: PersonKind, token: string, from: Origin): Promise<SignInOffer | undefined> {
    const personToken = readPersonToken(token);
    if (!personToken) return undefined;
    const { companyId, tokenHash: linkHash } = personToken;
    const reader = createTenantReader(this.#pool, companyId, NIL);
    const found = await limitUnauthenticatedLookups(from, () => reader.queryOne(people[kind], { linkHash }));
    if (!found) return undefined;
    const { rejection, providers: required, isRefused, ...person } = found;
    if (rejection) {
      const attempt = { kind, personId: person.id, method: 'sign_in_link', reason: rejection, origin: from } as const;
      await recordSignIn(createTenantWriter(this.#pool, companyId), attempt);
      return undefined;
    }
    const providers = required.map(({ id, name }) => ({ name, path: buildStartPath(companyId, id, kind) }));
    const accept = (browser: LinkBrowser) => this.#accept({ kind, companyId, personId: person.id, linkHash }, browser);
    return { ...person, providers, mustUsePasskey: isRefused && providers.length === 0, accept };
  }

  /**
   * Queues an email with a link to each person who has the e-mail address, in up to 20 companies. Does the same work
   * for every address, so neither the response nor its time reveals whether a person has it. Pending requests from the
   * same device or network are merged into one. Requests from other devices or networks do not replace them.
   * @param from the network of the request, and the secret of its device, which is empty if the device has none
   */
  async ask(kind: PersonKind, email: string, from: { network: string; device: string }): Promise<void> {
    const { rows } = await this.#pool.query<{ company_id: string; person_id: string }>({
      ...FIND_BY_EMAIL[kind],
      values: [email],
    });
    const people = rows.map((row) => ({ companyId: row.company_id, personId: row.person_id }));
    await this.#queue({ kind, people }, `${kind} `, { email, ...from });
  }

  /** Queues an email with a link to the person of a session. The email counts towards the same limits. */
  async askFor({ kind, companyId, id, email }: Session, from: { network: string; device: string }): Promise<void> {
    await this.#queue({ kind, people: [{ companyId, personId: id }] }, `${kind} ${id} `, { email, ...from });
  }

  /** @param name prefix of the job's name; a pending job with the same name, e-mail address and origin is replaced */
  async #queue(
    recipients: Pick<LinkRequests, 'kind' | 'people'>,
    name: string,
    { email, network, device: deviceToken }: { email: string; network: string; device: string },
  ): Promise<void> {
    const device = hashDeviceToken(deviceToken)?.toString('hex') ?? null;
    const request: LinkRequests = { ...recipients, network, device };
    await this.#pool.query({
      name: 'queue_sign_in_links',
      text: `select from graphile_worker.add_job($1, $2::json, job_key => $3 || encode(address_hash($4), 'hex') || ' ' || $5,
                                                 max_attempts => 5, priority => 0)`,
      values: [SEND_SIGN_IN_LINKS, JSON.stringify(request), `${SEND_SIGN_IN_LINKS} ${name}`, email, device ?? network],
    });
  }

  /** Locks the person first, as deactivation does. After that, the link either exists or has been deleted for good. */
  async #accept(
    { kind, companyId, personId, linkHash }: Accepted,
    { origin, device, session }: LinkBrowser,
  ): Promise<AcceptedLink | undefined> {
    const isOwn = kind === 'admin' && session?.id === personId && session.companyId === companyId;
    const recorder = createPersonRecorder(kind, companyId, personId, { operation: 'signIn' }, origin);
    return createTenantWriter(this.#pool, companyId, { recorder })
      .transaction(async (tx) => {
        const locked = await tx.mutate(locks[kind], { personId });
        const taken = locked.length > 0 ? await tx.mutate(takeLink[kind], { linkHash }) : [];
        if (taken.length === 0) throw new SignInRefused();
        const method = 'sign_in_link';
        if (isOwn && (await confirmSession(tx, session, { method, origin }))) return { token: null };
        return { token: requireSession(await beginSession(tx, { kind, personId, device, method, origin })) };
      })
      .catch(toUndefined);
  }
}

interface Accepted {
  kind: PersonKind;
  companyId: string;
  personId: string;
  linkHash: Buffer;
}
