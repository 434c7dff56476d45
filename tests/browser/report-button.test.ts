/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-desk.test", "AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Admin } from '../support/admin.ts';
import { forgetSimulations, makeMailedSimulation, type MailedSimulation } from '../support/own-simulations.ts';
import { disableButtons, enableButton, FORWARD_TO, mailWith, reportersOf } from '../support/report-button.ts';
import { learnerId } from '../support/world.ts';
import { barriers, chromiumPath, focused, launch, overflow, signedInWith, visit } from './browser.ts';

const withBrowser = chromiumPath ? describe : describe.skip;
/** Folder for screenshots of the pages, for manual review. */
const PICTURES = process.env.PICTURES;
const OFFICE = 'https://appsforoffice.microsoft.com/lib/1/hosted/office.js';
const STUB = readFileSync(new URL('../support/office-stub.js', import.meta.url), 'utf8');

/** The state of Outlook. */
interface Outlook {
  mail: Buffer;
  /** The highest requirement set of the mailbox: 14 for 1.14. */
  mailbox?: number;
  language?: string;
}

withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  let button: string;
  let simulation: MailedSimulation;
  const link = () => `https://parcel-desk.test${simulation.linkOf(1)}`;
  const attack = mailWith('Your password: https://attack.test/');
  beforeAll(async () => {
    // Chromium would not let a public site show a page of this machine in a frame.
    browser = await launch(['--disable-features=LocalNetworkAccessChecks']);
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    button = await enableButton();
    simulation = await makeMailedSimulation([1]);
  });
  afterEach(async () => {
    await forgetSimulations();
    await disableButtons('tenant');
  });

  /** Opens a page of the button in a simulated Outlook. Returns the errors and warnings of the browser. */
  async function open(
    path: string,
    { mail, mailbox = 14, language = 'en-GB' }: Outlook,
    work: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<string[]> {
    const context = await browser.newContext(options);
    try {
      const [headers, body] = mail.toString().split('\r\n\r\n') as [string, string];
      const state = { mail: mail.toString('base64'), headers, html: `<p>${body}</p>`, mailbox, language };
      const script = `window.stub = ${JSON.stringify({ ...state, reporter: 'learner1@tenant.test' })};\n${STUB}`;
      await context.route(OFFICE, (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${testService.url}${button}/${path}`, { waitUntil: 'networkidle' });
      await work(page);
      return complaints;
    } finally {
      await context.close();
    }
  }

  const picture = async (page: Page, name: string) => {
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  };

  async function reportByKeyboard(page: Page): Promise<void> {
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatch(/^BUTTON /);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#status h2');
  }

  test.each([
    ['light', {}],
    ['dark, narrow', { colorScheme: 'dark', viewport: { width: 320, height: 600 } }],
  ] as const)('a person reports a simulation by keyboard in the task pane: %s', async (look, options) => {
    const complaints = await open(
      'pane',
      { mail: mailWith(`See ${link()}`) },
      async (page) => {
        expect(await barriers(page)).toEqual([]);
        await picture(page, `pane-${look}`);
        await reportByKeyboard(page);
        expect(await page.textContent('#status')).toContain('Well spotted!');
        expect(await page.textContent('#status')).toContain('Look twice.');
        expect(await page.evaluate('document.activeElement.id')).toBe('status');
        expect(await page.isVisible('#report')).toBe(false);
        expect(await barriers(page)).toEqual([]);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        await picture(page, `pane-reported-${look}`);
      },
      options,
    );
    expect(complaints).toEqual([]);
    expect(await reportersOf(simulation.id)).toEqual([learnerId('tenant', 1)]);
  });

  test('a version of Outlook that cannot read whole emails sends the headers and the text', async () => {
    await open('pane?language=de', { mail: mailWith(`Siehe ${link()} – schnell!`), mailbox: 8 }, async (page) => {
      await reportByKeyboard(page);
      expect(await page.textContent('#status')).toContain('Das war eine Simulation.');
    });
    expect(await reportersOf(simulation.id)).toHaveLength(1);
  });

  test('a failure says what to do instead, and the person can try again', async () => {
    await open('pane?language=fr', { mail: attack }, async (page) => {
      await reportByKeyboard(page);
      expect(await page.textContent('#status')).toContain(`Transférez-le en pièce jointe à ${FORWARD_TO}`);
      expect(await page.isEnabled('button')).toBe(true);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'pane-failed');
    });
  });

  test('without a connection, the pane says what to do instead', async () => {
    await open('pane', { mail: attack }, async (page) => {
      await page.context().setOffline(true);
      await reportByKeyboard(page);
      expect(await page.textContent('#status')).toContain(`forward it as an attachment to ${FORWARD_TO}`);
    });
  });

  test('another message in the pane can be reported after the first', async () => {
    await open('pane', { mail: mailWith(`See ${link()}`) }, async (page) => {
      await reportByKeyboard(page);
      await page.evaluate('void raise(Office.EventType.ItemChanged)');
      expect(await page.isVisible('button')).toBe(true);
      expect(await page.textContent('#status')).toBe('');
    });
  });

  test('the handler of spam reports completes the event according to the kind of message', async () => {
    const raise = async (outlook: Outlook) => {
      let completed: unknown;
      await open('events', outlook, async (page) => {
        completed = await page.evaluate('raise("onMessageReport")');
      });
      return completed;
    };
    expect(await raise({ mail: mailWith(`See ${link()}`) })).toEqual({
      moveItemTo: 'deletedItemsFolder',
      onErrorDeleteItem: false,
      showPostProcessingDialog: {
        title: 'This was a simulation. Well spotted!',
        description: 'Your report has been recorded. There is nothing else to do.',
      },
    });
    expect(await reportersOf(simulation.id)).toHaveLength(1);
    const failed = { moveItemTo: 'noMove', showPostProcessingDialog: { title: 'Die E-Mail wurde nicht gemeldet' } };
    expect(await raise({ mail: attack, language: 'de-CH' })).toMatchObject(failed);
    expect(await raise({ mail: attack, mailbox: 8, language: 'de-CH' })).toMatchObject(failed);
    const large = await raise({ mail: Buffer.alloc(22 * 1024 * 1024, 'a\r\n\r\n') });
    expect(large).toMatchObject({
      moveItemTo: 'noMove',
      showPostProcessingDialog: {
        description: `The message is too large for this button. Please tell ${FORWARD_TO} about it.`,
      },
    });
  });

  test('only the sites of Outlook can show the pane in a frame', async () => {
    const frameIn = async (site: string) => {
      const context = await browser.newContext();
      await context.route(OFFICE, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
      const body = `<iframe src="${testService.url}${button}/pane"></iframe>`;
      await context.route(`${site}/`, (route) => route.fulfill({ contentType: 'text/html', body }));
      const page = await context.newPage();
      await page.goto(`${site}/`, { waitUntil: 'networkidle' });
      const shown = await page.frames()[1]!.content();
      await context.close();
      return shown.includes('Report this message');
    };
    expect(await frameIn('https://outlook.office.com')).toBe(true);
    expect(await frameIn('https://attack.test')).toBe(false);
  });

  test.each([
    ['wide', { viewport: { width: 1280, height: 800 } }],
    ['narrow and dark', { colorScheme: 'dark', viewport: { width: 360, height: 700 } }],
  ] as const)('the page of the console has no barriers: %s', async (look, options) => {
    const signedIn = signedInWith((await Admin.of('tenant')).cookie);
    for (const path of ['', '/rotate']) {
      await visit(
        browser,
        `/console/report-button${path}`,
        { ...signedIn, ...options },
        async ({ page, complaints }) => {
          expect(await barriers(page)).toEqual([]);
          expect(await overflow(page)).toBeLessThanOrEqual(0);
          expect(complaints).toEqual([]);
          await picture(page, `console${path.replace('/', '-')}-${look}`);
        },
      );
    }
  });
});
