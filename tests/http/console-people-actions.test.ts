/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin, hiddenOf } from '../support/admin.ts';
import { get, post } from '../support/client.ts';
import { askPage } from '../support/learner.ts';
import { adminId, groupId, learnerId, ownCourseId } from '../support/world.ts';

const query = (text: string, values: unknown[] = []) => testService.query(text, values);
const own = (n: 1 | 2 | 3 | 4 | 5) => learnerId('tenant', n);
const isInactive = async (id: string) => (await get(`/learners/${id}`)).body.data.inactive as boolean;
const ACTIONS = '/console/people/actions';

let owner: Admin;
beforeAll(async () => {
  owner = await Admin.of('tenant', 1);
});

test('a preview counts who is affected and who is left out, and changes nothing', async () => {
  const { status, html } = await owner.get(`${ACTIONS}?action=deactivate&learnerId=${own(2)}&learnerId=${own(5)}`);
  expect(status).toBe(200);
  expect(html).toContain('This affects 1 person.');
  expect(html).toContain('1 person is left out.');
  expect(html).toContain('is already inactive');
  expect(await isInactive(own(2))).toBe(false);
});

test('a confirmed action does what the preview said, and has no effect the second time', async () => {
  const { html } = await owner.get(`${ACTIONS}?action=deactivate&learnerId=${own(2)}&learnerId=${own(5)}`);
  const fields = hiddenOf(html);
  const first = await owner.send(ACTIONS, fields);
  expect(first.status).toBe(200);
  expect(first.html).toContain('Done for 1 person.');
  expect(await isInactive(own(2))).toBe(true);
  await post('/learners/activate', { learnerIds: [own(2)] });
  const second = await owner.send(ACTIONS, fields);
  expect(second.html).toContain('Done for 1 person.');
  expect(await isInactive(own(2))).toBe(false);
});

test('everybody who matches the filters becomes a member of a group', async () => {
  const { html: question } = await owner.get(`${ACTIONS}?action=group&who=matching&q=tenant&state=active`);
  expect(question).toContain(`<option value="${groupId('tenant', 1)}">`);
  const target = groupId('tenant', 1);
  const preview = await owner.get(`${ACTIONS}?action=group&who=matching&q=tenant&state=active&target=${target}`);
  expect(preview.html).toContain('is already a member');
  const { status, html } = await owner.send(ACTIONS, hiddenOf(preview.html));
  expect(status).toBe(200);
  expect(html).toContain('Done for');
  const members = (await get(`/learners?groupId=${target}&inactive=false`)).body.data as { id: string }[];
  expect(members.map(({ id }) => id)).toEqual([own(1), own(2), own(3), own(4)]);
});

test('several people are removed from a group after a preview', async () => {
  const target = groupId('tenant', 1);
  const membersOf = async () =>
    ((await get(`/learners?groupId=${target}`)).body.data as { id: string }[]).map(({ id }) => id);
  await post(`/groups/${target}/learners`, { learnerIds: [own(1), own(2)] });
  await post(`/groups/${target}/learners/remove`, { learnerIds: [own(3)] });
  const before = await membersOf();
  const people = [1, 2, 3].map((n) => `learnerId=${own(n as 1)}`).join('&');
  const preview = await owner.get(`${ACTIONS}?action=ungroup&${people}&target=${target}`);
  expect(preview.html).toContain('This affects 2 people.');
  expect(preview.html).toContain('is not a member');
  expect(preview.html).toContain(`POST /v1/groups/${target}/learners/remove?dryRun=true`);
  expect(await membersOf()).toEqual(before);
  expect((await owner.send(ACTIONS, hiddenOf(preview.html))).html).toContain('Done for 2 people.');
  expect(await membersOf()).toEqual(before.filter((id) => ![own(1), own(2)].includes(id)));
  await post(`/groups/${target}/learners`, { learnerIds: before });
});

test('enrolling and reminding people return to the list if nobody is left out', async () => {
  const { body } = await post('/learners', { email: 'late@tenant.test', firstName: 'Late', lastName: 'Comer' });
  const course = ownCourseId('tenant');
  const search = `learnerId=${body.data.id}&target=${course}`;
  const reminder = await owner.get(`${ACTIONS}?action=remind&${search}`);
  expect(reminder.html).toContain('is not enrolled in the course');
  const preview = await owner.get(`${ACTIONS}?action=enroll&${search}`);
  const done = await owner.send(ACTIONS, hiddenOf(preview.html));
  expect({ status: done.status, location: done.headers.get('location') }).toEqual({
    status: 303,
    location: '/console/people?notice=done&count=1',
  });
  expect((await owner.get('/console/people?notice=done&count=1')).html).toContain('Done for 1 person.');
  const again = await owner.get(`${ACTIONS}?action=enroll&${search}`);
  expect(again.html).toContain('This changes nothing for anybody.');
  expect(again.html).toContain('is already enrolled');
  await query('delete from learners where id = $1', [body.data.id]);
});

test('a dry run writes no event, message or audit entry', async () => {
  const count = async () =>
    (
      await query(`select (select count(*) from messages) + (select count(*) from audit_log) +
                         (select count(*) from events) as count`)
    )[0]!.count as string;
  const before = await count();
  const { body } = await post('/learners/deactivate?dryRun=true', { learnerIds: [own(3), own(5)] });
  expect(body.data.changedIds).toEqual([own(3)]);
  expect(await isInactive(own(3))).toBe(false);
  expect(await count()).toBe(before);
});

test('the export has only the selected people', async () => {
  const page = await owner.get(`${ACTIONS}?action=export&who=matching&state=inactive`);
  expect(page.html).toContain('/console/people/export?who=matching&amp;state=inactive');
  const all = await owner.get('/console/people/export?who=matching&state=inactive');
  expect(all.headers.get('content-type')).toContain('text/csv');
  expect(all.headers.get('content-disposition')).toContain('attachment');
  expect(all.html.trim().split('\r\n')).toHaveLength(2);
  const some = await owner.get(`/console/people/export?learnerId=${own(1)}&learnerId=${own(2)}`);
  expect(some.html.trim().split('\r\n')).toHaveLength(3);
});

test('an empty selection and an unknown action are rejected', async () => {
  expect((await owner.get(`${ACTIONS}?action=deactivate`)).html).toContain('Nobody is selected.');
  expect((await owner.get(`${ACTIONS}?action=delete&learnerId=${own(1)}`)).status).toBe(404);
  const { html } = await owner.get(`${ACTIONS}?action=deactivate&learnerId=${own(2)}`);
  expect((await owner.send(ACTIONS, { ...hiddenOf(html), people: 'x' })).status).toBe(400);
});

test('an auditor exports but changes nothing', async () => {
  await query(`update admins set status = 'active', role = 'auditor' where id = $1`, [adminId('tenant', 2)]);
  const auditor = await Admin.of('tenant', 2);
  const { html } = await auditor.get('/console/people');
  expect(html).toContain('<option value="export">');
  expect(html).not.toContain('<option value="deactivate">');
  expect((await auditor.get(`${ACTIONS}?action=deactivate&learnerId=${own(1)}`)).status).toBe(403);
});

test.each(['en', 'de', 'fr'])('the pages work in %s', async (locale) => {
  await query('update admins set locale = $2 where id = $1', [adminId('tenant', 1), locale]);
  for (const search of [
    `action=deactivate&learnerId=${own(2)}&learnerId=${own(5)}`,
    `action=enroll&learnerId=${own(2)}`,
    `action=export&learnerId=${own(2)}`,
    'action=activate&who=matching',
  ]) {
    const { status, html } = await owner.get(`${ACTIONS}?${search}`);
    expect({ search, status }).toEqual({ search, status: 200 });
    expect(html).not.toMatch(/undefined|NaN|\[object/);
  }
  await query(`update admins set locale = 'en' where id = $1`, [adminId('tenant', 1)]);
});

test('the export has no form, and its file has a name', async () => {
  const fields = hiddenOf((await owner.get(`${ACTIONS}?action=deactivate&learnerId=${own(1)}`)).html);
  expect((await owner.send(ACTIONS, { ...fields, action: 'export' })).status).toBe(404);
  const { headers } = await owner.get('/console/people/export?who=matching');
  expect(headers.get('content-disposition')).toBe('attachment; filename="people.csv"');
});

test.each(['cross-site', 'same-site'])('a preview that another page has opened runs nothing: %s', async (site) => {
  const headers = { cookie: owner.cookie, 'sec-fetch-site': site };
  const path = `${ACTIONS}?action=deactivate&who=matching`;
  expect((await askPage(path, { headers })).status).toBe(403);
  expect((await askPage(path, { headers: { ...headers, 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
});
