import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';

/** The claims of the person whom the provider signs in. */
export type Claims = { sub: string } & Record<string, unknown>;

export const CLIENT = { client_id: 'awareness', client_secret: 'the-secret-of-the-client' };

export interface OidcServerOptions {
  /** Key and certificate, for https. */
  tls?: ServerOptions;
  /** Further settings of the provider. */
  configuration?: Configuration;
}

/** An identity provider on loopback, which signs in `person` without asking. */
export class OidcServer {
  person: Claims = { sub: 'nobody' };
  /** Time since the person signed in at the provider, which it reports instead of now. */
  secondsSinceSignIn = 0;
  /** Requests in order, as method and path. */
  readonly requests: string[] = [];
  readonly #server: Server;
  #issuer = '';

  readonly #options: OidcServerOptions;

  constructor(options: OidcServerOptions = {}) {
    this.#options = options;
    this.#server = options.tls ? createSecureServer(options.tls) : createServer();
  }

  get issuer(): string {
    return this.#issuer;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    this.#issuer = this.#options.tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  }

  /** Starts to serve sign-ins that return to a URL. @param client further settings of the client */
  serve(redirectUri: string, client: object = {}): void {
    // The library warns about its in-memory storage and its known keys, which are meant for tests.
    const { warn } = globalThis.console;
    Object.assign(globalThis.console, { warn: () => undefined });
    const provider = new Provider(this.#issuer, {
      clients: [{ ...CLIENT, redirect_uris: [redirectUri], ...client }],
      scopes: ['openid', 'email', 'profile', 'groups'],
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['given_name', 'family_name', 'name'],
        groups: ['groups'],
      },
      conformIdTokenClaims: false,
      cookies: { keys: ['of-the-tests'] },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      features: { devInteractions: { enabled: false } },
      findAccount: () => ({ accountId: this.person.sub, claims: () => this.person }),
      interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
      loadExistingGrant: async (ctx) => {
        const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client!.clientId, accountId: this.person.sub });
        grant.addOIDCScope('openid email profile groups');
        await grant.save();
        return grant;
      },
      ...this.#options.configuration,
    });
    Object.assign(globalThis.console, { warn });
    const handle = provider.callback();
    this.#server.on('request', (req, res) => {
      this.requests.push(`${req.method} ${req.url!.split('?')[0]}`);
      if (!req.url!.startsWith('/interaction/')) return void handle(req, res);
      const ts = Math.floor(Date.now() / 1000) - this.secondsSinceSignIn;
      void provider.interactionFinished(req, res, { login: { accountId: this.person.sub, ts } });
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /**
   * Follows a URL as a browser does, until the provider redirects the browser elsewhere.
   * @returns the URL to which the provider sends the browser
   */
  async visit(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    for (let at = url; ;) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [name, value] = line.split(';')[0]!.split('=') as [string, string];
        cookies.set(name, value);
      }
      const next = response.headers.get('location');
      if (next === null) throw new Error(`${at} returned ${response.status}: ${(await response.text()).slice(0, 500)}`);
      at = new URL(next, at).href;
      if (!at.startsWith(this.#issuer)) return at;
    }
  }
}
