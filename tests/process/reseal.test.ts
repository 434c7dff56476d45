import { randomBytes } from 'node:crypto';
import { SealedSecrets } from '../../src/auth/sealed-secrets.ts';
import { companies } from '../support/world.ts';
import { identityProviderId } from '../support/world-identity-providers.ts';
import { sourceId, webhookEndpointId } from '../support/world-sources.ts';
import { run } from './support.ts';

const [oldKey, newKey, lostKey] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const [before, after] = [new SealedSecrets([oldKey]), new SealedSecrets([newKey])];

const reseal = (...keys: Buffer[]) =>
  run(['src/commands/keys.ts', 'reseal'], {
    DATABASE_OWNER_URL: testService.database.ownerUrl,
    SECRETS_KEY: keys.map((key) => key.toString('base64')).join(','),
  });

const COLUMNS = [
  ['sources', 'sealed_secret', sourceId('tenant', 'gophish')],
  ['sources', 'previous_sealed', sourceId('tenant', 'gophish')],
  ['webhook_endpoints', 'sealed_secret', webhookEndpointId('tenant')],
  ['webhook_endpoints', 'previous_sealed', webhookEndpointId('tenant')],
  ['identity_providers', 'sealed_client_secret', identityProviderId('tenant')],
  ['identity_providers', 'sealed_signing_key', identityProviderId('tenant')],
] as const;

test('each column of a sealed secret is covered', async () => {
  const columns = await testService.query(
    `select table_name, column_name from information_schema.columns
      where table_schema = 'public' and column_name like '%sealed%' order by table_name, column_name`,
  );
  const covered = COLUMNS.map(([table_name, column_name]) => ({ table_name, column_name }));
  expect(columns).toEqual(
    covered.toSorted((a, b) => (a.table_name + a.column_name < b.table_name + b.column_name ? -1 : 1)),
  );
});

test('reseal encrypts all secrets with the new key, and keeps those that no key opens', async () => {
  await testService.query(`delete from sources where company_id <> $1`, [companies.tenant]);
  await testService.query(`delete from webhook_endpoints where company_id <> $1`, [companies.tenant]);
  for (const [table, column, id] of COLUMNS) {
    const more =
      table === 'sources' && column === 'previous_sealed'
        ? ", previous_hash = sha256('x'), previous_until = now()"
        : '';
    const until = table === 'webhook_endpoints' && column === 'previous_sealed' ? ', previous_until = now()' : '';
    const certificate = column === 'sealed_signing_key' ? ", signing_certificate = 'x'" : '';
    await testService.query(`update ${table} set ${column} = $1${more}${until}${certificate} where id = $2`, [
      before.seal(`${table} ${column}`, id),
      id,
    ]);
  }
  const read = async (secrets: SealedSecrets) => {
    for (const [table, column, id] of COLUMNS) {
      const [row] = await testService.query(`select ${column} as sealed from ${table} where id = $1`, [id]);
      expect(secrets.open(row!.sealed as Buffer, id)).toBe(`${table} ${column}`);
    }
  };
  const lost = await reseal(newKey, lostKey);
  expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining('can open 6 stored secrets') as string]);
  await read(before);
  const done = await reseal(newKey, oldKey);
  expect([done.code, done.stdout]).toEqual([0, '6 secrets encrypted with the new key.\n']);
  await read(after);
  expect((await reseal(newKey)).stdout).toBe('0 secrets encrypted with the new key.\n');
});
