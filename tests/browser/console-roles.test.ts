/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import type { Browser } from 'playwright-core';
import { Admin } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { companies, roleId } from '../support/world.ts';
import { barriers, chromiumPath, launch, signedInWith, visit } from './browser.ts';

const run = chromiumPath === undefined ? test.skip : test;
const OWN = `/console/roles/${roleId('tenant')}`;

let browser: Browser;
let cookie: string;
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  browser = await launch();
  ({ cookie } = await Admin.of('tenant', 1));
});
afterAll(async () => {
  await browser?.close();
  await testService.query('delete from roles where company_id = $1 and id <> $2', [companies.tenant, roleId('tenant')]);
});

run('a role is created by keyboard, without script', async () => {
  const options = { ...signedInWith(cookie), javaScriptEnabled: false };
  await visit(browser, '/console/roles/new', options, async ({ page, complaints }) => {
    const focus = () => page.locator(':focus');
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('Course assistants');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Enrol and remind');
    for (let count = 0; count < 80 && (await focus().getAttribute('value')) !== 'courses:read'; count += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.waitForURL('**?notice=created');
    expect(await page.getByRole('status').textContent()).toBe('The role has been created.');
    expect(complaints).toEqual([]);
  });
  const roles = (await get('/roles')).body.data as { name: string; scopes: string[] }[];
  expect(roles.at(-1)).toMatchObject({ name: 'Course assistants', scopes: ['courses:read'] });
});

run.each(['/console/roles', '/console/roles/new', '/console/roles/auditor', OWN, `${OWN}/edit`, `${OWN}/delete`])(
  '%s has no barrier and fits each screen, light and dark',
  async (path) => {
    for (const width of [360, 768, 1280]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const options = { ...signedInWith(cookie), viewport: { width, height: 800 }, colorScheme };
        await visit(browser, path, options, async ({ page, complaints }) => {
          const folder = process.env.PICTURES;
          const name = `${path.split('/').slice(2).join('-')}-${width}-${colorScheme}.png`;
          if (folder) await page.screenshot({ path: `${folder}/${name}`, fullPage: true });
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
          expect(await barriers(page)).toEqual([]);
          expect(complaints).toEqual([]);
        });
      }
    }
  },
);
