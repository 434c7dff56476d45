/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { askPage } from '../support/learner.ts';
import { identityProviderId } from '../support/world-identity-providers.ts';
import { companies } from '../support/world.ts';

const own = `/sso/${companies.tenant}/${identityProviderId('tenant')}`;
const state = 'A'.repeat(43);
const reason = (html: string) => /<code>(\w+)<\/code>/.exec(html)?.[1];

async function refuse(path: string, headers: Record<string, string> = {}): Promise<unknown[]> {
  const page = await askPage(path, { headers });
  expect(page.headers.getSetCookie().filter((cookie) => !cookie.includes('Max-Age=0'))).toEqual([]);
  return [page.status, reason(page.html)];
}

test.each([
  `/sso/x/${identityProviderId('tenant')}/learn`,
  `/sso/${companies.tenant}/x/learn`,
  `/sso/${companies.tenant}/%00/learn`,
  `/sso/${companies.tenant}/${identityProviderId('other')}/learn`,
  `/sso/${companies.other}/${identityProviderId('tenant')}/learn`,
  `${own}/learn?login_hint=${'x'.repeat(7000)}`,
  `${own}/learn?login_hint=%00&login_hint=b`,
])('a sign-in at %.90s begins with no provider', async (path) => {
  expect(await refuse(path)).toEqual([404, 'provider_off']);
});

test.each([
  '',
  '?state=',
  `?state=${state}`,
  `?state[]=${state}&code=a`,
  `?state=${state}&state=${state}&code=a`,
  `?state=%00&code=%00`,
  `?code=${'a'.repeat(7000)}`,
])('a callback with %.60s has no attempt', async (query) => {
  for (const cookie of ['', `sso-00000000=learner.${state}`, 'sso-', '=;=;;', `sso-22ad63eb=learner.${state}.a.b`])
    expect(await refuse(`${own}/callback${query}`, { cookie })).toEqual([400, 'attempt_unknown']);
});

test.each(['POST', 'PUT', 'DELETE'])('%s is not allowed', async (method) => {
  for (const place of ['console', 'learn', 'test', 'metadata']) {
    const page = await askPage(`${own}/${place}`, { method });
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
});

test('the callback takes forms by POST, and no other method', async () => {
  const page = await askPage(`${own}/callback`, { method: 'PUT' });
  expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, POST']);
  const json = await askPage(`${own}/callback`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'text/json' },
  });
  expect(json.status).toBe(400);
  const form = new URLSearchParams({ SAMLResponse: 'A', RelayState: state });
  expect((await askPage(`${own}/callback`, { method: 'POST', body: form })).status).toBe(400);
});

test.each(['console', 'callback'])('HEAD of %s begins and completes nothing', async (place) => {
  const page = await askPage(`${own}/${place}`, { method: 'HEAD' });
  expect([page.status, page.html]).toEqual([place === 'console' ? 404 : 405, '']);
});

test.each(['http://', 'http://x:y@[', 'https://attacker.test'])(
  'a request line that names %s gets no 500',
  async (host) => {
    const { hostname, port } = new URL(testService.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`GET ${host}${own}/callback?state=${state} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 4\d\d /);
  },
);
