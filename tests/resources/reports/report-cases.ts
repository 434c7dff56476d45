import { expectError, get } from '../../support/client.ts';
import { companies, unknownId } from '../../support/world.ts';

/** Tests that ids which the company does not have return 404, and that other values name their parameter. */
export function testUnknownIds(path: string, foreignIds: readonly (readonly [name: string, foreign: string])[]): void {
  test.each(foreignIds)('an unknown or foreign %s with 404', async (name, foreign) => {
    const noun = name[0]!.toUpperCase() + name.slice(1, -'Id'.length);
    for (const id of [foreign, unknownId]) {
      const answer = await get(`${path}?${name}=${id}`);
      expectError(answer, 404, 'not_found');
      expect(answer.body.error!.message).toBe(`${noun} not found.`);
    }
  });

  test.each(foreignIds)('an invalid %s, naming the parameter', async (name) => {
    for (const value of ['', 'nonsense', '%00', `${unknownId}&${name}=${unknownId}`])
      expectError(await get(`${path}?${name}=${value}`), 400, 'invalid_request', [`query/${name}`]);
  });
}

export function testInvalidPeriods(path: string): void {
  test.each(['from', 'to'])('an invalid day in %s, naming the parameter', async (name) => {
    for (const value of ['', 'today', '2026-02-29', '2026-3-1', '3000-01-01', '2026-03-15T00:00:00Z', 'infinity'])
      expectError(await get(`${path}?${name}=${value}`), 400, 'invalid_request', [`query/${name}`]);
  });

  test('a period that ends before it begins, naming from', async () => {
    const answer = await get(`${path}?from=2026-03-02&to=2026-03-01`);
    expectError(answer, 400, 'invalid_request', ['query/from']);
    expect(answer.body.error!.message).toContain('must not be after `to`');
  });
}

export function testMissingModule(path: string, module: 'smphish' | 'smpolicy'): void {
  test('a company without the module with 403', async () => {
    const setModule = (isOn: boolean) =>
      testService.query(`update companies set ${module} = $2 where id = $1`, [companies.childA, isOn]);
    await setModule(false);
    expectError(await get(`${path}?companyId=${companies.childA}`, 'msp'), 403, 'module_not_enabled');
    await setModule(true);
  });
}

/** Gives `other` the ids of the tenant's simulations, each clicked by all its recipients. */
export async function copySimulationsToOther(): Promise<void> {
  const both = [companies.other, companies.tenant];
  await testService.query(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date)
     select $1, id, name, status, delivery_method, start_date from simulations where company_id = $2`,
    both,
  );
  await testService.query(
    `insert into simulation_recipients (company_id, simulation_id, learner_id, sent_at, visited_at)
     select $1, simulation_id, learner_id, '2026-02-10Z', '2026-02-11Z' from simulation_recipients where company_id = $2`,
    both,
  );
}
