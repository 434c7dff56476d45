import { type Answer, call, post } from '../../support/client.ts';
import { versionId } from '../../support/world-policies.ts';
import { learnerId } from '../../support/world.ts';
import { expectNoDeadlocks, manyLearnerIds, whileRowsAreSlow } from '../courses/enrollment-state.ts';
import {
  expectNoFailure,
  expectRefused,
  forgetNewLearners,
  insertLearners,
  meanwhile,
  whileSlow,
} from '../tenant-state.ts';
import {
  assign,
  create,
  discard,
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
afterEach(forgetNewLearners);

const learner = (number: 1 | 2 | 3 | 4 | 5): string => learnerId('tenant', number);
const path = (id: string): string => `/policies/${id}/publish-draft`;
const tryTo = (id: string, flags?: unknown): Promise<Answer> => post(path(id), flags);
const numbersOf = async (id: string): Promise<string[]> => (await versionsOf(id)).map(({ version }) => version);

/** Inserts learners, every seventh inactive, and returns their ids. */
async function manyLearners(count: number): Promise<string[]> {
  await insertLearners('tenant', count);
  return manyLearnerIds(count).all;
}

describe('POST /policies/{policyId}/publish-draft', () => {
  test('publishes the draft as the next minor version and returns what GET returns', async () => {
    const pdfFile = await storeFile({ fileName: 'next.pdf' });
    const next = { name: 'Next', category: 'HR', ownerName: 'Ada', ownerEmail: 'ada@tenant.test', isPublic: true };
    const before = await update(policy(2), { action: 'draft', pdfFile, ...next });
    const published = await publish(policy(2));
    expect(published).toEqual({
      ...before,
      ...next,
      pdfFile,
      fileName: 'next.pdf',
      isLive: true,
      inDraft: false,
      draft: null,
      majorVersion: 1,
      minorVersion: 1,
      publishedAt: published.updatedAt,
      liveVersionId: published.versions[0].id,
      versions: [expect.objectContaining({ minorVersion: 1, name: 'Next' }), ...before.versions],
      updatedAt: expect.any(String),
    });
    expect(Math.abs(Date.parse(published.publishedAt) - Date.now())).toBeLessThan(10_000);
    expect(await read(policy(2))).toEqual(published);
    expect(await versionsOf(policy(2))).toMatchObject([
      { id: versionId('tenant', 2), version: '1.0', name: 'Policy 2 of tenant' },
      { version: '1.1', name: 'Next', fileId: pdfFile },
    ]);
  });

  test.each<[object | undefined, string]>([
    [undefined, '1.1'],
    [{}, '1.1'],
    [{ major: false }, '1.1'],
    [{ major: true }, '2.0'],
  ])('with the body %j the version becomes %s', async (flags, version) => {
    const { majorVersion, minorVersion } = await publish(policy(2), flags);
    expect(`${majorVersion}.${minorVersion}`).toBe(version);
    expect(await numbersOf(policy(2))).toEqual(['1.0', version]);
  });

  test('minor versions restart at 0 after a major version', async () => {
    const { id } = await create();
    for (const major of [false, false, true, false, true, true, false]) {
      await update(id, { action: 'draft', name: 'Next' });
      await publish(id, { major });
    }
    expect(await numbersOf(id)).toEqual(['1.0', '1.1', '1.2', '2.0', '2.1', '3.0', '4.0', '4.1']);
  });

  test.each([{ major: true }, { major: false }])(
    'with %j the first publication has the requested version',
    async (flags) => {
      const { id } = await create({ action: 'draft', majorVersion: 3, minorVersion: 4 });
      await update(id, { action: 'draft', name: 'Better' });
      expect(await publish(id, flags)).toMatchObject({
        majorVersion: 3,
        minorVersion: 4,
        name: 'Better',
        isLive: true,
      });
      await update(id, { action: 'draft', name: 'Next' });
      expect(await publish(id)).toMatchObject({ majorVersion: 3, minorVersion: 5 });
    },
  );

  test('a new draft after a discarded draft is published with the version set at creation', async () => {
    const { id, pdfFile } = await create({ action: 'draft', majorVersion: 0, minorVersion: 5 });
    await discard(id);
    await update(id, { action: 'draft', pdfFile });
    expect(await publish(id)).toMatchObject({ majorVersion: 0, minorVersion: 5 });
  });

  test('a policy without a draft returns 400 no_draft and changes nothing', async () => {
    await expectRefused(() => tryTo(policy(1), { major: true, resend: true }), 400, 'no_draft');
    await publish(policy(2));
    await expectRefused(() => tryTo(policy(2)), 400, 'no_draft');
    await discard(policy(3));
    await expectRefused(() => tryTo(policy(3)), 400, 'no_draft');
  });

  test.each<[unknown, string]>([
    [{ major: 'true' }, 'body/major'],
    [{ resend: 1 }, 'body/resend'],
    [{ major: null }, 'body/major'],
    [{ name: 'Next' }, 'body/name'],
    [{ action: 'live' }, 'body/action'],
  ])('the body %j returns 400 naming the field and changes nothing', async (flags, field) => {
    await expectRefused(() => tryTo(policy(2), flags), 400, 'invalid_request', [field]);
  });

  test('a draft of another company returns 404 and is kept', async () => {
    await expectRefused(() => call('other', 'POST', path(policy(2))), 404, 'not_found');
  });
});

describe('concurrent POST /policies/{policyId}/publish-draft requests', () => {
  expectNoDeadlocks();

  test('one of ten publications succeeds, the others return no_draft, and each learner is asked once', async () => {
    await update(policy(1), { action: 'draft', name: 'Next' });
    const requests = Array.from({ length: 10 }, (_, n) =>
      race('POST', path(policy(1)), { major: n % 2 > 0, resend: true }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 9 });
    expect(new Set((await Promise.all(requests)).map(({ body }) => body.error?.code))).toEqual(
      new Set([undefined, 'no_draft']),
    );
    expect(await numbersOf(policy(1))).toHaveLength(2);
    expect(await queuedMessages()).toHaveLength(2);
  });

  test('publications and changes create consecutive versions', async () => {
    const requests = Array.from({ length: 20 }, (_, n) =>
      n % 2
        ? race('POST', path(policy(1)), { resend: n % 4 === 1 })
        : race('PATCH', `/policies/${policy(1)}`, { action: n % 4 ? 'draft' : 'live', name: `Name ${n}` }),
    );
    await expectNoFailure(requests);
    const numbers = await numbersOf(policy(1));
    expect(numbers).toEqual(numbers.map((_, n) => `1.${n}`));
    expect(await read(policy(1))).toMatchObject({ majorVersion: 1, minorVersion: numbers.length - 1 });
  });

  test('a policy that is deleted concurrently is published or returns 404', async () => {
    for (const slow of ['policy_versions', 'messages']) {
      const { id } = await create({ name: slow });
      await assign([learner(1), learner(2)], id);
      await update(id, { action: 'draft', name: 'Next' });
      await whileSlow('insert', slow, async () => {
        const requests = [race('POST', path(id), { resend: true })];
        await meanwhile();
        requests.push(race('DELETE', '/policies/bulk', { policyIds: [id] }));
        await expectNoFailure(requests);
      });
      expect((await call('tenant', 'GET', `/policies/${id}`)).status).toBe(404);
      expect(await numbersOf(id)).toEqual([]);
    }
    const { id } = await create();
    await update(id, { action: 'draft', name: 'Next' });
    await whileSlow('delete', 'policies', async () => {
      const requests = [race('DELETE', '/policies/bulk', { policyIds: [id] })];
      await meanwhile();
      requests.push(race('POST', path(id), { resend: true }));
      expect(await expectNoFailure(requests)).toEqual({ 200: 1, 404: 1 });
    });
  });

  test('assignments, removals, reminders and deactivations during publications never return a 5xx', async () => {
    const learnerIds = await manyLearners(60);
    await race('POST', '/policy-assignments', { policyIds: [policy(1)], learnerIds: learnerIds.toReversed() });
    await update(policy(1), { action: 'draft', name: 'Next' });
    const body = { policyIds: [policy(2), policy(1)], learnerIds };
    const reversed = { policyIds: [policy(1), policy(2)], learnerIds: learnerIds.toReversed() };
    await whileRowsAreSlow('update', 'policy_results', async () => {
      const requests = [
        race('POST', '/policy-assignments', body),
        race('POST', path(policy(1)), { resend: true }),
        race('POST', '/policy-reminders', reversed),
        race('POST', path(policy(2)), { resend: true }),
        race('POST', '/policy-removals', body),
        race('POST', '/learners/deactivate', { learnerIds: learnerIds.slice(0, 30) }),
      ];
      expect(await expectNoFailure(requests)).toEqual({ 200: 6 });
    });
  });

  test('deleting learners while they are asked again never returns a 5xx', async () => {
    const learnerIds = await manyLearners(60);
    await race('POST', '/policy-assignments', { policyIds: [policy(1)], learnerIds });
    await update(policy(1), { action: 'draft', name: 'Next' });
    await whileRowsAreSlow('update', 'policy_results', async () => {
      const requests = [race('POST', path(policy(1)), { resend: true })];
      await meanwhile();
      requests.push(race('DELETE', '/learners/bulk', { learnerIds: learnerIds.toReversed() }));
      expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
    });
    expect(await read(policy(1))).toMatchObject({ minorVersion: 1, assignedCount: 2, signedCount: 0 });
  });
});
