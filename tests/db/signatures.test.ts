import pg from 'pg';
import { policyId } from '../support/world-policies.ts';
import { companies, learnerId } from '../support/world.ts';

// The database enforces these rules for signatures for every writer.
let service: pg.Client;
beforeAll(async () => {
  service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
});
afterAll(() => service.end());

/** Runs a statement as the service in the scope of a company. */
async function asService(text: string, company: string = companies.tenant): Promise<pg.QueryResult> {
  await service.query('begin');
  try {
    await service.query(`set local app.company_id = '${company}'`);
    const result = await service.query(text);
    await service.query('commit');
    return result;
  } catch (error) {
    await service.query('rollback');
    throw error;
  }
}

const signatureOf = `learner_id = '${learnerId('tenant', 1)}' and policy_id = '${policyId('tenant', 1)}'`;
const allSigned = async (): Promise<unknown[]> =>
  (await asService(`select signed from signatures where ${signatureOf} order by 1`)).rows.map(({ signed }) => signed);

describe("a signature, for the service's role", () => {
  test.each([
    `update signatures set signed = now()`,
    `update signatures set orphaned_at = now()`,
    `delete from signatures`,
    `truncate signatures`,
    `update signature_names set learner_name = 'Somebody else'`,
    `delete from signature_names`,
    `update signature_events set note = 'Another'`,
    `delete from signature_events`,
    `truncate signature_names`,
    `alter table signatures disable trigger all`,
    `alter table policy_results disable trigger policy_results_signed_later`,
  ])('cannot be changed by %j', async (statement) => {
    await expect(asService(statement)).rejects.toMatchObject({ code: '42501' });
  });

  test('is recorded by every change that signs, once per signature', async () => {
    const before = await allSigned();
    const times = ['2026-05-01T08:00:00.000Z', '2026-05-02T08:00:00.000Z', '2026-05-02T08:00:00.000Z'];
    for (const time of times) await asService(`update policy_results set signed = '${time}' where ${signatureOf}`);
    expect(await allSigned()).toEqual([...before, ...[...new Set(times)].map((time) => new Date(time))]);
  });

  test('is not recorded by a change that does not sign', async () => {
    const before = await allSigned();
    await asService(`update policy_results set reminded_at = now(), visited_at = now() where ${signatureOf}`);
    expect(await allSigned()).toEqual(before);
  });

  test('cannot be read or written by another company', async () => {
    expect((await asService('select from signatures', companies.other)).rowCount).toBe(
      (await testService.query('select from signatures where company_id = $1', [companies.other])).length,
    );
    const forged = `insert into signatures select '${companies.other}', learner_id, policy_id, policy_name,
      version_id, major_version, minor_version, file_sha256, signed, signed_offline from signatures limit 1`;
    await expect(asService(forged)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('purging signatures', () => {
  const left = async (): Promise<number> =>
    (await asService(`select from signatures where learner_id = '${learnerId('tenant', 3)}'`)).rowCount!;
  type Key = string[] | null;
  /**
   * Calls the purge until it has checked all signatures, at most `most` in a call. Returns the keys at which the calls
   * ended.
   */
  async function end(days: number, most = 3): Promise<string[][]> {
    const keys: string[][] = [];
    for (let after: Key = []; after;) {
      const call = `select purge_signatures(${days}, '{${after.map((part) => `"${part}"`).join()}}', ${most}) as last`;
      after = (await asService(call)).rows[0].last as Key;
      if (after) keys.push(after);
    }
    return keys;
  }
  const pass = (days: number): Promise<unknown> =>
    testService.query(`update signatures set orphaned_at = orphaned_at - $1 * interval '1 day'`, [days]);

  test('keeps them while the learner and the policy exist', async () => {
    await end(0);
    await pass(10_000);
    await end(0);
    expect(await left()).toBe(1);
  });

  test('deletes them after the given time since either was deleted, at least thirty days', async () => {
    await testService.query('delete from learners where id = $1', [learnerId('tenant', 3)]);
    await end(0);
    await pass(29.9);
    await end(0);
    expect(await left()).toBe(1);
    await pass(10);
    await end(40);
    expect(await left()).toBe(1);
    await pass(0.2);
    await end(40);
    expect(await left()).toBe(0);
  });

  test('looks at every signature once, in portions of the given size', async () => {
    const all = await testService.query(
      `select array[company_id, learner_id, policy_id, signed, version_id]::text[] as key from signatures
        order by company_id, learner_id, policy_id, signed, version_id`,
    );
    expect(all.length).toBeGreaterThan(5);
    expect(await end(40, 1)).toEqual(all.map(({ key }) => key));
    const companies = new Set(all.map(({ key }) => (key as string[])[0]));
    expect(await end(40, 1000)).toHaveLength(companies.size);
  });

  test('deletes those of a deleted policy with their names and events', async () => {
    await testService.query(
      `insert into signature_events (company_id, event_id, learner_id, policy_id, signed, version_id, offline)
       select company_id, gen_random_uuid(), learner_id, policy_id, signed, version_id, true from signatures`,
    );
    await testService.query(`update policies set live_version_id = null, published_at = null where id = $1`, [
      policyId('other', 1),
    ]);
    await testService.query('delete from policy_results where policy_id = $1', [policyId('other', 1)]);
    await testService.query('delete from policies where id = $1', [policyId('other', 1)]);
    await end(40);
    await pass(41);
    await end(40);
    for (const table of ['signatures', 'signature_names', 'signature_events'])
      expect(await testService.query(`select from ${table} where policy_id = $1`, [policyId('other', 1)])).toEqual([]);
    expect(await left()).toBe(0);
    for (const table of ['signatures', 'signature_events'])
      expect((await testService.query(`select from ${table}`)).length).toBeGreaterThan(5);
  });
});
