/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { get } from '../support/client.ts';
import {
  adminId,
  companies,
  type CompanyName,
  groupId,
  learnerId,
  managedCourses,
  ownCourseId,
} from '../support/world.ts';
import { campaignId } from '../support/world-campaigns.ts';
import { simulationId } from '../support/world-simulations.ts';

const child = `/console/companies/${companies.childA}`;
const linksOf = (html: string) =>
  [...html.matchAll(/ href="(\/console[^"#]*)/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));
const namesOf = (html: string) => [...html.matchAll(/<bdi>The (\w+) company<\/bdi><\/a>/g)].map(([, name]) => name);
const setFigures = (company: CompanyName, overdue: number, clicks: number) =>
  testService.query(
    `insert into company_figures (company_id, counted_at, overdue_learners, overdue_rate, sent_count, click_rate, report_rate)
     values ($1, '2026-03-02Z', 2, $2, 10, $3, 0.5)`,
    [companies[company], overdue, clicks],
  );

let msp: Admin;
beforeEach(async () => {
  await testService.query(`delete from company_figures; update companies set smphish = true`);
  await testService.query(`update companies set name = 'The childA company' where id = $1`, [companies.childA]);
  msp = await Admin.of('msp');
});

describe('the list of companies', () => {
  test("shows last night's figures, searches and sorts", async () => {
    await setFigures('childA', 0.1, 0.4);
    await setFigures('childB', 0.5, 0.125);
    const { html } = await msp.get('/console');
    expect(namesOf(html)).toEqual(['childA', 'childB']);
    for (const text of ['50% (2)', '12.5%', 'GET /v1/reports/companies?sort=companyName']) expect(html).toContain(text);
    expect(namesOf((await msp.get('/console?sort=overdueRate')).html)).toEqual(['childB', 'childA']);
    const sorted = (await msp.get('/console?sort=clickRate')).html;
    expect(namesOf(sorted)).toEqual(['childA', 'childB']);
    expect(sorted).toContain('aria-sort="descending"');
    expect(namesOf((await msp.get('/console?q=CHILDB')).html)).toEqual(['childB']);
    expect((await msp.get('/console?q=nobody')).html).toContain('No company has this name.');
    for (const query of ['sort=x', 'sort=companyName&sort=x', 'q=%00', `q=${'a'.repeat(500)}`])
      expect((await msp.get(`/console?${query}`)).status).toBeLessThan(500);
  });

  test('compares only the selected companies, and the URLs keep the selection', async () => {
    await setFigures('childA', 0.1, 0.4);
    await setFigures('childB', 0.5, 0.125);
    const { html } = await msp.get('/console');
    expect(html).toContain(`form="compare" name="company" value="${companies.childA}"`);
    const compare = '/console/companies/compare?';
    const ofBoth = (await msp.get(`${compare}company=${companies.childA}&company=${companies.childB}`)).html;
    expect(namesOf(ofBoth)).toEqual(['childB', 'childA']);
    expect(ofBoth).toContain(`type="hidden" name="company" value="${companies.childA},${companies.childB}"`);
    const ofOne = (await msp.get(`${compare}company=${companies.childA}&sort=clickRate`)).html;
    expect(namesOf(ofOne)).toEqual(['childA']);
    expect(ofOne).toContain(`GET /v1/reports/companies?sort=clickRate&amp;companyIds=${companies.childA}`);
    expect(namesOf((await msp.get(`${compare}company=${companies.tenant}`)).html)).toEqual([]);
    expect(namesOf((await msp.get(`${compare}company=x`)).html)).toEqual(['childB', 'childA']);
  });

  test('names of 200 characters, HTML and bidirectional text stay text', async () => {
    const name = `"><script>alert(1)</script>\u202Eabc ${'x'.repeat(150)}`;
    await testService.query('update companies set name = $2 where id = $1', [companies.childA, name]);
    for (const path of ['/console', '/console/companies/compare', child]) {
      const { status, html } = await msp.get(path);
      expect(status).toBe(200);
      expect(html).not.toContain('<script>alert');
      expect(html).toContain('<bdi>&quot;>&lt;script>');
    }
  });
});

describe('the comparison', () => {
  test('draws one figure of the companies, and tabulates the same values', async () => {
    await setFigures('childA', 0.1, 0.4);
    await setFigures('childB', 0.5, 0.1);
    const { html } = await msp.get('/console/companies/compare');
    expect(namesOf(html)).toEqual(['childB', 'childA']);
    expect(html.match(/class="bar-1"/g)).toHaveLength(2);
    expect(html).toContain('Counted on 2 Mar 2026');
    expect(namesOf((await msp.get('/console/companies/compare?sort=clickRate')).html)).toEqual(['childA', 'childB']);
  });

  test('a company without children has no comparison', async () => {
    const admin = await Admin.of('tenant');
    expect((await admin.get('/console/companies/compare')).status).toBe(404);
    expect((await admin.get('/console')).html).not.toContain('/console/companies/compare');
  });
});

describe('the pages of a child', () => {
  const PAGES = [
    ...['', '/people', '/campaigns', '/reports', '/simulations', '/simulations/all', '/simulations/results'],
    ...['/simulations/templates', '/reports/participation', '/reports/overdue', '/reports/policies', '/reports/due'],
    ...['/reports/simulations', '/reports/risk', '/audit-log', '/sign-ins', '/admins'],
    ...['/courses', `/courses/${ownCourseId('childA')}`, `/courses/${managedCourses.phishing}`, '/policies', '/groups'],
    `/people/${learnerId('childA', 1)}`,
    `/campaigns/${campaignId('childA')}`,
    `/simulations/${simulationId('childA', 1)}`,
  ];

  test.each(PAGES)('%s shows the child read-only, and its links stay with the child', async (page) => {
    const { status, html } = await msp.get(child + page);
    expect({ page, status }).toEqual({ page, status: 200 });
    expect(html).toContain('You are looking at <bdi>The childA company</bdi>.');
    const forms = [...html.matchAll(/<form[^>]*method="post"[^>]*>/g)].map(([form]) => form);
    expect(forms).toEqual([expect.stringContaining('action="/console/sign-out"')]);
    for (const href of linksOf(html)) expect(href === '/console' || href.startsWith(child)).toBe(true);
  });

  test('the API calls shown on the pages name the child', async () => {
    for (const page of ['/people', '/reports/overdue', '/campaigns']) {
      const calls = [...(await msp.get(child + page)).html.matchAll(/<code>GET ([^<]*)</g)].map(([, call]) => call!);
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls) expect(call).toContain(`companyId=${companies.childA}`);
    }
  });

  test("shows the child's people, and none of the MSP's own company", async () => {
    const { html } = await msp.get(`${child}/people`);
    expect(html).toContain('learner1@childA.test'.toLowerCase());
    expect(html).not.toContain('@msp.test');
    expect((await msp.get(`${child}/people/${learnerId('msp', 1)}`)).status).toBe(404);
    expect((await msp.get(`${child}/people/${learnerId('tenant', 1)}`)).status).toBe(404);
  });

  test('every link of a page opens a page', async () => {
    const seen = new Set<string>();
    for (const page of PAGES) for (const href of linksOf((await msp.get(child + page)).html)) seen.add(href);
    const broken: string[] = [];
    // Browsers send Sec-Fetch-Site, which the page of an action requires.
    const open = [...seen].filter((href) => !href.startsWith(`${child}/people/actions?action=export`));
    for (const href of open) if ((await msp.get(href)).status >= 400) broken.push(href);
    expect(broken).toEqual([]);
  });

  test('changes are rejected, whatever the form', async () => {
    const hidden = { form_token: /name="form_token" value="([^"]+)"/.exec((await msp.get('/console')).html)![1]! };
    for (const path of ['/people/export', `/groups/${groupId('childA', 1)}`, '/keys', '/sign-out', '', '/x'])
      expect({ path, status: (await msp.send(child + path, hidden)).status }).toEqual({ path, status: 403 });
    // The session is still there.
    expect((await msp.get('/console')).status).toBe(200);
  });

  test("pages of the admin's own account, keys and settings do not exist for a child", async () => {
    for (const path of [
      '/passkeys',
      '/sessions',
      '/keys',
      '/sources',
      '/applications',
      '/companies/compare',
      '/company',
    ])
      expect({ path, status: (await msp.get(child + path)).status }).toEqual({ path, status: 404 });
  });

  test("each read is in the child's audit log, with the admin and the MSP's company", async () => {
    await msp.get(`${child}/people`);
    const { entries } = (await get('/audit-log?operation=listLearners', 'childA')).body.data;
    expect(entries.at(-1)).toMatchObject({
      ...{ actorType: 'admin', actorId: adminId('msp', 1), actorCompanyId: companies.msp },
    });
  });

  test("a module that only the MSP's own company has is not offered for the child", async () => {
    await testService.query('update companies set smphish = false where id = $1', [companies.childA]);
    const { html } = await msp.get(child);
    expect(html).not.toContain(`${child}/simulations"`);
    expect((await msp.get(`${child}/simulations`)).status).toBe(404);
    expect((await msp.get('/console/simulations')).status).toBe(200);
  });

  test("other companies' children, and an admin without the permission, get 403", async () => {
    for (const name of ['directChild', 'tenant', 'distributor', 'prospect'] as const)
      expect((await msp.get(`/console/companies/${companies[name]}/people`)).status).toBe(403);
    const stranger = await Admin.of('strangerMsp');
    expect((await stranger.get(`${child}/people`)).status).toBe(403);
    expect((await (await Admin.of('childA')).get(`/console/companies/${companies.childB}`)).status).toBe(403);
    expect((await (await Admin.of('distributor')).get(`${child}/people`)).status).toBe(200);
  });

  test("the CSV and the PDF of a report contain the child's data", async () => {
    const { html: csv, headers } = await msp.get(`${child}/reports/overdue/csv`);
    expect(headers.get('content-type')).toContain('text/csv');
    const own = await (await Admin.of('childA')).get('/console/reports/overdue/csv');
    expect(csv).toBe(own.html);
    const reports = await msp.get(`${child}/reports`);
    expect(reports.html).toContain(`action="${child}/reports/board/pdf"`);
  });
});
