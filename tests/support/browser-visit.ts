import type { OidcServer } from './oidc-server.ts';
import { askPage, type Page } from './learner.ts';

/** A browser that keeps the cookies of the service, and follows sign-ins with an identity provider. */
export class Visitor {
  readonly cookies = new Map<string, string>();

  async get(path: string, init: RequestInit = {}): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const page = await askPage(path, { ...init, headers: { ...(init.headers as Record<string, string>), cookie } });
    for (const line of page.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split('=') as [string, string];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return page;
  }

  /** Begins a sign-in at a path, and returns the path of the callback to which the provider sends the browser. */
  async goTo(server: OidcServer, path: string): Promise<string> {
    const begun = await this.get(path);
    const location = begun.headers.get('location');
    if (begun.status !== 302 || location === null) throw new Error(`${path} returned ${begun.status}: ${begun.html}`);
    const callback = new URL(await server.visit(location));
    expect(callback.origin).toBe(testService.url);
    return callback.pathname + callback.search;
  }

  /** Signs in at a path, and returns the response of the callback. */
  async signIn(server: OidcServer, path: string): Promise<Page> {
    return this.get(await this.goTo(server, path));
  }
}
