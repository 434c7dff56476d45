/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { insertLearners } from '../resources/tenant-state.ts';
import { policyId, versionId } from '../support/world-policies.ts';
import { companies } from '../support/world.ts';
import { call, read } from './mcp-support.ts';

const PEOPLE = 450;

beforeAll(async () => {
  await insertLearners('tenant', PEOPLE);
  await testService.query(`update learners set inactive = false where company_id = $1`, [companies.tenant]);
  await testService.query(
    `insert into policy_results (company_id, id, policy_id, learner_id, assigned_at, asked_at, signed, signed_version_id)
     select l.company_id, new_id(), $1, l.id, '2026-04-01Z', '2026-04-01Z', s.at, case when s.at is not null then $2::uuid end
       from (select *, row_number() over (order by id) as n from learners where email like '%@many.test') as l,
            lateral (select case when n % 3 = 0 then timestamptz '2026-04-02Z' end as at) as s`,
    [policyId('tenant', 2), versionId('tenant', 2)],
  );
});

test('the playbook finds all learners who have not signed, page by page', async () => {
  const { text: playbook } = await call('service_get_tool_help', { topic: 'playbook:unsigned-policy' });
  expect(playbook).toContain('outcome unsigned and limit 200');
  const { items } = await read('service_list_policies', { publishedOnly: true });
  const { id } = items.find(({ name }: any) => name === 'Policy 2 of tenant');
  const people: string[] = [];
  let page: any;
  for (let cursor: string | undefined = '0'; cursor !== undefined; cursor = page.nextCursor) {
    page = await read('service_get_policy', { policyId: id, outcome: 'unsigned', limit: 200, cursor });
    people.push(...page.results.map(({ learner }: any) => learner.id));
    expect(page.total).toBe(page.assignedCount - page.signedCount);
  }
  const rows = await testService.query(
    `select learner_id as id from policy_results where policy_id = $1 and company_id = $2 and signed is null order by 1`,
    [policyId('tenant', 2), companies.tenant],
  );
  expect(people).toEqual(rows.map((row) => row.id));
});

test('a policy without outcome has no results', async () => {
  const shown = await read('service_get_policy', { policyId: policyId('tenant', 2) });
  expect(shown).toMatchObject({ id: policyId('tenant', 2), results: null, assignedCount: PEOPLE + 1 });
});
