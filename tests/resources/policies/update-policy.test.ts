import { type Answer, call, patch } from '../../support/client.ts';
import { fileId } from '../../support/world-policies.ts';
import { unknownId } from '../../support/world.ts';
import { expectNoDeadlocks } from '../courses/enrollment-state.ts';
import { expectNoFailure, expectRefused, fieldsOf } from '../tenant-state.ts';
import { oddText } from '../text-cases.ts';
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
  sentVersionsOf,
  storeFile,
  update,
  versionsOf,
} from './policy-state.ts';

restorePolicies();

const tryTo = (id: string, body: object): Promise<Answer> => patch(`/policies/${id}`, body);
const next = { name: 'Next', category: 'HR', ownerName: 'Ada', ownerEmail: 'ada@tenant.test', isPublic: true };
const versionOf = ({ majorVersion, minorVersion }: { majorVersion: number; minorVersion: number }): string =>
  `${majorVersion}.${minorVersion}`;

describe('PATCH /policies/{policyId} with action draft', () => {
  test('starts a draft from the live version, which does not change, and returns what GET returns', async () => {
    const before = await update(policy(1), { action: 'live', ...next });
    const changed = await update(policy(1), { action: 'draft', name: 'After next' });
    const { updatedAt } = changed;
    const draft = { ...next, name: 'After next', pdfFile: file, fileName: 'policy.pdf', pageCount: 1, updatedAt };
    expect(changed).toEqual({ ...before, inDraft: true, draft, updatedAt });
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt));
    expect(await read(policy(1))).toEqual(changed);
  });

  test.each<[string, unknown]>([
    ...Object.entries(next),
    ['isPublic', false],
    ['ownerEmail', 'Ada+Policy@Tenant.test'],
    ['category', null],
    ['ownerName', null],
    ['ownerEmail', null],
  ])('%s %j changes only the draft, and every other field keeps its value', async (field, value) => {
    const before = await update(policy(2), { action: 'draft', ...next });
    const { draft, name, ...live } = await update(policy(2), { action: 'draft', [field]: value });
    expect(draft).toEqual({ ...before.draft, [field]: value, updatedAt: live.updatedAt });
    expect({ ...live, name, draft: null }).toEqual({ ...before, updatedAt: live.updatedAt, draft: null });
  });

  test('a pdfFile changes only the draft', async () => {
    const pdfFile = await storeFile({ fileName: 'next.pdf' });
    const changed = await update(policy(1), { action: 'draft', pdfFile });
    expect(changed).toMatchObject({ pdfFile: file, fileName: 'policy.pdf', draft: { pdfFile, fileName: 'next.pdf' } });
  });

  test.each([1, 2, 3] as const)('without content fields no draft of policy %i starts or changes', async (n) => {
    const before = await read(policy(n));
    expect(await update(policy(n), { action: 'draft', major: true, resend: true })).toEqual(before);
    const signatureSettings = { type: 'lastSignature', intervalLength: 6 };
    const { updatedAt, ...changed } = await update(policy(n), { action: 'draft', signatureSettings });
    expect(changed.signatureSettings).toMatchObject(signatureSettings);
    expect({ ...changed, signatureSettings: null, updatedAt: before.updatedAt }).toEqual(before);
    expect(updatedAt > before.updatedAt).toBe(true);
  });

  test('a field with the live value starts a draft equal to the live version', async () => {
    const { draft, isLive } = await update(policy(1), { action: 'draft', isPublic: false });
    expect(draft).toMatchObject({ name: 'Policy 1 of tenant', pdfFile: file, isPublic: false });
    expect(isLive).toBe(true);
  });

  test('changes the signature settings of a policy without content', async () => {
    await discard(policy(3));
    const changed = await update(policy(3), { action: 'draft', signatureSettings: { type: 'none' } });
    expect(changed).toMatchObject({ inDraft: false, pdfFile: null, signatureSettings: { type: 'none' } });
  });

  test('the policy has the fields of the draft before its first publication', async () => {
    const pdfFile = await storeFile();
    const { draft, ...shown } = await update(policy(3), { action: 'draft', ...next, pdfFile });
    for (const content of [draft, shown]) expect(content).toMatchObject({ ...next, pdfFile });
    expect(shown).toMatchObject({ isLive: false, inDraft: true, fileName: 'new.pdf', publishedAt: null });
  });

  test('a repeated call changes nothing except updatedAt', async () => {
    const strip = ({ updatedAt: _, draft: { updatedAt: __, ...draft }, ...shown }: any) => ({ ...shown, draft });
    const first = await update(policy(1), { action: 'draft', ...next });
    expect(strip(await update(policy(1), { action: 'draft', ...next }))).toEqual(strip(first));
  });

  test('major and resend have no effect', async () => {
    const sent = await sentVersionsOf(policy(1));
    const changed = await update(policy(1), { action: 'draft', name: 'Next', major: true, resend: true });
    expect(changed).toMatchObject({ majorVersion: 1, minorVersion: 0, signedCount: 1 });
    expect(await queuedMessages()).toEqual([]);
    expect(await sentVersionsOf(policy(1))).toEqual(sent);
    expect(versionOf(await publish(policy(1)))).toBe('1.1');
  });

  test('stores text of any script, and markup, unchanged except for surrounding white space', async () => {
    const [texts, plain] = [oddText, oddText.trim()].map((one) => ({ name: one, category: one, ownerName: one }));
    const stored = { ...plain, ownerEmail: 'ada@tenant.test' };
    const changes = { action: 'draft', ...texts, ownerEmail: ' ada@tenant.test ' };
    expect((await update(policy(1), changes)).draft).toMatchObject(stored);
    expect(await publish(policy(1))).toMatchObject(stored);
  });
});

describe('PATCH /policies/{policyId} with action live', () => {
  test.each([
    [{}, '1.1'],
    [{ major: false }, '1.1'],
    [{ major: true }, '2.0'],
  ])('with %j publishes the changes as %s', async (flags, version) => {
    const pdfFile = await storeFile();
    const before = await read(policy(1));
    const changed = await update(policy(1), { action: 'live', ...next, pdfFile, ...flags });
    expect(changed).toMatchObject({ ...next, pdfFile, fileName: 'new.pdf', isLive: true, inDraft: false, draft: null });
    expect(versionOf(changed)).toBe(version);
    expect(changed.publishedAt > before.publishedAt).toBe(true);
    expect(changed).toMatchObject({ createdAt: before.createdAt, assignedCount: 2, signedCount: 1 });
    expect(await read(policy(1))).toEqual(changed);
    expect(await versionsOf(policy(1))).toMatchObject([{ version: '1.0' }, { version, name: 'Next', fileId: pdfFile }]);
  });

  test('publishes the open draft and the changes together; the changes take precedence', async () => {
    await update(policy(2), { action: 'draft', category: 'HR', ownerName: 'Ada' });
    const changed = await update(policy(2), { action: 'live', ownerName: 'Grace' });
    const together = { name: 'Policy 2 of tenant, new', category: 'HR', ownerName: 'Grace' };
    expect(changed).toMatchObject({ ...together, draft: null, inDraft: false });
    expect(versionOf(changed)).toBe('1.1');
  });

  test('publishes the open draft without changes, even if it equals the live version', async () => {
    await update(policy(1), { action: 'draft', isPublic: false });
    expect(versionOf(await update(policy(1), { action: 'live' }))).toBe('1.1');
  });

  test('null clears the category and the owner', async () => {
    await update(policy(1), { action: 'live', ...next });
    const none = { category: null, ownerName: null, ownerEmail: null };
    expect(await update(policy(1), { action: 'live', ...none })).toMatchObject({
      ...none,
      name: 'Next',
      minorVersion: 2,
    });
  });

  test('publishes a first draft with the version set at creation', async () => {
    const { id } = await create({ action: 'draft', majorVersion: 3, minorVersion: 4 });
    const changed = await update(id, { action: 'live', name: 'Next', major: true });
    expect(changed).toMatchObject({ isLive: true, inDraft: false, name: 'Next' });
    expect(versionOf(changed)).toBe('3.4');
  });

  test.each<[string, (shown: any) => object]>([
    ['no fields', () => ({})],
    ['major', () => ({ major: true })],
    ['unchanged fields', ({ name, isPublic, pdfFile }) => ({ name, isPublic, pdfFile })],
  ])('with %s publishes nothing and keeps the version', async (_case, fields) => {
    const before = await read(policy(1));
    const changed = await update(policy(1), { action: 'live', ...fields(before) });
    expect({ ...changed, updatedAt: null }).toEqual({ ...before, updatedAt: null });
    expect(await versionsOf(policy(1))).toHaveLength(1);
    expect(await queuedMessages()).toEqual([]);
  });
});

describe('PATCH /policies/{policyId} with invalid input', () => {
  test.each([
    ['an unknown id', () => unknownId],
    ['a file of another company', () => fileId('other')],
    ['an expired file', () => storeFile({ expiresIn: '-1 second' })],
    ['a file name', () => 'next.pdf'],
  ])('%s as pdfFile returns 404 naming the field and changes nothing', async (_case, reference) => {
    const pdfFile = await reference();
    for (const action of ['draft', 'live']) {
      const request = () => tryTo(policy(2), { action, ...next, pdfFile });
      await expectRefused(request, 404, 'not_found', ['body/pdfFile']);
    }
  });

  test('an unknown or foreign policy returns 404 naming no field', async () => {
    const answer = await expectRefused(
      () => tryTo(unknownId, { action: 'live', pdfFile: unknownId }),
      404,
      'not_found',
    );
    expect(fieldsOf(answer)).toEqual([]);
    const body = { action: 'live', ...next };
    await expectRefused(() => call('other', 'PATCH', `/policies/${policy(1)}`, { body }), 404, 'not_found');
    await expectRefused(() => call('msp', 'PATCH', `/policies/${policy(1)}`, { body }), 404, 'not_found');
  });

  test.each<[string, unknown]>([
    ['action', undefined],
    ['action', 'publish'],
    ['pdfFile', null],
    ['name', null],
    ['ownerEmail', ''],
    ['isPublic', null],
    ['major', 'true'],
    ['resend', 1],
    ['majorVersion', 2],
    ['signatureSettings', null],
  ])('%s %j returns 400 naming the field', async (field, value) => {
    const request = () => tryTo(policy(1), { action: 'live', [field]: value });
    const answer = await expectRefused(request, 400, 'invalid_request');
    expect(new Set(fieldsOf(answer))).toEqual(new Set([`body/${field}`]));
  });
});

describe('concurrent PATCH /policies/{policyId} requests', () => {
  expectNoDeadlocks();
  const path = (id: string): string => `/policies/${id}`;

  test('ten live changes create ten versions with consecutive numbers', async () => {
    const requests = Array.from({ length: 10 }, (_, n) =>
      race('PATCH', path(policy(1)), { action: 'live', name: `${n}` }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
    const versions = await versionsOf(policy(1));
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 11 }, (_, n) => `1.${n}`));
    expect(await read(policy(1))).toMatchObject({ minorVersion: 10, name: versions.at(-1)!.name });
    const times = versions.map(({ publishedAt }) => publishedAt.toISOString());
    expect(times).toEqual(times.toSorted());
  });

  test('draft changes of different fields are all kept', async () => {
    const requests = Object.entries(next).map(([field, value]) =>
      race('PATCH', path(policy(1)), { action: 'draft', [field]: value }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 5 });
    expect((await read(policy(1))).draft).toMatchObject(next);
  });
});
