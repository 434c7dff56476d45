/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { get } from '../support/client.ts';
import { templateId } from '../support/world-policies.ts';
import { companies, type CompanyName, groupId, learnerId } from '../support/world.ts';
import { insertLearners } from '../resources/tenant-state.ts';
import { call, MAX_TEXT_LENGTH, read, readAll } from './mcp-support.ts';

/** A name so long that most of a page does not fit. */
const LONG = 'ä"\\'.repeat(80);

async function add(text: string, company: CompanyName, ...values: unknown[]): Promise<void> {
  await testService.query(text, [companies[company], ...values]);
}

/** Returns the SQL of ids that are ordered by their numbers. */
const numbered = (kind: string) => `('0192b00${kind}-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

describe('results that do not fit', () => {
  test('very long rows are returned in smaller parts, each row once', async () => {
    await add(
      `insert into learners (company_id, id, email, first_name, last_name, external_learner_id)
       select $1, ${numbered('1')}, 'long' || n || '@tenant.test', $2, $2, 'X' || n from generate_series(1, 400) as n`,
      'tenant',
      LONG,
    );
    const all = await readAll('service_list_learners', { args: { limit: 200 } });
    expect(all).toEqual((await get('/learners')).body.data);
    const { text } = await call('service_list_learners', { limit: 200 });
    expect(JSON.parse(text).items.length).toBeLessThan(200);
    // Each part is nearly full, because fewer parts mean fewer calls.
    expect(text.length).toBeGreaterThan(MAX_TEXT_LENGTH * 0.9);
  });

  test('a breached service with thousands of accounts shows some, counts the rest, and hides no other service', async () => {
    await read('service_list_breach_services', {}, 'msp');
    await testService.query(
      `insert into breached_accounts (domain, email, breach_id)
       select 'msp.test', 'account' || n || '@msp.test', b.id
         from generate_series(1, 5000) as n, breaches as b where b.name = 'WanderTravel'`,
    );
    await testService.query(
      `insert into breaches (name, title, category, breach_date, data_classes)
       select 'same' || n, 'Same day ' || n, 'x', '2023-01-01', array['Names'] from generate_series(1, 300) as n`,
    );
    const whole = (await get('/breaches/services', 'msp')).body.data as { id: string; affectedAccounts: unknown[] }[];
    const parts = await readAll('service_list_breach_services', { key: 'msp', args: { limit: 200 } });
    expect(parts.map(({ id }) => id as string)).toEqual(whole.map(({ id }) => id));
    const { affectedAccounts: accounts } = whole.find((one) => one.affectedAccounts.length > 5000)!;
    const large = parts.find((one) => 'affectedAccountsLeftOut' in one);
    expect(large.affectedAccounts.length).toBeGreaterThan(50);
    expect(large.affectedAccounts).toEqual(accounts.slice(0, large.affectedAccounts.length));
    expect(large.affectedAccountsLeftOut).toBe(accounts.length - large.affectedAccounts.length);
  });

  test('a group with thousands of members is read completely in parts, and each part includes the group', async () => {
    await insertLearners('distributor', 3000);
    await add(
      `insert into group_learners (company_id, group_id, learner_id)
       select company_id, $2, id from learners where company_id = $1 and email like 'many%'`,
      'distributor',
      groupId('distributor', 2),
    );
    const args = { groupId: groupId('distributor', 2) };
    const { learnerIds, ...group } = (await get(`/groups/${args.groupId}`, 'distributor')).body.data;
    expect(learnerIds.length).toBe(3002);
    const request = { key: 'distributor', args: { ...args, limit: 200 }, rows: 'learnerIds' } as const;
    expect(await readAll('service_get_group', request)).toEqual(learnerIds);
    expect(await read('service_get_group', args, 'distributor')).toMatchObject({ ...group, total: 3002 });
  });

  test('a template that is shared with thousands shows some companies and counts the rest', async () => {
    await add(
      `update policy_templates set is_global = false,
              companies = array(select ${numbered('2')} from generate_series(1, 3000) as n) where company_id = $1`,
      'msp',
    );
    const args = { policyTemplateId: templateId('msp', 1) };
    const { companies: shown, companiesLeftOut } = await read('service_get_policy_template', args, 'msp');
    const whole = (await get(`/policy-templates/${templateId('msp', 1)}`, 'msp')).body.data.companies as string[];
    expect(shown.length).toBeGreaterThan(0);
    expect(companiesLeftOut).toBe(whole.length - shown.length);
    expect(shown).toEqual(whole.slice(0, shown.length));
  });

  test('many groups and courses leave room for the learners of a report', async () => {
    await add(
      `insert into groups (company_id, id, name) select $1, ${numbered('3')}, 'Group ' || n || $2 from generate_series(1, 1000) as n`,
      'childA',
      'x'.repeat(80),
    );
    await add(
      `with made as (
         insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
         select $1, ${numbered('4')}, 'training', 'course' || n, $2 || n, 'Subject', 1, 80, '{en}' from generate_series(1, 120) as n
         returning owner_id, id)
       insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
       select owner_id, $3, id, owner_id, '2026-03-02' from made`,
      'childA',
      LONG,
      learnerId('childA', 3),
    );
    const args = { kind: 'course_participation' };
    const whole = (await get('/reports/course-participation', 'childA')).body.data;
    const learners = await readAll('service_get_report', { args, key: 'childA', rows: 'learners' });
    expect(learners.map(({ id }) => id as string)).toEqual(whole.learners.map(({ id }: { id: string }) => id));
    const first = await read('service_get_report', args, 'childA');
    expect(first.courses.length + first.coursesLeftOut).toBe(whole.courses.length);
    const { children, childrenLeftOut = 0 } = first.groupTree as { children: unknown[]; childrenLeftOut?: number };
    expect(children.length + childrenLeftOut).toBe(1002);
  });

  test('with more groups, a result shows fewer groups but as many learners', async () => {
    await insertLearners('childA', 100);
    const { learners } = await read('service_get_report', { kind: 'course_participation' }, 'childA');
    expect(learners.length).toBeGreaterThan(10);
  });

  test('hundreds of policies and simulations with long names are each read once', async () => {
    await add(
      `insert into policies (company_id, id, name, is_public, file_id, major_version, minor_version, created_at)
       select company_id, ${numbered('5')}, $2 || n, is_public, file_id, 1, 0, created_at
         from policies, generate_series(1, 300) as n where company_id = $1 and name like 'Policy 3%'`,
      'childB',
      LONG,
    );
    await add(
      `insert into simulations (company_id, id, name, status, delivery_method)
       select $1, ${numbered('6')}, $2 || n, 'draft', 'email' from generate_series(1, 300) as n`,
      'childB',
      LONG,
    );
    for (const [tool, path, rows] of [
      ['service_list_policies', '/policies', 'items'],
      ['service_list_simulations', '/simulations', 'items'],
      ['service_get_simulation_metrics', '/simulations/metrics', 'simulations'],
    ] as const) {
      const { data } = (await get(path, 'childB')).body;
      const all = await readAll(tool, { key: 'childB', args: { limit: 200 }, rows });
      expect(all).toEqual(rows === 'items' ? data : data[rows]);
    }
  });
});
