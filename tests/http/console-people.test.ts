/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { post } from '../support/client.ts';
import { adminId, groupId, learnerId } from '../support/world.ts';

const query = (text: string, values: unknown[] = []) => testService.query(text, values);
const own = (n: 1 | 2 | 3 | 4 | 5) => learnerId('tenant', n);

let owner: Admin;
beforeAll(async () => {
  owner = await Admin.of('tenant', 1);
});

/** Returns the ids of the people on a page of the list, in order. */
async function list(search = '', admin = owner): Promise<string[]> {
  const { status, html } = await admin.get(`/console/people${search}`);
  expect({ search, status }).toEqual({ search, status: 200 });
  return idsIn(html);
}

const idsIn = (html: string) =>
  [...html.matchAll(/<th scope="row"><a href="\/console\/people\/([\w-]{36})">/g)].map(([, id]) => id!);

describe('the list of people', () => {
  test('shows every learner of the company, and nobody of another', async () => {
    expect(await list()).toEqual([own(1), own(2), own(3), own(4), own(5)]);
    expect((await owner.get('/console')).html).toContain('href="/console/people"');
  });

  test.each<[string, (1 | 2 | 3 | 4 | 5)[]]>([
    ['?q=grace', [2]],
    ['?q=learner3@tenant', [3]],
    ['?q=hr-3', [3]],
    ['?state=inactive', [5]],
    ['?state=active', [1, 2, 3, 4]],
    ['?overdue=yes', [4]],
    ['?overdue=no&state=active', [1, 2, 3]],
    [`?groupId=${groupId('tenant', 2)}`, [3, 4]],
    ['?manager=LEARNER1@tenant.test', [2, 3]],
    ['?manager=nobody@tenant.test', []],
    ['?riskScoreLevel=critical', []],
    ['?riskScoreLevel=x&overdue=x&state=x&groupId=x&q=grace', [2]],
  ])('%s shows the matching people', async (search, numbers) => {
    expect(await list(search)).toEqual(numbers.map(own));
  });

  test('keeps the filters and columns in the URL', async () => {
    const { html } = await owner.get('/console/people?q=grace&state=active&columns=externalLearnerId&columns=groups');
    expect(html).toContain('value="grace"');
    expect(html).toMatch(/<option value="active" selected/);
    expect(html).toContain('<th scope="col">Employee number</th>');
    expect(html).not.toContain('<th scope="col">E-mail address</th>');
    expect(html).toContain('<td>HR-2</td>');
    expect(html).toContain('GET /v1/learners?q=grace&amp;inactive=false&amp;limit=50');
  });

  test('links to the next page by a cursor, with the same filters and columns', async () => {
    const learners = Array.from({ length: 55 }, (_, n) => {
      return { email: `page${n}@tenant.test`, firstName: 'Paged', lastName: `No ${n}` };
    });
    await post('/learners/bulk', { learners });
    const first = await owner.get('/console/people?q=paged&columns=email');
    expect(idsIn(first.html)).toHaveLength(50);
    const next = /href="([^"]+)" rel="next"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
    expect(next).toContain('q=paged&columns=email&cursor=');
    const second = await owner.get(next);
    expect(idsIn(second.html)).toHaveLength(5);
    expect(second.html).toContain('First page');
    expect(new Set([...idsIn(first.html), ...idsIn(second.html)]).size).toBe(55);
    expect((await owner.get(next.replace('q=paged', 'q=grace'))).status).toBe(400);
    await query(`delete from learners where first_name = 'Paged'`);
  });

  test('shows names of 200 characters and names written from right to left', async () => {
    const names = ['W'.repeat(200), 'مُحَمَّد', '<b>"Bold"</b>'];
    for (const [n, firstName] of names.entries())
      await post('/learners', { firstName, lastName: 'Curious', email: `curious${n}@tenant.test` });
    const { html } = await owner.get('/console/people?q=curious');
    expect(html).toContain(names[0]);
    expect(html).toContain(names[1]);
    expect(html).toContain('&lt;b>&quot;Bold&quot;&lt;/b>');
    await query(`delete from learners where last_name = 'Curious'`);
  });

  test.each(['en', 'de', 'fr'])('works in %s', async (locale) => {
    await query('update admins set locale = $2 where id = $1', [adminId('tenant', 1), locale]);
    for (const search of ['', '?q=nobody', '?columns=country&columns=updatedAt&columns=absentUntil']) {
      const { status, html } = await owner.get(`/console/people${search}`);
      expect(status).toBe(200);
      expect(html).not.toMatch(/undefined|NaN|\[object/);
    }
    await query(`update admins set locale = 'en' where id = $1`, [adminId('tenant', 1)]);
  });

  test('asks for a confirmation ten minutes after the sign-in', async () => {
    await query(`update person_sessions set proved_at = now() - interval '11 minutes' where admin_id = $1`, [
      adminId('tenant', 1),
    ]);
    expect((await owner.get('/console/people')).status).toBe(403);
    await query('update person_sessions set proved_at = now() where admin_id = $1', [adminId('tenant', 1)]);
  });

  test('is closed to a role that cannot read learners', async () => {
    await query(`update admins set status = 'active', role = 'author' where id = $1`, [adminId('tenant', 2)]);
    const author = await Admin.of('tenant', 2);
    expect((await author.get('/console/people')).status).toBe(403);
    expect((await author.get('/console')).html).not.toContain('/console/people');
    await query(`update admins set role = 'auditor' where id = $1`, [adminId('tenant', 2)]);
    expect(await list('?q=grace', author)).toEqual([own(2)]);
  });
});

describe('the page of a person', () => {
  test('shows the open tasks with their reasons, the risk, the history and the corrections', async () => {
    const { status, html } = await owner.get(`/console/people/${own(4)}`);
    expect(status).toBe(200);
    for (const text of ['Open assignments', '(overdue)', 'Basics: meets a condition', 'Risk', 'History', 'Joined '])
      expect(html).toContain(text);
    for (const text of ['Last sign-in', 'Corrections', `GET /v1/learners/${own(4)}/messages`])
      expect(html).toContain(text);
  });

  test('shows a sent message, a voided signature and a former membership in one list, newest first', async () => {
    await query(
      `insert into messages (company_id, id, kind, learner_id, status, created_at, settled_at)
       select company_id, $2, 'course_reminder', id, 'sent', '2026-03-01T08:00:00Z', '2026-03-01T08:00:02Z'
         from learners where id = $1`,
      [own(3), '0192b000-0000-7000-8000-000000000001'],
    );
    const { html } = await owner.get(`/console/people/${own(3)}`);
    expect(html).toContain('Reminder of a course (sent)');
    const times = [...html.slice(html.indexOf('History')).matchAll(/<tr><th scope="row"><time datetime="([^"]+)">/g)];
    const shown = times.map(([, time]) => time!);
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.slice(0, 30)).toEqual(shown.slice(0, 30).toSorted().toReversed());
    await query('delete from messages where id = $1', ['0192b000-0000-7000-8000-000000000001']);
  });

  test('an analyst sees no sign-in log, and nobody sees a person of another company', async () => {
    await query(`update admins set status = 'active', role = 'analyst' where id = $1`, [adminId('tenant', 2)]);
    const analyst = await Admin.of('tenant', 2);
    const { status, html } = await analyst.get(`/console/people/${own(2)}`);
    expect(status).toBe(200);
    expect(html).not.toContain('Last sign-in');
    for (const id of [learnerId('other', 1), 'x']) expect((await owner.get(`/console/people/${id}`)).status).toBe(404);
  });

  test.each(['en', 'de', 'fr'])('works in %s', async (locale) => {
    await query('update admins set locale = $2 where id = $1', [adminId('tenant', 1), locale]);
    for (const n of [1, 2, 3, 4, 5] as const) {
      const { status, html } = await owner.get(`/console/people/${own(n)}`);
      expect(status).toBe(200);
      expect(html).not.toMatch(/undefined|NaN|\[object/);
    }
    await query(`update admins set locale = 'en' where id = $1`, [adminId('tenant', 1)]);
  });
});
