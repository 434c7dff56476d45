/** @jest-environment-options {"BOUNCE_ADDRESS": "bounces@mail.test", "BOUNCE_WEBHOOK_SECRET": "the-password-of-the-provider-in-tests"} */
import { enrolledLearner, messageTo } from '../mail/transport-support.ts';
import { get } from '../support/client.ts';
import {
  bySns,
  mailgunReport,
  postmarkReport,
  type Sent,
  sendGridEvent,
  sesReport,
} from '../support/provider-reports.ts';
import { basic } from './xapi-support.ts';

const CREDENTIALS = basic('awareness', 'the-password-of-the-provider-in-tests');

async function send(body: unknown, authorization: string | null = CREDENTIALS, contentType = 'application/json') {
  const headers = { 'content-type': contentType, ...(authorization !== null && { authorization }) };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${testService.url}/bounce-webhook`, { method: 'POST', headers, body: text });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

let learnerId: string;
let sent: Sent;
const setStatus = (status: string) =>
  testService.query(
    `update messages set status = $1, settled_at = case when $1 <> 'queued' then now() end where id = $2`,
    [status, sent.messageId],
  );
const statusOf = async () => (await get(`/learners/${learnerId}`)).body.data.mailStatus as string;
const bounces = async () => (await get(`/learners/${learnerId}/bounces`)).body.data as object[];

beforeEach(async () => {
  const learner = await enrolledLearner();
  const { id } = await messageTo(learner.id);
  learnerId = learner.id;
  sent = { messageId: id, address: learner.email };
  await setStatus('sent');
});

test.each([
  ['SES, with its headers', () => sesReport(sent)],
  ['SES, with the Message-ID', () => sesReport(sent, {}, 'message id')],
  ['SES through SNS', () => bySns(sesReport(sent))],
  ['SendGrid', () => [sendGridEvent(sent), sendGridEvent(sent, { event: 'delivered' })]],
  ['SendGrid, in upper case', () => [sendGridEvent({ ...sent, address: sent.address.toUpperCase() })]],
  ['Mailgun', () => mailgunReport(sent)],
  ['Postmark', () => postmarkReport(sent)],
])('a bounce of %s makes the address undeliverable, and counts once', async (_provider, report) => {
  const responses = [await send(report()), await send(report())];
  for (const response of responses) expect(response).toMatchObject({ status: 204, body: '' });
  expect(await statusOf()).toBe('undeliverable');
  const expected = { class: 'hard', source: 'provider', messageId: sent.messageId, isPresentAddress: true };
  expect(await bounces()).toEqual([expect.objectContaining(expected)]);
});

test.each([
  ['another address', () => [sendGridEvent({ ...sent, address: 'learner2@tenant.test' })]],
  [
    'an unknown Message-ID',
    () => [sendGridEvent(sent, { 'smtp-id': '<ae3a9e30-4a4e-4a36-8c4f-1f6bb2e0d3f0@x.test>' })],
  ],
  ['a Message-ID of another system', () => [sendGridEvent(sent, { 'smtp-id': '<14c5d75ce93.dfd.64b469@other>' })]],
  ['a forged token', () => sesReport({ ...sent, address: 'somebody@else.test' })],
  ['no part of the original email', () => sesReport(sent, {}, 'nothing')],
  ['a plain sentence of SNS', () => bySns('Successfully validated the topic.')],
  ['a complaint', () => ({ ...sesReport(sent), notificationType: 'Complaint' })],
])('a report with %s changes nothing', async (_case, report) => {
  expect(await send(report())).toMatchObject({ status: 204 });
  expect(await statusOf()).toBe('deliverable');
  expect(await bounces()).toEqual([]);
});

test('a bounce of a former address changes nothing', async () => {
  const report = sesReport(sent);
  await testService.query('update learners set email = $2 where id = $1', [learnerId, `new-${sent.address}`]);
  expect(await send(report)).toMatchObject({ status: 204 });
  expect(await statusOf()).toBe('deliverable');
});

test('a bounce that arrives before its sending is recorded gets 502, so the provider sends it again', async () => {
  await setStatus('queued');
  const early = await send(sesReport(sent));
  expect(early.status).toBe(502);
  expect(early.headers.get('retry-after')).toBe('60');
  await setStatus('sent');
  expect(await send(sesReport(sent))).toMatchObject({ status: 204 });
  expect(await statusOf()).toBe('undeliverable');
});

test('an implausible time is replaced by the current time', async () => {
  await send([sendGridEvent(sent, { timestamp: 32_503_680_000 })]);
  const [bounce] = (await bounces()) as { occurredAt: string }[];
  expect(Math.abs(Date.parse(bounce!.occurredAt) - Date.now())).toBeLessThan(60_000);
});

test.each([
  ['without credentials', null],
  ['with a wrong password', basic('awareness', 'another-password-of-nobody-in-tests')],
  ['with an API key', 'Bearer x'],
])('a call %s is rejected', async (_case, authorization) => {
  const { status, headers } = await send(sesReport(sent), authorization);
  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toContain('Basic realm="bounce-webhook"');
  expect(await statusOf()).toBe('deliverable');
});

test.each([
  ['text that is not JSON', '{', 400, 'must be valid JSON'],
  ['an unknown format', { hello: 1 }, 400, 'must be a report of Amazon SES, SendGrid, Mailgun or Postmark'],
  ['deep nesting', `${'['.repeat(20)}${']'.repeat(20)}`, 400, 'body'],
  ['too many events', Array.from({ length: 5001 }, () => 0), 400, 'items'],
  ['a body of more than 1 MiB', JSON.stringify('x'.repeat(1024 * 1024)), 413, ''],
  [
    'a confirmation elsewhere',
    { ...bySns(''), Type: 'SubscriptionConfirmation', SubscribeURL: 'https://sns.eu-west-1.amazonaws.com.evil.test/' },
    400,
    'must be an https URL of Amazon SNS',
  ],
  [
    'a confirmation on another port',
    { ...bySns(''), Type: 'SubscriptionConfirmation', SubscribeURL: 'https://sns.eu-west-1.amazonaws.com:8080/' },
    400,
    'body/SubscribeURL',
  ],
])('%s is rejected', async (_case, body, status, words) => {
  const response = await send(body, CREDENTIALS, 'text/plain; charset=UTF-8');
  expect(response).toMatchObject({ status, body: expect.stringContaining(words) });
});

const confirmation = (url: string) => ({ ...bySns(''), Type: 'SubscriptionConfirmation', SubscribeURL: url });

test('a confirmation whose host does not respond gets 502, so the provider sends it again', async () => {
  const { status, headers } = await send(confirmation('https://sns.nowhere-1.amazonaws.com/?Action=Confirm'));
  expect([status, headers.get('retry-after')]).toEqual([502, '60']);
});

test.each([
  ['null', null],
  ['a confirmation with credentials', confirmation('https://a:b@sns.eu-west-1.amazonaws.com/')],
  ['a list with only unknown entries', [null, 1, {}]],
  [
    'an event whose fields have other types',
    [{ event: 'bounce', email: 'a', 'smtp-id': {}, reason: [], timestamp: 1e300 }],
  ],
  [
    'SES with a list of null',
    { notificationType: 'Bounce', bounce: { bouncedRecipients: [null] }, mail: { headers: [null] } },
  ],
  ['a NUL in an event', [sendGridEvent({ messageId: 'x', address: 'a\0@b' }, { status: '5.1.1\0', reason: '\0' })]],
])('%s causes no server error', async (_case, body) => {
  expect([204, 400]).toContain((await send(body)).status);
});

test('only POST is allowed', async () => {
  const response = await fetch(`${testService.url}/bounce-webhook`);
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
});

test('the log contains no e-mail address', async () => {
  await send([sendGridEvent(sent)]);
  expect(testService.log.join('')).not.toContain(sent.address);
});
