/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { scopes } from '../../generated/operations.ts';
import { Admin } from '../support/admin.ts';
import { call, del, expectError, get } from '../support/client.ts';
import { Learner } from '../support/learner.ts';
import { keyWith } from '../support/scoped-keys.ts';
import { sessionId } from '../support/world-sessions.ts';
import { adminId, learnerId, unknownId } from '../support/world.ts';

interface Listed {
  id: string;
  method: string;
}

const PEOPLE = {
  admin: {
    path: `/admins/${adminId('tenant', 1)}/sessions`,
    another: `/admins/${adminId('tenant', 2)}/sessions`,
    signIn: () => Admin.of('tenant'),
    home: '/console',
    idle: '31 minutes',
    operation: 'Admin',
  },
  learner: {
    path: `/learners/${learnerId('tenant', 2)}/sessions`,
    another: `/learners/${learnerId('tenant', 1)}/sessions`,
    signIn: () => Learner.of('tenant', 2),
    home: '/learn',
    idle: '121 minutes',
    operation: 'Learner',
  },
};

afterEach(() => testService.query('delete from person_sessions where id <> $1', [sessionId('tenant')]));

describe.each(Object.entries(PEOPLE))('the sessions of a person of the kind %s', (kind, person) => {
  const { path, another, signIn, home, idle, operation } = person;
  const list = async () => (await get(path)).body.data as Listed[];
  const isIn = async (who: Admin | Learner) => !(await who.get(home)).html.includes('name="email"');
  const entries = async (name: string) =>
    (await get(`/audit-log?operation=${name}`)).body.data.entries as { targets: { field: string; ids: string[] }[] }[];

  test('are listed oldest first, without those that have expired or were idle', async () => {
    for (let number = 0; number < 4; number += 1) await signIn();
    const [first, second, expired, unused] = await list();
    // The commit of the last use does not wait for a standby, but the next commit does.
    await testService.query('update person_sessions set last_used_at = now() - $2::interval where id = $1', [
      unused!.id,
      idle,
    ]);
    await testService.query('update person_sessions set expires_at = now() where id = $1', [expired!.id]);
    expect(await list()).toEqual([
      {
        id: first!.id,
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        expiresAt: expect.any(String),
        method: 'sign_in_link',
        address: expect.any(String),
        userAgent: expect.any(String),
      },
      expect.objectContaining({ id: second!.id }),
    ]);
  });

  test('end one by one with the next request; the second time, the session is not found', async () => {
    const [ended, kept] = [await signIn(), await signIn()];
    const [{ id }] = (await list()) as [Listed];
    expect((await del(`${path}/${id}`)).body.data).toEqual({ id });
    expect([await isIn(ended), await isIn(kept)]).toEqual([false, true]);
    expectError(await del(`${path}/${id}`), 404, 'not_found');
    const targets = (await entries(`end${operation}Session`)).at(-1)!.targets;
    expect(targets).toContainEqual({ field: 'sessionId', count: 1, ids: [id] });
  });

  test('end all at once; the second time, nothing is left to end', async () => {
    const people = [await signIn(), await signIn()];
    const ids = (await list()).map(({ id }) => id);
    expect((await del(path)).body.data).toEqual({ endedIds: ids });
    expect(await Promise.all(people.map(isIn))).toEqual([false, false]);
    expect((await del(path)).body.data).toEqual({ endedIds: [] });
    expect(await entries(`end${operation}Sessions`)).toHaveLength(2);
    expect(await isIn(await signIn())).toBe(true);
  });

  test('are not found by another company, under another person, or with invalid ids', async () => {
    const who = await signIn();
    const [{ id }] = (await list()) as [Listed];
    for (const other of [`${another}/${id}`, `${path}/${unknownId}`, `${path}/nonsense`]) {
      expectError(await del(other), 404, 'not_found');
    }
    expectError(await call('other', 'GET', path), 404, 'not_found');
    expectError(await call('other', 'DELETE', path), 404, 'not_found');
    expectError(await call('other', 'DELETE', `${path}/${id}`), 404, 'not_found');
    expect(await isIn(who)).toBe(true);
  });

  test('need the scopes of the person’s kind, and show the client only with the scope of the audit log', async () => {
    await signIn();
    const [{ id }] = (await list()) as [Listed];
    const send = (key: string, method: string, place: string) =>
      call(null, method, place, { headers: { authorization: `Bearer ${key}` } });
    const [reader, writer] = [await keyWith('tenant', [`${kind}s:read`]), await keyWith('tenant', [`${kind}s:delete`])];
    const auditor = await keyWith('tenant', [`${kind}s:read`, 'audit_log:read']);
    const clients = async (key: string) => {
      const { data } = (await send(key, 'GET', path)).body as { data: Record<string, unknown>[] };
      return data.map(({ address, userAgent }) => [address, userAgent]);
    };
    expect(await clients(reader)).toEqual([[null, null]]);
    expect(await clients(auditor)).toEqual([[expect.any(String), expect.any(String)]]);
    expectError(await send(writer, 'GET', path), 403, 'insufficient_scope');
    expectError(await send(reader, 'DELETE', path), 403, 'insufficient_scope');
    expectError(await send(reader, 'DELETE', `${path}/${id}`), 403, 'insufficient_scope');
    // The admin is an owner, whose sessions end only with all scopes.
    const answer = await send(writer, 'DELETE', `${path}/${id}`);
    expect(answer.status).toBe(kind === 'admin' ? 403 : 200);
  });
});

test('an administrator cannot end the sessions of an owner', async () => {
  const owner = await Admin.of('tenant');
  const { path } = PEOPLE.admin;
  const key = await keyWith(
    'tenant',
    scopes.filter((scope) => !scope.startsWith('roles:')),
  );
  const headers = { authorization: `Bearer ${key}` };
  const [{ id }] = (await get(path)).body.data as [Listed];
  for (const place of [path, `${path}/${id}`])
    expect((await call(null, 'DELETE', place, { headers })).status).toBe(403);
  expect((await owner.get('/console')).html).not.toContain('name="email"');
});
