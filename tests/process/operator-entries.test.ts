import { run, stopServices } from './support.ts';

afterEach(stopServices);

/** Returns the standard output of a successful command. */
async function done(...args: string[]): Promise<string> {
  const env = { DATABASE_OWNER_URL: testService.database.ownerUrl };
  const { code, stdout, stderr } = await run(['src/commands/keys.ts', ...args], env);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim();
}

test("changes by a command are in the company's audit log with the operator as the actor", async () => {
  const company = await done('create-company', '--kind', 'tenant', '--name', 'New', '--domain', 'example.org');
  const key = await done('issue', '--company', company, '--name', 'from the tests', '--expires', '2099-03-31');
  for (let times = 0; times < 2; times++) await done('revoke', key.slice(3, 15));
  await done('update-company', '--company', company, '--plan', 'freeTrial', '--json');
  const entries = await testService.query(
    `select operation, actor_type, actor_company_id, targets -> 0 -> 'ids' ->> 0 as target, fields
       from audit_log where company_id = $1 order by occurred_at`,
    [company],
  );
  const [stored] = await testService.query('select id from api_keys where company_id = $1', [company]);
  const ofOperator = { actor_type: 'operator', actor_company_id: company };
  expect(entries).toEqual([
    { ...ofOperator, operation: 'createCompany', target: company, fields: ['kind', 'name', 'domain'] },
    { ...ofOperator, operation: 'createApiKey', target: stored!.id, fields: ['name', 'expiresAt'] },
    { ...ofOperator, operation: 'revokeApiKey', target: stored!.id, fields: [] },
    { ...ofOperator, operation: 'updateCompany', target: company, fields: ['plan'] },
  ]);
});
