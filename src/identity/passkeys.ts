import { formatFullName } from '../db/expressions.ts';
import { isIP } from 'node:net';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  SettingsService,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type pg from 'pg';
import { NIL, v7 as uuidv7 } from 'uuid';
import { createTenantReader, createTenantWriter } from '../db/tenant-session.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { beginSession, requireSession, SignInRefused, toUndefined } from './begin-session.ts';
import { confirmSession, recordFailedConfirmation } from './confirm-session.ts';
import type { Origin } from '../auth/caller.ts';
import { PasskeyChallenges } from './passkey-challenges.ts';
import * as repository from './passkey-repository.ts';
import { challengeIn, readShown, toPasskeyUserId } from './passkey-responses.ts';
import { type Session, createPersonRecorder } from './person-sessions.ts';
import { lockPerson } from './session-repository.ts';
import { recordSignIn } from './sign-in-log.ts';
import { type ReportPasskeys, restorePasskeys } from './suspended-passkeys.ts';
import { limitUnauthenticatedLookups } from './unauthenticated-lookups.ts';

/** COSE identifiers of EdDSA, ES256 and RS256, the algorithms that devices support. */
const ALGORITHMS = [-8, -7, -257];

const ATTESTATIONS = ['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'mds', 'packed', 'tpm'] as const;

// The service requests no attestations and does not rely on them. With root certificates, the library would check an
// attestation, and would fetch the revocation list from whatever URL the certificate names (SSRF).
for (const identifier of ATTESTATIONS) SettingsService.setRootCertificates({ identifier, certificates: [] });

/** The site of the passkeys: its host and its origin. */
export interface PasskeySite {
  id: string;
  origin: string;
}

/**
 * Returns the site of a public URL; undefined if browsers do not support passkeys there. Passkeys need a host name, and
 * https unless the host is `localhost`.
 */
export function toPasskeySite(publicUrl: string): PasskeySite | undefined {
  const { hostname: id, origin, protocol } = new URL(publicUrl);
  if (isIP(id.replace(/^\[|\]$/g, '')) > 0) return undefined;
  return protocol === 'https:' || id === 'localhost' ? { id, origin } : undefined;
}

/** Reports a sign-in that bypassed the identity provider, in the transaction of the sign-in. */
export type ReportEmergency = (tenant: TenantWriter, adminId: string) => Promise<void>;

/** Passkeys of admins. An admin adds a passkey in a session, and then signs in without an email. */
export class Passkeys {
  readonly #pool: pg.Pool;
  readonly #site: PasskeySite;
  readonly #challenges: PasskeyChallenges;

  constructor(pool: pg.Pool, site: PasskeySite) {
    this.#pool = pool;
    this.#site = site;
    this.#challenges = new PasskeyChallenges(pool);
  }

  /** Creates the options with which a browser has a device create a passkey. */
  async creationOptions({ id, companyId, companyName, email, firstName, lastName, tenant }: Session): Promise<object> {
    const existing = await repository.listPasskeys(tenant, id);
    const options = await generateRegistrationOptions({
      rpName: companyName,
      rpID: this.#site.id,
      userID: toPasskeyUserId(companyId, id),
      userName: email,
      userDisplayName: formatFullName({ firstName, lastName }),
      excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    await this.#challenges.keep(options.challenge, id);
    return options;
  }

  /**
   * Stores a passkey that a device has created.
   * @param report runs in the transaction of the new passkey
   * @returns false for an invalid or expired response, for an existing passkey, for an admin with the maximum number of
   *   passkeys, or if the session has ended
   */
  async add(
    session: Session,
    made: { response: unknown; name: string },
    { origin, report }: { origin: Origin; report: repository.ReportPasskey },
  ): Promise<boolean> {
    const expectedChallenge = challengeIn(made.response);
    if (!(await this.#challenges.take(expectedChallenge, session.id))) return false;
    const verified = await verifyRegistrationResponse({
      response: made.response as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: this.#site.origin,
      expectedRPID: this.#site.id,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(refused);
    if (!verified?.verified) return false;
    const { id: credentialId, publicKey, counter } = verified.registrationInfo.credential;
    const id = uuidv7();
    const targets = [{ field: 'passkeyId', count: 1, ids: [id] }];
    const passkey = {
      ...{ id, adminId: session.id, sessionHash: session.tokenHash, counter, name: made.name },
      credentialId: Buffer.from(credentialId, 'base64url'),
      publicKey: Buffer.from(publicKey),
    };
    return repository.insertPasskey(session.open({ operation: 'addPasskey', targets }, origin), passkey, report);
  }

  /**
   * Creates the options with which a browser asks for a passkey. The options do not list passkeys, so they reveal
   * nothing.
   * @param adminId the admin who confirms who they are; null for a sign-in
   */
  async requestOptions(adminId: string | null): Promise<object> {
    const options = await generateAuthenticationOptions({ rpID: this.#site.id, userVerification: 'required' });
    await this.#challenges.keep(options.challenge, adminId);
    return options;
  }

  /**
   * Signs in an admin with a passkey. Adds the attempt to the sign-in log if the passkey is stored.
   * @param device the secret of the device; empty if the device has none
   * @param report runs in the transaction if admins must sign in with an identity provider, and this one did not
   * @returns the secret of the session; undefined for an invalid response, or an admin who cannot sign in
   */
  async signIn(
    input: unknown,
    { origin, device, report }: { origin: Origin; device: string; report: ReportEmergency },
  ): Promise<string | undefined> {
    const shown = readShown(input);
    if (!shown) return undefined;
    const { companyId, credentialId, response } = shown;
    const reader = createTenantReader(this.#pool, companyId, NIL);
    const storedPasskey = await limitUnauthenticatedLookups(origin, () =>
      reader.queryOne(repository.passkeyByCredential, { credentialId }),
    );
    if (!storedPasskey || !shown.userHandle.equals(toPasskeyUserId(companyId, storedPasskey.adminId))) return undefined;
    const { adminId, isAllowed, isEmergency } = storedPasskey;
    const counter = await this.#verify(response, storedPasskey, null);
    const recorder = createPersonRecorder('admin', companyId, adminId, { operation: 'signIn' }, origin);
    const token =
      counter &&
      isAllowed &&
      (await createTenantWriter(this.#pool, companyId, { recorder })
        .transaction(async (tx) => {
          await tx.mutate(repository.lockAdmin, { adminId });
          if (!(await repository.stampPasskey(tx, { credentialId, ...counter }))) throw new SignInRefused();
          if (isEmergency) await report(tx, adminId);
          const person = { kind: 'admin', personId: adminId, device, method: 'passkey', origin } as const;
          return requireSession(await beginSession(tx, person));
        })
        .catch(toUndefined));
    if (token) return token;
    const reason = counter && !isAllowed ? 'not_allowed' : 'passkey_rejected';
    const attempt = { kind: 'admin', personId: adminId, method: 'passkey', reason, origin } as const;
    await recordSignIn(createTenantWriter(this.#pool, companyId), attempt);
    return undefined;
  }

  /**
   * Confirms a session with a passkey of its admin. Adds the attempt to the sign-in log.
   * @returns false for an invalid response, or a passkey of another person
   */
  async confirm(session: Session, input: unknown, origin: Origin): Promise<boolean> {
    const { id: adminId, tenant } = session;
    const shown = await this.#readOwn(session, input);
    if (!shown) return false;
    const { credentialId, isOwn, isAllowed, counter } = shown;
    const method = 'passkey';
    const isConfirmed =
      counter &&
      (await tenant.transaction(async (tx) => {
        await tx.mutate(repository.lockAdmin, { adminId });
        const isStamped = await repository.stampPasskey(tx, { credentialId, ...counter });
        return isStamped && (await confirmSession(tx, session, { method, origin }));
      }));
    if (isConfirmed) return true;
    const reason = !isOwn ? 'person_differs' : counter && !isAllowed ? 'not_allowed' : 'passkey_rejected';
    await recordFailedConfirmation(session, { method, reason, origin });
    return false;
  }

  /**
   * Restores the suspended passkeys of an admin by using one of them, which also proves the session. Adds a failure to
   * the sign-in log.
   * @returns false for an invalid response, a passkey of another person, or passkeys that cannot be restored
   */
  async restore(
    session: Session,
    input: unknown,
    { origin, report }: { origin: Origin; report: ReportPasskeys },
  ): Promise<boolean> {
    const { id: adminId, tokenHash: sessionHash } = session;
    const shown = await this.#readOwn(session, input);
    const { credentialId, counter } = shown ?? {};
    const isRestored =
      credentialId &&
      counter &&
      (await session
        .open({ operation: 'restorePasskeys' }, origin)
        .transaction(async (tx) => {
          await lockPerson(tx, 'admin', adminId);
          if (!(await repository.stampPasskey(tx, { credentialId, ...counter }, true))) throw new SignInRefused();
          await restorePasskeys(tx, { adminId, sessionHash, proof: credentialId, isLink: false }, report);
          await tx.mutate(repository.proveByPasskey, { sessionHash });
          return true;
        })
        .catch(toUndefined));
    if (isRestored) return true;
    if (shown) {
      const reason = shown.isOwn ? 'passkey_rejected' : 'person_differs';
      await recordFailedConfirmation(session, { method: 'passkey', reason, origin });
    }
    return false;
  }

  /**
   * Reads and verifies a response that must come from a passkey of the session's admin; undefined for a malformed
   * response.
   */
  async #readOwn({ id: adminId, companyId, tenant }: Session, input: unknown): Promise<OwnProof | undefined> {
    const shown = readShown(input);
    if (!shown) return undefined;
    const { credentialId, response } = shown;
    const isOwn = shown.userHandle.equals(toPasskeyUserId(companyId, adminId));
    const stored = isOwn ? await tenant.queryOne(repository.passkeyByCredential, { credentialId }) : undefined;
    const isStored = stored?.adminId === adminId;
    const counter = isStored ? await this.#verify(response, stored, adminId) : undefined;
    return { credentialId, isOwn, isAllowed: stored?.isAllowed ?? false, counter };
  }

  /**
   * Verifies that a device has signed a challenge that the service issued for a purpose: a sign-in (null), or the
   * confirmation of an admin. Returns the device's counter; undefined if the signature or the challenge is invalid.
   */
  async #verify(
    response: AuthenticationResponseJSON,
    passkey: repository.StoredPasskey,
    adminId: string | null,
  ): Promise<{ counter: number } | undefined> {
    const expectedChallenge = challengeIn(response);
    if (!(await this.#challenges.take(expectedChallenge, adminId))) return undefined;
    const verified = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: this.#site.origin,
      expectedRPID: this.#site.id,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: Number(passkey.counter),
      },
    }).catch(refused);
    return verified?.verified ? { counter: verified.authenticationInfo.newCounter } : undefined;
  }
}

/** A response from a passkey that an admin uses in their own session. */
interface OwnProof {
  credentialId: Buffer;
  /** Whether the user handle names the admin. */
  isOwn: boolean;
  /** Whether the passkey can sign the admin in. */
  isAllowed: boolean;
  /** The device's counter; undefined for a passkey that is not stored, or a wrong signature. */
  counter: { counter: number } | undefined;
}

/** Returns undefined if the library throws an error for an invalid response. */
const refused = (): undefined => undefined;
