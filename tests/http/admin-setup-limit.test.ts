/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "3", "TRUSTED_PROXY_HOPS": "1"} */
import { randomBytes } from 'node:crypto';
import { invite, restoreAdminsAfterEach } from '../resources/admins/admin-state.ts';
import { hasForm, type Page, visit } from './setup-page.ts';

const names = new URLSearchParams({ firstName: 'Dorothy', lastName: 'Vaughan' });
const guess = (): string => randomBytes(32).toString('base64url');

/** Returns a visitor with its own client address, so that each test has its own budget. */
function from(address: string): (token: string, init?: RequestInit) => Promise<Page> {
  return (token, init = {}) => visit(token, { ...init, headers: { 'x-forwarded-for': address } });
}

async function useUp(visitor: ReturnType<typeof from>): Promise<void> {
  for (let n = 0; n < 3; n += 1) expect((await visitor(guess())).status).toBe(404);
}

restoreAdminsAfterEach();

test('an IP address that tried three wrong links gets 429 and a page that says how long to wait', async () => {
  const visitor = from('192.0.2.1');
  await useUp(visitor);
  for (const init of [{}, { method: 'POST', body: names }, { method: 'HEAD' }]) {
    const page = await visitor(guess(), init);
    expect({ status: page.status, form: hasForm(page) }).toEqual({ status: 429, form: false });
    const wait = Number(page.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
  }
});

test('submitted forms with a wrong link count towards the limit', async () => {
  const visitor = from('192.0.2.2');
  for (let n = 0; n < 3; n += 1) {
    expect((await visitor(guess(), { method: 'POST', body: names })).status).toBe(404);
  }
  expect((await visitor(guess())).status).toBe(429);
});

test('malformed links count towards the limit', async () => {
  const visitor = from('192.0.2.3');
  for (const token of ['x', '%00', 'A'.repeat(3000)]) expect((await visitor(token)).status).toBe(404);
  expect((await visitor(guess())).status).toBe(429);
});

test('other IP addresses are not limited', async () => {
  await useUp(from('192.0.2.4'));
  expect((await from('192.0.2.5')(guess())).status).toBe(404);
});

test('an IPv6 network counts as one IP address', async () => {
  await useUp(from('2001:db8:1:1::1'));
  expect((await from('2001:db8:1:1::2')(guess())).status).toBe(429);
});

test('opening a valid link any number of times does not count towards the limit', async () => {
  const { token } = await invite();
  const visitor = from('192.0.2.6');
  for (let n = 0; n < 8; n += 1) expect((await visitor(token)).status).toBe(200);
  await useUp(visitor);
});

test('a valid link still works for a limited IP address', async () => {
  const { token } = await invite();
  const visitor = from('192.0.2.7');
  await useUp(visitor);
  expect((await visitor(token)).status).toBe(200);
  expect((await visitor(token, { method: 'POST', body: names })).status).toBe(200);
});
