import { call, expectError, get, post } from '../../support/client.ts';
import { policyId, versionId } from '../../support/world-policies.ts';
import { unknownId } from '../../support/world.ts';
import { createOfThePast, inMarch, recordVersion, remove, versionPath } from './past-version-state.ts';
import { file, policy, publish, race, read, restorePolicies, update } from './policy-state.ts';
import { learner, record } from './signature-event-state.ts';

restorePolicies();

describe('DELETE /policies/{policyId}/versions/{versionId}', () => {
  test('deletes a recorded version, which can be recorded again', async () => {
    const { id, ...before } = await createOfThePast();
    const past = await recordVersion(id, 2021);
    const { status, body } = await remove(id, past.id);
    expect(status).toBe(200);
    expect(body.data).toEqual({ id, ...before, updatedAt: expect.any(String) });
    expect(await read(id)).toEqual(body.data);
    expectError(await remove(id, past.id), 404, 'not_found');
    expect((await call('tenant', 'GET', `${versionPath(id, past.id)}/pdf`)).status).toBe(404);
    expect((await recordVersion(id, 2021)).publishedAt).toBe(inMarch(2021));
  });

  test('a repeated call with an Idempotency-Key returns the first response', async () => {
    const { id } = await createOfThePast();
    const past = await recordVersion(id, 2021);
    const headers = { 'Idempotency-Key': 'deleted-version-1' };
    const first = await call('tenant', 'DELETE', versionPath(id, past.id), { headers });
    expect(first.status).toBe(200);
    expect((await call('tenant', 'DELETE', versionPath(id, past.id), { headers })).body).toEqual(first.body);
  });

  test('a live version, one published by the service, and one with a signature cannot be deleted', async () => {
    const { id, liveVersionId } = await createOfThePast();
    const past = await recordVersion(id, 2021);
    const { status, body } = await record({ policyId: id, signedAt: inMarch(2022), versionId: past.id });
    expect([status, body.data.failures]).toEqual([200, []]);
    const { liveVersionId: own } = await update(id, { action: 'live', name: 'Next' });
    await update(id, { action: 'live', name: 'After next' });
    for (const version of [past.id, own, (await read(id)).liveVersionId])
      expectError(await remove(id, version), 400, 'policy_version_in_use');
    expect((await remove(id, liveVersionId)).status).toBe(200);
    expectError(await remove(policy(1), versionId('tenant', 1)), 400, 'policy_version_in_use');
  });

  test('a recorded version that was sent to a learner before another was published cannot be deleted', async () => {
    const { id, liveVersionId } = await createOfThePast();
    await post('/policy-assignments', { policyIds: [id], learnerIds: [learner(4)] });
    await update(id, { action: 'draft', name: 'Next' });
    await publish(id);
    expectError(await remove(id, liveVersionId), 400, 'policy_version_in_use');
  });

  test('an unknown or foreign id returns 404', async () => {
    const { id, liveVersionId } = await createOfThePast();
    const past = await recordVersion(id, 2021);
    expectError(await remove(unknownId, past.id), 404, 'not_found');
    expectError(await remove(policy(1), past.id), 404, 'not_found');
    expectError(await remove(id, unknownId), 404, 'not_found');
    expectError(await remove(policyId('other', 1), versionId('other', 1)), 404, 'not_found');
    for (const key of ['other', 'msp'] as const) expectError(await remove(id, past.id, key), 404, 'not_found');
    expect((await read(id)).versions.map((version: any) => version.id)).toEqual([liveVersionId, past.id]);
  });

  test('either the deletion or a concurrent signature on the version fails', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id } = await createOfThePast();
      const past = await recordVersion(id, 2021);
      const signature = {
        ...{ learner: { id: learner(4) }, policyId: id, versionId: past.id, signedAt: inMarch(2022) },
        ...{ offline: true, eventId: `race-${round}` },
      };
      const [deleted, signed] = await Promise.all([
        race('DELETE', versionPath(id, past.id)),
        race('POST', '/policy-signatures', { signatures: [signature] }),
      ]);
      expect([deleted.status === 200, signed.body.data.success]).toContainEqual(true);
      expect(deleted.status === 200).toBe(!signed.body.data.success);
      const { signatures, versions } = (await get(`/policies/${id}?includeSignatures=true`)).body.data;
      expect([signatures.length, versions.length]).toEqual(signed.body.data.success ? [1, 2] : [0, 1]);
    }
  });

  test('the file of a deleted version can be used again', async () => {
    const { id } = await createOfThePast();
    const past = await recordVersion(id, 2021, { pdfFile: file });
    await remove(id, past.id);
    expect((await recordVersion(id, 2022, { pdfFile: file })).sha256).toBe(past.sha256);
  });
});
