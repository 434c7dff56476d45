import type { Request, Response } from 'express';
import { randomBytes } from 'node:crypto';
import type { SealedSecrets } from '../../auth/sealed-secrets.ts';
import { ApiError } from '../../contract/errors.ts';
import { SessionCookie } from '../../http/html/session-cookie.ts';
import type { EndedSignIn } from '../../identity/saml/logout-messages.ts';

/** Time in which the person can also sign out of the provider. */
const LASTS_SECONDS = 15 * 60;

/** A sign-in that has ended here, and can be ended at its SAML provider. */
export interface SignedOut extends EndedSignIn {
  /** The ID of the request to the provider. */
  requestId: string;
}

/**
 * The cookie of the page after a sign-out. It holds the data that the provider needs to end its session; the service
 * has deleted this data together with its own session. The cookie is sealed, so nobody can make the service request the
 * end of somebody else's session.
 */
export class SignedOutCookie {
  readonly #secrets: SealedSecrets;
  readonly #cookie: SessionCookie;

  constructor(secrets: SealedSecrets, publicUrl: string) {
    this.#secrets = secrets;
    this.#cookie = new SessionCookie('signed-out', publicUrl, LASTS_SECONDS);
  }

  /** Sets the cookie, unless the operator has set no key for secrets. */
  set(res: Response, providerId: string, ended: EndedSignIn): void {
    const requestId = `_${randomBytes(20).toString('hex')}`;
    const sealed = withoutKey(() => {
      return this.#secrets.seal(JSON.stringify({ ...ended, requestId } satisfies SignedOut), toOwner(providerId));
    });
    if (sealed) this.#cookie.set(res, sealed.toString('base64url'));
  }

  /** Reads the cookie; undefined if there is none, or if it belongs to another provider. */
  read(req: Request, providerId: string): SignedOut | undefined {
    const sealed = Buffer.from(this.#cookie.read(req), 'base64url');
    const text = sealed.length === 0 ? undefined : withoutKey(() => this.#secrets.open(sealed, toOwner(providerId)));
    return text === undefined ? undefined : (JSON.parse(text) as SignedOut);
  }

  clear(res: Response): void {
    this.#cookie.clear(res);
  }
}

/**
 * Returns the owner of the sealed text. No other secret has this owner, so no other secret can be mistaken for a
 * cookie.
 */
function toOwner(providerId: string): string {
  return `signed out of ${providerId}`;
}

/** Returns the result of sealing or opening; undefined if no key fits. */
function withoutKey<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'secrets_key_missing') return undefined;
    throw error;
  }
}
