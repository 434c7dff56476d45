/** @jest-environment-options {"DOCS_DEMO_KEY": "sk_demotenant00_f4c3593d961f7506043b4c016be38f50d7b95912a549117ea19d8770faf8bf878a0b47b4"} */
import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { hashApiKey } from '../../src/auth/api-key.ts';
import { operations } from '../../src/contract/contract.ts';
import { ONE_PAGE, pdfOf } from '../resources/policies/pdf-samples.ts';
import { companies, id, keys, learnerId, ownCourseId } from '../support/world.ts';
import { barriers, chromiumPath, focused, launch, overflow, visit } from './browser.ts';

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };
const looks = Object.entries(sizes).flatMap(([name, viewport]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ look: `${name}, ${colorScheme}`, viewport, colorScheme })),
);
const { version } = (JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as { info: { version: string } }).info;
const comparison = `/docs/changes/rest/1.2.0...${version}`;
const pages = [
  '/docs',
  '/docs/errors',
  '/docs/operations',
  '/docs/operations/createLearner',
  '/docs/risk-score',
  '/docs/changes',
  comparison,
];

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  beforeAll(async () => {
    await testService.query(
      'insert into api_keys (id, company_id, name, public_id, key_hash) values ($1, $2, $3, $4, $5)',
      [
        id('e', 100),
        companies.tenant,
        'demo',
        demoKeys.tenant.split('_')[1],
        Buffer.from(hashApiKey(demoKeys.tenant), 'hex'),
      ],
    );
    browser = await launch();
  });
  afterAll(() => browser.close());

  describe.each(looks)('$look', ({ viewport, colorScheme }) => {
    const options = { viewport, colorScheme };

    test.each([...pages, '/docs/reference'])('%s has one h1, fits the screen and passes axe', async (path) => {
      await visit(browser, path, options, async ({ page, complaints }) => {
        expect(await page.locator('h1').count()).toBe(1);
        expect(await overflow(page)).toBe(0);
        expect(await barriers(page)).toEqual([]);
        expect(complaints).toEqual([]);
      });
    });

    test('the reference sends a GET and shows the response, with only the keyboard', async () => {
      await visit(browser, '/docs/reference', options, async ({ page, complaints }) => {
        const operation = operationOn(page, 'getCompany');
        await operation.locator('summary').press('Enter');
        await operation.getByRole('button', { name: 'Send' }).press('Enter');
        await operation.locator('.answer').waitFor();
        expect(await operation.getByRole('status').textContent()).toMatch(/^200 OK \(GET \/v1\/company, \d+ ms\)$/);
        const answer = await operation.locator('.answer').textContent();
        expect(answer).toMatch(/content-type: application\/json.*\n.*etag: .*x-request-id: /s);
        expect(answer).toContain('"name": "The tenant company"');
        expect(await overflow(page)).toBe(0);
        expect(await barriers(page)).toEqual([]);
        expect(complaints).toEqual([]);
      });
    });

    test('forms with parameters and a body fit the screen and pass axe', async () => {
      await visit(browser, '/docs/reference#/Learners/updateLearner', options, async ({ page, complaints }) => {
        await operationOn(page, 'createSimulation').locator('summary').press('Enter');
        await operationOn(page, 'uploadPolicyFile').locator('summary').press('Enter');
        expect(await page.locator('main form:visible').count()).toBe(3);
        expect(await overflow(page)).toBe(0);
        expect(await barriers(page)).toEqual([]);
        expect(complaints).toEqual([]);
      });
    });
  });

  test('the form compares two versions without script', async () => {
    await visit(browser, '/docs/changes', { javaScriptEnabled: false }, async ({ page, complaints }) => {
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.waitForURL(`**${comparison}`);
      expect(await page.locator('h1').textContent()).toBe(`REST contract 1.2.0 to ${version}`);
      expect(complaints).toEqual([]);
    });
  });

  test('the reference sends a POST with the edited body, and shows errors', async () => {
    await visit(browser, '/docs/reference#/Learners/createLearner', { viewport: sizes.desktop }, async ({ page }) => {
      const operation = operationOn(page, 'createLearner');
      const body = operation.getByLabel('Body (JSON)');
      const learner = JSON.parse(await body.inputValue()) as { email: string };
      await body.fill(JSON.stringify({ ...learner, email: 'nobody' }));
      expect(await sent(operation)).toMatch(/^400 /);
      expect(await operation.locator('.answer').textContent()).toContain('"field": "body/email"');

      await body.fill(JSON.stringify({ ...learner, email: 'from.the.form@tenant.example' }));
      await operation.getByLabel('Idempotency-Key (header)').fill('from-the-form');
      expect(await sent(operation)).toMatch(/^200 OK \(POST \/v1\/learners, /);
      expect(await operation.locator('.answer').textContent()).toContain('"email": "from.the.form@tenant.example"');
      expect(await sent(operation)).toMatch(/^200 /);
      expect(await operation.locator('.answer').textContent()).toContain('idempotency-replayed: true');
    });
    const rows = await testService.query(
      "select company_id from learners where email = 'from.the.form@tenant.example'",
    );
    expect(rows).toEqual([{ company_id: companies.tenant }]);
  });

  test('the reference sends path and query parameters, and the selected format', async () => {
    await visit(browser, '/docs/reference#/Learners/getLearner', { viewport: sizes.desktop }, async ({ page }) => {
      const one = operationOn(page, 'getLearner');
      const id = one.getByLabel('learnerId (path, required)');
      await id.fill(learnerId('tenant', 1));
      expect(await sent(one)).toContain(`200 OK (GET /v1/learners/${learnerId('tenant', 1)}, `);
      await id.fill('a/b?c');
      expect(await sent(one)).toContain('(GET /v1/learners/a%2Fb%3Fc, ');
      await id.fill('..');
      await one.getByRole('button', { name: 'Send' }).click();
      expect(await id.evaluate((input) => (input as unknown as { validationMessage: string }).validationMessage)).toBe(
        '“..” cannot be sent as part of a path.',
      );

      const list = operationOn(page, 'listLearners');
      await list.locator('summary').click();
      await list.getByLabel('limit (query)').fill('2');
      await list.getByLabel('Accept (header)').selectOption('text/csv');
      expect(await sent(list)).toContain('200 OK (GET /v1/learners?limit=2, ');
      expect(await list.locator('.answer').textContent()).toMatch(/content-type: text\/csv.*Response bodyid,email,/s);
    });
  });

  test('the reference uploads a PDF and a SCORM package, and saves a PDF', async () => {
    await visit(browser, '/docs/reference', { viewport: sizes.desktop }, async ({ page, complaints }) => {
      const policy = operationOn(page, 'uploadPolicyFile');
      await policy.locator('summary').click();
      const pdf = { name: 'policy.pdf', mimeType: 'application/pdf', buffer: pdfOf(ONE_PAGE) };
      await policy.locator('input[type=file]').setInputFiles(pdf);
      expect(await sent(policy)).toMatch(/^200 /);

      const course = operationOn(page, 'uploadCoursePackage');
      await course.locator('summary').click();
      await course.getByLabel('courseId (path, required)').fill(ownCourseId('tenant'));
      await course.locator('input[type=file]').setInputFiles('tests/browser/packages/scocli.zip');
      expect(await sent(course)).toMatch(/^200 /);

      const version = operationOn(page, 'getPolicyVersionPdf');
      await version.locator('summary').click();
      const [row] = await testService.query('select policy_id, id from policy_versions where company_id = $1 limit 1', [
        companies.tenant,
      ]);
      await version.getByLabel('policyId (path, required)').fill(row!.policy_id as string);
      await version.getByLabel('versionId (path, required)').fill(row!.id as string);
      expect(await sent(version)).toMatch(/^200 /);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        version.getByRole('link', { name: /^Save .*\.pdf \(\d+ bytes\)$/ }).click(),
      ]);
      expect(
        readFileSync(await download.path())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
      expect(complaints).toEqual([]);
    });
  });

  test('the key is sent only in a header, and is not stored', async () => {
    await visit(browser, '/docs/reference#/Company/getCompany', { viewport: sizes.desktop }, async ({ page }) => {
      const addresses: string[] = [];
      page.on('request', (request) => addresses.push(request.url()));
      await page.getByLabel('API key').fill(` ${keys.other} `);
      const operation = operationOn(page, 'getCompany');
      expect(await sent(operation)).toMatch(/^200 /);
      expect(await operation.locator('.answer').textContent()).toContain(companies.other);
      // Chromium can load the icon of the page at any time.
      expect(addresses.filter((address) => !address.includes('/docs/assets/'))).toEqual([
        `${testService.url}/v1/company`,
      ]);
      expect(page.url()).toBe(`${testService.url}/docs/reference#/Company/getCompany`);
      expect(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length')).toBe(0);
      await page.getByLabel('API key').fill('');
      expect(await sent(operation)).toMatch(/^401 /);
    });
  });

  test('the filter shows the operations that match all words, and their number', async () => {
    await visit(browser, '/docs/reference', { viewport: sizes.desktop }, async ({ page }) => {
      await page.getByLabel('Filter operations').fill('POST key rotate');
      await page.getByText('1 operation', { exact: true }).waitFor();
      expect(await page.locator('details:visible').getAttribute('data-operation')).toBe('rotateApiKey');
      expect(await page.locator('section:visible h2').allTextContents()).toEqual(['API keys']);
      await page.getByLabel('Filter operations').fill('');
      expect(await page.locator('details:visible').count()).toBe(Object.keys(operations).length);
    });
  });

  test('the first Tab reaches the skip link, which moves the focus past the navigation', async () => {
    await visit(browser, '/docs/errors', { viewport: sizes.desktop }, async ({ page }) => {
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('A Skip to the content');
      expect(await page.locator('.skip').boundingBox()).toMatchObject({ x: 8 });
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('A Act on the code');
    });
  });

  test('the focused element has an outline', async () => {
    await visit(browser, '/docs', { viewport: sizes.desktop }, async ({ page }) => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe('3px');
    });
  });

  test('a URL with an operation opens it, and opening an operation changes the URL', async () => {
    await visit(browser, '/docs/reference#/Learners/createLearner', { viewport: sizes.desktop }, async ({ page }) => {
      await operationOn(page, 'createLearner').locator('form').waitFor();
      expect(await focused(page)).toMatch(/^SUMMARY POST/);
      await operationOn(page, 'createApiKey').locator('summary').click();
      await page.waitForURL('**/docs/reference#/API%20keys/createApiKey');
      await page.goto(`${testService.url}/docs/reference#/API%20keys`);
      await page.waitForFunction("document.activeElement.textContent === 'API keys'");
    });
  });
});

function operationOn(page: Page, operationId: string): Locator {
  return page.locator(`details[data-operation="${operationId}"]`);
}

/** Presses Send, and returns the status line of the response. */
async function sent(operation: Locator): Promise<string> {
  const answered = operation.page().waitForResponse(/\/v1\//);
  await operation.getByRole('button', { name: 'Send' }).click();
  await answered;
  await operation.locator('form[aria-busy="false"]').waitFor();
  return (await operation.getByRole('status').textContent())!;
}
