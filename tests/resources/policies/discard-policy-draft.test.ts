import { type Answer, call, get, post } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';
import { expectNoDeadlocks } from '../courses/enrollment-state.ts';
import { expectNoFailure, expectRefused } from '../tenant-state.ts';
import {
  create,
  discard,
  file,
  policy,
  publish,
  queuedMessages,
  race,
  read,
  restorePolicies,
  storeFile,
  update,
  versionsOf,
} from './policy-state.ts';

restorePolicies();

const path = (id: string): string => `/policies/${id}/discard-draft`;
const tryTo = (id: string): Promise<Answer> => post(path(id));

describe('POST /policies/{policyId}/discard-draft', () => {
  test('deletes the draft, keeps the live version and returns what GET returns', async () => {
    const before = await read(policy(1));
    const next = { name: 'Next', category: 'HR', ownerName: 'Ada', ownerEmail: 'ada@tenant.test', isPublic: true };
    await update(policy(1), { action: 'draft', pdfFile: await storeFile(), ...next });
    const discarded = await discard(policy(1));
    expect(discarded).toEqual({ ...before, updatedAt: expect.any(String) });
    expect(await read(policy(1))).toEqual(discarded);
    expect(await versionsOf(policy(1))).toHaveLength(1);
    expect(await queuedMessages()).toEqual([]);
  });

  test('the next draft starts from the live version, not from the discarded draft', async () => {
    await update(policy(2), { action: 'draft', category: 'HR', isPublic: true });
    await discard(policy(2));
    const { draft } = await update(policy(2), { action: 'draft', ownerName: 'Ada' });
    const live = { name: 'Policy 2 of tenant', category: null, isPublic: false, pdfFile: file };
    expect(draft).toMatchObject({ ...live, ownerName: 'Ada' });
    expect(await publish(policy(2))).toMatchObject({ minorVersion: 1, name: 'Policy 2 of tenant' });
  });

  test('leaves an unpublished policy without content but with its version number', async () => {
    const { id } = await create({ action: 'draft', majorVersion: 2, minorVersion: 1 });
    expect(await discard(id)).toMatchObject({
      isLive: false,
      inDraft: false,
      pdfFile: null,
      fileName: null,
      draft: null,
      publishedAt: null,
      majorVersion: 2,
      minorVersion: 1,
    });
  });

  test.each(['draft', 'live'])('a policy without content accepts a %s change only with a pdfFile', async (action) => {
    const { id, name } = await discard(policy(3));
    const change = (fields: object) => call('tenant', 'PATCH', `/policies/${id}`, { body: { action, ...fields } });
    await expectRefused(() => change({ name: 'Next' }), 400, 'invalid_request', ['body/pdfFile']);
    if (action === 'live') await expectRefused(() => change({}), 400, 'invalid_request', ['body/pdfFile']);
    const pdfFile = await storeFile();
    const { body } = await change({ pdfFile });
    expect(body.data).toMatchObject({ name, pdfFile, isLive: action === 'live', inDraft: action === 'draft' });
    expect(body.data).toMatchObject({ majorVersion: 1, minorVersion: 0, fileName: 'new.pdf' });
  });

  test('the expired file of a draft is purged if nothing else uses it', async () => {
    const pdfFile = await storeFile();
    await create({ action: 'draft', pdfFile });
    const [, created] = [
      await update(policy(1), { action: 'draft', pdfFile }),
      (await get('/policies')).body.data.at(-1),
    ];
    await testService.query("update policy_files set expires_at = '2020-01-01' where id = $1", [pdfFile]);
    const isKept = async (): Promise<boolean> => {
      await testService.query('select purge_files()');
      return (await testService.query('select from policy_files where id = $1', [pdfFile])).length === 1;
    };
    await discard(policy(1));
    expect(await isKept()).toBe(true);
    await discard(created.id);
    expect(await isKept()).toBe(false);
  });

  test('a policy without a draft returns 400 no_draft and changes nothing', async () => {
    await expectRefused(() => tryTo(policy(1)), 400, 'no_draft');
    await discard(policy(2));
    await expectRefused(() => tryTo(policy(2)), 400, 'no_draft');
    await discard(policy(3));
    await expectRefused(() => tryTo(policy(3)), 400, 'no_draft');
  });

  test('keeps assignments and signatures', async () => {
    await update(policy(1), { action: 'draft', name: 'Next' });
    expect(await discard(policy(1))).toMatchObject({ assignedCount: 2, signedCount: 1 });
    const { body } = await get(`/learners/${learnerId('tenant', 1)}/policy-results`);
    expect(body.data).toMatchObject([{ policyId: policy(1), signed: '2026-03-03T09:15:02.310Z' }]);
  });

  test('a draft of another company returns 404 and is kept', async () => {
    await expectRefused(() => call('other', 'POST', path(policy(2))), 404, 'not_found');
    expect((await read(policy(2))).inDraft).toBe(true);
  });
});

describe('concurrent POST /policies/{policyId}/discard-draft requests', () => {
  expectNoDeadlocks();

  test.each([2, 3] as const)('one of ten calls discards the draft of policy %i', async (number) => {
    const requests = Array.from({ length: 10 }, () => race('POST', path(policy(number))));
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 9 });
    const codes = (await Promise.all(requests)).map(({ body }) => body.error?.code);
    expect(codes.filter((code) => code === 'no_draft')).toHaveLength(9);
    expect(await read(policy(number))).toMatchObject({ inDraft: false, pdfFile: number === 2 ? file : null });
  });

  test('a draft is either published or discarded', async () => {
    for (let n = 0; n < 5; n++) {
      await update(policy(1), { action: 'draft', name: `Name ${n}` });
      const before = await versionsOf(policy(1));
      const requests = [race('POST', `/policies/${policy(1)}/publish-draft`), race('POST', path(policy(1)))];
      expect(await expectNoFailure(n % 2 ? requests : requests.toReversed())).toEqual({ 200: 1, 400: 1 });
      const published = (await requests[0]!).status === 200;
      expect(await versionsOf(policy(1))).toHaveLength(before.length + (published ? 1 : 0));
      const shown = await read(policy(1));
      expect({ isNew: shown.name === `Name ${n}`, draft: shown.draft }).toEqual({ isNew: published, draft: null });
    }
  });

  test('a first draft is discarded or published, and has a file only if it is live', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await createAtOnce()).body.data.id as string));
    const requests = ids.flatMap((id, n) => {
      const both = [() => race('POST', path(id)), () => race('POST', `/policies/${id}/publish-draft`)];
      return (n % 2 ? both : both.toReversed()).map((send) => send());
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 6, 400: 6 });
    for (const id of ids) {
      const { isLive, pdfFile, draft } = await read(id);
      expect({ hasFile: pdfFile !== null, draft }).toEqual({ hasFile: isLive, draft: null });
      expect(await versionsOf(id)).toHaveLength(isLive ? 1 : 0);
    }
  });

  const createAtOnce = (): Promise<Answer> =>
    race('POST', '/policies', { name: 'One', pdfFile: file, action: 'draft' });

  test('never return a 5xx if the policy is deleted concurrently', async () => {
    for (let n = 0; n < 5; n++) {
      const { id } = await create({ action: 'draft' });
      const requests = [race('POST', path(id)), race('DELETE', '/policies/bulk', { policyIds: [id] })];
      await expectNoFailure(requests);
      expect((await get(`/policies/${id}`)).status).toBe(404);
    }
  });
});
