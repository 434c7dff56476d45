/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { fingerprintOf, get } from '../support/client.ts';
import { Admin, hiddenOf } from '../support/admin.ts';
import { adminId, companies, keys, spareKeyId } from '../support/world.ts';
import { callWith } from '../resources/api-keys/key-calls.ts';
import { textOf } from './setup-page.ts';

const SECRET = /sk_[0-9a-z]{12}_[0-9a-f]{72}/;
const listed = async () => (await get('/api-keys')).body.data as { id: string; name: string; status: string }[];
const named = async (name: string) => (await listed()).filter((key) => key.name === name);

let admin: Admin;
beforeEach(async () => {
  admin = await Admin.of('tenant');
});

describe('/console/keys', () => {
  test("shows the company's own keys without their secrets", async () => {
    const { status, html } = await admin.get('/console/keys');
    expect(status).toBe(200);
    for (const { name } of await listed()) expect(html).toContain(name);
    expect(html).toContain('sk_sparekey0000_…');
    expect(html).not.toContain('sk_sparekey0001_…');
    expect(html).not.toMatch(SECRET);
  });

  test('creates a working key, shows it once, and records the admin in the audit log', async () => {
    const fields = { name: 'HR import', may: 'read', expiresAt: '2099-12-31' };
    const { status, html, headers } = await admin.post('/console/keys', fields);
    expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 200, cache: 'no-store' });
    const key = SECRET.exec(html)![0];
    expect((await callWith(key, 'GET', '/learners')).status).toBe(200);
    expect((await callWith(key, 'POST', '/groups', { name: 'x' })).status).toBe(403);
    const [made] = await named('HR import');
    expect(made).toMatchObject({ status: 'active', expiresAt: '2099-12-31T23:59:59.000Z' });
    expect((await admin.get('/console/keys')).html).not.toContain(key.slice(-20));
    const { entries } = (await get('/audit-log?operation=createApiKey')).body.data;
    expect(entries.at(-1)).toMatchObject({ actorType: 'admin', actorId: adminId('tenant', 1), outcome: 'done' });
  });

  test('creates a key with the selected scopes, without expiry if the date is empty', async () => {
    const ticked: [string, string][] = [
      ['name', 'Ticked'],
      ['expiresAt', ''],
      ['may', 'some'],
      ['scopes', 'groups:read'],
      ['scopes', 'groups:write'],
    ];
    expect((await admin.post('/console/keys', ticked)).status).toBe(200);
    expect(await named('Ticked')).toMatchObject([{ scopes: ['groups:read', 'groups:write'], expiresAt: null }]);
    await admin.post('/console/keys', { name: 'All', expiresAt: '', may: 'all' });
    expect(await named('All')).toMatchObject([{ scopes: null }]);
  });

  test('a form that is sent twice creates one key and shows it both times', async () => {
    const hidden = hiddenOf((await admin.get('/console/keys')).html);
    const send = () => admin.send('/console/keys', { ...hidden, name: 'Twice', may: 'all' });
    const [first, second] = await Promise.all([send(), send()]);
    expect(SECRET.exec(first.html)![0]).toBe(SECRET.exec(second.html)![0]);
    expect(await named('Twice')).toHaveLength(1);
    const other = await admin.send('/console/keys', { ...hidden, name: 'Another', may: 'all' });
    expect(other.status).toBe(400);
    expect(await named('Another')).toEqual([]);
  });

  test.each([
    ['name', { name: ' ', may: 'all' }],
    ['name', { name: 'x'.repeat(201), may: 'all' }],
    ['name', { name: 'a\u202eb', may: 'all' }],
    ['name', { name: 'a\0b', may: 'all' }],
    ['expiresAt', { name: 'Past', may: 'all', expiresAt: '2020-01-01' }],
    ['expiresAt', { name: 'No day', may: 'all', expiresAt: '2099-02-30' }],
    ['expiresAt', { name: 'No day', may: 'all', expiresAt: '<b id=x>' }],
    ['scopes', { name: 'Nothing', may: 'some' }],
    ['scopes', { name: 'Unknown', may: 'some', scopes: 'everything' }],
  ])('an invalid %s is reported at the field, and no key is created', async (field, fields) => {
    const before = await fingerprintOf('tenant');
    const { status, html } = await admin.post('/console/keys', fields);
    expect(status).toBe(400);
    expect(html).toContain(`id="${field}-fault"`);
    expect(html).not.toContain('<b id=x>');
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('HTML in the name of a key is escaped on every page', async () => {
    const name = '"><b id=x>&lt;';
    const made = await admin.post('/console/keys', { name, may: 'all' });
    const [key] = await named(name);
    const pages = [made, await admin.get('/console/keys'), await admin.get(`/console/keys/${key!.id}/revoke`)];
    for (const page of pages) {
      expect(page.html).not.toContain('<b id=x>');
      expect(textOf(page)).toContain('<b id=x>');
    }
  });
});

describe('/console/keys/{apiKeyId}/revoke', () => {
  test('asks for confirmation, then revokes the key', async () => {
    const made = await admin.post('/console/keys', { name: 'To end', may: 'all' });
    const key = SECRET.exec(made.html)![0];
    const { id } = (await named('To end'))[0]!;
    const path = `/console/keys/${id}/revoke`;
    expect(textOf(await admin.get(path))).toContain('To end');
    expect(await named('To end')).toMatchObject([{ status: 'active' }]);
    const answer = await admin.post(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/keys']);
    expect(await named('To end')).toMatchObject([{ status: 'revoked' }]);
    expect((await callWith(key, 'GET', '/company')).status).toBe(401);
    expect((await admin.post('/console/keys', {}, path)).status).toBe(303);
  });

  test('lists what the key created, and revokes that as well if requested', async () => {
    const made = await admin.post('/console/keys', { name: ' Leaked ', may: 'all' });
    const key = SECRET.exec(made.html)![0];
    const { id } = (await named('Leaked'))[0]!;
    const path = `/console/keys/${id}/revoke`;
    const child = await callWith(key, 'POST', '/api-keys', { name: 'Made by it', scopes: ['learners:read'] });
    expect(child.status).toBe(200);
    await callWith(key, 'POST', '/sources', { name: 'Made source', kind: 'xapi' });
    const page = await admin.post('/console/keys', {}, path);
    for (const name of ['API key: Made by it', 'Source: Made source']) expect(textOf(page)).toContain(name);
    expect(await named('Leaked')).toMatchObject([{ status: 'revoked' }]);
    expect(await named('Made by it')).toMatchObject([{ status: 'active' }]);
    expect((await admin.post('/console/keys', { includeCreated: 'yes' }, path)).status).toBe(303);
    expect(await named('Made by it')).toMatchObject([{ status: 'revoked' }]);
    expect((await get('/sources')).body.data.map(({ name }: { name: string }) => name)).not.toContain('Made source');
  });

  test.each([
    ['of another company', spareKeyId('other')],
    ['with an invalid id', 'nonsense'],
  ])('a key %s returns 404 and stays active', async (_case, id) => {
    const before = await fingerprintOf('other');
    expect((await admin.get(`/console/keys/${id}/revoke`)).status).toBe(404);
    expect((await admin.post('/console/keys', {}, `/console/keys/${id}/revoke`)).status).toBe(404);
    expect(await fingerprintOf('other')).toBe(before);
  });

  test("an MSP admin cannot revoke a child's key or create one for the child", async () => {
    const msp = await Admin.of('msp');
    expect((await msp.get(`/console/keys/${spareKeyId('childA')}/revoke`)).status).toBe(404);
    const { html } = await msp.post(`/console/keys`, { name: 'Mine', may: 'all', companyId: companies.childA });
    expect((await callWith(SECRET.exec(html)![0], 'GET', '/company')).body.data.id).toBe(companies.msp);
  });

  test('an admin of a prospect can create keys', async () => {
    const prospect = await Admin.of('prospect');
    const { html } = await prospect.post('/console/keys', { name: 'Trial', may: 'all' });
    expect((await callWith(SECRET.exec(html)![0], 'GET', '/company')).body.data.id).toBe(companies.prospect);
  });
});

describe('a forged or unauthenticated request', () => {
  test.each([
    ['without its token', {}, {}],
    ['with another token', { form_token: 'A'.repeat(43) }, {}],
    ['from another site', undefined, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ])('a form %s returns 403 and changes nothing', async (_case, fields, headers) => {
    const before = await fingerprintOf('tenant');
    const hidden = fields ?? hiddenOf((await admin.get('/console/keys')).html);
    const { status } = await admin.send('/console/keys', { ...hidden, name: 'Forged', may: 'all' }, headers);
    expect(status).toBe(403);
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('an API key does not sign in, and a form without a session returns 401', async () => {
    const nobody = new Admin('');
    const page = await fetch(`${testService.url}/console/keys`, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${keys.tenant}` },
    });
    expect([page.status, page.headers.get('location')]).toEqual([303, '/console']);
    expect((await nobody.send('/console/keys', { name: 'x', may: 'all' })).status).toBe(401);
  });
});
