import { del, expectError, fingerprintOf, get, post, send } from '../../support/client.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { sourceId, sourceSecret } from '../../support/world-sources.ts';
import { hashSourceSecret, parseSourceId } from '../../../src/auth/source-secret.ts';

const ofKind = (kind: 'gophish' | 'xapi' | 'reported_messages') => sourceId('tenant', kind);
const rotate = (id: string) => post(`/sources/${id}/rotate`);

describe('POST /sources', () => {
  test.each(['gophish', 'xapi', 'reported_messages'])('returns the secret of a new %s source once', async (kind) => {
    const { status, body } = await post('/sources', { name: 'Ours', kind });
    expect(status).toBe(200);
    const { secret, ...source } = body.data;
    expect(source).toMatchObject({ name: 'Ours', kind, rotatedAt: null, previousSecretUntil: null, lastUsedAt: null });
    expect(parseSourceId(secret)).toBe(source.id);
    const listed = await get('/sources');
    expect(listed.body.data).toContainEqual(source);
    expect(listed.text).not.toContain(secret);
  });

  test('stores the secret only hashed and sealed', async () => {
    const { secret, id } = (await post('/sources', { name: 'Sealed', kind: 'gophish' })).body.data;
    const [row] = await testService.query('select *, s::text as row from sources s where id = $1', [id]);
    expect(row!.secret_hash).toEqual(hashSourceSecret(secret));
    expect(row!.sealed_secret).not.toBeNull();
    const hex = Buffer.from(secret).toString('hex');
    expect(row!.row).not.toContain(hex.slice(-64));
    expect(testService.log.join()).not.toContain(secret.slice(-40));
  });

  test.each([
    ['body/kind', { name: 'Other', kind: 'splunk' }],
    ['body/kind', { name: 'None' }],
    ['body/name', { name: ' ', kind: 'xapi' }],
  ])('an invalid %s returns 400 naming it', async (field, fields) => {
    expectError(await post('/sources', fields), 400, 'invalid_request', [field]);
  });
});

describe('POST /sources/{sourceId}/rotate', () => {
  test('returns a new secret, and the previous one stays valid for a day', async () => {
    const before = await fingerprintOf('other');
    const { data } = (await rotate(ofKind('gophish'))).body;
    expect(parseSourceId(data.secret)).toBe(ofKind('gophish'));
    expect(data.secret).not.toBe(sourceSecret('tenant', 'gophish'));
    expect(Date.parse(data.previousSecretUntil) - Date.parse(data.rotatedAt)).toBe(24 * 3_600_000);
    expect(await fingerprintOf('other')).toBe(before);
  });

  test('called twice invalidates the first secret at once', async () => {
    const first = sourceSecret('tenant', 'xapi');
    const id = ofKind('xapi');
    await rotate(id);
    const hashes = () => testService.query('select secret_hash, previous_hash from sources where id = $1', [id]);
    expect((await hashes())[0]!.previous_hash).toEqual(hashSourceSecret(first));
    const { secret } = (await rotate(id)).body.data;
    const [row] = await hashes();
    expect(row!.secret_hash).toEqual(hashSourceSecret(secret));
    expect(row!.previous_hash).not.toEqual(hashSourceSecret(first));
  });
});

describe('DELETE /sources/{sourceId}', () => {
  test('deletes the source once', async () => {
    const { id } = (await post('/sources', { name: 'Gone', kind: 'xapi' })).body.data;
    expect((await del(`/sources/${id}`)).body.data).toEqual({ id });
    expect((await get('/sources')).text).not.toContain(id);
    expectError(await del(`/sources/${id}`), 404, 'not_found');
  });
});

describe('a key with scopes', () => {
  const sendWith = (key: string, path: string, body?: object) =>
    send('POST', path, {
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });

  test.each([
    ['xapi', 'courses:write', ['corrections:write']],
    ['xapi', 'corrections:write', ['courses:write']],
    ['gophish', 'simulations:write', []],
    ['reported_messages', 'simulations:write', []],
  ] as const)('gets the secret of a %s source only with %s', async (kind, scope, others) => {
    const [less, enough] = [
      await keyWith('tenant', ['sources:write', ...others]),
      await keyWith('tenant', ['sources:write', scope, ...others]),
    ];
    const body = { name: 'Ours', kind };
    const rotated = `/sources/${ofKind(kind)}/rotate`;
    const { text: before } = await get('/sources');
    const refused = await sendWith(less, '/sources', body);
    expectError(refused, 403, 'insufficient_scope', ['body/kind']);
    expect(refused.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
    expectError(await sendWith(less, rotated), 403, 'insufficient_scope', ['header/authorization']);
    expect((await get('/sources')).text).toBe(before);
    for (const answer of [await sendWith(enough, '/sources', body), await sendWith(enough, rotated)])
      expect(answer.status).toBe(200);
  });
});

describe('the secret of a source', () => {
  test.each(['gophish', 'xapi', 'reported_messages'] as const)(
    'of kind %s does not work as an API key',
    async (kind) => {
      const headers = { authorization: `Bearer ${sourceSecret('tenant', kind)}` };
      for (const path of ['/learners', '/sources', '/simulations']) {
        expectError(await send('GET', path, { headers }), 401, 'unauthorized');
      }
    },
  );
});
