import { constants, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ServerCertificate } from './certificates.ts';

export type Algorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA';
export type Answer = (response: ServerResponse) => void;

/** A key that signs ID tokens. */
export interface SigningKey {
  algorithm: Algorithm;
  privateKey: KeyObject;
  /** The public key as the provider publishes it. */
  jwk: Record<string, unknown>;
}

/** The responses of the provider in one sign-in. A test changes them before the sign-in begins. */
export interface Exchange {
  metadata: Record<string, unknown>;
  keys: unknown[];
  /** Header and claims of the ID token, and the function that signs them. Undefined claims are left out. */
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  sign: (input: string) => Buffer;
  /** Properties of the token response, in addition to the ID token. */
  tokens: Record<string, unknown>;
  userInfo: Record<string, unknown>;
  /** Parameters of the callback, in addition to code and state. */
  callback: (parameters: URLSearchParams) => void;
  /** Responses in place of the usual ones, by path. */
  answers: Record<string, Answer>;
}

export const PATHS = { discovery: '/.well-known/openid-configuration', token: '/token', keys: '/jwks', user: '/user' };
export const CODE = 'the-code';
export const ACCESS_TOKEN = 'the-access-token';

export function createSigningKey(algorithm: Algorithm, kid = 'one'): SigningKey {
  const { privateKey, publicKey } = generateKeys(algorithm);
  return { algorithm, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' } };
}

function generateKeys(algorithm: Algorithm) {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return algorithm === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: 2048 });
}

export function signWith({ algorithm, privateKey: key }: SigningKey, input: string): Buffer {
  const data = Buffer.from(input);
  if (algorithm === 'EdDSA') return sign(null, data, key);
  if (algorithm === 'ES256') return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' });
  if (algorithm === 'RS256') return sign('sha256', data, key);
  return sign('sha256', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 });
}

/** Returns the left half of a hash, in the form of the claims `at_hash` and `c_hash`. */
export function halfHash(algorithm: Algorithm, secret: string): string {
  const bytes = hash(algorithm === 'EdDSA' ? 'sha512' : 'sha256', secret, 'buffer');
  return bytes.subarray(0, bytes.length / 2).toString('base64url');
}

/** An identity provider over TLS on loopback that sends whatever a test wants. It checks code and PKCE itself. */
export class ScriptedProvider {
  readonly #server: Server;
  exchange!: Exchange;
  issuer = '';
  /** Paths of the requests, in order. */
  requests: string[] = [];
  #signIn = new URLSearchParams();

  constructor(certificate: ServerCertificate) {
    this.#server = createServer(certificate, (request, response) => void this.#respond(request, response));
  }

  async start(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    this.issuer = `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Presents a certificate to new connections. */
  present(certificate: ServerCertificate): void {
    this.#server.setSecureContext(certificate);
  }

  /** Prepares a sign-in in which the provider behaves as it should. */
  prepare(key: SigningKey): void {
    const { issuer } = this;
    const now = Math.floor(Date.now() / 1000);
    this.requests = [];
    this.exchange = {
      metadata: {
        ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}${PATHS.token}` },
        ...{ jwks_uri: `${issuer}${PATHS.keys}`, userinfo_endpoint: `${issuer}${PATHS.user}` },
        id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      },
      keys: [key.jwk],
      header: { alg: key.algorithm, kid: key.jwk.kid },
      claims: {
        ...{ iss: issuer, aud: 'awareness', sub: 'grace', iat: now, exp: now + 60 },
        ...{ email: 'grace@tenant.test', given_name: 'Grace', family_name: 'Hopper', groups: ['Staff'] },
        ...{ at_hash: halfHash(key.algorithm, ACCESS_TOKEN), c_hash: halfHash(key.algorithm, CODE) },
      },
      sign: (input) => signWith(key, input),
      tokens: { access_token: ACCESS_TOKEN, token_type: 'Bearer' },
      userInfo: { sub: 'grace' },
      callback: () => undefined,
      answers: {},
    };
  }

  /** Returns the URL to which the provider sends a browser that arrives with a sign-in request. */
  authorize(url: string): URL {
    this.#signIn = new URL(url).searchParams;
    const callback = new URL(this.#signIn.get('redirect_uri')!);
    callback.searchParams.set('code', CODE);
    callback.searchParams.set('state', this.#signIn.get('state')!);
    this.exchange.callback(callback.searchParams);
    return callback;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    this.requests.push(path);
    response.on('error', () => undefined);
    const { answers, metadata, keys, userInfo } = this.exchange;
    const form = new URLSearchParams(await text(request));
    if (answers[path]) return answers[path](response);
    if (path === PATHS.discovery) return sendJson(response, metadata);
    if (path === PATHS.keys) return sendJson(response, { keys });
    if (path === PATHS.user) return sendJson(response, userInfo);
    if (path === PATHS.token && this.#isOwn(form)) return sendJson(response, this.#issueTokens());
    sendJson(response, { error: 'invalid_grant' }, 400);
  }

  #isOwn(form: URLSearchParams): boolean {
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url');
    const isSameAddress = form.get('redirect_uri') === this.#signIn.get('redirect_uri');
    return form.get('code') === CODE && isSameAddress && challenge === this.#signIn.get('code_challenge');
  }

  #issueTokens(): object {
    const { header, claims, sign, tokens } = this.exchange;
    const parts = [header, { nonce: this.#signIn.get('nonce'), ...claims }];
    const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return { id_token: `${input}.${sign(input).toString('base64url')}`, ...tokens };
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
