import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Authority, type ServerCertificate } from '../support/certificates.ts';

type Respond = (response: ServerResponse, form: URLSearchParams) => void;

/** The token endpoint of a provider, on loopback over TLS. It issues a new token for each request. */
export class TokenServer {
  /** Forms of the requests, in order. */
  requests: Record<string, string>[] = [];
  /** Tokens that are valid. */
  readonly valid = new Set<string>();
  lifetimeS: number | undefined = 3600;
  /** User whose tokens it issues. */
  user = 'reports@tenant.test';
  /** Handler that responds instead of the endpoint, until it is removed. */
  respond: Respond | undefined;
  /** Time by which the `Date` of responses is ahead. */
  skewMs = 0;
  /** Certificate of the authority, in PEM. */
  readonly ca: string;
  /** Certificate for `localhost`, for other servers of the provider. */
  readonly certificate: ServerCertificate;

  readonly #server;
  /** Reports to other servers of this machine whether a token is valid. */
  readonly #inspector = createPlainServer((request, response) => {
    const token = new URL(request.url!, 'http://localhost').searchParams.get('access_token')!;
    if (this.valid.has(token)) sendJson(response, 200, { user: this.user });
    else sendJson(response, 401, { error: 'invalid_token' });
  });
  readonly #folder = mkdtempSync(join(tmpdir(), 'token-server-'));
  #issued = 0;

  private constructor(ca: string, certificate: ServerCertificate) {
    const server = createServer(certificate);
    this.#server = server;
    this.ca = ca;
    this.certificate = certificate;
    server.on('request', (request, response) => void this.#answer(request, response));
    writeFileSync(this.caFile, ca);
  }

  static async start(): Promise<TokenServer> {
    const authority = await Authority.create();
    const certificate = await authority.certify({ type: 'dns', value: 'localhost' });
    const server = new TokenServer(authority.pem, certificate);
    for (const each of [server.#server, server.#inspector]) await once(each.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  get url(): string {
    return `https://localhost:${(this.#server.address() as AddressInfo).port}/token`;
  }

  /** URL that responds with 200 if a valid token is appended. */
  get inspectionUrl(): string {
    return `http://127.0.0.1:${(this.#inspector.address() as AddressInfo).port}/?access_token=`;
  }

  /** Issues a token for a client of a test. */
  issue(): string {
    const token = `token-${++this.#issued}-${'x'.repeat(1500)}`;
    this.valid.add(token);
    return token;
  }

  /** File with the certificate of the authority, for `NODE_EXTRA_CA_CERTS`. */
  get caFile(): string {
    return join(this.#folder, 'ca.pem');
  }

  /** Settings of a process that gets its tokens here with client credentials. */
  settings(prefix = 'MAIL_OAUTH'): Record<string, string> {
    return {
      [`${prefix}_TOKEN_URL`]: this.url,
      [`${prefix}_CLIENT_ID`]: 'awareness',
      [`${prefix}_CLIENT_SECRET`]: 'hush-hush',
      NODE_EXTRA_CA_CERTS: this.caFile,
    };
  }

  /** Revokes all tokens that were issued. */
  revoke(): void {
    this.valid.clear();
  }

  reset(): void {
    this.revoke();
    this.requests = [];
    this.lifetimeS = 3600;
    this.respond = undefined;
    this.skewMs = 0;
  }

  async stop(): Promise<void> {
    for (const server of [this.#server, this.#inspector]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    rmSync(this.#folder, { recursive: true });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    this.requests.push(Object.fromEntries(form));
    response.setHeader('date', new Date(Date.now() + this.skewMs).toUTCString());
    if (this.respond) return this.respond(response, form);
    sendJson(response, 200, { token_type: 'Bearer', access_token: this.issue(), expires_in: this.lifetimeS });
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
