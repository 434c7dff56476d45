/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { fingerprintOf } from '../support/client.ts';
import { findListed, invite, restoreAdminsAfterEach } from '../resources/admins/admin-state.ts';
import { fieldsAtFault, hasForm, type Page, submit, textOf, valueOf, visit } from './setup-page.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const names = { firstName: 'Dorothea', lastName: 'Vaughan-Smith' };

/** Sends a request with a new link. Expects one of the statuses, and an unchanged admin and link. */
async function expectRefusedForm(send: (token: string) => Promise<Page>, ...statuses: number[]): Promise<Page> {
  const { token } = await invite();
  const plain = await visit(token);
  const before = await fingerprintOf('tenant');
  const page = await send(token);
  expect(statuses).toContain(page.status);
  expect(await fingerprintOf('tenant')).toBe(before);
  expect((await visit(token)).html).toBe(plain.html);
  return page;
}

restoreAdminsAfterEach();

describe('POST /setup/{token} with an invalid name', () => {
  describe.each(['firstName', 'lastName'] as const)('%s', (field) => {
    const other = field === 'firstName' ? 'lastName' : 'firstName';

    test.each<[string, string]>([
      ['empty text', ''],
      ['white space only', ' \t\u00a0\u3000'],
      ['201 characters', 'x'.repeat(201)],
      ['201 emoji', '🦊'.repeat(201)],
      ['a null character', 'Ada\0'],
      ['a null character only', '\0'],
    ])('with %s returns 400, marks the field, keeps the input and changes nothing', async (_case, value) => {
      const typed = { [field]: value, [other]: `O'Neil "<b>" & co 🦊` };
      const page = await expectRefusedForm((token) => submit(token, typed), 400);
      expect(hasForm(page)).toBe(true);
      expect(fieldsAtFault(page)).toEqual([field]);
      expect(valueOf(other, page)).toBe(typed[other]);
      if (!value.includes('\0')) expect(valueOf(field, page)).toBe(value.trim());
    });

    test('that is missing returns 400 and marks the field', async () => {
      const page = await expectRefusedForm((token) => submit(token, { [other]: 'Ada' }), 400);
      expect(fieldsAtFault(page)).toEqual([field]);
      expect(valueOf(other, page)).toBe('Ada');
    });

    test.each(['%ED%A0%BE', 'Ada%ED%B6%8A', '%FF', 'Ada%C3'])(
      'with the bytes %s, which are not UTF-8, returns 400 and changes nothing',
      async (bytes) => {
        const page = await expectRefusedForm((token) => submit(token, `${field}=${bytes}&${other}=Ada`), 400);
        expect(fieldsAtFault(page)).toEqual([field]);
        expect(page.html.isWellFormed()).toBe(true);
      },
    );
  });

  test('marks both fields if both are invalid', async () => {
    const page = await expectRefusedForm((token) => submit(token, { firstName: ' ', lastName: '' }), 400);
    expect(fieldsAtFault(page)).toEqual(['firstName', 'lastName']);
  });

  test('rejects an empty form', async () => {
    const page = await expectRefusedForm((token) => submit(token, ''), 400);
    expect(fieldsAtFault(page)).toEqual(['firstName', 'lastName']);
  });

  test('escapes the input', async () => {
    const typed = { firstName: '"><script>alert(1)</script>', lastName: '' };
    const page = await expectRefusedForm((token) => submit(token, typed), 400);
    expect(valueOf('firstName', page)).toBe(typed.firstName);
  });

  test('accepts a valid form after an invalid one', async () => {
    const { id, token } = await invite();
    expect((await submit(token, { ...names, lastName: '' })).status).toBe(400);
    expect((await submit(token, names)).status).toBe(200);
    expect(await findListed(id)).toMatchObject({ ...names, status: 'active' });
  });
});

describe('POST /setup/{token} with another body', () => {
  test.each([
    ['application/json', JSON.stringify(names)],
    ['text/plain', 'firstName=Dorothea&lastName=Vaughan'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="firstName"\r\n\r\nA\r\n--x--\r\n',
    ],
    ['multipart/form-data', 'nonsense'],
    ['application/x-www-form-urlencoded-too', 'firstName=Dorothea&lastName=Vaughan'],
    ['nonsense', 'firstName=Dorothea&lastName=Vaughan'],
    ['application/x-www-form-urlencoded; charset=utf-16', 'firstName=Dorothea&lastName=Vaughan'],
    ['application/x-www-form-urlencoded; charset=nonsense', 'firstName=Dorothea&lastName=Vaughan'],
  ])('the content type %s is rejected', async (type, body) => {
    await expectRefusedForm((token) => submit(token, body, { 'content-type': type }), 400);
  });

  test('a request without body and content type is rejected', async () => {
    await expectRefusedForm((token) => visit(token, { method: 'POST' }), 400);
  });

  test('a compressed body is rejected', async () => {
    const body = new Uint8Array(gzipSync(new URLSearchParams(names).toString()));
    const headers = { ...form, 'content-encoding': 'gzip' };
    await expectRefusedForm((token) => visit(token, { method: 'POST', body, headers }), 400);
  });

  test.each([
    ['a repeated name', 'firstName=One&firstName=Two&lastName=Vaughan'],
    ['names in brackets', 'firstName[]=One&firstName[x]=Two&lastName[__proto__][x]=Vaughan'],
    ['prototype names', '__proto__=One&constructor=Two&hasOwnProperty=Three'],
    ['raw bytes that are not UTF-8', Buffer.from([0x66, 0xff, 0x3d, 0xfe])],
  ])('%s is rejected', async (_case, body) => {
    const send = (token: string): Promise<Page> =>
      visit(token, { method: 'POST', body: body as string, headers: form });
    await expectRefusedForm(send, 400);
  });

  test.each([
    ['2,000 fields', Array.from({ length: 2000 }, () => 'a=').join('&')],
    ['only separators', '&'.repeat(8000)],
  ])('%s are rejected', async (_case, body) => {
    await expectRefusedForm((token) => submit(token, body), 400, 413);
  });

  test('8 KiB are accepted, and one more byte is rejected with 413', async () => {
    const start = 'firstName=&lastName=';
    const body = start.padEnd(8192, 'x');
    const page = await expectRefusedForm((token) => submit(token, body), 400);
    expect(hasForm(page)).toBe(true);
    await testService.query("delete from admins where email like 'dorothy.new@%'");
    await expectRefusedForm((token) => submit(token, `${body}x`), 413);
  });

  test('a megabyte is rejected with 413, with a declared length or in chunks', async () => {
    const big = `firstName=${'x'.repeat(1024 * 1024)}&lastName=y`;
    await expectRefusedForm((token) => submit(token, big), 413);
    await testService.query("delete from admins where email like 'dorothy.new@%'");
    const { token } = await invite();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const req = request(`${testService.url}/setup/${token}`, { method: 'POST', headers: form }, (res) => {
        res.resume();
        resolve(res.statusCode);
      });
      // The connection can close while the rest is still being sent.
      req.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? undefined : reject(error)));
      for (let i = 0; i < 16; i += 1) req.write('x'.repeat(1024));
      req.end();
    });
    expect(status).toBe(413);
    expect((await submit(token, names)).status).toBe(200);
  });
});

describe('another method of /setup/{token}', () => {
  test.each(['PUT', 'PATCH', 'DELETE'])(
    '%s returns 405 with the allowed methods and leaves the link valid',
    async (method) => {
      const page = await expectRefusedForm(
        (token) => visit(token, { method, body: 'firstName=A', headers: form }),
        405,
      );
      const allowed = page.headers.get('allow')!.split(/, */);
      expect(allowed).toEqual(expect.arrayContaining(['GET', 'HEAD', 'POST']));
      expect(allowed).not.toContain(method);
    },
  );
});

describe('the log', () => {
  test('has a line per visit without token or names, even if the database fails', async () => {
    const { id, token } = await invite({ firstName: 'Prefilled' });
    await visit(token, { headers: { 'x-request-id': 'first-visit' } });
    await submit(token, { firstName: 'Typed', lastName: '' });
    await fetch(`${testService.url}/setup/${token}/x`, { method: 'PUT' });
    await testService.query(`
      create function break_down() returns trigger language plpgsql
        as $$ begin raise exception 'broken for a test'; end $$;
      create trigger breaks before update on admins execute function break_down()`);
    const failed = await fetch(`${testService.url}/setup/${token}`, {
      method: 'POST',
      body: new URLSearchParams({ firstName: 'Typed', lastName: 'Words' }),
    });
    await testService.query('drop function break_down cascade');
    expect(failed.status).toBe(500);
    expect(failed.headers.get('cache-control')).toBe('no-store');
    expect(failed.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await failed.text()).not.toMatch(/broken|select|update/);
    expect(await findListed(id)).toMatchObject({ status: 'invited', firstName: 'Prefilled' });
    expect((await submit(token, { firstName: 'Typed', lastName: 'Words' })).status).toBe(200);
    await visit(token);

    const line = testService.log.map((text) => JSON.parse(text)).find((entry) => entry.requestId === 'first-visit');
    expect(line).toMatchObject({ method: 'GET', status: 200, complete: true });
    const log = testService.log.join('');
    for (const secret of [token, 'Prefilled', 'Typed', 'dorothy.new']) expect(log).not.toContain(secret);
  });

  test('no page contains the token', async () => {
    const { token } = await invite();
    const pages = [await visit(token), await submit(token, { ...names, lastName: '' }), await submit(token, names)];
    for (const page of pages) expect(textOf(page)).not.toContain(token);
  });
});
