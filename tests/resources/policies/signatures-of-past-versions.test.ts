import { expectError, get } from '../../support/client.ts';
import { versionId } from '../../support/world-policies.ts';
import { insertPolicies, queuedMessages as requests, storeResults } from './assignment-state.ts';
import { createOfThePast, recordVersion, remove } from './past-version-state.ts';
import { policy, queuedMessages, restorePolicies, update } from './policy-state.ts';
import { asked, dayAgo, run, schedule, timeAgo } from './signature-job.ts';
import { learner, record, results } from './signature-event-state.ts';

restorePolicies();

const inJune = (year: number) => `${year}-06-01T08:00:00.000Z`;
const reportOf = async (policyId: string, query = '') => {
  const { data } = (await get(`/reports/policy-results?policyId=${policyId}${query}`)).body;
  return data.find(({ learnerId }: any) => learnerId === learner(4));
};

describe('POST /policy-signatures on past versions', () => {
  test('a signature is on the version live at its time, and evidence, lists and reports show the version', async () => {
    const { id, liveVersionId } = await createOfThePast();
    const versions = new Map<number, any>([[2025, { id: liveVersionId }]]);
    for (const year of [2021, 2023, 2022]) versions.set(year, await recordVersion(id, year));
    const years = [2024, 2021, 2022, 2023];
    const { body } = await record(...years.map((year) => ({ policyId: id, signedAt: inJune(year) })));
    expect(body.data.failures).toEqual([]);
    const [result] = await results();
    expect(result.signatures.map(({ versionId: one, signed }: any) => [one, signed])).toEqual([
      [versions.get(2021).id, inJune(2021)],
      [versions.get(2022).id, inJune(2022)],
      [versions.get(2023).id, inJune(2023)],
      [versions.get(2023).id, inJune(2024)],
    ]);
    expect(result.signatures[0]).toMatchObject({ majorVersion: 1, sha256: versions.get(2021).sha256 });
    expect(result).toMatchObject({
      signed: inJune(2024),
      askedAt: inJune(2024),
      signedVersionId: versions.get(2023).id,
    });
    const row = await reportOf(id, '&outcome=signed');
    expect(row).toMatchObject({
      signed: inJune(2024),
      signedVersionId: versions.get(2023).id,
      policy: { liveVersionId },
    });
    await record({ policyId: id, signedAt: inJune(2025), eventId: 'newest' });
    expect(await reportOf(id, '&outcome=signed')).toMatchObject({ signedVersionId: liveVersionId });
    expect(await queuedMessages()).toEqual([]);
  });

  test('a signature before the first version fails until an older version is recorded', async () => {
    const { id } = await createOfThePast();
    const signature = { policyId: id, signedAt: inJune(2022), eventId: 'old' };
    expect((await record(signature)).body.data.failures).toMatchObject([{ code: 'not_published_then' }]);
    const past = await recordVersion(id, 2022);
    expect((await record(signature)).body.data.success).toBe(true);
    expect((await results())[0]).toMatchObject({ signedVersionId: past.id });
    expectError(await remove(id, past.id), 400, 'policy_version_in_use');
  });

  test('a recorded signature keeps its version when the version live at its time is recorded later', async () => {
    const { id } = await createOfThePast();
    const first = await recordVersion(id, 2021);
    await record({ policyId: id, signedAt: inJune(2023), eventId: 'kept' });
    await recordVersion(id, 2023);
    expect((await record({ policyId: id, signedAt: inJune(2023), eventId: 'kept' })).body.data.success).toBe(true);
    expect((await results())[0].signatures.map((one: any) => one.versionId)).toEqual([first.id]);
  });

  test('of two simultaneous signatures, the one on the later version is the latest', async () => {
    const { id, liveVersionId } = await createOfThePast();
    const past = await recordVersion(id, 2021);
    await record({ policyId: id, signedAt: inJune(2025), versionId: liveVersionId, eventId: 'live' });
    await record({ policyId: id, signedAt: inJune(2025), versionId: past.id, eventId: 'past' });
    expect((await results())[0]).toMatchObject({ signedVersionId: liveVersionId });
  });

  test('a signature on a past version does not replace one on the live version', async () => {
    const row = async () => (await results(1)).find(({ policyId }: any) => policyId === policy(1));
    const { signatures, ...before } = await row();
    const past = await recordVersion(policy(1), 2021, { majorVersion: 0, minorVersion: 1 });
    const signature = { learner: { id: learner(1) }, signedAt: inJune(2021), versionId: past.id };
    expect((await record(signature)).body.data.success).toBe(true);
    const after = await row();
    expect(after).toMatchObject(before);
    expect(after.signatures).toHaveLength(signatures.length + 1);
    expect(after.signedVersionId).toBe(versionId('tenant', 1));
  });

  test('a signature is not on a deleted version that was live at its time', async () => {
    const { id } = await createOfThePast();
    const first = await recordVersion(id, 2021);
    await remove(id, (await recordVersion(id, 2023)).id);
    await record({ policyId: id, signedAt: inJune(2024), eventId: 'after' });
    expect((await results())[0]).toMatchObject({ signedVersionId: first.id });
  });
});

describe('the days of requests', () => {
  test('do not change when a past version is recorded', async () => {
    const [one] = await insertPolicies('tenant', 1);
    await storeResults('tenant', [learner(1)], [one!], { assignedAt: timeAgo(90), signed: timeAgo(80) });
    await schedule(one!, { type: 'fixed', startDate: dayAgo(20) });
    await testService.query('update policy_versions set published_at = $2 where policy_id = $1', [one, timeAgo(10)]);
    await recordVersion(one!, 2021, { majorVersion: 0, minorVersion: 1 });
    await run();
    expect(await requests()).toEqual([]);
  });

  test('count from the recording of a policy that another system published', async () => {
    const { id } = await createOfThePast();
    await storeResults('tenant', [learner(1)], [id], { assignedAt: timeAgo(90) });
    await testService.query('update policy_versions set recorded_at = $2 where policy_id = $1', [id, timeAgo(40)]);
    await update(id, {
      action: 'draft',
      signatureSettings: { type: 'fixed', intervalLength: 1, intervalUnit: 'months' },
    });
    await testService.query('update policies set signature_set_on = $2 where id = $1', [id, dayAgo(39)]);
    await run('tenant', dayAgo(20));
    expect(await requests()).toEqual([]);
    await run();
    expect(await asked(id)).toEqual([learner(1)]);
  });
});
