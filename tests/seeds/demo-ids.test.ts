/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { send } from '../support/client.ts';
import { ask } from './seeded.ts';

test('ids of the demo are unique across companies', async () => {
  const tables = await testService.query(`
    select c.table_name as name, c.column_name as owner from information_schema.columns c
      join information_schema.columns i on i.table_schema = 'public' and i.table_name = c.table_name and i.column_name = 'id'
     where c.table_schema = 'public' and c.column_name in ('company_id', 'owner_id')`);
  expect(tables.length).toBeGreaterThan(10);
  const shared: Record<string, number> = {};
  for (const { name, owner } of tables as Record<string, string>[]) {
    const rows = await testService.query(`select id from ${name} group by id having count(distinct ${owner}) > 1`);
    if (rows.length > 0) shared[name!] = rows.length;
  }
  expect(shared).toEqual({});
});

test("an MSP finds a simulation of a child only with the child's companyId", async () => {
  const headers = { authorization: `Bearer ${demoKeys.msp}` };
  const children = (await ask('msp', '/companies')) as { id: string }[];
  let seen = 0;
  for (const child of children) {
    const { status, body } = await send('GET', `/simulations?companyId=${child.id}`, { headers });
    for (const { id } of status === 200 ? body.data : []) {
      expect((await ask('msp', `/simulations/${id}?companyId=${child.id}`)).id).toBe(id);
      expect((await send('GET', `/simulations/${id}`, { headers })).status).toBe(404);
      seen++;
    }
  }
  expect(seen).toBeGreaterThan(0);
});

test('a search finds the learners of the demo under their own ids', async () => {
  const found = (await ask('tenant', '/learners?q=vog+kath')) as { name: string }[];
  expect(found.map(({ name }) => name)).toEqual(['Käthe Vogel', 'Katharina Vogel']);
});
