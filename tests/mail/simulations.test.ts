import { setTimeout as sleep } from 'node:timers/promises';
import { hashPersonToken, readPersonToken } from '../../src/identity/person-token.ts';
import { companies } from '../support/world.ts';
import {
  allowSimulations,
  forgetSimulations,
  makeDueSimulation,
  recipientsOf,
  SECRET,
  SENDER,
  startSimulating,
  whenSent,
} from '../support/own-simulations.ts';
import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { hurry, messageTo, startMailing, whenDone, whenTried } from './transport-support.ts';
import { MailServer } from './smtp-support.ts';

const server = new MailServer();
beforeAll(async () => {
  await server.start();
  await startSimulating(server);
});
beforeEach(() => allowSimulations());
afterEach(async () => {
  server.reset();
  await forgetSimulations();
});
afterAll(async () => {
  stopServices();
  await server.stop();
});

const addressesOf = () => server.received.flatMap(({ to }) => to).toSorted();

test('each recipient gets one message from the planned sender, with the header and no unsubscribe link', async () => {
  const { simulationId, learnerIds } = await makeDueSimulation({ recipients: 12 });
  await whenSent(simulationId);
  await whenDone();
  expect(new Set(addressesOf()).size).toBe(12);
  expect(server.received).toHaveLength(12);
  for (const { from, parsed, raw } of server.received) {
    expect(from).toBe(`notice@${SENDER}`);
    expect(parsed.from).toEqual({ name: 'Parcel service', address: `notice@${SENDER}` });
    expect(parsed.headers).toContainEqual(expect.objectContaining({ key: 'x-awareness-simulation', value: SECRET }));
    expect(raw).not.toMatch(/^(List-Unsubscribe|X-Mailer|Reply-To):/im);
    expect(parsed.subject).toBe('A parcel for Grace');
  }
  const recipients = await recipientsOf(simulationId);
  expect(recipients.map(({ learner_id }) => learner_id)).toEqual(learnerIds.toSorted());
});

test('links contain the secret whose hash is stored, and the sent event has the Message-ID', async () => {
  const { simulationId, learnerIds } = await makeDueSimulation({ recipients: 1 });
  await whenSent(simulationId);
  const [{ parsed }] = server.received as [(typeof server.received)[number]];
  const link = /href="([^"]+)"/.exec(parsed.html!)![1]!;
  const token = /^http:.*\/s\/([\w-]{64})$/.exec(link)![1]!;
  expect(parsed.text).toContain(link);
  expect(parsed.html).toContain(`<img src="${link}/picture.gif"`);
  const [recipient] = await recipientsOf(simulationId);
  expect(readPersonToken(token)).toEqual({ companyId: companies.tenant, tokenHash: recipient!.token_hash });
  expect(recipient).toMatchObject({ token_hash: hashPersonToken(token), failure: null });
  expect(parsed.messageId).toBe(`<${recipient!.message_id}@${SENDER}>`);
  const events = await testService.query('select * from simulation_events where simulation_id = $1', [simulationId]);
  expect(events).toMatchObject([
    { event_id: `own-${recipient!.id}-sent`, type: 'sent', evidence: { messageId: parsed.messageId } },
  ]);
  expect(await messageTo(learnerIds[0]!)).toMatchObject({ status: 'sent', kind: 'simulation', setup_token: null });
});

test('a QR code is an inline picture, and a document contains the link', async () => {
  const words = { html: '<p>{{qrCode}}</p>' };
  await whenSent((await makeDueSimulation({ recipients: 1, deliveryMethod: 'qr_code', words })).simulationId);
  const [code] = server.received[0]!.parsed.attachments;
  expect(code).toMatchObject({ mimeType: 'image/gif', disposition: 'inline' });
  expect(server.received[0]!.parsed.html).toContain(`src="cid:${code!.contentId!.replace(/[<>]/g, '')}"`);
  server.reset();
  const attachment = { name: 'Notice.pdf', title: 'Notice', text: 'See {{link}}' };
  const asked = { recipients: 1, deliveryMethod: 'attachment', words: { attachment } };
  await whenSent((await makeDueSimulation(asked)).simulationId);
  const [document] = server.received[0]!.parsed.attachments;
  expect(document).toMatchObject({ mimeType: 'application/pdf', filename: 'Notice.pdf', disposition: 'attachment' });
  const text = Buffer.from(document!.content as ArrayBuffer).toString('latin1');
  expect(text.slice(0, 5)).toBe('%PDF-');
  expect(text).toMatch(/\/URI \(http:[^)]*\/s\/[\w-]{64}\)/);
  expect(text).not.toMatch(/JavaScript|OpenAction|Launch|EmbeddedFile/);
});

test('a permanently rejected address is recorded and not retried', async () => {
  server.refuse('to', 550, 'no such mailbox');
  const { simulationId, learnerIds } = await makeDueSimulation({ recipients: 1 });
  await whenSent(simulationId);
  await whenDone();
  const failure = expect.stringContaining('550 no such mailbox');
  expect(await recipientsOf(simulationId)).toMatchObject([{ failure, failed_at: expect.anything(), sent_at: null }]);
  expect(await messageTo(learnerIds[0]!)).toMatchObject({ status: 'failed', attempts: 1, setup_token: null });
});

test('a busy server gets the same message in a later attempt', async () => {
  server.refuse('data', 451, 'busy');
  const { simulationId, learnerIds } = await makeDueSimulation({ recipients: 1 });
  await until(() => server.received.length > 0);
  await whenTried(learnerIds[0]!);
  server.accept();
  await hurry();
  await whenSent(simulationId);
  const [first, second] = server.received;
  expect(server.received).toHaveLength(2);
  expect(second!.parsed.messageId).toBe(first!.parsed.messageId);
  expect(second!.parsed.html).toBe(first!.parsed.html);
});

test('two processes send no message twice', async () => {
  await startSimulating(server);
  const { simulationId } = await makeDueSimulation({ recipients: 60 });
  await whenSent(simulationId);
  await whenDone();
  expect(server.received).toHaveLength(60);
  expect(new Set(addressesOf()).size).toBe(60);
});

test('overdue messages are sent at the configured rate', async () => {
  stopServices();
  await startSimulating(server, { SIMULATION_RATE_PER_MINUTE: '120' });
  const { simulationId } = await makeDueSimulation({ recipients: 40 });
  await until(() => server.received.length > 0);
  const begun = Date.now();
  await until(() => server.received.length >= 21);
  // Ten messages are sent at once, because five seconds of the rate can accumulate, and then one each half second.
  const passedMs = Date.now() - begun;
  expect(passedMs).toBeGreaterThan(4000);
  expect(passedMs).toBeLessThan(8000);
  expect((await recipientsOf(simulationId)).filter(({ message_id }) => message_id === null).length).toBeGreaterThan(10);
});

test('messages are sent only by processes with the role simulate, which can have other roles', async () => {
  stopServices();
  const { simulationId } = await makeDueSimulation({ recipients: 3 });
  const worker = await startMailing(server, { SIMULATION_SENDER_DOMAINS: SENDER });
  await sleep(1500);
  expect(await recipientsOf(simulationId)).toMatchObject(Array(3).fill({ message_id: null }));
  worker.child.kill();
  const mails = { SMTP_URL: server.url, MAIL_FROM: 'us@sender.test' };
  await startSimulating(server, { ROLES: 'worker,simulate', ...mails });
  await whenSent(simulationId);
  expect(server.received).toHaveLength(3);
});
