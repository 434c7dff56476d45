import type { Request, Response } from 'express';

/**
 * Cookie with the secret of a session, a device or a sign-in in progress. Scripts cannot read it, and requests from
 * other sites carry it only if a person follows a link. Over https, the prefix of its name prevents other hosts of the
 * domain from setting it.
 */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;
  readonly #lasts: string;

  /** @param maxAgeSeconds undefined for a cookie that ends with the browser */
  constructor(name: string, publicUrl: string, maxAgeSeconds?: number) {
    const isSecure = publicUrl.startsWith('https:');
    this.#name = `${isSecure ? '__Host-' : ''}${name}`;
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
    this.#lasts = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  }

  /** Returns the secret of a request, or an empty string if it has none. If it has several, the first counts. */
  read(req: Request): string {
    const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const begin = `${this.#name}=`;
    return pairs.find((pair) => pair.startsWith(begin))?.slice(begin.length) ?? '';
  }

  set(res: Response, token: string): void {
    res.append('Set-Cookie', `${this.#name}=${token}; ${this.#attributes}${this.#lasts}`);
  }

  clear(res: Response): void {
    res.append('Set-Cookie', `${this.#name}=; ${this.#attributes}; Max-Age=0`);
  }
}
