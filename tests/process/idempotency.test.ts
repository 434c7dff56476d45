import { randomUUID } from 'node:crypto';
import { DatabaseWire } from '../support/database-wire.ts';
import { companies, keys } from '../support/world.ts';
import { type Service, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

const wire = new DatabaseWire();
afterEach(() => {
  wire.cut();
  stopServices();
});

const key = randomUUID();

async function createGroup({ url }: Service): Promise<{ status: number; replayed: string | null; text: string }> {
  const headers = {
    authorization: `Bearer ${keys.tenant}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  };
  const answer = await fetch(`${url}/groups`, { method: 'POST', headers, body: '{"name": "Killed"}' });
  const { status } = answer;
  return { status, replayed: answer.headers.get('idempotency-replayed'), text: await answer.text() };
}

async function start(databaseUrl: string): Promise<Service> {
  const service = await startService({ DATABASE_URL: databaseUrl, ROLES: 'api', LOG_LEVEL: 'error' });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  return service;
}

const groups = () =>
  testService.query(`select id from groups where company_id = $1 and name = 'Killed'`, [companies.tenant]);

test('a process killed between commit and response leaves one effect, and a retry gets the response', async () => {
  await wire.mend();
  const [killed, other] = await Promise.all([start(wire.url), start(testService.database.serviceUrl)]);
  // The service also commits other work, such as maintenance.
  wire.deafenAt('commit', 'insert into "groups"');
  const lost = createGroup(killed).catch(() => 'no answer');
  await until(async () => (await groups()).length === 1);
  killed.child.kill('SIGKILL');
  expect(await lost).toBe('no answer');

  const again = await createGroup(other);
  expect({ status: again.status, replayed: again.replayed }).toEqual({ status: 200, replayed: 'true' });
  const [group, ...others] = await groups();
  expect(others).toEqual([]);
  expect((JSON.parse(again.text) as { data: { id: string } }).data.id).toBe(group!.id);
  expect(await createGroup(other)).toEqual(again);
  const entries = await testService.query(`select from audit_log where operation = 'createGroup'`);
  expect(entries).toHaveLength(1);
});
