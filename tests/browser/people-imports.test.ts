import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { Admin } from '../support/admin.ts';
import { get, post } from '../support/client.ts';
import { barriers, chromiumPath, launch, overflow, signedInWith, visit } from './browser.ts';

const withBrowser = chromiumPath ? describe : describe.skip;
/** Folder for screenshots of the pages, for manual review. */
const PICTURES = process.env.PICTURES;
const LONG = 'Hubertus'.repeat(25);
const TABLE = [
  ['Personalnummer', 'E-Mail', 'Vorname', 'Nachname', 'Abteilung'],
  ['N-1', 'ada@tenant.test', 'Ada', 'King', 'Sales'],
  ['N-2', 'zoe@tenant.test', LONG, 'قسم', 'قسم الهندسة'],
  ['', 'zoe@gmail.com', 'Zoë', '<b>Bold</b>', ''],
  ['HR-1', 'learner1@tenant.test', '', '', 'Law'],
];

withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  let signedIn: ReturnType<typeof signedInWith>;
  beforeAll(async () => {
    browser = await launch();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
    signedIn = signedInWith((await Admin.of('tenant')).cookie);
  });
  afterAll(() => browser.close());

  const open = (path: string, options: object, work: (page: Page) => Promise<void>) =>
    visit(browser, path, { ...signedIn, ...options }, (visited) => work(visited.page));

  test('an admin pastes a table by keyboard, imports it, edits a person, and undoes the import', async () => {
    await open('/console/people/imports', {}, async (page) => {
      await page.locator('#text').focus();
      await page.keyboard.insertText(TABLE.map((cells) => cells.join('\t')).join('\n'));
      await press(page, 'Check the list');
      expect(await page.locator('tbody').textContent()).toContain('Ada King');
      const address = page.url();
      await press(page, 'Import: 2 new, 1 changed');
      expect(await page.locator('.toast').textContent()).toBe('The list has been imported.');
      await page.getByRole('link', { name: 'Ada King' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/console/people/*');
      await page.getByRole('link', { name: 'Edit', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/edit');
      await page.locator('#jobTitle').focus();
      await page.keyboard.insertText('Analyst');
      await page.keyboard.press('Enter');
      await page.waitForURL('**notice=saved');
      expect((await get('/learners?email=ada@tenant.test')).body.data[0]).toMatchObject({ jobTitle: 'Analyst' });
      await page.goto(address);
      await press(page, 'Undo the import');
      expect(await page.locator('main').textContent()).toContain('Deleted: 2.');
    });
  });

  test.each(['light', 'dark'] as const)('no page has a barrier or is too wide, in %s', async (colorScheme) => {
    const [columns, ...rows] = TABLE;
    const { id } = (await post('/learner-imports', { name: LONG, columns, rows })).body.data;
    const draft = (await post('/learner-imports', { columns: ['A', LONG], rows: [['ada@new.test', LONG]] })).body.data;
    const [person] = (await get('/learners')).body.data;
    const paths = {
      list: '/console/people/imports',
      checked: `/console/people/imports/${id}`,
      draft: `/console/people/imports/${draft.id}`,
      edit: `/console/people/${person.id}/edit`,
      records: `/console/people/${person.id}/records`,
    };
    const found: string[] = [];
    for (const width of [360, 768, 1280]) {
      for (const [name, path] of Object.entries(paths)) {
        await open(path, { viewport: { width, height: 800 }, colorScheme }, async (page) => {
          await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
          if (PICTURES) {
            await page.screenshot({ path: join(PICTURES, `${colorScheme}-${width}-${name}.png`), fullPage: true });
          }
          for (const barrier of await barriers(page)) found.push(`${name} at ${width}: ${barrier}`);
          if ((await overflow(page)) > 0) found.push(`${name} at ${width} is too wide`);
        });
      }
    }
    expect(found).toEqual([]);
  });
});

/** Presses a button by keyboard, and waits for the next page. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).focus();
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}
