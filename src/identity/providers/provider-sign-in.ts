import type pg from 'pg';
import { NIL } from 'uuid';
import type { AccountType, Origin } from '../../auth/caller.ts';
import { literal, sql } from '../../db/sql.ts';
import { mutation, pointQuery, query } from '../../db/statement.ts';
import { createTenantReader, createTenantWriter } from '../../db/tenant-session.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { beginSession } from '../begin-session.ts';
import { confirmSession } from '../confirm-session.ts';
import { KINDS, type PersonKind } from '../people.ts';
import { createPersonRecorder, type Session } from '../person-sessions.ts';
import type { ProviderAccess } from './identity-providers.ts';
import { recordSignIn, type SignInAction } from '../sign-in-log.ts';
import type { ReportedPerson } from './reported-person.ts';
import type { SamlAssertion } from './saml-client.ts';
import { isPersonFault, SignInFault } from './sign-in-fault.ts';
import { useAssertion } from './used-assertions.ts';

interface Lookup {
  providerId: string;
  subject: string;
  emailKey: string;
}

/** A person in this service who might be the reported person. */
interface MatchedPerson {
  id: string;
  /** The role of an admin; null for a learner. */
  role: string | null;
  roleId: string | null;
  /** Whether a directory provisions the admin, and thus decides the role. */
  isInDirectory: boolean;
  canSignIn: boolean;
  /** The provider's id of the person; null if none is valid. */
  subject: string | null;
  /** Whether the person's e-mail address has changed since the provider identified the person. */
  isStale: boolean;
}

/** The person whom a provider has identified. */
export type IdentifiedPerson = Pick<MatchedPerson, 'id' | 'role' | 'roleId' | 'isInDirectory'>;

const createFind = (kind: PersonKind) => {
  const { table, column, canSignIn, emailKey } = KINDS[kind];
  const role =
    kind === 'admin'
      ? sql`p.role, p.role_id as "roleId", p.directory_learner_id is not null as "isInDirectory"`
      : sql`null::text as role, null::uuid as "roleId", false as "isInDirectory"`;
  const person = sql`p.id, ${role}, ${canSignIn} as "canSignIn", i.subject, coalesce(i.stale, false) as "isStale"`;
  return {
    bySubject: pointQuery<Lookup, MatchedPerson>(
      `provider_${kind}_by_subject`,
      (p) => sql`
        select ${person}
          from provider_identities i join ${table} p on p.company_id = ${p.companyId} and p.id = i.${column}
         where i.company_id = ${p.companyId} and i.provider_id = ${p.providerId} and i.kind = ${literal(kind)}
           and i.subject = ${p.subject}`,
    ),
    byEmail: pointQuery<Lookup, MatchedPerson>(
      `provider_${kind}_by_email`,
      (p) => sql`
        select ${person}
          from ${table} p left join provider_identities i on i.company_id = ${p.companyId} and i.person_id = p.id
               and i.provider_id = ${p.providerId} and not i.stale and not i.merged
         where p.company_id = ${p.companyId} and ${emailKey} = lower(${p.emailKey})`,
    ),
  };
};
const finding = { learner: createFind('learner'), admin: createFind('admin') };

const createLock = (kind: PersonKind) =>
  mutation<{ personId: string; providerId: string }, { id: string }>(
    `provider_lock_${kind}`,
    (p) => sql`
      select p.id from ${KINDS[kind].table} p
        join identity_providers i on i.company_id = ${p.companyId} and i.id = ${p.providerId}
       where p.company_id = ${p.companyId} and p.id = ${p.personId} and ${KINDS[kind].canSignIn}
         and i.${KINDS[kind].table} <> 'off'
         for no key update of p for share of i`,
  );
const locks = { learner: createLock('learner'), admin: createLock('admin') };

interface Identity {
  personId: string;
  providerId: string;
  subject: string;
}

/**
 * Finds the entry of an id that the person got in a merge. It is kept in addition to the entry of the person's own id.
 */
const createKeepMerged = (kind: PersonKind) =>
  mutation<Identity, { id: string }>(
    `provider_identity_keep_merged_${kind}`,
    (p) => sql`
      select person_id as id from provider_identities
       where company_id = ${p.companyId} and provider_id = ${p.providerId} and kind = ${literal(kind)}
         and subject = ${p.subject} and person_id = ${p.personId} and merged and not stale
         for update`,
  );
const keepingMerged = { learner: createKeepMerged('learner'), admin: createKeepMerged('admin') };

/** Deletes an earlier entry of the id, and the person's entry from before a change of e-mail address. */
const createForget = (kind: PersonKind) =>
  mutation<Identity>(
    `provider_identity_forget_${kind}`,
    (p) => sql`
      delete from provider_identities
       where company_id = ${p.companyId} and provider_id = ${p.providerId} and kind = ${literal(kind)}
         and (subject = ${p.subject} or person_id = ${p.personId} and stale)`,
  );
const forgetting = { learner: createForget('learner'), admin: createForget('admin') };

const createRemember = (kind: PersonKind) =>
  mutation<Identity, { id: string }>(
    `provider_identity_remember_${kind}`,
    (p) => sql`
      insert into provider_identities
        (company_id, provider_id, kind, subject, person_id, ${KINDS[kind].column})
      select p.company_id, ${p.providerId}, ${literal(kind)}, ${p.subject}, p.id, p.id
        from ${KINDS[kind].table} p where p.company_id = ${p.companyId} and p.id = ${p.personId}
      on conflict do nothing
      returning person_id as id`,
  );
const remembering = { learner: createRemember('learner'), admin: createRemember('admin') };

interface CompanyFacts {
  hasDirectory: boolean;
  /** Whether learners can only have addresses at the domain of the company. */
  isLocked: boolean;
  accountType: AccountType;
  modules: string[];
}

const directory = query<object, CompanyFacts & { id: string }>(
  'provider_company',
  (p) => sql`
    select c.id, c.account_type as "accountType", c.domain_lock as "isLocked",
           enabled_modules(c.smlearn, c.smphish, c.smpolicy, c.smbreachproenabled) as modules,
           exists (select from directory_learners d where d.company_id = ${p.companyId})
           or exists (select from api_keys k where k.company_id = ${p.companyId} and 'scim' = any(k.scopes)
                         and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())) as "hasDirectory"
      from companies c where c.id = ${p.companyId}`,
);

/** Sign-in of one person whom a provider has reported. */
export class ProviderSignIn {
  readonly #provider: ProviderAccess;
  readonly #kind: PersonKind;
  readonly #reported: ReportedPerson;
  readonly #reader: TenantReader;
  readonly #log: TenantWriter;
  readonly #openWriter: (personId: string, origin: Origin) => TenantWriter;

  constructor(pool: pg.Pool, provider: ProviderAccess, kind: PersonKind, reported: ReportedPerson) {
    const { companyId } = provider;
    this.#provider = provider;
    this.#kind = kind;
    this.#reported = reported;
    this.#reader = createTenantReader(pool, companyId, NIL);
    this.#log = createTenantWriter(pool, companyId);
    this.#openWriter = (personId, origin) => {
      const recorder = createPersonRecorder(kind, companyId, personId, { operation: 'signIn' }, origin);
      return createTenantWriter(pool, companyId, { recorder });
    };
  }

  /**
   * Finds the person; undefined if the company has no such person.
   * @throws {SignInFault} if the person cannot sign in, if the id or the e-mail address belongs to somebody else, or if
   *   the e-mail address is not verified
   */
  async find(): Promise<IdentifiedPerson | undefined> {
    const { subject, email, isEmailVerified } = this.#reported;
    const { bySubject, byEmail } = finding[this.#kind];
    const lookup = { providerId: this.#provider.id, subject, emailKey: email };
    const known = await this.#reader.queryOne(bySubject, lookup);
    if (known && !known.isStale) return requireActive(known);
    if (email === '') throw new SignInFault('email_missing', { personId: known?.id });
    const found = await this.#reader.queryOne(byEmail, lookup);
    if (!found) return undefined;
    if (!isEmailVerified) throw new SignInFault('email_unverified', { personId: found.id });
    const isOfOther = found.subject !== null || (known && known.id !== found.id);
    if (isOfOther) throw new SignInFault('identity_differs', { personId: found.id });
    return requireActive(found);
  }

  /** Adds a failure to the sign-in log, if it concerns the person. */
  async recordFault(
    { reason, personId }: SignInFault,
    origin: Origin,
    action: SignInAction = 'sign_in',
  ): Promise<void> {
    if (!isPersonFault(reason)) return;
    const attempt = { kind: this.#kind, personId, method: 'identity_provider', action, reason, origin } as const;
    await recordSignIn(this.#log, attempt);
  }

  /** Returns the company's settings that decide whether the provider can create a learner. */
  async findCompany(): Promise<CompanyFacts> {
    return (await this.#reader.queryAll(directory, {}))[0]!;
  }

  /**
   * Begins a session, and remembers the provider's id of the person. @param assertion the assertion that identified the
   * person, if it could be sent again
   * @param device the secret of the device; empty if the device has none
   * @returns the secret of the session
   * @throws {SignInFault} if the person can no longer sign in, the provider has been disabled, or the assertion has
   *   already signed somebody in
   */
  async accept(
    personId: string,
    assertion: SamlAssertion | undefined,
    { origin, device }: { origin: Origin; device: string },
  ): Promise<string> {
    const kind = this.#kind;
    const identity = { personId, providerId: this.#provider.id, subject: this.#reported.subject };
    return this.#openWriter(personId, origin).transaction(async (tx) => {
      if ((await tx.mutate(locks[kind], identity)).length === 0) throw new SignInFault('provider_off');
      if (assertion) await useAssertion(tx, identity.providerId, assertion);
      if (!(await remember(tx, kind, identity))) throw new SignInFault('identity_differs', { personId });
      const { subject, sessionId, nameIdAttributes, sessionExpiresAt: endsAt } = this.#reported;
      const provider = { id: identity.providerId, subject, sessionId, nameIdAttributes, endsAt };
      const person = { kind, personId, device, method: 'identity_provider', provider, origin } as const;
      const token = await beginSession(tx, person);
      if (token === undefined) throw new SignInFault('person_unknown', { personId });
      return token;
    });
  }

  /**
   * Confirms a session of an admin, if the provider has just signed in the same person. Adds the attempt to the sign-in
   * log.
   * @throws {SignInFault}
   */
  async confirm(session: Session, assertion: SamlAssertion | undefined, origin: Origin): Promise<void> {
    try {
      const found = await this.find();
      if (found?.id !== session.id) throw new SignInFault('person_differs', { personId: session.id });
      if (!isRecent(this.#reported)) throw new SignInFault('sign_in_not_recent', { personId: session.id });
      await this.#log.transaction(async (tx) => {
        const identity = { personId: session.id, providerId: this.#provider.id };
        if ((await tx.mutate(locks.admin, identity)).length === 0) throw new SignInFault('provider_off');
        if (assertion) await useAssertion(tx, identity.providerId, assertion);
        if (!(await confirmSession(tx, session, { method: 'identity_provider', origin })))
          throw new SignInFault('person_unknown', { personId: session.id });
      });
    } catch (error) {
      if (!(error instanceof SignInFault)) throw error;
      // The confirmation of this session has failed, even if the fault is about another person.
      const fault = new SignInFault(error.reason, { cause: error, personId: session.id });
      await this.recordFault(fault, origin, 'confirmation');
      throw fault;
    }
  }
}

/**
 * Maximum time since the sign-in at the provider when a session is confirmed. The provider was asked to sign the person
 * in again, so this only allows for its further pages and for clock differences.
 */
const MAX_AUTH_AGE_SECONDS = 300;

/** Reports whether a person has just signed in at the provider. */
function isRecent({ authTime }: ReportedPerson): boolean {
  return authTime !== undefined && Math.abs(Date.now() / 1000 - authTime) <= MAX_AUTH_AGE_SECONDS;
}

/**
 * Remembers the provider's id of a person. Returns false if the person already has another id, or the id belongs to
 * another person.
 */
async function remember(tx: TenantWriter, kind: PersonKind, identity: Identity): Promise<boolean> {
  if ((await tx.mutate(keepingMerged[kind], identity)).length > 0) return true;
  await tx.mutate(forgetting[kind], identity);
  return (await tx.mutate(remembering[kind], identity)).length > 0;
}

/** @throws {SignInFault} if the person cannot sign in */
function requireActive(person: MatchedPerson): MatchedPerson {
  if (!person.canSignIn) throw new SignInFault('person_unknown', { personId: person.id });
  return person;
}
