import PostalMime from 'postal-mime';
import { forgetSimulations, makeMailedSimulation } from '../support/own-simulations.ts';
import { type Service, stopServices } from '../process/support.ts';
import { disableButtons, enableButton, FORWARD_TO, mailWith, report, reportersOf } from '../support/report-button.ts';
import { until } from '../support/until.ts';
import { MailServer } from './smtp-support.ts';
import { startMailing } from './transport-support.ts';

/** The operator's mailbox for reports. */
const MAILBOX = 'reports@awareness.test';
const smtp = new MailServer();
let service: Service;
let button: string;
const attack = mailWith('Your password: https://attack.test/', ['Message-ID: <1@attack.test>']);
const send = (source: Buffer, reporter = 'learner1@tenant.test') =>
  report(button, source, { reporter, origin: new URL(service.url).origin });

beforeAll(async () => {
  await smtp.start();
  const env = { REPORT_MAILBOX_URL: `imap://${encodeURIComponent(MAILBOX)}:x@127.0.0.1:1/INBOX` };
  service = await startMailing(smtp, { ROLES: 'api', SIMULATION_SENDER_DOMAINS: 'parcel-desk.test', ...env });
  button = await enableButton();
});
afterEach(() => smtp.reset());
afterAll(async () => {
  stopServices();
  await smtp.stop();
  await disableButtons('tenant');
});

test('an email that is not a simulation is forwarded unchanged before the page says so', async () => {
  const { status, body } = await send(attack);
  expect({ status, outcome: body.outcome, title: body.title }).toEqual({
    ...{ status: 200, outcome: 'passed_on' },
    title: 'Thank you for reporting this message',
  });
  const [mail] = smtp.taken;
  expect(mail!.to).toEqual([FORWARD_TO]);
  expect(mail!.parsed.subject).toBe('Reported message');
  expect(mail!.parsed.text).toContain('Reported by learner1@tenant.test, as the mail program states.');
  const { attachments } = await PostalMime.parse(mail!.raw, { forceRfc822Attachments: true });
  const passedOn = Buffer.from(attachments[0]!.content as ArrayBuffer).toString();
  expect(passedOn.replaceAll('\r\n', '\n').trim()).toBe(attack.toString().replaceAll('\r\n', '\n').trim());
});

test('an email that is reported twice is forwarded with the same Message-ID', async () => {
  await send(attack);
  await send(attack);
  const [first, second] = smtp.taken.map(({ parsed }) => parsed.messageId);
  expect(first).toMatch(/^<reported-/);
  expect(second).toBe(first);
});

test('a simulation of the reporter is not forwarded', async () => {
  const simulation = await makeMailedSimulation([1, 2]);
  const mailOf = (learner: 1 | 2) => mailWith(`See https://parcel-desk.test${simulation.linkOf(learner)}`);
  expect((await send(mailOf(1))).body.outcome).toBe('simulation');
  expect(smtp.taken).toEqual([]);
  expect((await send(mailOf(2))).body.outcome).toBe('passed_on');
  expect(smtp.taken[0]!.parsed.subject).toBe('Reported message with marks of a simulation');
  expect(await reportersOf(simulation.id)).toHaveLength(1);
  await forgetSimulations();
});

test('an email of 15 MiB is forwarded, although it is not examined completely', async () => {
  const large = mailWith(`${'a'.repeat(76)}\r\n`.repeat((15 * 1024 * 1024) / 78));
  expect((await send(large)).body.outcome).toBe('passed_on');
  expect(smtp.taken[0]!.raw.length).toBeGreaterThan(large.length);
});

test('an email that the server rejects fails and says what to do instead, and its content is not logged', async () => {
  smtp.refuse('data', 554, 'https://attack.test/ is spam');
  const { status, body } = await send(attack);
  expect({ status, outcome: body.outcome }).toEqual({ status: 502, outcome: 'failed' });
  expect(body.text).toContain(FORWARD_TO);
  await until(() => service.output().includes('forwarding a reported message failed'));
  expect(service.output()).not.toContain('attack.test');
});

test("no email is forwarded to the operator's mailbox for reports, which would leave it unread", async () => {
  await testService.query('update company_settings set report_button_forward_to = $1', [MAILBOX]);
  const { status, body } = await send(attack);
  expect({ status, outcome: body.outcome }).toEqual({ status: 502, outcome: 'failed' });
  expect(body.text).toContain(MAILBOX);
  expect(smtp.received).toEqual([]);
});
