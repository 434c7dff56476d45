/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcels.example"} */
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  forgetSimulations,
  type MailedSimulation,
  makeMailedSimulation,
  recorded,
} from '../support/own-simulations.ts';
import { barriers, chromiumPath, launch, overflow } from './browser.ts';

const CANARY = 'Tr0ub4dor-canary';
const looks = [
  ['light', { colorScheme: 'light' }],
  ['dark, on a phone', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
] as const;

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  let wire: Server;
  let sent = '';
  let simulation: MailedSimulation;
  beforeAll(async () => {
    browser = await launch();
    // Records every byte that the browser sends to the service.
    wire = createServer((socket) => {
      const upstream = connect(Number(new URL(testService.url).port), '127.0.0.1');
      socket.on('data', (bytes) => (sent += bytes.toString('latin1')));
      socket.pipe(upstream).pipe(socket);
      for (const end of [socket, upstream]) end.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await browser.close();
    wire.close();
  });
  beforeEach(async () => {
    sent = '';
    simulation = await makeMailedSimulation([1]);
  });
  afterEach(forgetSimulations);

  /** Opens the link, passes its page to `work`, and returns the requests, complaints and cookies. */
  async function open(options: BrowserContextOptions, work: (page: Page) => Promise<void>) {
    const context = await browser.newContext(options);
    const asked: string[] = [];
    const complaints: string[] = [];
    context.on('request', (request) => asked.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`));
    const page = await context.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    const { port } = wire.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}${simulation.linkOf(1)}`, { waitUntil: 'networkidle' });
    await work(page);
    const cookies = await context.cookies();
    await context.close();
    return { asked, complaints, cookies };
  }

  test.each(looks)('an entered credential appears in no request, log or table: %s', async (_look, options) => {
    const { asked, complaints, cookies } = await open(options, async (page) => {
      expect(await barriers(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      const told = page.waitForResponse((response) => response.url().endsWith('/compromise'));
      await page.getByLabel('User name').pressSequentially(`user-${CANARY}`);
      await page.getByLabel('Password').pressSequentially(CANARY);
      await page.keyboard.press('Enter');
      await page.getByText('Stop: an attacker would now have what you typed.').waitFor();
      expect(await page.getByLabel('Password').inputValue()).toBe('');
      expect(await barriers(page)).toEqual([]);
      await told;
    });
    expect(asked.filter((line) => line.startsWith('POST'))).toEqual([
      expect.stringMatching(/\/loaded $/),
      expect.stringMatching(/\/input $/),
      expect.stringMatching(/\/compromise $/),
    ]);
    expect([sent.match(/^POST /gm), sent.match(/^content-length: .*/gim)]).toEqual([
      ['POST ', 'POST ', 'POST '],
      ['Content-Length: 0', 'Content-Length: 0', 'Content-Length: 0'],
    ]);
    const compromise = (await recorded(simulation)).find(({ type }) => type === 'compromised');
    expect(compromise).toMatchObject({ verdict: 'human', evidence: { input: true } });
    expect([complaints, cookies]).toEqual([[], []]);
    expect(`${sent}${asked.join()}${testService.log.join()}`).not.toMatch(/canary|Tr0ub4dor/i);
    expect(await tablesWith(CANARY)).toEqual([]);
  });

  test('submitting only a password shows the warning and clears the field', async () => {
    await open({}, async (page) => {
      await page.getByLabel('Password').pressSequentially(CANARY);
      await page.keyboard.press('Enter');
      await page.getByText('Stop: an attacker would now have what you typed.').waitFor({ timeout: 3000 });
      expect(await page.getByLabel('Password').inputValue()).toBe('');
    });
  });

  test('without script the form sends nothing, and the page shows the lesson', async () => {
    const { asked } = await open({ javaScriptEnabled: false }, async (page) => {
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('This was a phishing simulation');
      await page.getByText('Look twice.').waitFor();
      await page.getByLabel('User name').pressSequentially(CANARY);
      await page.getByLabel('Password').pressSequentially(CANARY);
      await page.keyboard.press('Enter');
      await page.waitForTimeout(500);
    });
    expect(asked.filter((line) => line.includes('/s/'))).toHaveLength(1);
    expect(sent).not.toContain('canary');
  });

  test('a program that fills in and submits the form reports no input and no compromise', async () => {
    const { asked } = await open({}, async (page) => {
      await page.evaluate(`
        for (const field of document.querySelectorAll('input')) field.value = 'x';
        document.querySelector('form').requestSubmit();
      `);
      await page.getByText('Stop: an attacker would now have what you typed.').waitFor();
      await page.waitForTimeout(300);
    });
    // The page reports only that it was loaded.
    expect(asked.filter((line) => line.startsWith('POST') && !line.endsWith('/loaded '))).toEqual([]);
  });

  test('moving the pointer records a human visit, and only loading the page an automated one', async () => {
    await open({}, async () => undefined);
    expect(await recorded(simulation)).toMatchObject([
      { type: 'visited', verdict: 'automated', reasons: ['robot'] },
      { type: 'visited', verdict: 'automated', reasons: ['robot'], evidence: { script: true, styleSheet: true } },
    ]);
    await open({}, async (page) => {
      const told = page.waitForResponse((response) => response.url().endsWith('/input'));
      await page.mouse.move(40, 40);
      await page.mouse.move(80, 60);
      await told;
    });
    expect((await recorded(simulation)).at(-1)).toMatchObject({ type: 'visited', verdict: 'human' });
  });
});

/** Returns the tables outside the system schemas that contain a text, also as bytes. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await testService.query(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables as { name: string }[]) {
    const rows = await testService.query(
      `select from ${name} as t where t::text ilike '%' || $1 || '%' or t::text ilike '%' || encode($1::bytea, 'hex') || '%' limit 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
