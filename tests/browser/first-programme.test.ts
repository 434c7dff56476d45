import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import PostalMime, { type Email } from 'postal-mime';
import { DnsServer } from '../../scripts/demo/dns-server.ts';
import { freePort, run, startService, stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { barriers, chromiumPath, launch, overflow } from './browser.ts';

// The first day of a new customer: from an invitation to a running campaign and a simulation that is being sent. A
// whole service runs with a worker, a mail folder and a DNS server. The admin finds everything by its role and name in
// the accessibility tree, and uses only the keyboard.

const MAX_CLICKS = 30;
const MAX_MINUTES = 10;
const DOMAIN = 'lakeside-pottery.test';
const SENDER = 'parcel-desk.test';
const PEOPLE = ['Ada', 'Grace', 'Radia'];

/** A zone in which it is about noon, so that messages can be sent at once. */
const zone = Intl.supportedValuesOf('timeZone').find((timeZone) => {
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit' }).format(new Date());
  return ['10', '11', '12'].includes(hour);
})!;
const dayIn = (timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date());

/** Folder for screenshots of the steps, for manual review. */
const PICTURES = process.env.PICTURES;

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'first-programme-'));
  let browser: Browser;
  let dns: DnsServer;
  let url: string;
  let companyId: string;
  let key: string;

  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args, { DATABASE_OWNER_URL: testService.database.ownerUrl });
    expect({ code, problem: code === 0 ? '' : stderr }).toEqual({ code: 0, problem: '' });
    return stdout.trim();
  };
  const keys = (...args: string[]) => command('src/commands/keys.ts', ...args);
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { data: never } };
  };

  beforeAll(async () => {
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
    browser = await launch();
    dns = await new DnsServer().start();
    await command('src/commands/catalogue.ts', '--shipped');
    companyId = await keys(
      ...['create-company', '--name', 'Lakeside Pottery', '--kind', 'tenant'],
      ...['--domain', DOMAIN, '--domain-lock'],
    );
    key = /sk_\w+/.exec(await keys('issue', '--company', companyId, '--name', 'test'))![0];
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    await startService({
      ...{ DATABASE_URL: testService.database.serviceUrl, PORT: port, PUBLIC_URL: url, MAIL_FOLDER: folder },
      ROLES: 'api,worker,simulate',
      ...{ SIMULATION_SENDER_DOMAINS: SENDER, DNS_SERVERS: dns.place, SIMULATION_RATE_PER_MINUTE: '6000' },
    });
    await until(async () => (await fetch(`${url}/v1/ready`).catch(() => undefined))?.status === 200, 60_000);
    const admin = { email: `mary@${DOMAIN}`, firstName: 'Mary', lastName: 'Wortley', locale: 'en' };
    expect((await call('/admins', admin)).status).toBe(200);
  });
  afterAll(async () => {
    stopServices();
    dns.stop();
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Waits for an email whose recipient address matches. */
  async function mailTo(address: string, fits: (mail: Email) => boolean): Promise<Email> {
    let found: Email | undefined;
    await until(async () => {
      const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.eml')) : [];
      for (const file of files) {
        const mail = await PostalMime.parse(readFileSync(join(folder, file)));
        if (mail.to?.[0]?.address === address && fits(mail)) found = mail;
      }
      return found !== undefined;
    }, 60_000);
    return found!;
  }

  /** Makes the messages due that the simulation spreads over the day. */
  async function bringForward() {
    await until(async () => {
      const due = 'update simulation_recipients set scheduled_at = now() where company_id = $1 returning learner_id';
      return (await testService.query(due, [companyId])).length === PEOPLE.length;
    }, 60_000);
  }

  test('an empty company runs a campaign and sends a simulation after a few steps', async () => {
    const began = Date.now();
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    let clicks = 0;
    let pictures = 0;
    /** Activates a link or button, or ticks a box, with the keyboard. */
    const press = async (target: Locator, keyName: 'Enter' | 'Space' = 'Enter') => {
      await target.focus();
      const follows = keyName === 'Enter' ? page.waitForEvent('load') : undefined;
      await Promise.all([follows, page.keyboard.press(keyName)]);
      clicks += 1;
    };
    const link = (name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const look = async () => {
      pictures += 1;
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `first-${pictures}.png`), fullPage: true });
      expect({ url: page.url(), barriers: await barriers(page), overflow: await overflow(page) }).toEqual({
        ...{ url: page.url(), barriers: [], overflow: 0 },
      });
    };
    /** Waits for the notice of a finished step. */
    const done = (text: string) => page.getByRole('status').getByText(text).waitFor();

    await signIn(page, press);
    await look();
    await importPeople(page, { press, link, button, done, look });
    await proveDomain(page, { press, link, button, done, look });
    await planSimulation(page, { press, link, button, done, look });
    await startCampaign(page, { press, link, button, done, look });

    await bringForward();
    const bait = await mailTo(`ada@${DOMAIN}`, ({ from }) => from?.address?.endsWith(`@${SENDER}`) === true);
    expect(bait.html).toContain(url);
    await until(async () => {
      const { data } = (await call('/reports/campaigns')).body as { data: { status: string; assignedCount: number }[] };
      return data.some(({ status }) => status === 'running');
    }, 60_000);
    expect(complaints).toEqual([]);
    expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
    expect((Date.now() - began) / 60_000).toBeLessThan(MAX_MINUTES);
  }, 600_000);

  interface Hands {
    press: (target: Locator, keyName?: 'Enter' | 'Space') => Promise<void>;
    link: (name: string | RegExp) => Locator;
    button: (name: string) => Locator;
    done: (text: string) => Promise<void>;
    look: () => Promise<void>;
  }

  async function signIn(page: Page, press: Hands['press']) {
    const { text } = await mailTo(`mary@${DOMAIN}`, (mail) => mail.text?.includes('/setup/') === true);
    await page.goto(/https?:\/\/\S+\/setup\/\S+/.exec(text!)![0]);
    await press(page.locator('main form button'));
    await press(page.locator('main a.button'));
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  }

  async function importPeople(page: Page, { press, link, button, done, look }: Hands) {
    await press(link('Import a list from CSV or Excel'));
    await page.getByLabel('Or paste a table').focus();
    const rows = PEOPLE.map((name) => `${name}\tPotter\t${name.toLowerCase()}@${DOMAIN}`);
    await page.keyboard.insertText(['First name\tLast name\tE-mail', ...rows].join('\n'));
    await press(button('Check the list'));
    await page.getByRole('button', { name: /^Import: 3 new/ }).waitFor();
    await look();
    await press(page.getByRole('button', { name: /^Import: 3 new/ }));
    await done('The list has been imported.');
  }

  async function proveDomain(page: Page, { press, link, button, done, look }: Hands) {
    await press(link('Simulations'));
    await press(link('Settings').last());
    await page.getByLabel('Domain', { exact: true }).focus();
    await page.keyboard.type(DOMAIN);
    await page.keyboard.press('Enter');
    await done('The domain has been added.');
    await look();
    const cells = await page.getByRole('row', { name: DOMAIN }).getByRole('cell').allInnerTexts();
    dns.answers.set(cells[0]!, [cells[1]!]);
    await press(button(`Look up: ${DOMAIN}`));
    await done('The domain is proved.');
  }

  async function planSimulation(page: Page, { press, link, button, done, look }: Hands) {
    await press(link('Templates'));
    await look();
    await press(page.getByRole('link', { name: /parcel/i }).first());
    await look();
    await press(link('Plan a simulation with this template'));
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('First simulation');
    await page.getByLabel('First day').fill(dayIn(zone));
    await page.getByLabel('Last day').fill(dayIn(zone));
    await page.getByLabel('Time zone').fill(zone);
    for (const day of ['Saturday', 'Sunday']) await press(page.getByLabel(day), 'Space');
    await look();
    await press(button('Save the draft'));
    await done('The draft has been saved.');
    await look();
    await press(button('Schedule'));
    await done('The simulation has been scheduled.');
  }

  async function startCampaign(page: Page, { press, link, button, done, look }: Hands) {
    await press(link('Campaigns'));
    await press(link('Plan a campaign'));
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('Phishing for everybody');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Course: Phishing');
    await look();
    await press(button('Save and preview'));
    await look();
    await press(button('Start the campaign'));
    await done('The campaign has been started.');
    await look();
  }
});
