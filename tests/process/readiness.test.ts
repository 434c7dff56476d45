import { migrate, rollBack } from '../../src/commands/database.ts';
import { keys } from '../support/world.ts';
import { startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

afterEach(stopServices);

test('a process is healthy at once, and ready after the migrations', async () => {
  await rollBack(testService.database.ownerUrl, Infinity);
  const service = await startService({ DATABASE_URL: testService.database.serviceUrl });
  await until(async () => (await statusOf(`${service.url}/health`)) === 200);
  expect(await statusOf(`${service.url}/ready`)).toBe(503);
  await migrate(testService.database.ownerUrl);
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
});

test("a process that has not started serves no company data, even with the owner's role", async () => {
  await testService.query('alter table knex_migrations rename column name to nothing');
  const service = await startService({ DATABASE_URL: testService.database.ownerUrl });
  await until(async () => (await statusOf(`${service.url}/health`)) === 200);
  expect(await statusOf(`${service.url}/company`, keys.tenant)).toBe(502);
});
