import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Logger } from '../observability/logger.ts';

/** Values derived from the secrets in the environment. The first secret signs; all of them verify. */
export class Secrets {
  readonly #secrets: readonly string[];

  /** Generates a random secret for this process if none is given. */
  constructor(secrets: readonly string[], logger: Logger) {
    this.#secrets = secrets.length > 0 ? secrets : [randomBytes(32).toString('hex')];
    if (secrets.length === 0) {
      logger.warn('OAUTH_SECRET is not set; pending approvals are bound to this process and end with it');
    }
  }

  /** Keys that sign the cookies. */
  get cookieKeys(): string[] {
    return this.#secrets.map((secret) => derive(secret, 'cookie'));
  }

  /** Returns a form's token, which proves that the form came from our page, at the stage that `subject` names. */
  formToken(subject: string): string {
    return derive(this.#secrets[0]!, `form ${subject}`);
  }

  isFormToken(token: string, subject: string): boolean {
    return this.#secrets.some((secret) => isSame(token, derive(secret, `form ${subject}`)));
  }
}

function derive(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

function isSame(a: string, b: string): boolean {
  return Buffer.byteLength(a) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
