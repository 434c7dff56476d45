/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { get, post } from '../support/client.ts';
import { adminId, companies, learnerId, managedCourses, unknownId } from '../support/world.ts';

const childPage = `/console/companies/${companies.childA}`;
const finished = (html: string) => /Training finished<\/dt><dd>([^<]*)/.exec(html)?.[1];
const tables = (html: string) => [...html.matchAll(/<caption>([^<]*)/g)].map(([, caption]) => caption);

describe('/console of a company', () => {
  test('shows risk, training, policies, simulations and breaches with tables and API calls', async () => {
    await testService.query(`insert into risk_history values ($1, current_date - 1, 41.2, 1, 2, 3, 4)`, [
      companies.tenant,
    ]);
    const { status, html, headers } = await (await Admin.of('tenant')).get('/console');
    expect(status).toBe(200);
    expect(tables(html)).toHaveLength(4);
    for (const path of ['reports/risk-score-history', 'reports/groups', 'simulations/metrics', 'breaches/services']) {
      expect(html).toContain(`<code>GET /v1/${path}`);
    }
    expect(html).toContain('41.2 (moderate)');
    expect(html).not.toMatch(/ style=|<style|<script|undefined|NaN/);
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });

  test('includes a course result as soon as it is recorded', async () => {
    const admin = await Admin.of('other');
    await testService.query('delete from enrollments where company_id = $1', [companies.other]);
    expect(finished((await admin.get('/console')).html)).toBe('none yet');
    const [one, two] = [learnerId('other', 1), learnerId('other', 2)];
    await post('/course-enrollments', { learnerIds: [one, two], courseIds: [managedCourses.phishing] }, 'other');
    expect(finished((await admin.get('/console')).html)).toBe('0%');
    const result = {
      ...{ learner: { id: one }, course: { id: managedCourses.phishing }, eventId: 'console-1' },
      ...{ startedAt: new Date().toISOString(), finishedAt: new Date().toISOString(), score: 100 },
    };
    expect((await post('/course-results', { results: [result] }, 'other')).status).toBe(200);
    expect(finished((await admin.get('/console')).html)).toBe('50%');
  });

  test('handles disabled modules and hostile names', async () => {
    const hostile = '"><script>alert(1)</script>';
    await testService.query('update companies set smphish = false, smlearn = false where id = $1', [
      companies.directChild,
    ]);
    await testService.query(`update groups set name = $2 || id where company_id = $1`, [
      companies.directChild,
      hostile,
    ]);
    const { status, html } = await (await Admin.of('directChild')).get('/console');
    expect(status).toBe(200);
    expect(html).toContain('This is not part of the plan.');
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script>');
  });

  test('another company returns 403, and an invalid id returns 404', async () => {
    const admin = await Admin.of('tenant');
    for (const companyId of [companies.other, companies.childA, companies.msp, unknownId]) {
      const { status, html } = await admin.get(`/console/companies/${companyId}`);
      expect(status).toBe(403);
      expect(html).not.toContain('<svg class="chart"');
    }
    expect((await admin.get('/console/companies/x')).status).toBe(404);
    const own = await admin.get(`/console/companies/${companies.tenant}`);
    expect([own.status, own.headers.get('location')]).toEqual([303, '/console/company']);
  });
});

describe('/console of an MSP or a distributor', () => {
  test('lists the companies below it with their figures', async () => {
    const { html } = await (await Admin.of('msp')).get('/console');
    for (const name of ['childA', 'childB'] as const) expect(html).toContain(`/console/companies/${companies[name]}"`);
    expect(html).not.toContain(companies.directChild);
    expect(html.match(/<tr>/g)).toHaveLength(3);
    const above = await (await Admin.of('distributor')).get('/console');
    expect(above.html.match(/<tr>/g)).toHaveLength(4);
  });

  test("a child's page shows the child's figures, and the child's audit log records the reading", async () => {
    const own = (await (await Admin.of('childA')).get('/console')).html;
    const { status, html } = await (await Admin.of('msp')).get(childPage);
    expect(status).toBe(200);
    expect(html).toContain('Overview of The childA company');
    expect(html).toContain(`/v1/reports/groups?companyId=${companies.childA}`);
    expect(finished(html)).toBe(finished(own));
    const { entries } = (await get('/audit-log?operation=getGroupReport', 'childA')).body.data;
    expect(entries.at(-1)).toMatchObject({ actorType: 'admin', actorId: adminId('msp', 1) });
  });

  test('a company of another MSP returns 403', async () => {
    const admin = await Admin.of('strangerMsp');
    expect((await admin.get(childPage)).status).toBe(403);
    expect((await admin.get('/console/company')).status).toBe(200);
  });
});
