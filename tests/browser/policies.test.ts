import { createHash } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { Browser } from 'playwright-core';
import { get } from '../support/client.ts';
import { companies } from '../support/world.ts';
import { fileId } from '../support/world-policies.ts';
import { Learner } from '../support/learner.ts';
import { policy } from '../resources/policies/policy-state.ts';
import { learner, results } from '../resources/policies/signature-event-state.ts';
import { barriers, chromiumPath, launch, overflow, signedInWith, visit } from './browser.ts';

const looks = [
  { look: 'desktop, light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { look: 'phone, dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

/** Replaces the policy file of the tenant with a file of three pages of text. */
async function storePages(): Promise<void> {
  const document = await PDFDocument.create();
  for (const number of [1, 2, 3]) document.addPage().drawText(`Lock your screen, page ${number}`, { x: 50, y: 700 });
  const bytes = Buffer.from(await document.save());
  const sha256 = createHash('sha256').update(bytes).digest();
  const values = [companies.tenant, sha256, bytes];
  await testService.query('insert into file_contents (company_id, sha256, content) values ($1, $2, $3)', values);
  await testService.query('update policy_files set sha256 = $2, size_bytes = $3, page_count = 3 where id = $1', [
    fileId('tenant'),
    sha256,
    bytes.length,
  ]);
}

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  let name: string;
  let signedIn: ReturnType<typeof signedInWith>;
  beforeAll(async () => {
    await storePages();
    const { firstName, lastName } = (await get(`/learners/${learner(2)}`)).body.data;
    name = `${firstName} ${lastName}`;
    signedIn = signedInWith((await Learner.of('tenant', 2)).cookie);
    browser = await launch();
  });
  afterAll(() => browser.close());

  test.each(looks)('$look: the page shows the policy and records the visit', async ({ look, ...options }) => {
    await visit(browser, `/learn/policies/${policy(1)}`, { ...options, ...signedIn }, async ({ page, complaints }) => {
      await page.locator('.pdf-text', { hasText: 'Lock your screen, page 1' }).waitFor();
      if (process.env.SCREENSHOTS) {
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/policy ${look}.png`, fullPage: true });
      }
      await page.locator('#reader').focus();
      await page.keyboard.press('End');
      await page.locator('.pdf-text', { hasText: 'Lock your screen, page 3' }).waitFor();
      await page.locator('#open-first').waitFor({ state: 'detached' });
      const [result] = await results(2);
      expect(result.visit).not.toBeNull();
      expect(await overflow(page)).toBe(0);
      expect(await barriers(page)).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });

  test('a policy is signed with only the keyboard, and the page shows the receipt', async () => {
    await visit(browser, `/learn/policies/${policy(1)}`, signedIn, async ({ page }) => {
      await page.locator('#name').focus();
      await page.keyboard.type(name);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('#receipt').waitFor();
      if (process.env.SCREENSHOTS) {
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/receipt.png`, fullPage: true });
      }
      expect(await barriers(page)).toEqual([]);
    });
    expect((await results(2))[0].signed).not.toBeNull();
  });
});
