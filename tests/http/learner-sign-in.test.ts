/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { createPersonToken } from '../../src/identity/person-token.ts';
import { fingerprintOf, patch, post } from '../support/client.ts';
import { askPage, Learner, makeLink } from '../support/learner.ts';
import { companies, learnerId } from '../support/world.ts';

const query = (sql: string, values: unknown[] = []) => testService.query(sql, values);

const named = { firstName: 'Katherine', lastName: 'tenant' };

describe('a sign-in link', () => {
  test('does not sign in by being opened', async () => {
    const token = await makeLink('tenant', 1);
    const before = await fingerprintOf('tenant');
    for (const method of ['GET', 'HEAD', 'GET']) {
      const page = await askPage(`/learn/sign-in/${token}`, { method });
      expect(page.status).toBe(200);
      expect(page.headers.get('set-cookie')).toBeNull();
      if (method === 'GET') expect(page.html).toMatch(/<form method="post"/);
    }
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('signs in by its button on several devices until it expires', async () => {
    const token = await makeLink('tenant', 1);
    for (let device = 0; device < 2; device += 1) {
      const learner = await Learner.by(token);
      expect(await learner.isIn()).toBe(true);
    }
    await query(`update sign_in_links set expires_at = now()`);
    expect((await askPage(`/learn/sign-in/${token}`)).status).toBe(404);
    expect((await askPage(`/learn/sign-in/${token}`, { method: 'POST' })).status).toBe(404);
  });

  test("records the sign-in as the learner's in the audit log", async () => {
    await Learner.of('tenant', 2);
    const [entry] = await query(`select * from audit_log where company_id = $1 order by occurred_at desc limit 1`, [
      companies.tenant,
    ]);
    expect(entry).toMatchObject({ operation: 'signIn', actor_type: 'learner', actor_id: learnerId('tenant', 2) });
  });

  test('that is foreign, unknown or malformed returns an error page', async () => {
    const token = await makeLink('tenant', 1);
    const ofOther = createPersonToken(companies.other).slice(0, 22) + token.slice(22);
    for (const guess of [ofOther, createPersonToken(companies.tenant), 'x', `${token}x`, '%00', '%FF']) {
      for (const method of ['GET', 'POST']) {
        const page = await askPage(`/learn/sign-in/${guess}`, { method });
        expect([400, 404]).toContain(page.status);
        expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(page.headers.get('set-cookie')).toBeNull();
      }
    }
  });

  test('cannot be used by a cross-site form', async () => {
    const token = await makeLink('tenant', 1);
    const path = `/learn/sign-in/${token}`;
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }] as const) {
      expect((await askPage(path, { method: 'POST', headers })).status).toBe(403);
    }
  });

  test('of an inactive learner returns 404', async () => {
    const token = await makeLink('tenant', 5);
    expect((await askPage(`/learn/sign-in/${token}`)).status).toBe(404);
  });
});

describe('a learner session', () => {
  test('is an HttpOnly, SameSite cookie of which the database has only the hash', async () => {
    const page = await askPage(`/learn/sign-in/${await makeLink('tenant', 1)}`, { method: 'POST' });
    expect(page.headers.get('set-cookie')).toMatch(/^learner=[\w-]{64}; Path=\/; HttpOnly; SameSite=Lax$/);
    const secret = /=([\w-]{64})/.exec(page.headers.get('set-cookie')!)![1]!;
    const rows = await query(`select s::text as text from person_sessions s`);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['is deactivated', () => post('/learners/deactivate', { learnerIds: [learnerId('tenant', 3)] })],
    [
      'gets another address',
      () => patch(`/learners/${learnerId('tenant', 3)}`, { ...named, email: 'another@tenant.test' }),
    ],
    ['was idle for three hours', () => query(`update person_sessions set last_used_at = now() - interval '3 hours'`)],
    ['has been signed in for a day', () => query(`update person_sessions set expires_at = now()`)],
  ])('ends when the learner %s, and does not come back', async (_case, end) => {
    const learner = await Learner.of('tenant', 3);
    const ended = (await end()) as { status?: number };
    expect(ended.status ?? 200).toBe(200);
    expect(await learner.isIn()).toBe(false);
    await query(`update learners set inactive = false, email = 'learner3@tenant.test' where id = $1`, [
      learnerId('tenant', 3),
    ]);
    expect(await learner.isIn()).toBe(false);
  });

  test('ends when the learner is deleted', async () => {
    const [learner, token] = [await Learner.of('other', 3), await makeLink('other', 3)];
    await query(`delete from learners where id = $1`, [learnerId('other', 3)]);
    expect(await learner.isIn()).toBe(false);
    expect((await askPage(`/learn/sign-in/${token}`)).status).toBe(404);
  });

  test('is one of at most twenty: a new one ends the one unused for longest', async () => {
    const token = await makeLink('tenant', 4);
    const learners: Learner[] = [];
    for (let device = 0; device < 20; device += 1) learners.push(await Learner.by(token));
    await query(`update person_sessions set last_used_at = now() - interval '10 minutes' where learner_id = $1`, [
      learnerId('tenant', 4),
    ]);
    await learners[0]!.get('/learn');
    learners.push(await Learner.by(token));
    const areIn = await Promise.all(learners.map((learner) => learner.isIn()));
    expect(areIn.filter(Boolean)).toHaveLength(20);
    expect([areIn.at(0), areIn.at(-1)]).toEqual([true, true]);
  });

  test('that is invalid clears the cookie and reveals no company', async () => {
    const cookie = `learner=${createPersonToken(companies.tenant)}`;
    const page = await askPage('/learn', { headers: { cookie } });
    expect(page.html).toContain('name="email"');
    expect(page.headers.get('set-cookie')).toMatch(/^learner=; .*Max-Age=0/);
  });

  test('ends when the learner signs out, which clears the cookie', async () => {
    const learner = await Learner.of('tenant', 1);
    const page = await learner.post('/learn/sign-out');
    expect(page.status).toBe(303);
    expect(page.headers.get('set-cookie')).toMatch(/^learner=; .*Max-Age=0/);
    expect(await learner.isIn()).toBe(false);
  });

  test('ends with all sessions and links of the learner on signing out everywhere, not those of others', async () => {
    const token = await makeLink('tenant', 1);
    const [here, there, other] = [await Learner.by(token), await Learner.by(token), await Learner.of('tenant', 2)];
    expect((await here.post('/learn/sign-out-everywhere')).status).toBe(303);
    expect([await here.isIn(), await there.isIn(), await other.isIn()]).toEqual([false, false, true]);
    expect((await askPage(`/learn/sign-in/${token}`)).status).toBe(404);
  });

  test('signing out everywhere and changing the address invalidate the link in a queued email', async () => {
    const learner = await Learner.of('tenant', 3);
    const [message] = await query(
      `insert into messages (company_id, id, kind, learner_id, subject_ids, setup_token)
       values ($1, gen_random_uuid(), 'course_reminder', $2, '{}', 'a secret') returning id`,
      [companies.tenant, learnerId('tenant', 3)],
    );
    const secret = async () => (await query('select setup_token from messages where id = $1', [message!.id]))[0];
    await learner.post('/learn/sign-out-everywhere');
    expect(await secret()).toEqual({ setup_token: null });
    await query(`update messages set setup_token = 'a secret' where id = $1`, [message!.id]);
    await query(`update learners set email = 'moved3@tenant.test' where id = $1`, [learnerId('tenant', 3)]);
    expect(await secret()).toEqual({ setup_token: null });
  });

  test.each([
    ['without its token', { form_token: '' }, {}],
    ['with a token of other bytes and equal length', { form_token: 'é'.repeat(43) }, {}],
    ["with another session's token", { form_token: 'x'.repeat(43) }, {}],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
  ])('rejects a form %s', async (_case, fields, headers) => {
    const learner = await Learner.of('tenant', 1);
    expect((await learner.post('/learn/sign-out', fields, headers)).status).toBe(403);
    expect(await learner.isIn()).toBe(true);
  });
});

test('the pages have a strict CSP and forbid indexing, framing and caching', async () => {
  const learner = await Learner.of('tenant', 1);
  const { headers } = await learner.get('/learn');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(headers.get('x-robots-tag')).toBe('noindex');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('same-origin');
});

test('a visitor without a session is redirected to the sign-in, and their form returns 401', async () => {
  const page = await askPage('/learn/courses/anything');
  expect({ status: page.status, location: page.headers.get('location') }).toEqual({ status: 303, location: '/learn' });
  expect((await askPage('/learn/sign-out', { method: 'POST' })).status).toBe(401);
});
