/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { companies, learnerId, managedCourses } from '../support/world.ts';
import { policyId } from '../support/world-policies.ts';
import { campaignId } from '../support/world-campaigns.ts';
import { asSuperuser, reportPlans, takePlans } from './executed-plans.ts';

// A page of the console reads as many rows in a large company as in a small one. A page with figures of groups reads the
// rows of the members of its groups; here, no group grows.

const LEARNERS = 20_000;
/** Number of additional rows that a page can read, because other statistics lead to other plans. */
const MAX_MORE = 400;
const PAGES = [
  ...['', '/people', '/people?overdue=true', `/people/${learnerId('tenant', 1)}`, '/groups'],
  ...['/campaigns', '/campaigns/new', `/campaigns/${campaignId('tenant')}`],
  ...['/simulations', '/simulations/all', '/simulations/new', '/simulations/templates'],
  ...['/simulations/results', '/simulations/results/repeat-clickers'],
  ...['/reports', '/reports/participation', '/reports/overdue'],
  ...['/courses', `/courses/${managedCourses.phishing}`, '/admins', '/roles', '/audit-log', '/sign-ins'],
].map((path) => `/console${path}`);

async function readRows(admin: Admin): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  // The first requests prepare statements and fill caches.
  for (const path of PAGES) await admin.get(path);
  takePlans(1);
  for (const path of PAGES) {
    const { status } = await admin.get(path);
    rows[path] = takePlans(1).reduce((sum, plan) => sum + plan.rows, 0);
    expect({ path, status }).toEqual({ path, status: 200 });
  }
  return rows;
}

/** Adds learners who have a course and a policy, as autovacuum finds them soon after. */
async function addLearners(name: string, count: number): Promise<void> {
  const added = `company_id = '${companies.tenant}' and email like '${name}%'`;
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name, department, risk_score)
     select $1, new_id(), $2 || n || '@tenant.test', 'Ada', 'Many' || n, 'Department ' || n % 40, n % 100
       from generate_series(1, $3::integer) as n`,
    [companies.tenant, name, count],
  );
  await testService.query(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     select company_id, id, $1, managed_catalogue(), current_date from learners where ${added}`,
    [managedCourses.phishing],
  );
  await testService.query(
    `insert into policy_results (company_id, id, policy_id, learner_id, assigned_at, asked_at)
     select company_id, new_id(), $1, id, now(), now() from learners where ${added}`,
    [policyId('tenant', 1)],
  );
  await asSuperuser('vacuum analyze');
}

test('no page of the console reads more rows after 20,000 learners with a course and a policy are added', async () => {
  // The list of people is then full before the learners are added.
  await addLearners('few', 100);
  await reportPlans();
  const admin = await Admin.of('tenant');
  const before = await readRows(admin);
  await addLearners('many', LEARNERS);
  const after = await readRows(admin);
  expect(before['/console']).toBeGreaterThan(50);
  expect(Object.entries(after).filter(([path, rows]) => rows > before[path]! + MAX_MORE)).toEqual([]);
}, 120_000);
