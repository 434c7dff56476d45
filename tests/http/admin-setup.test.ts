/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { randomBytes } from 'node:crypto';
import { fingerprintOf, patch } from '../support/client.ts';
import { adminId, companies } from '../support/world.ts';
import { activate, findListed, invite, race, restoreAdminsAfterEach } from '../resources/admins/admin-state.ts';
import { whileSlow } from '../resources/tenant-state.ts';
import { keptTexts } from '../resources/text-cases.ts';
import { hasForm, labelOf, type Page, submit, textOf, valueOf, visit } from './setup-page.ts';

const names = { firstName: 'Dorothea', lastName: 'Vaughan-Smith' };

async function stateOf(id: string): Promise<Record<string, unknown>> {
  const [row] = await testService.query('select * from admins where id = $1', [id]);
  return row!;
}

/** Expects that a token neither shows nor finishes a setup. */
async function expectDead(token: string): Promise<void> {
  const before = await fingerprintOf('tenant');
  for (const page of [await visit(token), await submit(token, names)]) {
    expect(page.status).toBe(404);
    expect(hasForm(page)).toBe(false);
    expect(textOf(page)).not.toContain('dorothy');
  }
  expect((await visit(token, { method: 'HEAD' })).status).toBe(404);
  expect(await fingerprintOf('tenant')).toBe(before);
}

restoreAdminsAfterEach();

describe('GET /setup/{token}', () => {
  test('shows a form with the names of the admin, any number of times', async () => {
    const { id, token } = await invite({ firstName: 'Dorothy', lastName: 'Vaughan' });
    const before = await stateOf(id);
    for (let round = 0; round < 3; round += 1) {
      const page = await visit(token);
      expect({ status: page.status, form: hasForm(page) }).toEqual({ status: 200, form: true });
      expect([valueOf('firstName', page), valueOf('lastName', page)]).toEqual(['Dorothy', 'Vaughan']);
    }
    expect(await stateOf(id)).toEqual(before);
    expect((await submit(token, names)).status).toBe(200);
  });

  test.each(keptTexts.filter(([, text]) => !/[\t\n]/.test(text)))(
    '%s in a name is prefilled without surrounding white space',
    async (_case, text) => {
      const { token } = await invite({ firstName: text, lastName: text });
      const page = await visit(token);
      expect([valueOf('firstName', page), valueOf('lastName', page)]).toEqual([text.trim(), text.trim()]);
    },
  );

  test.each(['"><b id=x>', "'><b id=x>", '</title></style><b id=x>', '&quot;&lt;b id=x&gt;'])(
    'names, address and company %j are escaped',
    async (text) => {
      const [company] = await testService.query('select name from companies where id = $1', [companies.tenant]);
      await testService.query('update companies set name = $2 where id = $1', [companies.tenant, text]);
      const { token } = await invite({
        firstName: text,
        lastName: text,
        email: "o'neil&sons@tenant.test",
      });
      const page = await visit(token);
      expect([valueOf('firstName', page), valueOf('lastName', page)]).toEqual([text, text]);
      expect(page.html).not.toContain('<b id=x>');
      expect((await submit(token, { firstName: text, lastName: text })).html).not.toContain('<b id=x>');
      await testService.query('update companies set name = $2 where id = $1', [companies.tenant, company!.name]);
    },
  );

  test.each([
    ['de', 'de'],
    ['de-CH', 'de'],
    ['fr', 'fr'],
    ['fr-CA', 'fr'],
    ['en', 'en'],
    ['it', 'en'],
    ['zh-Hant-TW', 'en'],
    [undefined, 'en'],
  ])('for an admin with the locale %s the pages are in %s', async (locale, language) => {
    const { token } = await invite({ locale });
    const pages = [await visit(token), await submit(token, { ...names, firstName: '' }), await submit(token, names)];
    expect(pages.map(({ status }) => status)).toEqual([200, 400, 200]);
    for (const { html } of pages) expect(html).toMatch(new RegExp(`<html lang="${language}[-"]`));
    expect(labelOf('firstName', pages[0]!)).toMatch({ de: /^Vorname/, fr: /^Prénom/, en: /^First name/ }[language]!);
  });

  test('the three languages share no page text', async () => {
    const pages: Page[][] = [];
    for (const [index, locale] of ['en', 'de', 'fr'].entries()) {
      const { token } = await invite({ locale, email: `n${index}@tenant.test`, firstName: 'X', lastName: 'Y' });
      pages.push([
        await visit(token),
        await submit(token, { firstName: '', lastName: '' }),
        await submit(token, names),
      ]);
    }
    for (const kind of [0, 1, 2]) {
      const texts = pages.map((languages) => textOf(languages[kind]!).replace(/n\d@tenant\.test/g, ''));
      expect(new Set(texts).size).toBe(3);
    }
  });

  test('HEAD returns the headers of GET and leaves the link valid', async () => {
    const { token } = await invite();
    const full = await visit(token);
    const { status, html, headers } = await visit(token, { method: 'HEAD' });
    expect({ status, html }).toEqual({ status: 200, html: '' });
    expect(headers.get('content-length')).toBe(full.headers.get('content-length'));
    expect((await submit(token, names)).status).toBe(200);
  });
});

describe('POST /setup/{token}', () => {
  test('activates the admin with the submitted names and uses up the link', async () => {
    const { id, token } = await invite({ locale: 'en' });
    const [before, others] = [await stateOf(id), await fingerprintOf('other')];
    const page = await submit(token, names);
    expect({ status: page.status, form: hasForm(page) }).toEqual({ status: 200, form: false });
    const after = await stateOf(id);
    expect(after).toEqual({
      ...before,
      ...{ first_name: 'Dorothea', last_name: 'Vaughan-Smith', status: 'active', activated_at: after.activated_at },
      ...{ setup_token_hash: null, setup_expires_at: null },
    });
    expect(Number(after.activated_at)).toBeGreaterThanOrEqual(Number(after.invited_at));
    expect(await findListed(id)).toMatchObject({ ...names, status: 'active' });
    expect(await fingerprintOf('other')).toBe(others);
    await expectDead(token);
  });

  test('changes no other admin', async () => {
    const { id, token } = await invite();
    const rows = () => testService.query('select t::text from admins as t where id <> $1 order by 1', [id]);
    const before = await rows();
    await submit(token, names);
    expect(await rows()).toEqual(before);
  });

  test('finishes the setup of an admin of another company in that company', async () => {
    const { id, token } = await invite({}, 'childA');
    const before = await fingerprintOf('msp');
    expect((await submit(token, names)).status).toBe(200);
    expect(await findListed(id, 'childA')).toMatchObject({ ...names, status: 'active' });
    expect(await fingerprintOf('msp')).toBe(before);
  });

  test.each(keptTexts.filter(([, text]) => !/[\t\n]/.test(text)))(
    '%s is stored without surrounding white space',
    async (_case, text) => {
      const { id, token } = await invite();
      expect((await submit(token, { firstName: text, lastName: text })).status).toBe(200);
      expect(await findListed(id)).toMatchObject({ firstName: text.trim(), lastName: text.trim() });
    },
  );

  test.each([
    'application/x-www-form-urlencoded; charset=utf-8',
    'application/x-www-form-urlencoded;charset=UTF-8',
    'Application/X-WWW-Form-Urlencoded',
  ])('a form with the content type %s is accepted', async (type) => {
    const { token } = await invite();
    expect((await submit(token, names, { 'content-type': type })).status).toBe(200);
  });

  test('of two concurrent forms one succeeds, and the other gets 404', async () => {
    const { id, token } = await invite();
    await whileSlow('update', 'admins', async () => {
      const forms = ['One', 'Two'].map((firstName) => submit(token, { ...names, firstName }));
      const statuses = (await Promise.all(forms)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, 404]);
      expect((await findListed(id))!.firstName).toBe(['One', 'Two'][statuses.indexOf(200)]);
    });
  });

  test('of twelve concurrent forms one succeeds', async () => {
    const { token } = await invite();
    const pages = await Promise.all(Array.from({ length: 12 }, () => submit(token, names)));
    expect(pages.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(404)]);
  });

  test('a form concurrent with deleting the admin leaves no admin and causes no error', async () => {
    const { id, token } = await invite();
    await whileSlow('update', 'admins', async () => {
      const form = submit(token, names);
      expect((await race('DELETE', `/admins/${id}`)).status).toBe(200);
      expect([200, 404]).toContain((await form).status);
    });
    expect(await findListed(id)).toBeUndefined();
  });
});

describe('an invalid setup link', () => {
  test.each([
    ['has expired', `set setup_expires_at = now() - interval '1 second'`],
    ['expires at this moment', `set setup_expires_at = now()`],
    ['was replaced', `set setup_token_hash = sha256('another')`],
  ])('a link that %s', async (_case, change) => {
    const { id, token } = await invite();
    await testService.query(`update admins ${change} where id = $1`, [id]);
    await expectDead(token);
  });

  test('a link with seconds left still works', async () => {
    const { id, token } = await invite();
    await testService.query(`update admins set setup_expires_at = now() + interval '10 seconds' where id = $1`, [id]);
    expect((await submit(token, names)).status).toBe(200);
  });

  test('the link of an admin who is already active', async () => {
    const { id, token } = await invite();
    await activate(id);
    await expectDead(token);
  });

  test('a nearly correct link', async () => {
    const { id, token } = await invite();
    const { setup_token_hash: hash } = await stateOf(id);
    const other = token.startsWith('A') ? 'B' : 'A';
    const swapped = token.replace(/[a-z]/i, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    );
    const near = [
      token.slice(1),
      token.slice(0, -1),
      `${token}A`,
      other + token.slice(1),
      swapped,
      `${token}%20`,
      `${token}=`,
    ];
    for (const wrong of [...near, (hash as Buffer).toString('hex'), (hash as Buffer).toString('base64url'), id]) {
      await expectDead(wrong);
    }
    expect((await visit(token)).status).toBe(200);
  });

  test.each([
    ['that does not exist', randomBytes(32).toString('base64url')],
    ['with one character', 'x'],
    ['with 5,000 characters', 'A'.repeat(5000)],
    ['with a null character', `${'A'.repeat(42)}%00`],
    ['of null characters', '%00'.repeat(43)],
    ['with a malformed escape', '%E0%A4%A'],
    ['with bytes that are not UTF-8', '%FF%FE'],
    ['with an encoded slash', '..%2F..%2Fv1%2Fadmins'],
    ['with SQL', "'%20or%20'1'='1"],
    ['with an emoji', '%F0%9F%A6%8A'],
    ['that is a company id', companies.tenant],
    ['that is the text null', 'null'],
    ['that is the id of an admin without a link', adminId('tenant', 2)],
  ])('a link %s', (_case, token) => expectDead(token));

  test('changing the address of an active admin does not revive the link', async () => {
    const { id, token } = await invite();
    await submit(token, names);
    await patch(`/admins/${id}`, { email: 'moved@tenant.test' });
    await expectDead(token);
  });
});
