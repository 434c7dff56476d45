import { adminId, companies, unknownId } from '../support/world.ts';
import { expectRefusal, run, stopServices } from './support.ts';

const ADDRESS = 'admin1@tenant.test';

afterEach(stopServices);

const remove = (company: string, admin: string) =>
  run(['src/commands/keys.ts', 'remove-passkeys', '--company', company, '--admin', admin], {
    DATABASE_OWNER_URL: testService.database.ownerUrl,
  });

test('an operator removes the passkeys and the sessions of one admin', async () => {
  for (const number of [1, 2] as const) {
    const own = [companies.tenant, adminId('tenant', number)];
    await testService.query(
      `insert into passkeys (company_id, id, admin_id, credential_id, public_key, counter, name)
       values ($1, new_id(), $2::uuid, sha256($2::uuid::text::bytea), '', 0, 'Laptop')`,
      own,
    );
    await testService.query(
      `insert into person_sessions (company_id, token_hash, admin_id, expires_at, method)
       values ($1, sha256($2::uuid::text::bytea), $2::uuid, now() + interval '1 hour', 'sign_in_link')`,
      own,
    );
  }
  const { code, stdout } = await remove(companies.tenant, ADDRESS.toUpperCase());
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Passkeys removed: 1.') as string });
  for (const table of ['passkeys', 'person_sessions']) {
    const left = await testService.query(
      `select admin_id from ${table} where company_id = $1 and admin_id is not null`,
      [companies.tenant],
    );
    expect([...new Set(left.map(({ admin_id: id }) => id))]).toEqual([adminId('tenant', 2)]);
  }
  const entries = await testService.query(
    `select operation, targets -> 0 -> 'ids' ->> 0 as target from audit_log
      where company_id = $1 and actor_type = 'operator' order by operation`,
    [companies.tenant],
  );
  expect(entries).toEqual([
    { operation: 'deleteAdminPasskey', target: adminId('tenant', 1) },
    { operation: 'endAdminSessions', target: adminId('tenant', 1) },
  ]);
});

test('an unknown company or e-mail address is reported in one sentence', async () => {
  expectRefusal(await remove(unknownId, ADDRESS), 1, `Company ${unknownId} not found`);
  expectRefusal(
    await remove(companies.other, ADDRESS),
    1,
    `The company has no admin with the e-mail address ${ADDRESS}`,
  );
});
