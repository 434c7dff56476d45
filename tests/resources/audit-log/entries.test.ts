/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import pg from 'pg';
import { hasForm, submit } from '../../http/setup-page.ts';
import { call as callTool } from '../../mcp/mcp-support.ts';
import { expectError, get, post } from '../../support/client.ts';
import { companies, groupId, id, keys, learnerId } from '../../support/world.ts';
import { invite } from '../admins/admin-state.ts';
import { countEntries, entered } from './audit-state.ts';

// tests/seeds/examples.test.ts checks with the examples of the contract that each operation writes its entry.

test('an entry for a change has the actor, IP address, field names and ids, but no field values', async () => {
  const body = { name: 'Audited', managerIds: [learnerId('tenant', 2)] };
  const { answer, entries } = await entered('tenant', 'POST', '/groups', body);
  expect(entries).toMatchObject([
    {
      company_id: companies.tenant,
      actor_type: 'key',
      actor_id: id('e', 1),
      actor_company_id: companies.tenant,
      operation: 'createGroup',
      outcome: 'done',
      code: null,
      targets: [
        { field: 'managerIds', count: 1, ids: body.managerIds },
        { field: 'id', count: 1, ids: [answer.body.data.id] },
      ],
      fields: ['name', 'managerIds'],
      address: '127.0.0.1',
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain('Audited');
});

test('a bulk call writes one entry with the count and the first 100 ids', async () => {
  const learners = Array.from({ length: 120 }, (_, n) => {
    return { email: `audited${n}@tenant.test`, firstName: 'A', lastName: 'B', groupIds: [groupId('tenant', 1)] };
  });
  const { answer, entries } = await entered('tenant', 'POST', '/learners/bulk', { learners });
  const made = answer.body.data.created.map((one: { learnerId: string }) => one.learnerId);
  expect(entries).toMatchObject([
    {
      operation: 'createLearners',
      fields: ['learners'],
      targets: [
        { field: 'learners', count: 120, ids: [] },
        { field: 'learners/groupIds', count: 1, ids: [groupId('tenant', 1)] },
        { field: 'created/learnerId', count: 120, ids: made.slice(0, 100) },
      ],
    },
  ]);
});

test('calls that change nothing or are rolled back write no entry', async () => {
  const learner = { email: 'learner1@tenant.test', firstName: 'A', lastName: 'B', locale: 'en' };
  for (const [method, path, body] of [
    ['POST', '/learners', learner],
    ['DELETE', `/groups/${groupId('other', 1)}`, undefined],
    ['DELETE', `/learners/${learnerId('other', 1)}`, undefined],
    ['POST', '/groups', {}],
  ] as const) {
    const { answer, entries } = await entered('tenant', method, path, body);
    expect([400, 404]).toContain(answer.status);
    expect(entries).toEqual([]);
  }
});

test('a change whose entry cannot be written is rolled back, with and without a transaction', async () => {
  const group = groupId('tenant', 2);
  await testService.query(`alter table audit_log add constraint refuses check (operation not like '%Group') not valid`);
  for (const [method, path, body] of [
    ['POST', '/groups', '{"name": "Unaudited"}'],
    ['DELETE', `/groups/${group}`, undefined],
  ] as const) {
    const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };
    const answer = await fetch(`${testService.url}/v1${path}`, { method, headers, body });
    expect(answer.status).toBe(500);
  }
  await testService.query('alter table audit_log drop constraint refuses');
  const names = (await get('/groups')).body.data.map((one: { name: string }) => one.name);
  expect(names).not.toContain('Unaudited');
  expect((await get(`/groups/${group}`)).status).toBe(200);
});

test('concurrent changes write one entry each', async () => {
  const before = await countEntries('other');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => post('/groups', { name: `Group ${n % 15}x` }, 'other')),
  );
  const made = answers.filter(({ status }) => status === 200).length;
  expect(made).toBe(15);
  expect((await countEntries('other')) - before).toBe(15);
});

describe('a call rejected with 403', () => {
  test('writes an entry with its code and the requested ids to the log of the caller', async () => {
    const { answer, entries } = await entered('other', 'GET', `/learners?companyId=${companies.childA}`);
    expectError(answer, 403, 'forbidden');
    expect(entries).toMatchObject([
      {
        company_id: companies.other,
        operation: 'listLearners',
        outcome: 'denied',
        code: 'forbidden',
        targets: [{ field: 'companyId', count: 1, ids: [companies.childA] }],
      },
    ]);
  });

  test('writes at most 20 entries a minute', async () => {
    const before = await countEntries('directChild');
    for (let calls = 0; calls < 45; calls++) await get('/companies', 'directChild');
    const count = (await countEntries('directChild')) - before;
    expect(count).toBeGreaterThanOrEqual(20);
    // A new minute might have begun in between.
    expect(count).toBeLessThanOrEqual(40);
  });
});

describe('a read', () => {
  test('of a child company by its MSP writes an entry to the log of the child before the response', async () => {
    const { entries } = await entered(
      'msp',
      'GET',
      `/learners/${learnerId('childA', 1)}?companyId=${companies.childA}`,
    );
    expect(entries).toMatchObject([
      {
        company_id: companies.childA,
        actor_company_id: companies.msp,
        operation: 'getLearner',
        targets: [{ field: 'learnerId', count: 1, ids: [learnerId('childA', 1)] }],
        fields: [],
      },
    ]);
  });

  test('of a child company by an MCP tool writes an entry', async () => {
    const before = await countEntries('childA');
    await callTool('service_list_groups', { companyId: companies.childA }, 'msp');
    expect((await countEntries('childA')) - before).toBe(1);
  });

  test("with a 404 or of the caller's own company writes no entry", async () => {
    for (const path of [`/groups/${groupId('other', 1)}?companyId=${companies.childA}`, '/learners'])
      expect((await entered('msp', 'GET', path)).entries).toEqual([]);
  });
});

test('an admin who finishes the setup writes one entry', async () => {
  const { id: adminId, token } = await invite({ firstName: 'Dorothy', lastName: 'Vaughan' });
  const names = { firstName: 'Dorothea', lastName: 'Vaughan' };
  expect(hasForm(await submit(token, names))).toBe(false);
  await submit(token, names);
  const entries = await testService.query(`select * from audit_log where actor_type = 'admin'`);
  expect(entries).toMatchObject([
    {
      company_id: companies.tenant,
      actor_id: adminId,
      operation: 'finishAdminSetup',
      fields: ['firstName', 'lastName'],
    },
  ]);
});

test('the database role of the service can neither change nor delete nor backdate entries', async () => {
  const service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
  try {
    for (const text of [
      `update audit_log set outcome = 'denied'`,
      'delete from audit_log',
      'truncate audit_log',
      'drop table audit_log_default',
      'select from audit_log_default',
      'delete from audit_log_default',
      `insert into audit_log (company_id, occurred_at) values ('${companies.tenant}', '2026-01-01')`,
      `insert into audit_log (company_id, id) values ('${companies.tenant}', '${id('f', 1)}')`,
    ])
      await expect(service.query(text)).rejects.toThrow(/permission denied|must be owner/);
  } finally {
    await service.end();
  }
});
