/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { ageProofs, asksToConfirm } from '../support/confirmations.ts';
import { Learner } from '../support/learner.ts';
import { sessionId } from '../support/world-sessions.ts';
import { adminId, learnerId } from '../support/world.ts';
import { textOf } from './setup-page.ts';

afterEach(() => testService.query('delete from person_sessions where id <> $1', [sessionId('tenant')]));

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe.each([
  ['admin', '/console', `/admins/${adminId('tenant', 1)}`, () => Admin.of('tenant')],
  ['learner', '/learn', `/learners/${learnerId('tenant', 2)}`, () => Learner.of('tenant', 2)],
] as const)('the sessions page of a person of the kind %s', (kind, home, resource, signIn) => {
  const path = `${home}/sessions`;
  const ids = async () => ((await get(`${resource}/sessions`)).body.data as { id: string }[]).map(({ id }) => id);
  const isIn = async (who: Admin | Learner) => !(await who.get(home)).html.includes('name="email"');
  const end = async (who: Admin | Learner, to: string) => {
    const form_token = /name="form_token" value="([^"]+)"/.exec((await who.get(path)).html)![1]!;
    const body = new URLSearchParams({ form_token });
    return fetch(`${testService.url}${to}`, {
      method: 'POST',
      body,
      headers: { cookie: who.cookie, 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
    });
  };

  test('shows each session with its browser, and marks the current one', async () => {
    const [me, other] = [await signIn(), await signIn()];
    const [, otherId] = await ids();
    await testService.query('update person_sessions set user_agent = $2 where id = $1', [otherId, BROWSER]);
    const page = await me.get(path);
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain('Firefox, Windows');
    expect(page.html.match(/this session|diese Sitzung/g)).toHaveLength(1);
    expect(page.html.match(/<tr>/g)).toHaveLength(3);
    expect(await isIn(other)).toBe(true);
  });

  test('ends one session, and signs out if it is the current one', async () => {
    const [me, other] = [await signIn(), await signIn()];
    const [mine, others] = await ids();
    expect((await end(me, `${path}/${others!}/end`)).headers.get('location')).toBe(path);
    expect([await isIn(me), await isIn(other)]).toEqual([true, false]);
    expect((await end(me, `${path}/${others!}/end`)).status).toBe(404);
    expect((await end(me, `${path}/${sessionId('tenant')}/end`)).status).toBe(404);
    expect((await end(me, `${path}/nonsense/end`)).status).toBe(404);
    const last = await end(me, `${path}/${mine!}/end`);
    expect([last.headers.get('location'), await isIn(me)]).toEqual([home, false]);
    const [entry] = (await get('/audit-log?operation=endOwnSession')).body.data.entries as Record<string, unknown>[];
    expect(entry).toMatchObject({ actorType: kind, targets: [{ field: 'sessionId', count: 1, ids: [mine] }] });
  });

  test('ends all other sessions of the admin, and keeps this one and those of other people', async () => {
    const [me, one, two] = [await signIn(), await signIn(), await signIn()];
    const stranger = await Admin.of('other');
    expect((await end(me, `${path}/end-others`)).status).toBe(303);
    expect(await Promise.all([me, one, two].map(isIn))).toEqual([true, false, false]);
    expect(!(await stranger.get('/console')).html.includes('name="email"')).toBe(true);
    expect((await end(me, `${path}/end-others`)).status).toBe(303);
    expect(await isIn(me)).toBe(true);
  });
});

test('an admin must confirm before ending their other sessions, but not before ending this one', async () => {
  const [me, other] = [await Admin.of('tenant'), await Admin.of('tenant')];
  const path = '/console/sessions';
  const sessions = (await get(`/admins/${adminId('tenant', 1)}/sessions`)).body.data as { id: string }[];
  const [mine, others] = sessions.map(({ id }) => id);
  await ageProofs();
  for (const to of [`${path}/end-others`, `${path}/${others!}/end`])
    expect([to, asksToConfirm(await me.post(path, {}, to))]).toEqual([to, true]);
  expect((await other.get(path)).status).toBe(200);
  expect((await me.post(path, {}, `${path}/${mine!}/end`)).headers.get('location')).toBe('/console');
  expect((await me.get(path)).status).toBe(303);
});

test('the passkeys page links to the sessions', async () => {
  const me = await Admin.of('tenant');
  expect((await me.get('/console/passkeys')).html).toContain('<a href="/console/sessions">End individual sessions');
});

test.each(['/learn', '/learn/sessions'])('%s has the button that signs a learner out', async (path) => {
  const me = await Learner.of('tenant', 2);
  expect((await me.get(path)).html).toContain('<form method="post" action="/learn/sign-out">');
});

describe('the pages about other people', () => {
  const path = `/console/admins/${adminId('tenant', 2)}`;

  test('show the sessions of another admin, and end one or all', async () => {
    const me = await Admin.of('tenant');
    const page = await me.get(`${path}/passkeys`);
    expect(page.html).toContain(`action="${path}/sessions/${sessionId('tenant')}/end"`);
    const stranger = await Admin.of('other');
    const foreign = await stranger.post('/console/admins', {}, `${path}/sessions/${sessionId('tenant')}/end`);
    expect(foreign.status).toBe(404);
    expect((await stranger.post('/console/admins', {}, `${path}/sessions/end-all`)).status).toBe(404);
    const ended = await me.post(`${path}/passkeys`, {}, `${path}/sessions/${sessionId('tenant')}/end`);
    expect([ended.status, ended.headers.get('location')]).toEqual([303, `${path}/passkeys`]);
    expect((await get(`/admins/${adminId('tenant', 2)}/sessions`)).body.data).toEqual([]);
    expect((await me.post(`${path}/passkeys`, {}, `${path}/sessions/end-all`)).status).toBe(303);
  });

  test('list the sign-ins with names, and the failures, for roles that can read the audit log', async () => {
    const me = await Admin.of('tenant');
    await Learner.of('tenant', 3);
    const all = textOf(await me.get('/console/sign-ins'));
    const [learner] = await testService.query('select first_name from learners where id = $1', [
      learnerId('tenant', 3),
    ]);
    expect(all).toContain(learner!.first_name as string);
    expect(all).toContain('Mary tenant');
    expect(textOf(await me.get('/console/sign-ins?outcome=failed'))).toContain('No sign-in matches');
    try {
      await testService.query(`update admins set role = 'author' where id = $1`, [adminId('tenant', 1)]);
      expect((await me.get('/console/sign-ins')).status).toBe(403);
      expect((await me.get('/console')).html).not.toContain('/console/sign-ins');
      expect((await me.get('/console/sessions')).status).toBe(200);
    } finally {
      await testService.query(`update admins set role = 'owner' where id = $1`, [adminId('tenant', 1)]);
    }
  });
});
