import { createHash } from 'node:crypto';
import { del, expectError, get, post } from '../../support/client.ts';
import { fileId, onePagePdf, policyId, versionId } from '../../support/world-policies.ts';
import { companies, learnerId } from '../../support/world.ts';
import {
  assign,
  create,
  discard,
  policy,
  publish,
  read,
  restorePolicies,
  sign,
  storeFile,
  update,
} from './policy-state.ts';

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
  pageCount: 1,
  publishedAt: time,
  createdAt: time,
  updatedAt: time,
  signatureSettings: null,
  liveVersionId: versionId(company, number),
  versions: [
    {
      id: versionId(company, number),
      majorVersion: 1,
      minorVersion: 0,
      name: `Policy ${number} of ${company}`,
      publishedAt: time,
      fileName: 'policy.pdf',
      pageCount: 1,
      sha256: createHash('sha256').update(onePagePdf).digest('hex'),
      recordedAt: null,
    },
  ],
  results: null,
  signatures: null,
});

describe('GET /policies/{policyId}', () => {
  test('returns a live policy with exactly the documented fields', async () => {
    const { status, body } = await get(`/policies/${policy(1)}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...livePolicy('tenant', 1), draft: null, assignedCount: 2, signedCount: 1 });
  });

  test('returns the live version and its draft with exactly the documented fields', async () => {
    const draft = {
      name: 'Policy 2 of tenant, new',
      pdfFile: fileId('tenant'),
      fileName: 'policy.pdf',
      pageCount: 1,
      category: null,
      ownerName: null,
      ownerEmail: null,
      isPublic: false,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    };
    expect(await read(policy(2))).toEqual({ ...livePolicy('tenant', 2), draft, assignedCount: 1, signedCount: 0 });
  });

  test('includeSignatures returns every signature, with only the id of a deleted learner', async () => {
    const path = `/policies/${policy(1)}?includeSignatures=true`;
    const { signatures } = (await get(path)).body.data;
    const ada = signatures.find(({ learnerId }: { learnerId: string }) => learnerId === learner(1));
    expect(signatures).toHaveLength(2);
    expect(ada).toMatchObject({ name: 'Ada tenant', email: 'learner1@tenant.test', versionId: versionId('tenant', 1) });
    const { body } = await post('/learners', { email: 'leaver@many.test', firstName: 'Lea', lastName: 'Leaver' });
    await assign([body.data.id], policy(1));
    await sign(body.data.id, policy(1));
    await testService.query(`update learners set last_name = 'Later' where id = $1`, [body.data.id]);
    expect((await get(path)).body.data.signatures.at(-1)).toMatchObject({
      name: 'Lea Leaver',
      email: 'leaver@many.test',
    });
    await del(`/learners/${body.data.id}`);
    const left = (await get(path)).body.data;
    expect(left.signatures.at(-1)).toMatchObject({ learnerId: body.data.id, name: null, email: null });
    expect([left.signatures.length, left.signedCount]).toEqual([3, 1]);
  });

  test('returns the draft before the first publication', async () => {
    const shown = await read(policy(3));
    expect(shown).toMatchObject({ isLive: false, inDraft: true, publishedAt: null, name: 'Policy 3 of tenant' });
    expect(shown).toMatchObject({ pdfFile: fileId('tenant'), draft: { pdfFile: fileId('tenant') }, assignedCount: 0 });
  });

  test('returns the changed fields of a draft in addition to the live fields', async () => {
    const pdfFile = await storeFile({ fileName: 'draft.pdf' });
    const next = { name: 'Next', category: 'HR', ownerName: 'Ada', ownerEmail: 'ada@tenant.test', isPublic: true };
    await update(policy(1), { action: 'draft', pdfFile, ...next });
    const shown = await read(policy(1));
    expect(shown.draft).toEqual({
      ...next,
      pdfFile,
      fileName: 'draft.pdf',
      pageCount: 1,
      updatedAt: shown.updatedAt,
    });
    expect(shown).toMatchObject({ ...livePolicy('tenant', 1), inDraft: true, updatedAt: shown.draft.updatedAt });
    expect(Math.abs(Date.parse(shown.draft.updatedAt) - Date.now())).toBeLessThan(10_000);
  });

  test('fileName is null if the upload had none', async () => {
    const { id } = await create({ pdfFile: await storeFile({ fileName: null }) });
    expect((await read(id)).fileName).toBeNull();
  });

  test('a policy without content has no file, draft or versions', async () => {
    await discard(policy(3));
    const none = { pdfFile: null, fileName: null, pageCount: null, draft: null, publishedAt: null };
    expect(await read(policy(3))).toMatchObject({ ...none, liveVersionId: null, versions: [] });
  });

  test('returns every version, newest first, including the versions in policy results', async () => {
    const { id } = await create({ name: 'First', minorVersion: 9 });
    await assign([learner(4)], id);
    await sign(learner(4), id);
    await update(id, { action: 'live', name: 'Second' });
    await update(id, { action: 'live', name: 'Third', major: true, resend: true });
    await update(id, { action: 'draft', name: 'Fourth' });
    const { versions, liveVersionId, publishedAt } = await read(id);
    const of = (majorVersion: number, minorVersion: number, name: string) => ({ majorVersion, minorVersion, name });
    expect(versions).toMatchObject([of(2, 0, 'Third'), of(1, 10, 'Second'), of(1, 9, 'First')]);
    expect(liveVersionId).toBe(versions[0].id);
    expect(Math.abs(Date.parse(versions[0].publishedAt) - Date.parse(publishedAt))).toBeLessThan(1000);
    const times = versions.map((version: { publishedAt: string }) => version.publishedAt);
    expect(times).toEqual(times.toSorted().reverse());
    const { body } = await get(`/learners/${learner(4)}/policy-results?policyId=${id}`);
    expect(body.data).toMatchObject([{ sentVersionId: versions[0].id, signedVersionId: versions[2].id }]);
    expect(body.data[0].askedAt > body.data[0].signed).toBe(true);
  });
});

describe('assignedCount and signedCount of GET /policies/{policyId}', () => {
  const counts = async (id = policy(1)): Promise<[number, number]> => {
    const { assignedCount, signedCount } = await read(id);
    return [assignedCount, signedCount];
  };

  test('count only active learners', async () => {
    expect(await counts()).toEqual([2, 1]);
    await post('/learners/deactivate', { learnerIds: [learner(1)] });
    expect(await counts()).toEqual([1, 0]);
    await post('/learners/activate', { learnerIds: [learner(1), learner(5)] });
    expect(await counts()).toEqual([3, 1]);
    await post('/learners/deactivate', { learnerIds: [learner(5)] });
    expect(await counts()).toEqual([2, 1]);
  });

  test('count assigned learners, but not unassigned learners who signed', async () => {
    await assign([learner(4)], policy(1));
    expect(await counts()).toEqual([3, 1]);
    await post('/policy-removals', { policyIds: [policy(1)], learnerIds: [learner(1)] });
    expect(await counts()).toEqual([2, 0]);
  });

  test('exclude signatures from before the learner was asked again', async () => {
    await testService.query('update policy_results set asked_at = now() where policy_id = $1 and learner_id = $2', [
      policy(1),
      learner(1),
    ]);
    expect(await counts()).toEqual([2, 0]);
    await testService.query('update policy_results set asked_at = signed where policy_id = $1 and learner_id = $2', [
      policy(1),
      learner(1),
    ]);
    expect(await counts()).toEqual([2, 1]);
  });

  test('stay when a new version is published without resend', async () => {
    await update(policy(1), { action: 'draft', name: 'Next' });
    await publish(policy(1));
    expect(await counts()).toEqual([2, 1]);
  });

  test('exclude assignments of other policies', async () => {
    await assign([learner(1), learner(3), learner(4)], policy(2));
    expect(await counts(policy(1))).toEqual([2, 1]);
    expect(await counts(policy(2))).toEqual([4, 0]);
  });
});

describe('GET /policies/{policyId} of another company', () => {
  test('an MSP and a distributor read the policy of a child as the child does', async () => {
    const own = await read(policyId('childA', 1), 'childA');
    expect(own).toEqual({ ...livePolicy('childA', 1), draft: null, assignedCount: 2, signedCount: 1 });
    for (const key of ['msp', 'distributor'] as const) {
      const { body } = await get(`/policies/${policyId('childA', 1)}?companyId=${companies.childA}`, key);
      expect(body.data).toEqual(own);
    }
  });

  test.each([
    ['a policy of a child without companyId', policyId('childA', 1), ''],
    ['a policy of a child with the companyId of another', policyId('childB', 1), `?companyId=${companies.childA}`],
    ['its own policy with the companyId of a child', policyId('msp', 1), `?companyId=${companies.childA}`],
  ])('an MSP gets 404 for %s', async (_case, id, query) => {
    expectError(await get(`/policies/${id}${query}`, 'msp'), 404, 'not_found');
  });

  test('policies of the MSP and of other companies return 404', async () => {
    expectError(await get(`/policies/${policyId('msp', 1)}`, 'childA'), 404, 'not_found');
    expectError(await get(`/policies/${policyId('other', 1)}`), 404, 'not_found');
  });
});
