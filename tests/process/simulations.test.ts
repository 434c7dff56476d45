import { run, stopServices } from './support.ts';
import { companies } from '../support/world.ts';
import { simulationId } from '../support/world-simulations.ts';

afterEach(stopServices);

const simulations = (...args: string[]) =>
  run(['src/commands/simulations.ts', ...args], { DATABASE_OWNER_URL: testService.database.ownerUrl });

test('the operator stops all simulations once, and companies with a running one have it in the audit log', async () => {
  await testService.query(`update simulations set is_own = true, plan = '{}' where id = $1`, [
    simulationId('other', 5),
  ]);
  expect(await simulations('status')).toMatchObject({
    code: 0,
    stdout: 'Simulations are not stopped; 1 are scheduled or running.\n',
  });
  const stopped = await simulations('stop');
  expect(stopped.stdout).toMatch(/^Simulations are stopped since 20.+Z; 1 are scheduled or running\.\n$/);
  expect((await simulations('stop')).stdout).toBe(stopped.stdout);
  expect((await simulations('start')).stdout).toContain('not stopped');
  const entries = await testService.query(
    `select company_id, actor_type, operation from audit_log where operation like '%Simulations' order by occurred_at`,
  );
  const ofOther = { company_id: companies.other, actor_type: 'operator' };
  expect(entries).toEqual([
    { ...ofOther, operation: 'stopSimulations' },
    { ...ofOther, operation: 'startSimulations' },
  ]);
});

test.each([[[]], [['halt']], [['stop', 'now']]])('%j is rejected and changes nothing', async (args) => {
  expect(await simulations(...args)).toMatchObject({ code: 64 });
  const [row] = await testService.query('select stopped_at from simulation_switch');
  expect(row).toEqual({ stopped_at: null });
});
