import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { TenantAccess } from '../../src/auth/tenant-access.ts';
import { createTasks } from '../../src/jobs/tasks.ts';
import { companies } from '../support/world.ts';

let pool: pg.Pool;
beforeAll(
  () =>
    (pool = new pg.Pool({ connectionString: testService.database.serviceUrl, max: 1 }).on('error', () => undefined)),
);
afterAll(() => pool.end());

async function tidyUp(): Promise<void> {
  const services = {
    pool,
    access: new TenantAccess(pool),
    breachFeed: undefined as never,
    freeMail: new Set<string>(),
    signatureRetentionDays: 30,
  };
  await createTasks(services).tidy_up!({}, undefined as never);
}

async function keepKey(company: string): Promise<void> {
  await testService.query(
    `insert into idempotency_keys (company_id, key_hash, fingerprint, created_at)
     select $1, sha256($2::text::bytea), sha256(''), now() - interval '25 hours'`,
    [company, randomUUID()],
  );
}

const count = async (table: string, where = 'true') =>
  (await testService.query(`select count(*)::integer as count from ${table} where ${where}`))[0]!.count as number;

test('a failing step does not stop the others, but fails the job', async () => {
  await keepKey(companies.tenant);
  await testService.query('alter function purge_files() rename to purge_files_later');
  await expect(tidyUp()).rejects.toThrow('purge_files() does not exist');
  await testService.query('alter function purge_files_later() rename to purge_files');
  expect(await count('idempotency_keys')).toBe(0);
});

test('old sync index entries of every company are deleted, in portions', async () => {
  const old = `at < now() - interval '31 days'`;
  for (const company of [companies.tenant, companies.other]) {
    await testService.query(
      `insert into sync_index (company_id, kind, transaction_id, id, at, ids)
       select $1, 'learner', '3', gen_random_uuid(), now() - interval '32 days', '{}' from generate_series(1, 5)`,
      [company],
    );
  }
  const kept = await count('sync_index', `not (${old})`);
  const [row] = await testService.query('select purge_sync_index(31, $1, 4) as company', [companies.tenant]);
  expect([row!.company, await count('sync_index', old)]).toEqual([companies.tenant, 6]);
  await tidyUp();
  expect([await count('sync_index', old), await count('sync_index')]).toEqual([0, kept]);
});

test('expired sign-in links, sessions and devices are deleted, and no others', async () => {
  await testService.query('delete from person_sessions');
  for (const [table, method] of [
    ['sign_in_links', ''],
    ['person_sessions', ', method'],
  ]) {
    await testService.query(
      `insert into ${table} (company_id, token_hash, learner_id, expires_at${method})
       select company_id, sha256((id::text || days)::bytea), id, now() + days * interval '1 day'${method && ", 'setup'"}
         from learners cross join unnest(array[-1, 1]) as days where company_id = any($1)`,
      [[companies.tenant, companies.other]],
    );
  }
  await testService.query(
    `insert into known_devices (company_id, token_hash, person_id, learner_id, expires_at)
     select company_id, token_hash, learner_id, learner_id, expires_at from sign_in_links`,
  );
  await tidyUp();
  for (const table of ['sign_in_links', 'person_sessions', 'known_devices']) {
    expect([await count(table, 'expires_at < now()'), await count(table)]).toEqual([0, 10]);
  }
});

test('sign-ins older than 180 days are deleted, in portions', async () => {
  const old = `occurred_at < now() - interval '180 days'`;
  for (const company of [companies.tenant, companies.other]) {
    await testService.query(
      `insert into sign_ins (company_id, occurred_at, kind, person_id, method)
       select $1, now() - days * interval '1 day', 'admin', gen_random_uuid(), 'passkey'
         from unnest(array[179, 181, 182, 183]) as days`,
      [company],
    );
  }
  const [row] = await testService.query('select purge_sign_ins($1, 2) as company', [companies.tenant]);
  expect([row!.company, await count('sign_ins', old)]).toEqual([companies.tenant, 4]);
  await tidyUp();
  expect([await count('sign_ins', old), await count('sign_ins')]).toEqual([0, 2]);
});
