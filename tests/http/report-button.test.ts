/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "SIMULATION_SENDER_DOMAINS": "parcel-desk.test"} */
import { forgetSimulations, makeMailedSimulation, type MailedSimulation } from '../support/own-simulations.ts';
import { post } from '../support/client.ts';
import {
  disableButtons,
  enableButton,
  FORWARD_TO,
  mailWith,
  PATH,
  pathIn,
  report,
  reportersOf,
} from '../support/report-button.ts';
import { learnerId } from '../support/world.ts';
import { simulationId } from '../support/world-simulations.ts';

let button: string;
let simulation: MailedSimulation;
const mailOf = (learner: 1 | 2, sent = simulation) => mailWith(`See https://parcel-desk.test${sent.linkOf(learner)}`);
const reporters = () => reportersOf(simulation.id);

beforeEach(async () => {
  button = await enableButton();
  simulation = await makeMailedSimulation([1, 2]);
});
afterEach(async () => {
  await forgetSimulations();
  await disableButtons('tenant', 'other');
});

test('a report of a simulation is recorded for its recipient and answered with the lesson', async () => {
  const { status, body, headers } = await report(button, mailOf(1), { reporter: 'LEARNER1@tenant.test' });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      outcome: 'simulation',
      title: 'This was a simulation. Well spotted!',
      text: 'Your report has been recorded. There is nothing else to do.',
      lesson: { title: 'What to remember', paragraphs: ['Look twice.', 'Then ask.'] },
    },
  });
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(await reporters()).toEqual([learnerId('tenant', 1)]);
});

test.each([
  ['de-AT', 'Das war eine Simulation'],
  ['fr', 'C’était une simulation'],
  ['xx', 'This was a simulation'],
])('the outcome in the language %s begins with "%s"', async (language, title) => {
  expect((await report(button, mailOf(1), { language })).body.title).toMatch(title);
});

test('reporting the same simulation again changes nothing and has the same outcome', async () => {
  const first = await report(button, mailOf(1));
  expect((await report(button, mailOf(1))).body).toEqual(first.body);
  expect(await reporters()).toEqual([learnerId('tenant', 1)]);
});

test('a Message-ID of one recipient identifies the simulation, without a link', async () => {
  const messageId = '<20261124.0800.77@parcel-desk.test>';
  const event = { type: 'sent', occurredAt: '2026-11-24T00:00:00Z', eventId: 'sent-77', evidence: { messageId } };
  const running = simulationId('tenant', 5);
  const whose = { simulation: { id: running }, learner: { id: learnerId('tenant', 2) } };
  expect((await post('/simulation-events', { events: [{ ...whose, ...event }] })).status).toBe(200);
  const { body } = await report(button, mailWith('Hello', [`Message-ID: ${messageId}`]));
  expect(body.outcome).toBe('simulation');
  expect(await reportersOf(running)).toContain(learnerId('tenant', 2));
});

describe('without a mail server, only the reporter’s own simulation can be reported; the rest says what to do', () => {
  const failed = {
    outcome: 'failed',
    title: 'The message was not reported',
    text: `Please forward it as an attachment to ${FORWARD_TO}, or try again later.`,
  };

  test('a real attack', async () => {
    const { status, body } = await report(button, mailWith('Your password: https://attack.test/'));
    expect({ status, body }).toEqual({ status: 502, body: failed });
  });

  test('the simulation of a colleague, which is not recorded', async () => {
    const { body } = await report(button, mailOf(2), { reporter: 'learner1@tenant.test' });
    expect(body).toEqual(failed);
    expect(await reporters()).toEqual([]);
  });

  test('the simulation of another company, which is not recorded', async () => {
    const foreign = await makeMailedSimulation([1], { company: 'other' });
    expect((await report(button, mailOf(1, foreign))).body).toEqual(failed);
    expect(await reportersOf(foreign.id)).toEqual([]);
  });

  test('an attack that carries a simulation of the reporter', async () => {
    const inner = mailOf(1).toString();
    const type = 'Content-Type: multipart/mixed; boundary=x';
    const text = `--x\r\n\r\nPay at https://attack.test/\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--x--`;
    expect((await report(button, mailWith(text, [type]))).body).toEqual(failed);
  });
});

describe('hostile reports', () => {
  test.each([
    ['an unknown token', () => button.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['text that is not a token', () => '/report-button/x'],
  ])('%s returns 404 and says what to do instead', async (_name, path) => {
    const { status, body } = await report(path(), mailOf(1));
    expect({ status, title: body.title }).toEqual({ status: 404, title: 'This button no longer works' });
    expect(await reporters()).toEqual([]);
  });

  test('a replaced token works until its overlap ends', async () => {
    await post(`${PATH}/rotate`, {});
    expect((await report(button, mailOf(1))).status).toBe(200);
    await testService.query("update company_settings set report_button_previous_until = now() - interval '1 second'");
    expect((await report(button, mailOf(2))).status).toBe(404);
    expect(await reporters()).toEqual([learnerId('tenant', 1)]);
  });

  test('the token of another company records nothing for this one', async () => {
    const other = await enableButton('other');
    expect((await report(other, mailOf(1))).body.outcome).toBe('failed');
    expect(await reporters()).toEqual([]);
  });

  test('an email of 30 MB returns 413 and says what to do instead', async () => {
    const { status, body } = await report(button, Buffer.alloc(30_000_000, 'a'));
    expect(status).toBe(413);
    expect(body.text).toBe(`The message is too large for this button. Please tell ${FORWARD_TO} about it.`);
  });

  test.each([
    ['no lines', ''],
    ['no base64', '\u0000\u0001'],
  ])('a body with %s returns 400', async (_name, mail) => {
    expect((await report(button, mail)).status).toBe(400);
  });

  test('an address with a null character or of 10,000 characters counts as none', async () => {
    expect((await report(button, mailOf(1), { reporter: 'a\0@b.test' })).body.outcome).toBe('simulation');
    expect((await report(button, mailOf(2), { reporter: `${'a'.repeat(290)}@b.test` })).body.outcome).toBe(
      'simulation',
    );
  });

  test('a GET of the reports returns 405', async () => {
    expect((await fetch(`${testService.url}${button}/reports`)).status).toBe(405);
  });
});

describe('the pages', () => {
  const page = (path: string, headers = {}) => fetch(`${testService.url}${button}/${path}`, { headers });

  test("the task pane allows Outlook to frame it, and loads only Microsoft's library and its own files", async () => {
    const { headers, status } = await page('pane');
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self' https://appsforoffice.microsoft.com;");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain('frame-ancestors https://outlook.office.com');
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-frame-options')).toBeNull();
  });

  test('the task pane is in the language of the manifest, or of the browser', async () => {
    expect(await (await page('pane?language=de')).text()).toContain('Diese E-Mail melden');
    expect(await (await page('pane', { 'accept-language': 'fr' })).text()).toContain('Signaler cet e-mail');
    expect(await (await page('pane?language=<script>')).text()).toContain('Report this message');
  });

  test('the handler has the address for reports and texts in each language', async () => {
    const script = await (await page('events.js')).text();
    const settings = JSON.parse(/^var reportButton = (.*);$/m.exec(script)![1]!) as Record<string, any>;
    expect(settings.reports).toBe(`${testService.url}${button}/reports`);
    expect(Object.keys(settings.texts).toSorted()).toEqual(['de', 'en', 'fr']);
    expect(await (await page('events')).text()).toContain('<script src="events.js"></script>');
  });

  test('the icons in the manifest can be loaded from other sites', async () => {
    const manifest = await (await page('manifest.xml')).text();
    const urls = new Set(manifest.match(/http[^"]*\.png/g));
    expect(urls.size).toBe(5);
    for (const url of urls) {
      const { status, headers } = await fetch(url);
      expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'image/png' });
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    }
  });

  test('the manifests of two rotations have the same id and growing versions', async () => {
    const read = async (path: string) => {
      const text = await (await fetch(`${testService.url}${path}/manifest.xml`)).text();
      return { id: /<Id>(.*)<\/Id>/.exec(text)![1], version: /<Version>(.*)<\/Version>/.exec(text)![1] };
    };
    const first = await read(button);
    const next = await read(pathIn((await post(`${PATH}/rotate`, {})).body.data.outlook.xmlManifestUrl));
    expect(next.id).toBe(first.id);
    expect([first.version, next.version]).toEqual(['1.0.0.0', '1.0.1.0']);
  });
});
