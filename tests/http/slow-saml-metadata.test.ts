/** @jest-environment-options {"WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import { call, expectError } from '../support/client.ts';
import { SamlServer } from '../support/saml-server.ts';

const server = new SamlServer();

beforeAll(() => server.start());
afterAll(() => server.stop());

test('no transaction is open while metadata is read, and a repeated call needs no metadata', async () => {
  const open: unknown[] = [];
  server.beforeMetadata = async () => {
    // Other test files use other databases of the same cluster.
    const found = await testService.query(
      `select query from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    );
    open.push(...found);
  };
  const body = { name: 'AD FS', protocol: 'saml', metadataUrl: `${server.url}/metadata` };
  const create = () =>
    call('tenant', 'POST', '/identity-providers', { body, headers: { 'idempotency-key': 'slow-metadata' } });
  const created = await create();
  expect([created.status, open]).toEqual([200, []]);
  const { id } = created.body.data as { id: string };
  const headers = { 'idempotency-key': 'slow-metadata-again' };
  const change = { body: { metadataUrl: `${server.url}/other` }, headers };
  expect([(await call('tenant', 'PATCH', `/identity-providers/${id}`, change)).status, open]).toEqual([200, []]);
  server.isOn = false;
  expect((await create()).body.data).toMatchObject({ id });
  expectError(await call('tenant', 'POST', '/identity-providers', { body }), 400, 'invalid_request', [
    'body/metadataUrl',
  ]);
});
