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
import { beginAdminSession } from './admin-session.ts';
import type { Origin } from '../auth/caller.ts';
import { PasskeyChallenges } from './passkey-challenges.ts';
import * as repository from './passkey-repository.ts';
import { type Session, createPersonRecorder } from './person-sessions.ts';
import { limitUnauthenticatedLookups } from './unauthenticated-lookups.ts';

/** EdDSA, ES256 and RS256: what devices have. */
const ALGORITHMS = [-8, -7, -257];

const ATTESTATIONS = ['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'mds', 'packed', 'tpm'] as const;

// We ask for no attestation and rest nothing on one. With roots to check one against, the library would fetch the revocation
// list that a certificate in it names, from any address.
for (const identifier of ATTESTATIONS) SettingsService.setRootCertificates({ identifier, certificates: [] });

/** The site that passkeys are for: its host and its origin. */
export interface PasskeySite {
  id: string;
  origin: string;
}

/** Browsers have passkeys for names of hosts alone, and but for `localhost` over https. Undefined where they have none. */
export function toPasskeySite(publicUrl: string): PasskeySite | undefined {
  const { hostname: id, origin, protocol } = new URL(publicUrl);
  if (isIP(id.replace(/^\[|\]$/g, '')) > 0) return undefined;
  return protocol === 'https:' || id === 'localhost' ? { id, origin } : undefined;
}

/** Passkeys of admins: each is made in a session, and signs in without a mail. */
export class Passkeys {
  readonly #pool: pg.Pool;
  readonly #site: PasskeySite;
  readonly #challenges: PasskeyChallenges;

  constructor(pool: pg.Pool, site: PasskeySite) {
    this.#pool = pool;
    this.#site = site;
    this.#challenges = new PasskeyChallenges(pool);
  }

  /** What a browser needs to have a device make a passkey. */
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
   * Keeps what a device has made.
   * @param report is run in the transaction of the new passkey
   * @returns false for an answer that is not right, not fresh, or of one passkey too many
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

  /** What a browser needs to ask for a passkey. It is not known whose. */
  async requestOptions(): Promise<object> {
    const options = await generateAuthenticationOptions({ rpID: this.#site.id, userVerification: 'required' });
    await this.#challenges.keep(options.challenge, null);
    return options;
  }

  /**
   * Signs in who shows a passkey.
   * @param device the secret of the device; empty for one that has none yet
   * @returns the session's secret; undefined for an answer that is not right
   */
  async signIn(given: unknown, origin: Origin, device: string): Promise<string | undefined> {
    const shown = readShown(given);
    if (!shown) return undefined;
    const { companyId, credentialId, response } = shown;
    const reader = createTenantReader(this.#pool, companyId, NIL);
    const storedPasskey = await limitUnauthenticatedLookups(origin, () =>
      reader.queryOne(repository.passkeyByCredential, { credentialId }),
    );
    if (!storedPasskey || !shown.userHandle.equals(toPasskeyUserId(companyId, storedPasskey.adminId))) return undefined;
    const expectedChallenge = challengeIn(response);
    if (!(await this.#challenges.take(expectedChallenge, null))) return undefined;
    const verified = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: this.#site.origin,
      expectedRPID: this.#site.id,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(storedPasskey.publicKey),
        counter: Number(storedPasskey.counter),
      },
    }).catch(refused);
    if (!verified?.verified) return undefined;
    const recorder = createPersonRecorder('admin', companyId, storedPasskey.adminId, { operation: 'signIn' }, origin);
    return createTenantWriter(this.#pool, companyId, { recorder }).transaction(async (tx) => {
      await tx.mutate(repository.lockAdmin, { adminId: storedPasskey.adminId });
      const use = { credentialId, counter: verified.authenticationInfo.newCounter };
      return (await repository.stampPasskey(tx, use))
        ? beginAdminSession(tx, storedPasskey.adminId, device)
        : undefined;
    });
  }
}

/** What the device keeps of its owner: the company, and the admin. */
function toPasskeyUserId(companyId: string, adminId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`${companyId}${adminId}`.replaceAll('-', ''), 'hex'));
}

interface Shown {
  companyId: string;
  userHandle: Buffer;
  credentialId: Buffer;
  response: AuthenticationResponseJSON;
}

const USER_BYTES = 32;

/** Reads as much of an answer as it takes to find the passkey. Undefined for what is none. */
function readShown(given: unknown): Shown | undefined {
  const response = given as Partial<AuthenticationResponseJSON> | null;
  const [id, handle]: unknown[] = [response?.id, response?.response?.userHandle];
  if (typeof id !== 'string' || typeof handle !== 'string') return undefined;
  const userHandle = Buffer.from(handle, 'base64url');
  if (userHandle.length !== USER_BYTES) return undefined;
  const companyId = userHandle.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return {
    companyId,
    userHandle,
    credentialId: Buffer.from(id, 'base64url'),
    response: response as AuthenticationResponseJSON,
  };
}

/** The challenge that an answer says it is for; empty when it says none. */
function challengeIn(given: unknown): string {
  try {
    const { clientDataJSON } = (given as RegistrationResponseJSON).response;
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/** The library throws for whatever is not right in an answer. */
const refused = (): undefined => undefined;
