/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-desk.test"} */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type pg from 'pg';
import type { SharedServices } from '../../src/http/shared-services.ts';
import { errorResponse } from '../../src/http/response/error-response.ts';
import { createLogs } from '../../src/observability/logger.ts';
import { createConnector } from '../../src/outbound/connector.ts';
import { createFetch } from '../../src/outbound/fetch.ts';
import { reportButtonRoutes } from '../../src/pages/report-button/report-button-routes.ts';
import { GmailMessages } from '../../src/resources/report-button/gmail-messages.ts';
import { ReportButtons } from '../../src/resources/report-button/report-buttons.ts';
import { forgetSimulations, makeMailedSimulation, type MailedSimulation } from '../support/own-simulations.ts';
import { disableButtons, enableButton, FORWARD_TO, mailWith, reportersOf } from '../support/report-button.ts';
import { openServicePool } from '../support/service-pool.ts';
import { learnerId } from '../support/world.ts';

// The routes of the button with a Google on loopback: its keys, and Gmail's API with one open message.

const PLATFORM = 'service-123456@gcp-sa-gsuiteaddons.iam.gserviceaccount.com';
const google = await generateKeyPair('RS256', { extractable: true });
const stranger = await generateKeyPair('RS256', { extractable: true });

let pool: pg.Pool;
let service: Server;
let googleServer: Server;
let origin: string;
let button: string;
let simulation: MailedSimulation;
/** The email that is open in Gmail, or the status with which Gmail responds. */
let open: Buffer | number;
let asked: IncomingMessage[] = [];
const log: string[] = [];

const listen = (server: Server) =>
  new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

beforeAll(async () => {
  const key = { ...(await exportJWK(google.publicKey)), kid: 'google', alg: 'RS256' };
  googleServer = createServer((req, res) => {
    if (req.url === '/keys') return void res.end(JSON.stringify({ keys: [key] }));
    asked.push(req);
    if (typeof open === 'number') return void res.writeHead(open).end('{}');
    res.end(JSON.stringify({ id: 'x', raw: open.toString('base64url') }));
  });
  const googleUrl = await listen(googleServer);
  pool = openServicePool(2);
  const { logger } = createLogs('info', { write: (line) => void log.push(line) });
  const app = express();
  service = createServer(app);
  origin = await listen(service);
  const openings = {
    reportButtons: new ReportButtons({ pool, mail: undefined, reportMailbox: undefined, logger }),
    gmail: new GmailMessages({
      logger,
      addresses: { keys: `${googleUrl}/keys`, gmail: googleUrl },
      fetch: createFetch(createConnector({ allowedNetworks: ['127.0.0.0/8'] })),
    }),
  };
  const nothing = () => Promise.resolve();
  const shared = { openings, countFailure: nothing, countReport: nothing, budget: { take: () => undefined } };
  const options = { config: { publicUrl: origin }, readiness: { ready: true, started: true }, logger };
  app.use(reportButtonRoutes(options, shared as unknown as SharedServices), errorResponse(logger));
});
afterAll(async () => {
  service.close();
  googleServer.close();
  await pool.end();
});
beforeEach(async () => {
  button = await enableButton();
  simulation = await makeMailedSimulation([1]);
  asked = [];
});
afterEach(async () => {
  await forgetSimulations();
  await disableButtons('tenant');
});

interface Token {
  audience?: string;
  email?: string;
  isVerified?: boolean;
  key?: typeof google.privateKey;
  expires?: string;
}

const sign = ({ audience, email = PLATFORM, isVerified = true, key = google.privateKey, expires = '5m' }: Token) =>
  new SignJWT({ email, email_verified: isVerified })
    .setProtectedHeader({ alg: 'RS256', kid: 'google' })
    .setIssuer('https://accounts.google.com')
    .setAudience(audience ?? 'the-client-of-the-add-on')
    .setExpirationTime(expires)
    .sign(key);

interface Call {
  system?: Token;
  reporter?: string;
  locale?: string;
  messageId?: string;
}

async function call(
  name: 'open' | 'report',
  { system = {}, reporter, locale = 'en', messageId = 'msg-f:17' }: Call = {},
) {
  const endpoint = `${origin}${button}/gmail/${name}`;
  const event = {
    commonEventObject: { hostApp: 'GMAIL', userLocale: locale },
    authorizationEventObject: {
      systemIdToken: await sign({ audience: endpoint, ...system }),
      ...(reporter && { userIdToken: await sign({ email: reporter }) }),
      userOAuthToken: 'oauth-of-the-person',
    },
    gmail: { messageId, accessToken: 'access-to-the-message' },
  };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(event) });
  return { status: response.status, body: (await response.json()) as Record<string, any> };
}

/** Returns the title and the texts of the card that replaces the card with the button. */
const shownBy = ({ body }: Awaited<ReturnType<typeof call>>) => {
  const card = body.renderActions.action.navigations[0].updateCard;
  const texts = card.sections[0].widgets.map(({ textParagraph }: any) => textParagraph.text as string);
  return { title: card.header.title as string, texts: texts as string[] };
};

test('the deployment names the endpoint of the company and only the scopes for the open message', async () => {
  const deployment = await (await fetch(`${origin}${button}/gmail.json`)).json();
  expect(deployment).toMatchObject({
    oauthScopes: [
      'https://www.googleapis.com/auth/gmail.addons.execute',
      'https://www.googleapis.com/auth/gmail.addons.current.message.readonly',
      'https://www.googleapis.com/auth/userinfo.email',
    ],
    addOns: {
      gmail: { contextualTriggers: [{ unconditional: {}, onTriggerFunction: `${origin}${button}/gmail/open` }] },
    },
  });
});

test('an open message has a card with one button, in the language of the person', async () => {
  const { body } = await call('open', { locale: 'de-DE' });
  const { pushCard } = body.action.navigations[0];
  expect(pushCard.header.title).toBe('Diese E-Mail melden');
  expect(pushCard.sections[0].widgets[1].buttonList.buttons).toEqual([
    { text: 'Diese E-Mail melden', onClick: { action: { function: `${origin}${button}/gmail/report` } } },
  ]);
  expect(asked).toEqual([]);
});

test('a report reads the open message from Gmail and shows that it was a simulation', async () => {
  open = mailWith(`See https://parcel-desk.test${simulation.linkOf(1)}`);
  const answer = await call('report', { reporter: 'Learner1@tenant.test' });
  expect(shownBy(answer)).toEqual({
    title: 'This was a simulation. Well spotted!',
    texts: [expect.stringContaining('recorded'), '<b>What to remember</b>', 'Look twice.', 'Then ask.'],
  });
  expect(await reportersOf(simulation.id)).toEqual([learnerId('tenant', 1)]);
  const [request] = asked;
  expect(request!.url).toBe('/gmail/v1/users/me/messages/msg-f%3A17?format=raw');
  expect(request!.headers).toMatchObject({
    authorization: 'Bearer oauth-of-the-person',
    'x-goog-gmail-access-token': 'access-to-the-message',
  });
});

test('the simulation of a colleague is not recorded', async () => {
  open = mailWith(`See https://parcel-desk.test${simulation.linkOf(1)}`);
  const { texts } = shownBy(await call('report', { reporter: 'learner2@tenant.test' }));
  expect(texts).toEqual([`Please forward it as an attachment to ${FORWARD_TO}, or try again later.`]);
  expect(await reportersOf(simulation.id)).toEqual([]);
});

test.each([
  ['a token for another address', { audience: 'https://attack.test/' }],
  ['the token of another account', { email: 'service-1@attack.iam.gserviceaccount.com' }],
  ['the token of an account that is not verified', { isVerified: false }],
  ['a token with another signature', { key: stranger.privateKey }],
  ['an expired token', { expires: '-5m' }],
] satisfies [string, Token][])('a call with %s returns 401 and reads nothing', async (_name, system) => {
  open = mailWith(`See https://parcel-desk.test${simulation.linkOf(1)}`);
  for (const name of ['open', 'report'] as const) expect((await call(name, { system })).status).toBe(401);
  expect(asked).toEqual([]);
  expect(await reportersOf(simulation.id)).toEqual([]);
});

test('a body that is not an event returns 400 or 401', async () => {
  const send = async (body: string) =>
    (await fetch(`${origin}${button}/gmail/report`, { method: 'POST', body })).status;
  expect(await send('not JSON')).toBe(400);
  for (const body of ['null', '[]', '{}', '{"authorizationEventObject": {"systemIdToken": "a\\nb"}}'])
    expect(await send(body)).toBe(401);
});

test.each(['../../drafts', 'a?b', ''])('the message id "%s" is not sent to Gmail', async (messageId) => {
  const { texts } = shownBy(await call('report', { messageId }));
  expect(texts[0]).toContain(FORWARD_TO);
  expect(asked).toEqual([]);
});

test.each([[403], [500], [Buffer.alloc(0)], [Buffer.alloc(30_000_000, 'a')]])(
  'if Gmail does not return the message, the card says what to do instead',
  async (response) => {
    open = response;
    const { title, texts } = shownBy(await call('report'));
    expect(title).toBe('The message was not reported');
    expect(texts[0]).toContain(FORWARD_TO);
    expect(log.join('')).not.toMatch(/oauth-of-the-person|access-to-the-message/);
  },
);
