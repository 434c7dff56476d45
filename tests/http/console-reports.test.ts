/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { askPage } from '../support/learner.ts';
import { patch, post } from '../support/client.ts';
import { adminId, companies, groupId, learnerId } from '../support/world.ts';

const PAGES = ['participation', 'overdue', 'simulations', 'risk', 'policies', 'due'];
/** Matches text that must not appear on a page. */
const BROKEN = / style=|<style|<script|undefined|NaN|\[object|>null</;

let session: Admin;
beforeAll(async () => {
  await patch(`/learners/${learnerId('tenant', 4)}`, { firstName: 'Edsger', lastName: 'tenant', department: 'Vault' });
  await testService.query(`insert into risk_history values ($1, current_date - 1, 41.2, 1, 2, 3, 4)`, [
    companies.tenant,
  ]);
  session = await Admin.of('tenant');
});
afterEach(() =>
  testService.query(`update admins set role = 'owner', locale = 'en' where id = $1`, [adminId('tenant', 1)]),
);

describe('/console/reports', () => {
  test('links to a page for each question', async () => {
    const { status, html } = await session.get('/console/reports');
    expect(status).toBe(200);
    for (const name of PAGES) expect(html).toContain(`href="/console/reports/${name}"`);
    expect(html).toContain('<a href="/console/reports" aria-current="page">Reports</a>');
  });

  test.each(['en', 'de', 'fr'])('every page works in %s', async (locale) => {
    await testService.query('update admins set locale = $2 where id = $1', [adminId('tenant', 1), locale]);
    for (const name of [...PAGES, 'overdue/people']) {
      const { status, html } = await session.get(`/console/reports/${name}`);
      expect({ name, status }).toEqual({ name, status: 200 });
      expect(html).toContain(`<html lang="${locale}"`);
      expect(html).toContain('<code>GET /v1/');
      expect(html).toContain(`/console/reports/${name}/csv`);
      expect(html).not.toMatch(BROKEN);
    }
  });

  test('an invalid day counts as missing, and days that do not fit return 400 with the filters', async () => {
    for (const name of ['participation', 'simulations', 'risk', 'due']) {
      const invalid = await session.get(`/console/reports/${name}?from=2026-02-31&to=x&asOf=&cursor=`);
      expect(invalid.status).toBe(200);
      const { status, html } = await session.get(`/console/reports/${name}?from=2026-02-02&to=2026-02-01`);
      expect({ name, status }).toEqual({ name, status: 400 });
      expect(html).toContain('value="2026-02-02"');
      expect(html).toContain('Enter a first day that is not after the last one');
    }
    expect((await session.get('/console/reports/overdue?cursor=x')).status).toBe(400);
    expect((await session.get('/console/reports/policies?asOf=2999-01-01')).status).toBe(400);
  });
});

describe('/console/reports/participation', () => {
  test('shows groups, departments and a past day', async () => {
    const groups = (await session.get('/console/reports/participation?from=2026-01-01')).html;
    expect(groups).toContain('GET /v1/reports/groups?from=2026-01-01');
    const departments = (await session.get('/console/reports/participation?by=department')).html;
    expect(departments).toContain('GET /v1/reports/departments');
    expect(departments).toContain('<th scope="row">Vault</th>');
    const past = (await session.get('/console/reports/participation?asOf=2026-11-01')).html;
    expect(past).toContain('GET /v1/reports/groups?asOf=2026-11-01');
  });

  test('hides the mean risk of a small group', async () => {
    const name = `Few ${Date.now()}`;
    const { body } = await post('/groups', { name });
    await post(`/groups/${body.data.id}/learners/add`, { learnerIds: [learnerId('tenant', 1)] });
    const { html } = await session.get('/console/reports/participation');
    const row = new RegExp(`${name}</th>(.*?)</tr>`, 's').exec(html)![1];
    expect(row).toContain('hidden or unknown');
  });
});

describe('/console/reports/overdue', () => {
  test('links from a department, group or manager to the people', async () => {
    const { html } = await session.get('/console/reports/overdue');
    expect(html).toContain('<bdi>Vault</bdi>');
    const link = '/console/reports/overdue/people?department=Vault';
    expect(html).toContain(`href="${link}"`);
    const people = (await session.get(link)).html;
    expect(people).toContain('learner4@tenant.test');
    expect(people).toContain('GET /v1/assignments?assignmentStatus=overdue&amp;department=Vault');
    await post(`/groups/${groupId('tenant', 1)}/learners/add`, { learnerIds: [learnerId('tenant', 4)] });
    const group = `/console/reports/overdue/people?groupId=${groupId('tenant', 1)}`;
    expect((await session.get('/console/reports/overdue?by=group')).html).toContain(group);
    expect((await session.get(group)).html).toContain('learner4@tenant.test');
    expect((await session.get('/console/reports/overdue/people?department=Nowhere')).html).toContain(
      'Nothing is overdue.',
    );
    const foreign = `/console/reports/overdue/people?groupId=${groupId('other', 1)}`;
    expect((await session.get(foreign)).html).not.toContain('@');
  });
});

describe('the CSV', () => {
  test.each([...PAGES, 'overdue/people'])('of %s has the rows of the API', async (name) => {
    const response = await askPage(`/console/reports/${name}/csv`, { headers: { cookie: session.cookie } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/csv');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name.replace('/', '-')}.csv"`);
    expect(response.html.split('\r\n').length).toBeGreaterThan(1);
  });

  test('keeps the filters of the page', async () => {
    const { html } = await session.get('/console/reports/overdue/people/csv?department=Vault');
    expect(html).toContain('learner4@tenant.test');
    expect((await session.get('/console/reports/overdue/people/csv?department=Nowhere')).html).not.toContain('@');
  });
});

describe('the report for the board', () => {
  const pdf = (query = '') =>
    fetch(`${testService.url}/console/reports/board/pdf${query}`, { headers: { cookie: session.cookie } });

  test('downloads as PDF in the chosen language', async () => {
    expect((await session.get('/console/reports')).html).toContain('action="/console/reports/board/pdf"');
    for (const query of ['?language=de&period=month', '?language=x&period=x']) {
      const response = await pdf(query);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/pdf');
      expect(response.headers.get('content-disposition')).toContain('security-awareness-');
      expect((await response.text()).slice(0, 5)).toBe('%PDF-');
    }
  });

  test('is not offered to a manager', async () => {
    await testService.query(`update admins set role = 'manager' where id = $1`, [adminId('tenant', 1)]);
    expect((await session.get('/console/reports')).html).not.toContain('/console/reports/board/pdf');
    expect((await pdf()).status).toBe(404);
  });
});

describe('roles', () => {
  const asRole = (role: string) =>
    testService.query('update admins set role = $2 where id = $1', [adminId('tenant', 1), role]);

  test('an auditor reads, and a manager sees only reports about their people', async () => {
    await asRole('auditor');
    expect((await session.get('/console/reports/overdue')).status).toBe(200);
    await asRole('manager');
    expect((await session.get('/console/reports/overdue')).status).toBe(404);
    expect((await session.get('/console/reports/overdue/csv')).status).toBe(404);
    const { html } = await session.get('/console/reports');
    expect(html).not.toContain('reports/participation');
    expect(html).toContain('reports/policies');
    expect((await session.get('/console/reports/policies')).status).toBe(200);
  });

  test('a missing module hides its reports', async () => {
    await testService.query('update companies set smphish = false where id = $1', [companies.other]);
    const other = await Admin.of('other');
    expect((await other.get('/console/reports')).html).not.toContain('reports/simulations');
    expect((await other.get('/console/reports/simulations')).status).toBe(404);
  });

  test('a report about people asks the admin to confirm and then continues', async () => {
    const query = 'update person_sessions set proved_at = now() - $2::interval where admin_id = $1';
    await testService.query(query, [adminId('tenant', 1), '11 minutes']);
    const { status, html } = await session.get('/console/reports/overdue/csv?by=group');
    expect(status).toBe(403);
    expect(html).toContain('value="/console/reports/overdue/csv?by=group"');
    await testService.query(query, [adminId('tenant', 1), '0 minutes']);
  });
});
