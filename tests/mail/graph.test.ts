import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { MailServer } from './smtp-support.ts';
import { sendJson, TokenServer } from './token-server.ts';
import {
  forgetMail,
  hurry,
  invite,
  messageTo,
  SENDER,
  startMailing,
  whenDone,
  whenTried,
} from './transport-support.ts';

/** A stub of Microsoft Graph for one mailbox, which follows its published description. */
let graph: Server;
let provider: TokenServer;
const unused = new MailServer();
/** Accepted messages, decoded. */
let accepted: string[] = [];
let requests: { at: number; contentType: string | undefined }[] = [];
let respond: ((response: ServerResponse) => void) | undefined;

const refuse = (status: number, code: string) => (response: ServerResponse) =>
  sendJson(response, status, { error: { code, message: 'Not this one.' } });

beforeAll(async () => {
  provider = await TokenServer.start();
  graph = createServer(provider.certificate, (request, response) => {
    void text(request).then((body) => {
      requests.push({ at: Date.now(), contentType: request.headers['content-type'] });
      if (request.method !== 'POST' || request.url !== `/v1.0/users/${SENDER}/sendMail`) {
        return refuse(404, 'ErrorInvalidUser')(response);
      }
      const token = request.headers.authorization?.replace(/^Bearer /, '');
      if (!provider.valid.has(token!)) return refuse(401, 'InvalidAuthenticationToken')(response);
      if (respond) return respond(response);
      accepted.push(Buffer.from(body, 'base64').toString());
      response.writeHead(202).end();
    });
  });
  await once(graph.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  stopServices();
  provider.reset();
  await forgetMail();
  [accepted, requests, respond] = [[], [], undefined];
});
afterAll(async () => {
  graph.closeAllConnections();
  graph.close();
  await provider.stop();
});

function start() {
  const origin = `https://localhost:${(graph.address() as AddressInfo).port}`;
  const env = { SMTP_URL: '', MAIL_GRAPH_URL: `${origin}/v1.0/users/${SENDER}`, ...provider.settings() };
  return startMailing(unused, env);
}

test('a message is posted as MIME in base64, with its Message-ID', async () => {
  await start();
  const { id, email } = await invite();
  await whenDone();
  const message = await messageTo(id);
  expect(message.status).toBe('sent');
  expect(requests).toMatchObject([{ contentType: 'text/plain' }]);
  expect(accepted[0]).toMatch(new RegExp(`^To: .*<${email}>\r$`, 'm'));
  expect(accepted[0]).toContain(`Message-ID: <${message.id}@sender.test>\r\n`);
  expect(provider.requests).toMatchObject([
    { scope: `https://localhost:${(graph.address() as AddressInfo).port}/.default` },
  ]);
});

test('after 429 nothing is sent before the time in Retry-After, and then each message once', async () => {
  await start();
  await invite();
  await whenDone();
  respond = (response) => {
    respond = undefined;
    response.setHeader('retry-after', '4');
    refuse(429, 'ApplicationThrottled')(response);
  };
  const throttled = await invite();
  await until(() => requests.length === 2);
  const others = [await invite(), await invite(), await invite()];
  await until(async () => {
    await hurry();
    return accepted.length === 5;
  });
  await whenDone();
  expect(requests[2]!.at - requests[1]!.at).toBeGreaterThanOrEqual(3990);
  expect(requests).toHaveLength(6);
  for (const { id } of others) expect(await messageTo(id)).toMatchObject({ status: 'sent', attempts: 1 });
  expect((await messageTo(throttled.id)).status).toBe('sent');
});

test('a revoked token is replaced, and the message is accepted once', async () => {
  await start();
  await invite();
  await whenDone();
  provider.revoke();
  const { id } = await invite();
  await whenDone();
  expect(await messageTo(id)).toMatchObject({ status: 'sent', attempts: 1 });
  expect([accepted.length, provider.requests.length]).toEqual([2, 2]);
});

test.each([
  [400, 'ErrorMimeContentInvalidBase64String'],
  [400, 'ErrorInvalidRecipients'],
  [413, 'ErrorMessageSizeExceeded'],
])('%i %s fails the message at once', async (status, code) => {
  respond = refuse(status, code);
  await start();
  const { id } = await invite();
  await whenDone();
  expect(await messageTo(id)).toMatchObject({ status: 'failed', reason: `${status} ${code} Not this one.` });
  expect(requests).toHaveLength(1);
});

test.each([
  [403, 'ErrorAccessDenied'],
  [403, 'ErrorSendAsDenied'],
  [404, 'ErrorInvalidUser'],
  [400, 'MailboxNotEnabledForRESTAPI'],
  [500, 'ErrorInternalServerError'],
])('%i %s keeps the message until the operator has settled it', async (status, code) => {
  respond = refuse(status, code);
  await start();
  const { id } = await invite();
  await whenTried(id);
  expect(await messageTo(id)).toMatchObject({ status: 'queued', reason: `${status} ${code} Not this one.` });
  respond = undefined;
  await hurry();
  await whenDone();
  expect((await messageTo(id)).status).toBe('sent');
});
