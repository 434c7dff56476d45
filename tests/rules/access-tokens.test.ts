import { generateKeyPairSync } from 'node:crypto';
import { jest } from '@jest/globals';
import { jwtVerify } from 'jose';
import type { OAuthAccess, OAuthGrant } from '../../src/config/mail-oauth.ts';
import { AccessTokens } from '../../src/mail/oauth/access-tokens.ts';
import { sendJson, TokenServer } from '../mail/token-server.ts';
import { until } from '../support/until.ts';

const CLIENT = { type: 'client_credentials', clientId: 'awareness', clientSecret: 'hush-hush' } as const;
let server: TokenServer;
beforeAll(async () => (server = await TokenServer.start()));
afterEach(() => {
  jest.restoreAllMocks();
  server.reset();
});
afterAll(() => server.stop());

function openTokens(grant: OAuthGrant = CLIENT, timeoutMs = 5000): AccessTokens {
  const access: OAuthAccess = { user: 'a@sender.test', tokenUrl: server.url, scope: 'mail', grant };
  return new AccessTokens(access, { ca: server.ca, timeoutMs });
}

const monotonicNow = performance.now.bind(performance);

/** Moves the monotonic clock ahead of the real one. */
function passMs(ms: number): void {
  jest.spyOn(performance, 'now').mockImplementation(() => monotonicNow() + ms);
}

describe('requests', () => {
  test('client credentials are sent in the form, and the token is used until it must be renewed', async () => {
    const tokens = openTokens();
    const token = await tokens.get();
    expect(server.valid).toContain(token);
    expect(await tokens.get()).toBe(token);
    const form = {
      grant_type: 'client_credentials',
      client_id: 'awareness',
      client_secret: 'hush-hush',
      scope: 'mail',
    };
    expect(server.requests).toEqual([form]);
  });

  test('a refresh token is replaced by the one in the response', async () => {
    server.respond = (response, form) =>
      sendJson(response, 200, { access_token: `of-${form.get('refresh_token')}`, refresh_token: 'second' });
    const grant = {
      type: 'refresh_token',
      clientId: 'awareness',
      clientSecret: undefined,
      refreshToken: 'first',
    } as const;
    const tokens = openTokens(grant);
    expect(await tokens.get()).toBe('of-first');
    expect(await tokens.get('of-first')).toBe('of-second');
    expect(server.requests[0]).not.toHaveProperty('client_secret');
  });

  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const account = { type: 'service_account', email: 'robot@project.test', keyId: 'k1', privateKey } as const;

  test('a service account signs an assertion for the mailbox', async () => {
    await openTokens(account).get();
    const [form] = server.requests;
    expect(form!.grant_type).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const { payload, protectedHeader } = await jwtVerify(form!.assertion!, keys.publicKey, { audience: server.url });
    expect(payload).toMatchObject({ iss: 'robot@project.test', sub: 'a@sender.test', scope: 'mail' });
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: 'k1' });
  });

  test("an assertion that a provider with another clock rejects is signed again with the provider's time", async () => {
    server.skewMs = -3_600_000;
    server.respond = (response) => {
      if (server.requests.length === 1) sendJson(response, 400, { error: 'invalid_grant' });
      else sendJson(response, 200, { access_token: 'issued' });
    };
    expect(await openTokens(account).get()).toBe('issued');
    const currentDate = new Date(Date.now() + server.skewMs);
    await jwtVerify(server.requests[1]!.assertion!, keys.publicKey, {
      currentDate,
      maxTokenAge: 60,
      clockTolerance: 5,
    });
  });
});

describe('renewal', () => {
  test('callers share one request, even when the server has rejected their token', async () => {
    const tokens = openTokens();
    const [token, ...others] = await Promise.all([tokens.get(), tokens.get(), tokens.get()]);
    expect(new Set(others)).toEqual(new Set([token]));
    const renewed = await Promise.all([tokens.get(token), tokens.get(token), tokens.get(token)]);
    expect(new Set(renewed).size).toBe(1);
    expect(renewed[0]).not.toBe(token);
    // A connection that began with the old token reports it late.
    expect(await tokens.get(token)).toBe(renewed[0]);
    expect(server.requests).toHaveLength(2);
  });

  test('a token is renewed before it expires, and callers do not wait for that', async () => {
    const tokens = openTokens();
    const token = await tokens.get();
    passMs(3_299_000);
    expect(await tokens.get()).toBe(token);
    expect(server.requests).toHaveLength(1);
    passMs(3_301_000);
    expect(await tokens.get()).toBe(token);
    await until(() => server.requests.length === 2);
    await until(async () => (await tokens.get()) !== token);
  });

  test('a failed renewal does not matter while the current token is valid', async () => {
    const tokens = openTokens();
    const token = await tokens.get();
    server.respond = (response) => sendJson(response, 500, {});
    passMs(3_400_000);
    expect(await tokens.get()).toBe(token);
    await until(() => server.requests.length === 2);
    expect(await tokens.get()).toBe(token);
    passMs(3_601_000);
    await expect(tokens.get()).rejects.toThrow('status 500');
  });

  test('a changed system clock neither renews a token nor keeps an expired one', async () => {
    const tokens = openTokens();
    const token = await tokens.get();
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_000);
    expect(await tokens.get()).toBe(token);
    passMs(3_601_000);
    jest.spyOn(Date, 'now').mockReturnValue(0);
    expect(await tokens.get()).not.toBe(token);
  });

  test('a token without a lifetime is renewed after minutes', async () => {
    server.lifetimeS = undefined;
    const tokens = openTokens();
    const token = await tokens.get();
    passMs(301_000);
    expect(await tokens.get()).not.toBe(token);
  });

  test('a server that rejects new tokens as well does not cause a request for each message', async () => {
    const tokens = openTokens();
    const second = await tokens.get(await tokens.get());
    await expect(tokens.get(second)).rejects.toThrow('check the permissions of the client');
    expect(server.requests).toHaveLength(2);
    passMs(11_000);
    expect(await tokens.get(second)).not.toBe(second);
  });
});

describe('failures', () => {
  test('a refusal names the code, but no secret and no e-mail address', async () => {
    const description = 'AADSTS7000215: Invalid client secret provided for a@sender.test.';
    server.respond = (response) => sendJson(response, 401, { error: 'invalid_client', error_description: description });
    await expect(openTokens().get()).rejects.toMatchObject({
      code: 'EOAUTH2',
      message: 'the token endpoint responded with status 401 (invalid_client, AADSTS7000215)',
    });
  });

  test('after a failure, no request is made for the time that the provider demands', async () => {
    server.respond = (response) => {
      response.setHeader('retry-after', '60');
      sendJson(response, 429, {});
    };
    const tokens = openTokens();
    await expect(tokens.get()).rejects.toThrow('status 429');
    server.respond = undefined;
    passMs(59_000);
    await expect(tokens.get()).rejects.toThrow('status 429');
    expect(server.requests).toHaveLength(1);
    passMs(61_000);
    expect(server.valid).toContain(await tokens.get());
  });

  test.each<[string, NonNullable<TokenServer['respond']>, string]>([
    ['is not JSON', (response) => void response.end('<html>'), 'contains no access token'],
    ['has no token', (response) => sendJson(response, 200, { expires_in: 3600 }), 'contains no access token'],
    [
      'has a token that would end its field',
      (r) => sendJson(r, 200, { access_token: 'a\x01b' }),
      'contains no access token',
    ],
    ['is a redirect', (response) => void response.writeHead(302, { location: '/other' }).end(), 'status 302'],
    ['never begins', () => undefined, 'took more than 0.5 seconds'],
    ['drips', (response) => void setInterval(() => response.write(' '), 20).unref(), 'took more than 0.5 seconds'],
    ['breaks off', (response) => void response.socket!.destroy(), 'could not be reached'],
  ])('a response that %s is an error', async (_case, respond, message) => {
    server.respond = respond;
    await expect(openTokens(CLIENT, 500).get()).rejects.toThrow(message);
  });

  test('a response of a gigabyte is not received', async () => {
    const piece = Buffer.alloc(65_536, ' ');
    let sent = 0;
    let closed = false;
    server.respond = (response) => {
      response.on('close', () => (closed = true));
      const write = () => {
        while (!closed && sent < 2 ** 30 && response.write(piece)) sent += piece.length;
      };
      response.on('drain', write);
      write();
    };
    await expect(openTokens().get()).rejects.toThrow('too long');
    await until(() => closed);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('a provider with an unknown certificate gets no secret', async () => {
    const access = { user: 'a@sender.test', tokenUrl: server.url, scope: 'mail', grant: CLIENT };
    await expect(new AccessTokens(access).get()).rejects.toThrow('could not be reached');
    expect(server.requests).toEqual([]);
  });
});
