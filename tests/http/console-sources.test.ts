/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { hashSourceSecret } from '../../src/auth/source-secret.ts';
import { fingerprintOf, get } from '../support/client.ts';
import { Admin, hiddenOf } from '../support/admin.ts';
import { connectionId, sourceId } from '../support/world-sources.ts';
import { connect, refresh } from '../mcp/oauth-support.ts';
import { textOf } from './setup-page.ts';

const SECRET = /src_[0-9a-f]{32}_[0-9a-f]{72}/;
const sources = async () => (await get('/sources')).body.data as { id: string; name: string; kind: string }[];
const hashOf = async (id: string) =>
  (await testService.query('select secret_hash from sources where id = $1', [id]))[0]!.secret_hash as Buffer;

let admin: Admin;
beforeEach(async () => {
  admin = await Admin.of('tenant');
});

describe('/console/sources', () => {
  test('creates a source once and shows its secret only then', async () => {
    const hidden = hiddenOf((await admin.get('/console/sources')).html);
    const send = () => admin.send('/console/sources', { ...hidden, name: '<b id=x>', kind: 'xapi' });
    const [first, second] = await Promise.all([send(), send()]);
    const secret = SECRET.exec(first.html)![0];
    expect(second.html).toContain(secret);
    const made = (await sources()).filter(({ name }) => name === '<b id=x>');
    expect(made).toMatchObject([{ kind: 'xapi' }]);
    expect(await hashOf(made[0]!.id)).toEqual(hashSourceSecret(secret));
    const page = await admin.get('/console/sources');
    expect(page.html).not.toMatch(SECRET);
    for (const { html } of [page, first]) expect(html).not.toContain('<b id=x>');
    expect(textOf(page)).toContain('<b id=x>');
  });

  test.each([
    ['name', { name: ' ', kind: 'xapi' }],
    ['kind', { name: 'None' }],
    ['kind', { name: 'Other', kind: 'splunk' }],
  ])('an invalid %s is reported at the field, and no source is created', async (field, fields) => {
    const before = await fingerprintOf('tenant');
    const { status, html } = await admin.post('/console/sources', fields);
    expect(status).toBe(400);
    expect(html).toContain(`id="${field}-fault"`);
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('rotates a secret once per form, and removes a source', async () => {
    const id = sourceId('tenant', 'gophish');
    const path = `/console/sources/${id}/rotate`;
    const before = await hashOf(id);
    const hidden = hiddenOf((await admin.get(path)).html);
    expect(await hashOf(id)).toEqual(before);
    const [first, again] = [await admin.send(path, hidden), await admin.send(path, hidden)];
    expect(SECRET.exec(again.html)![0]).toBe(SECRET.exec(first.html)![0]);
    expect(await hashOf(id)).toEqual(hashSourceSecret(SECRET.exec(first.html)![0]));
    const removal = `/console/sources/${sourceId('tenant', 'xapi')}/remove`;
    expect((await admin.post(removal)).status).toBe(303);
    expect((await admin.get(removal)).status).toBe(404);
    expect((await sources()).map((source) => source.id)).not.toContain(sourceId('tenant', 'xapi'));
  });

  test("a child's source returns 404 to an MSP admin and stays unchanged", async () => {
    const msp = await Admin.of('msp');
    const before = await fingerprintOf('childA');
    const id = sourceId('childA', 'xapi');
    for (const action of ['rotate', 'remove']) {
      expect((await msp.get(`/console/sources/${id}/${action}`)).status).toBe(404);
      const hidden = hiddenOf((await msp.get('/console/sources')).html);
      expect((await msp.send(`/console/sources/${id}/${action}`, hidden)).status).toBe(404);
    }
    expect(await fingerprintOf('childA')).toBe(before);
  });
});

describe('/console/applications', () => {
  test('lists the connected applications and disconnects one', async () => {
    const tokens = await connect();
    await testService.query('update oauth_grants set client_name = $1 where client_id = $2', [
      '<b id=x>',
      tokens.clientId,
    ]);
    const page = await admin.get('/console/applications');
    expect(page.html).not.toContain('<b id=x>');
    expect(textOf(page)).toContain('<b id=x>');
    const id = (await get('/connections')).body.data.at(-1).id as string;
    const path = `/console/applications/${id}/end`;
    expect((await admin.get(path)).status).toBe(200);
    const renewed = await refresh(tokens);
    expect(renewed.status).toBe(200);
    expect((await admin.post(path)).status).toBe(303);
    const last = await refresh({ clientId: tokens.clientId, refresh: renewed.body.refresh_token });
    expect(last.body.error).toBe('invalid_grant');
    expect((await admin.get(path)).status).toBe(404);
  });

  test('an application of another company returns 404 and stays connected', async () => {
    const path = `/console/applications/${connectionId('other')}/end`;
    expect((await admin.get(path)).status).toBe(404);
    expect((await admin.post('/console/keys', {}, path)).status).toBe(404);
    expect((await get('/connections', 'other')).body.data).toHaveLength(1);
  });
});
