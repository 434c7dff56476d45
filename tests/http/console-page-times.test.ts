/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
// Opens each page of the console in a large company. To measure the pages with 100,000 learners and to write the table
// of `tests/bench/CONSOLE.md`:
//   CONSOLE_LEARNERS=100000 CONSOLE_OUT=tests/bench/CONSOLE.md make test ARGS=tests/http/console-page-times.test.ts
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { Admin } from '../support/admin.ts';
import { companies, groupId, learnerId, managedCourses } from '../support/world.ts';
import { asSuperuser, reportPlans, takePlans } from '../db/executed-plans.ts';
import { campaignId } from '../support/world-campaigns.ts';

const learners = Number(process.env.CONSOLE_LEARNERS ?? 1000);
const REQUESTS = 5;
const COURSE = managedCourses.phishing;
const PAGES = [
  ...['', '/people', '/people?q=ada', '/people?overdue=true', `/people/${learnerId('tenant', 1)}`],
  ...['/campaigns', '/campaigns/new', `/campaigns/${campaignId('tenant')}`],
  ...['/simulations', '/simulations/all', '/simulations/new', '/simulations/templates'],
  ...['/simulations/results', '/simulations/results/repeat-clickers'],
  ...[
    '/reports',
    '/reports/participation',
    '/reports/participation?by=department',
    '/reports/overdue',
    '/reports/policies',
  ],
  ...['/audit-log', '/sign-ins', '/identity-providers', '/keys', '/sources', '/applications', '/admins'],
  ...['/roles', '/passkeys', '/sessions', '/groups', '/courses', `/courses/${COURSE}`],
].map((path) => `/console${path}`);

test('each page of the console opens in a large company', async () => {
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name, department)
     select $1, new_id(), 'many' || n || '@tenant.test', 'Ada', 'Many' || n, 'Department ' || n % 40
       from generate_series(1, $2) as n`,
    [companies.tenant, learners],
  );
  await testService.query(
    `insert into group_learners (company_id, group_id, learner_id)
     select company_id, $2, id from learners where company_id = $1 and email like 'many%' limit $3`,
    [companies.tenant, groupId('tenant', 1), learners / 5],
  );
  await testService.query(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date, start_date)
     select l.company_id, l.id, c.id, c.owner_id, current_date, case when l.risk_score = 0 then current_date end
       from learners l, courses c
      where l.company_id = $1 and l.email like 'many%' and c.id = $2`,
    [companies.tenant, COURSE],
  );
  // Vacuums as autovacuum does after such a load: indexes then suffice for counts.
  await asSuperuser('vacuum analyze');
  const admin = await Admin.of('tenant');
  const figures = new Map<string, Figures>();
  for (const path of PAGES) {
    expect({ path, status: (await admin.get(path)).status }).toEqual({ path, status: 200 });
    figures.set(path, await measure(() => admin.get(path)));
  }
  await reportPlans();
  // The new connections prepare their statements.
  for (const path of PAGES) await admin.get(path);
  for (const path of PAGES) {
    takePlans(1);
    await admin.get(path);
    const plans = takePlans(1);
    Object.assign(figures.get(path)!, {
      rows: sum(plans.map(({ rows }) => rows)),
      postgres: sum(plans.map(({ ms }) => ms)),
    });
  }
  if (process.env.CONSOLE_OUT) writeFileSync(process.env.CONSOLE_OUT, formatTable(figures));
}, 300_000);

interface Figures {
  /** Median time of a request, in milliseconds. */
  median: number;
  /** Mean time of the processor for Node.js, in milliseconds. The test runs in the same process as the service. */
  node: number;
  /** Rows that the statements of a request read. */
  rows: number;
  /** Time of the statements of a request, in milliseconds. */
  postgres: number;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

async function measure(request: () => Promise<unknown>): Promise<Figures> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let count = 0; count < REQUESTS; count += 1) {
    const begin = performance.now();
    await request();
    times.push(performance.now() - begin);
  }
  const { user, system } = process.cpuUsage(before);
  const median = times.toSorted((a, b) => a - b)[Math.floor(REQUESTS / 2)]!;
  return { median, node: (user + system) / 1000 / REQUESTS, rows: 0, postgres: 0 };
}

function formatTable(figures: ReadonlyMap<string, Figures>): string {
  const named = [...figures]
    .toSorted(([, one], [, other]) => other.median - one.median)
    .map(([path, { median, node, rows, postgres }]) => {
      const name = path
        .replace(learnerId('tenant', 1), '{learnerId}')
        .replace(campaignId('tenant'), '{campaignId}')
        .replace(COURSE, '{courseId}');
      return `| \`${name}\` | ${Math.round(rows)} | ${postgres.toFixed(1)} | ${node.toFixed(1)} | ${Math.round(median)} |`;
    });
  const load = loadavg()[0]!;
  return `# Pages of the console

The median of ${REQUESTS} requests for each page, one at a time, in a company with ${learners} learners, who are
all enrolled in one course, and of whom a fifth are in one group. The rows are those that the plans of the page's
statements read; the time of Postgres is that of the statements with their plans reported. The time of Node.js is
that of the processor, with the test itself.
\`tests/http/console-page-times.test.ts\` says how to repeat it. The load average of the machine was
${load.toFixed(1)} on ${availableParallelism()} cores.

| Page | Rows read | Postgres, ms | Node.js, ms | Request, ms |
| ---- | --------: | -----------: | ----------: | ----------: |
${named.join('\n')}
`;
}
