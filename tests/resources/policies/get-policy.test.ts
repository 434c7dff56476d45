import { expectError, get, post } from '../../support/client.ts';
import { fileId, policyId } from '../../support/world-policies.ts';
import { companies, learnerId } from '../../support/world.ts';
import { assign, create, discard, policy, publish, read, restorePolicies, storeFile, update } from './policy-state.ts';

restorePolicies();

const learner = (number: 1 | 2 | 3 | 4 | 5): string => learnerId('tenant', number);
const time = '2026-03-02T08:00:00.000Z';
const livePolicy = (company: 'tenant' | 'childA', number: 1 | 2) => ({
  id: policyId(company, number),
  name: `Policy ${number} of ${company}`,
  type: 'pdf',
  isLive: true,
  inDraft: number === 2,
  isPublic: false,
  majorVersion: 1,
  minorVersion: 0,
  category: null,
  ownerName: null,
  ownerEmail: null,
  pdfFile: fileId(company),
  fileName: 'policy.pdf',
  publishedAt: time,
  createdAt: time,
  updatedAt: time,
  signatureSettings: null,
});

describe('GET /policies/{policyId}', () => {
  test('shows a live policy with every field and no other', async () => {
    const { status, body } = await get(`/policies/${policy(1)}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...livePolicy('tenant', 1), draft: null, assignedCount: 2, signedCount: 1 });
  });

  test('shows the draft beside the live version, with every field and no other', async () => {
    const draft = {
      name: 'Policy 2 of tenant, new',
      pdfFile: fileId('tenant'),
      category: null,
      ownerName: null,
      ownerEmail: null,
      isPublic: false,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    };
    expect(await read(policy(2))).toEqual({ ...livePolicy('tenant', 2), draft, assignedCount: 1, signedCount: 0 });
  });

  test('shows the draft alone before the first publication', async () => {
    const shown = await read(policy(3));
    expect(shown).toMatchObject({ isLive: false, inDraft: true, publishedAt: null, name: 'Policy 3 of tenant' });
    expect(shown).toMatchObject({ pdfFile: fileId('tenant'), draft: { pdfFile: fileId('tenant') }, assignedCount: 0 });
  });

  test('a draft with fields of its own shows them beside those of the live version', async () => {
    const pdfFile = await storeFile({ fileName: 'draft.pdf' });
    const next = { name: 'Next', category: 'HR', ownerName: 'Ada', ownerEmail: 'ada@tenant.test', isPublic: true };
    await update(policy(1), { action: 'draft', pdfFile, ...next });
    const shown = await read(policy(1));
    expect(shown.draft).toEqual({ ...next, pdfFile, updatedAt: shown.updatedAt });
    expect(shown).toMatchObject({ ...livePolicy('tenant', 1), inDraft: true, updatedAt: shown.draft.updatedAt });
    expect(Math.abs(Date.parse(shown.draft.updatedAt) - Date.now())).toBeLessThan(10_000);
  });

  test('fileName is null when the upload gave none', async () => {
    const { id } = await create({ pdfFile: await storeFile({ fileName: null }) });
    expect((await read(id)).fileName).toBeNull();
  });

  test('a policy without content has neither file nor draft', async () => {
    await discard(policy(3));
    expect(await read(policy(3))).toMatchObject({ pdfFile: null, fileName: null, draft: null, publishedAt: null });
  });
});

describe('the counts of GET /policies/{policyId}', () => {
  const counts = async (id = policy(1)): Promise<[number, number]> => {
    const { assignedCount, signedCount } = await read(id);
    return [assignedCount, signedCount];
  };

  test('count active learners alone', async () => {
    expect(await counts()).toEqual([2, 1]);
    await post('/learners/deactivate', { learnerIds: [learner(1)] });
    expect(await counts()).toEqual([1, 0]);
    await post('/learners/activate', { learnerIds: [learner(1), learner(5)] });
    expect(await counts()).toEqual([3, 1]);
    await post('/learners/deactivate', { learnerIds: [learner(5)] });
    expect(await counts()).toEqual([2, 1]);
  });

  test('count who is assigned, and no one any more who was freed of it though they signed', async () => {
    await assign([learner(4)], policy(1));
    expect(await counts()).toEqual([3, 1]);
    await post('/policy-removals', { policyIds: [policy(1)], learnerIds: [learner(1)] });
    expect(await counts()).toEqual([2, 0]);
  });

  test('do not count a signature that was given before the learner was asked again', async () => {
    await testService.query(
      "update policy_results set asked_at = signed + interval '1 ms' where policy_id = $1 and learner_id = $2",
      [policy(1), learner(1)],
    );
    expect(await counts()).toEqual([2, 0]);
    await testService.query('update policy_results set asked_at = signed where policy_id = $1 and learner_id = $2', [
      policy(1),
      learner(1),
    ]);
    expect(await counts()).toEqual([2, 1]);
  });

  test('stay when a new version is published without asking again', async () => {
    await update(policy(1), { action: 'draft', name: 'Next' });
    await publish(policy(1));
    expect(await counts()).toEqual([2, 1]);
  });

  test('are those of the policy, not of another', async () => {
    await assign([learner(1), learner(3), learner(4)], policy(2));
    expect(await counts(policy(1))).toEqual([2, 1]);
    expect(await counts(policy(2))).toEqual([4, 0]);
  });
});

describe('GET /policies/{policyId} of another company', () => {
  test('an MSP and a distributor read the policy of a child that they name, as the child does', async () => {
    const own = await read(policyId('childA', 1), 'childA');
    expect(own).toEqual({ ...livePolicy('childA', 1), draft: null, assignedCount: 2, signedCount: 1 });
    for (const key of ['msp', 'distributor'] as const) {
      const { body } = await get(`/policies/${policyId('childA', 1)}?companyId=${companies.childA}`, key);
      expect(body.data).toEqual(own);
    }
  });

  test.each([
    ['a policy of a child without naming the child', policyId('childA', 1), ''],
    ['a policy of another child than the one named', policyId('childB', 1), `?companyId=${companies.childA}`],
    ['its own policy while naming a child', policyId('msp', 1), `?companyId=${companies.childA}`],
  ])('an MSP sees no %s', async (_case, id, query) => {
    expectError(await get(`/policies/${id}${query}`, 'msp'), 404, 'not_found');
  });

  test('a company sees no policy of its MSP, and none of a stranger', async () => {
    expectError(await get(`/policies/${policyId('msp', 1)}`, 'childA'), 404, 'not_found');
    expectError(await get(`/policies/${policyId('other', 1)}`), 404, 'not_found');
  });
});
