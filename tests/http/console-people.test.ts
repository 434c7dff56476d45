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

/** Returns the ids of the people on a page of the list, in their order. */
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

  test('keeps the filters and columns in the address', async () => {
    const { html } = await owner.get('/console/people?q=grace&state=active&columns=externalLearnerId&columns=groups');
    expect(html).toContain('value="grace"');
    expect(html).toMatch(/<option value="active" selected/);
    expect(html).toContain('<th scope="col">Employee number</th>');
    expect(html).not.toContain('<th scope="col">E-mail address</th>');
    expect(html).toContain('<td>HR-2</td>');
    expect(html).toContain('GET /v1/learners?q=grace&amp;inactive=false&amp;limit=50');
  });

  test('leads to the next page by a cursor, with the same filters and columns', async () => {
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
