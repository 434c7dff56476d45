import { DatabaseWire } from '../support/database-wire.ts';
import { keys, learnerId } from '../support/world.ts';
import { type Service, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

const wire = new DatabaseWire();
afterEach(() => {
  wire.cut();
  stopServices();
});

const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };

async function rename(service: Service): Promise<{ status: number; code: string | undefined }> {
  const response = await fetch(`${service.url}/learners/${learnerId('tenant', 1)}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ firstName: 'Ada', lastName: 'Changed' }),
  });
  const { error } = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: error?.code };
}

test('with an unresponsive database every call returns 502, and new connections work while old ones hang', async () => {
  await wire.mend();
  const service = await startService({ DATABASE_URL: wire.url, ROLES: 'api', STATEMENT_TIMEOUT_MS: '9000' });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  expect(await statusOf(`${service.url}/learners`, keys.tenant)).toBe(200);

  wire.freeze();
  // More changes than a company can make at once; the waiting changes must not be reported as too many requests.
  const changes = await Promise.all(Array.from({ length: 5 }, () => rename(service)));
  expect(new Set(changes.map(({ status }) => status))).toEqual(new Set([502]));
  expect(new Set(changes.map(({ code }) => code))).toEqual(new Set(['service_unavailable']));
  expect(await statusOf(`${service.url}/company`, keys.tenant)).toBe(502);

  wire.thaw();
  await until(async () => (await rename(service)).status === 200);
  expect(await statusOf(`${service.url}/learners`, keys.tenant)).toBe(200);
});
