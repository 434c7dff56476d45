import type { SMTPServerOptions } from 'smtp-server';
import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { MailServer } from './smtp-support.ts';
import { sendJson, TokenServer } from './token-server.ts';
import {
  enroll,
  forgetMail,
  hurry,
  insertLearners,
  invite,
  messageTo,
  SENDER,
  startMailing,
  whenDone,
  whenTried,
} from './transport-support.ts';

let provider: TokenServer;
let server: MailServer;

/** Options of a server that accepts only valid tokens, over TLS, and checks them again with each email. */
function guarding(tokens: TokenServer): SMTPServerOptions {
  const refuse = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });
  return {
    ...{ ...tokens.certificate, secure: true, authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'], authOptional: false },
    onAuth: ({ username, accessToken }, _session, answer) => {
      const isValid = username === SENDER && accessToken !== undefined && tokens.valid.has(accessToken);
      answer(isValid ? null : refuse(535, '5.7.3 Authentication unsuccessful'), { user: accessToken });
    },
    onMailFrom: (_address, { user }, answer) =>
      answer(tokens.valid.has(user) ? null : refuse(530, '5.7.57 Client not authenticated')),
  };
}

const start = () => {
  const url = server.url.replace('smtp://127.0.0.1', `smtps://${encodeURIComponent(SENDER)}@localhost`);
  return startMailing(server, { SMTP_URL: url, ...provider.settings() });
};

beforeAll(async () => {
  provider = await TokenServer.start();
  server = await new MailServer(guarding(provider)).start();
});
afterEach(async () => {
  stopServices();
  server.reset();
  provider.reset();
  await forgetMail();
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
});

/** Enrols new learners, so that each gets an email. */
async function sendMany(count: number): Promise<void> {
  await enroll(await insertLearners(count));
}

const recipients = () => server.taken.flatMap(({ to }) => to).toSorted();

test('a server that accepts only OAuth gets the emails of many connections with one token', async () => {
  await start();
  await sendMany(20);
  await whenDone();
  expect(new Set(recipients()).size).toBe(20);
  expect(server.taken).toHaveLength(20);
  expect(provider.requests).toMatchObject([{ grant_type: 'client_credentials', client_id: 'awareness' }]);
});

test('tokens that are revoked between emails lose no email, and are replaced once', async () => {
  await start();
  await sendMany(30);
  await until(() => server.taken.length >= 5);
  provider.revoke();
  await until(async () => {
    await hurry();
    return server.taken.length >= 30;
  });
  await whenDone();
  expect(server.taken).toHaveLength(30);
  expect(new Set(recipients()).size).toBe(30);
  expect(provider.requests).toHaveLength(2);
});

test('a login that the server rejects after reading the email is renewed, and the email is sent once', async () => {
  await start();
  server.refuse('data', 535, '5.7.3 Authentication unsuccessful');
  const { id, email } = await invite();
  await whenTried(id);
  expect(await messageTo(id)).toMatchObject({ status: 'queued', reason: '535 5.7.3 Authentication unsuccessful' });
  provider.revoke();
  server.accept();
  await hurry();
  await whenDone();
  expect(recipients()).toEqual([email]);
  expect((await messageTo(id)).status).toBe('sent');
});

test('a message waits while the provider issues no token, and its reason is recorded', async () => {
  provider.respond = (response) => {
    response.setHeader('retry-after', '1');
    sendJson(response, 503, { error: 'temporarily_unavailable' });
  };
  const service = await start();
  const { id, email } = await invite();
  const { reason } = await whenTried(id);
  expect(reason).toBe('the token endpoint responded with status 503 (temporarily_unavailable)');
  provider.respond = undefined;
  await until(async () => {
    await hurry();
    return server.taken.length === 1;
  });
  await whenDone();
  expect(recipients()).toEqual([email]);
  expect(service.output()).not.toMatch(/hush-hush|token-\d/);
});

test('a server that rejects every token is asked again later, and the provider is not flooded', async () => {
  await start();
  provider.respond = (response) => sendJson(response, 200, { access_token: `other-${provider.requests.length}` });
  const { id } = await invite();
  await whenTried(id);
  await hurry();
  await whenTried(id, 2);
  expect(await messageTo(id)).toMatchObject({ status: 'queued' });
  expect(provider.requests.length).toBeLessThanOrEqual(3);
});
