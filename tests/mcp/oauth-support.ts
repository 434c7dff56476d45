import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { textOf as withoutTags } from '../http/setup-page.ts';
import { type KeyName, keys } from '../support/world.ts';

/** A response as received. */
export interface Reply {
  status: number;
  headers: Record<string, string | undefined>;
  cookies: string[];
  text: string;
  /** The JSON body, or an empty object. */
  body: any;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  form?: Record<string, string> | string;
  json?: unknown;
  /** Target of the request line, if it is not the path. */
  target?: string;
}

/** Server and public name of the service, if they are not those of the test environment. */
export const site: { server?: string; name?: string } = {};
export const publicUrl = (): string => site.name ?? testService.url;

/** Sends a request, with headers that fetch does not allow, such as Host and Origin. */
export async function ask(path: string, { method, headers = {}, form, json, target }: Ask = {}): Promise<Reply> {
  const body = json !== undefined ? JSON.stringify(json) : form && (typeof form === 'string' ? form : encode(form));
  const type = json !== undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const { hostname, port } = new URL(site.server ?? testService.url);
  const named = site.name === undefined ? {} : { host: new URL(site.name).host };
  const reply = await new Promise<Reply>((resolve, reject) => {
    const req = request(
      {
        hostname,
        port,
        path: target ?? path,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { ...named, ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const { 'set-cookie': cookies = [], ...rest } = res.headers;
          const isJson = (rest['content-type'] ?? '').startsWith('application/json');
          const given = rest as Record<string, string | undefined>;
          resolve({ status: res.statusCode!, headers: given, cookies, text, body: isJson ? JSON.parse(text) : {} });
        });
      },
    );
    req.on('error', reject);
    req.end(body);
  });
  if (path !== '/mcp') expectCareful(reply);
  return reply;
}

/** Expects the properties of every response of the authorization server. */
function expectCareful({ status, headers, text, body }: Reply): void {
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-powered-by']).toBeUndefined();
  // Whole words, because a random id can contain a short word.
  expect(text).not.toMatch(/\boops\b|\boidc\b|\bat .*\.[jt]s:\d|select |insert |undefined|\[object/i);
  const sentence: unknown = body.error_description ?? body.error?.message;
  if (sentence !== undefined) expect(sentence).toMatch(/^[A-Za-z].*\.$/s);
  if (status >= 400 && body.error === undefined && text !== '') expect(text).toMatch(/^<!doctype html>/);
}

export function encode(fields: Record<string, string | undefined>): string {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}

export const mcp = (): string => `${publicUrl()}/mcp`;
export const REDIRECT = 'https://client.test/callback';

/** Creates a PKCE pair for S256. */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Registers a client and returns its id. */
export async function registerClient(metadata: Record<string, unknown> = {}): Promise<string> {
  const reply = await ask('/oauth/register', {
    json: { client_name: 'Test client', redirect_uris: [REDIRECT], ...metadata },
  });
  expect(reply.status).toBe(201);
  return reply.body.client_id as string;
}

/** Parameters of an authorization request; undefined omits one. */
export type Changes = Record<string, string | undefined>;

export function authorize(
  clientId: string,
  challenge: string,
  changes: Changes = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const given = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: mcp(),
    state: 'the-state',
    ...changes,
  };
  return ask(`/oauth/authorize?${encode(given)}`, { headers });
}

/** A browser in an approval. It keeps cookies by their paths, as browsers do. */
export class Browser {
  path = '';
  page: Reply | undefined;
  readonly jar = new Map<string, { value: string; path: string }>();

  /** Follows the response to the authorization request to the page. */
  async open(reply: Reply): Promise<this> {
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 303 });
    this.keep(reply);
    this.path = new URL(reply.headers.location!, publicUrl()).pathname;
    await this.load();
    return this;
  }

  async load(): Promise<Reply> {
    this.page = await this.ask(this.path);
    return this.page;
  }

  /** Sends a request with the cookies of the path. */
  async ask(path: string, options: Ask = {}): Promise<Reply> {
    const cookie = [...this.jar]
      .filter(([, { path: bound }]) => path.startsWith(bound))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const reply = await ask(path, { ...options, headers: { ...(cookie && { cookie }), ...options.headers } });
    this.keep(reply);
    return reply;
  }

  keep({ cookies }: Reply): void {
    for (const cookie of cookies) {
      const [pair, ...attributes] = cookie.split('; ');
      const [name, value] = pair!.split('=');
      const path = attributes.find((attribute) => attribute.startsWith('path='))?.slice(5) ?? '/';
      if (value) expect(attributes).toEqual(expect.arrayContaining(['httponly', 'samesite=lax']));
      if (value) this.jar.set(name!, { value, path });
      else this.jar.delete(name!);
    }
  }

  formToken(): string {
    return /name="form_token" value="([^"]+)"/.exec(this.page!.text)![1]!;
  }

  /** Submits the form of the current page as a browser does, without following redirects. */
  post(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> {
    return this.ask(this.path, {
      form: { form_token: this.formToken(), ...fields },
      headers: { origin: publicUrl(), 'sec-fetch-site': 'same-origin', ...headers },
    });
  }

  /** Submits a valid key and loads the second page. */
  async giveKey(key: KeyName = 'tenant'): Promise<void> {
    expect((await this.post({ action: 'check', key: keys[key] })).status).toBe(303);
    await this.load();
  }

  /** Decides, and returns the redirect to the application. */
  async decide(action: 'approve' | 'deny'): Promise<URL> {
    const reply = await this.post({ action });
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 303 });
    const { pathname } = new URL(reply.headers.location!, publicUrl());
    const back = await this.ask(pathname);
    expect({ status: back.status, text: back.text }).toMatchObject({ status: 303 });
    return new URL(back.headers.location!);
  }
}

export interface Connection {
  clientId: string;
  code: string;
  verifier: string;
}

/** Gets a code that a key has approved, by default for a new client. */
export async function approvedCode(key: KeyName = 'tenant', clientId?: string): Promise<Connection> {
  const id = clientId ?? (await registerClient());
  const { verifier, challenge } = pkce();
  const browser = await new Browser().open(await authorize(id, challenge));
  await browser.giveKey(key);
  const back = await browser.decide('approve');
  return { clientId: id, code: back.searchParams.get('code')!, verifier };
}

export function exchange({ clientId, code, verifier }: Connection, changes: Changes = {}): Promise<Reply> {
  const form = {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
    resource: mcp(),
    ...changes,
  };
  return ask('/oauth/token', { form: encode(form) });
}

export interface Tokens {
  clientId: string;
  access: string;
  refresh: string;
}

/** Connects a client and returns its tokens. */
export async function connect(key: KeyName = 'tenant', clientId?: string): Promise<Tokens> {
  const connection = await approvedCode(key, clientId);
  const { status, body } = await exchange(connection);
  expect({ status, error: body.error_description }).toEqual({ status: 200, error: undefined });
  return { clientId: connection.clientId, access: body.access_token, refresh: body.refresh_token };
}

export function refresh({ clientId, refresh: token }: Omit<Tokens, 'access'>, changes: Changes = {}): Promise<Reply> {
  const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...changes };
  return ask('/oauth/token', { form: encode(form) });
}

export function revoke(clientId: string, token: string): Promise<Reply> {
  return ask('/oauth/revoke', { form: { client_id: clientId, token } });
}

/** Expects an error of the OAuth endpoints, with a sentence. */
export function expectRefused(reply: Reply, error: string, status = 400): void {
  expect({ status: reply.status, error: reply.body.error }).toEqual({ status, error });
  expect(reply.body.error_description).toMatch(/^\S.*\.$/);
}

/** Expects an error page without a form, and returns its text. */
export function expectRefusalPage(reply: Reply, status = 400): string {
  expect(reply.status).toBe(status);
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(reply.headers.location).toBeUndefined();
  expect(reply.text).not.toMatch(/<form|<script/);
  return textOf(reply);
}

/** Returns the text of a page without its tags. */
export function textOf({ text }: Reply): string {
  return withoutTags({ status: 0, headers: new Headers(), html: text });
}
