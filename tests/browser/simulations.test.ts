/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcels.example"} */
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  forgetSimulations,
  type MailedSimulation,
  makeMailedSimulation,
  recorded,
} from '../support/own-simulations.ts';
import { barriers, chromiumPath, focused, launch, overflow } from './browser.ts';

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

  /** Opens the link, passes its page to `work`, and returns the requests, console messages and cookies. */
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

  test.each(looks)(
    'the page has nothing to type into, leads from marks to cues by keyboard, and sends no text: %s',
    async (_look, options) => {
      const { asked, complaints, cookies } = await open(options, async (page) => {
        expect(await barriers(page)).toEqual([]);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        expect(await page.locator('input, textarea, select, button, form').count()).toBe(0);
        const told = page.waitForResponse((response) => response.url().endsWith('/input'));
        await page.keyboard.press('Tab');
        expect(await focused(page)).toBe('A 1');
        await page.keyboard.press('Enter');
        expect(await page.evaluate('document.querySelector(":target").textContent')).toContain(
          'The sender is <b>nobody',
        );
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        expect(await page.evaluate('document.querySelector(":target").tagName')).toBe('MARK');
        expect(await barriers(page)).toEqual([]);
        await told;
      });
      expect(asked.filter((line) => line.startsWith('POST'))).toEqual([
        expect.stringMatching(/\/loaded $/),
        expect.stringMatching(/\/input $/),
      ]);
      expect([sent.match(/^POST /gm), sent.match(/^content-length: .*/gim)]).toEqual([
        ['POST ', 'POST '],
        ['Content-Length: 0', 'Content-Length: 0'],
      ]);
      expect([complaints, cookies]).toEqual([[], []]);
    },
  );

  test('without script the page shows the message and the lesson', async () => {
    const { asked } = await open({ javaScriptEnabled: false }, async (page) => {
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('This was a phishing simulation');
      await page.getByRole('article', { name: 'The message' }).getByText('Your parcel').waitFor();
      await page.getByText('Look twice.').waitFor();
    });
    expect(asked.filter((line) => line.includes('/s/'))).toHaveLength(1);
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
