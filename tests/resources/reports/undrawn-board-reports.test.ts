import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { makeBoardReports } from '../../../src/resources/board-report/schedules/make-board-reports.ts';
import { get, post } from '../../support/client.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { companies } from '../../support/world.ts';

const pool = openServicePool(2);
afterAll(() => pool.end());
afterEach(async () => {
  await testService.query('delete from board_schedules where name = $1', ['Undrawn']);
  await testService.query('delete from messages');
  await testService.query('delete from graphile_worker._private_jobs');
});

async function createSchedule(): Promise<string> {
  const recipients = [{ name: 'Grace Hopper', email: 'grace.hopper@tenant.test' }];
  const body = { name: 'Undrawn', language: 'en', period: 'quarter', day: 5, recipients };
  const created = await post('/reports/board/schedules', body);
  return (created.body.data as { id: string }).id;
}

test('a report that cannot be drawn does not hold up the reports of other schedules', async () => {
  const [brokenId, id] = [await createSchedule(), await createSchedule()];
  await testService.query(
    `insert into board_reports (company_id, id, schedule_id, due_on, period_from, period_to, created_at)
     values ($1, gen_random_uuid(), $2, '2026-01-05', 'infinity', '2026-01-05', now() - interval '1 hour')`,
    [companies.tenant, brokenId],
  );
  await testService.query(`update board_schedules set next_on = '2026-10-05' where id = $1`, [id]);
  const tenant = new TenantAccess(pool).ofJob(companies.tenant);
  const making = makeBoardReports(tenant, { freeMail: new Set(), now: new Date('2026-10-05T12:00:00Z') });
  await expect(making).rejects.toThrow();
  expect((await get(`/reports/board/schedules/${id}/deliveries`)).body.data).toMatchObject([{ status: 'queued' }]);
  const queued = await testService.query(`select status from messages where kind = 'board_report'`);
  expect(queued).toEqual([{ status: 'queued' }]);
});
