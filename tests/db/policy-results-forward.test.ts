import { policyId, versionId } from '../support/world-policies.ts';
import { companies, id, learnerId } from '../support/world.ts';

// The database enforces these rules for every writer, so the tests write as its owner.
const RESULT = id('b', 1);
/** An id that sorts before the signed version's. */
const EARLIER = id('0', 1);
const PUBLISHED = '2026-03-02T08:00:00.000Z';
const SIGNED = '2026-03-03T09:15:02.310Z';
const forward = expect.objectContaining({
  code: '23514',
  constraint: expect.stringMatching(/^(policy_results_forward|learner_of_row)$/),
});
const published = expect.objectContaining({ code: '23514', constraint: 'policy_results_published' });

const update = (settings: string): Promise<unknown> =>
  testService.query(`update policy_results set ${settings} where id = $1`, [RESULT]);
const stored = async () => (await testService.query('select * from policy_results where id = $1', [RESULT]))[0]!;

describe('a stored policy result', () => {
  test.each([
    ['take back the signature', `signed = null, signed_version_id = null, signed_offline = false`],
    ['move the signature earlier', `signed = '${PUBLISHED}'`],
    ['name an earlier version at the same time', `signed_version_id = '${EARLIER}'`],
    ['make a signature of the same time offline', `signed_offline = true`],
    ['change the address of the signature', `signed_from = '203.0.113.7'`],
    ['take back the opening', `visited_at = null, visited_version_id = null`],
    ['move the opening earlier', `visited_at = '${PUBLISHED}'`],
    ['name another learner', `learner_id = '${learnerId('tenant', 4)}'`],
    ['name another policy', `policy_id = '${policyId('tenant', 2)}'`],
  ])('rejects a change to %s', async (_case, settings) => {
    const before = await stored();
    await expect(update(settings)).rejects.toEqual(forward);
    expect(await stored()).toEqual(before);
  });

  test('accepts unchanged values and later openings and signatures', async () => {
    await update(`signed = '${SIGNED}', visited_at = visited_at, policy_id = policy_id, learner_id = learner_id`);
    await update(`visited_at = '2026-04-01T08:00:00Z'`);
    await update(`signed = '2026-04-01T08:01:00Z', signed_offline = true`);
    expect(await stored()).toMatchObject({ signed: new Date('2026-04-01T08:01:00Z'), signed_offline: true });
  });
});

describe('a signature', () => {
  const insert = (signed: string): Promise<unknown> =>
    testService.query(
      `insert into policy_results (company_id, id, policy_id, learner_id, signed, signed_version_id)
       values ($1, $2, $3, $4, $5, $6)`,
      [companies.tenant, id('d', 7), policyId('tenant', 2), learnerId('tenant', 4), signed, versionId('tenant', 2)],
    );

  test('cannot be before the publication of its version, on insert and update', async () => {
    await expect(insert('2026-03-02T07:59:59.999Z')).rejects.toEqual(published);
    await testService.query(`update policy_versions set published_at = '2026-09-01Z' where id = $1`, [
      versionId('tenant', 1),
    ]);
    await expect(update(`signed = '2026-08-01Z'`)).rejects.toEqual(published);
    await update(`signed = '2026-09-01Z'`);
  });

  test('can be at the time of the publication', async () => {
    await insert(PUBLISHED);
    const rows = await testService.query('select signed from policy_results where id = $1', [id('d', 7)]);
    expect(rows).toEqual([{ signed: new Date(PUBLISHED) }]);
  });
});

describe('with two signatures at the same time', () => {
  test('the one given in the service wins over the offline one', async () => {
    await update(`signed = '2026-10-01T08:00:00Z', signed_offline = true`);
    await update(`signed_offline = false`);
    await expect(update(`signed_offline = true`)).rejects.toEqual(forward);
  });

  test('the one for the later version wins', async () => {
    const later = id('7', 900);
    await testService.query(
      `insert into policy_versions select (jsonb_populate_record(null::policy_versions,
         to_jsonb(v) || jsonb_build_object('id', $1::text, 'minor_version', 9))).* from policy_versions v where id = $2`,
      [later, versionId('tenant', 1)],
    );
    await update(`signed_version_id = '${later}', signed_offline = true`);
    expect(await stored()).toMatchObject({ signed_version_id: later, signed_offline: true });
    await expect(update(`signed_version_id = '${versionId('tenant', 1)}'`)).rejects.toEqual(forward);
  });
});
