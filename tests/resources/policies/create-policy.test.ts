import { type Answer, get, post } from '../../support/client.ts';
import { fileId, policyId } from '../../support/world-policies.ts';
import { unknownId } from '../../support/world.ts';
import { expectNoFailure, expectRefused, fieldsOf, untilBegun, whileSlow } from '../tenant-state.ts';
import { oddText, refusedTexts } from '../text-cases.ts';
import {
  create,
  file,
  policy,
  publish,
  queuedMessages,
  race,
  read,
  restorePolicies,
  signatureDefault,
  storeFile,
  update,
  versionsOf,
} from './policy-state.ts';

restorePolicies();

const body = { name: 'Acceptable use', pdfFile: file, action: 'live' };
/** Returns the expected version of a policy with one version. */
const versionOf = ({ majorVersion, minorVersion, name, fileName, pageCount, versions }: any): object => ({
  ...{ majorVersion, minorVersion, name, fileName, pageCount },
  sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  publishedAt: versions[0].publishedAt,
  recordedAt: null,
});
const tryToCreate = (fields: object = {}): Promise<Answer> => post('/policies', { ...body, ...fields });

describe('POST /policies', () => {
  test('creates a live policy as version 1.0 from the three required fields and returns what GET returns', async () => {
    const pdfFile = await storeFile({ fileName: 'use.pdf' });
    const created = await create({ pdfFile });
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      name: 'Acceptable use',
      type: 'pdf',
      isLive: true,
      inDraft: false,
      isPublic: false,
      majorVersion: 1,
      minorVersion: 0,
      category: null,
      ownerName: null,
      ownerEmail: null,
      pdfFile,
      fileName: 'use.pdf',
      pageCount: 1,
      publishedAt: created.updatedAt,
      createdAt: expect.any(String),
      updatedAt: created.updatedAt,
      signatureSettings: null,
      liveVersionId: expect.any(String),
      versions: [{ id: created.liveVersionId, ...versionOf(created) }],
      draft: null,
      assignedCount: 0,
      signedCount: 0,
      results: null,
      signatures: null,
    });
    expect(Math.abs(Date.parse(created.createdAt) - Date.now())).toBeLessThan(10_000);
    expect(await read(created.id)).toEqual(created);
    expect(await versionsOf(created.id)).toMatchObject([{ version: '1.0', name: body.name, fileId: pdfFile }]);
  });

  test('creates a draft without a version', async () => {
    const created = await create({ action: 'draft', category: 'IT' });
    expect(created).toMatchObject({ isLive: false, inDraft: true, publishedAt: null, pdfFile: file, category: 'IT' });
    expect(created).toMatchObject({ majorVersion: 1, minorVersion: 0 });
    expect(created.draft).toEqual({
      name: body.name,
      pdfFile: file,
      fileName: 'policy.pdf',
      pageCount: 1,
      category: 'IT',
      ownerName: null,
      ownerEmail: null,
      isPublic: false,
      updatedAt: created.updatedAt,
    });
    expect(await read(created.id)).toEqual(created);
    expect(await versionsOf(created.id)).toEqual([]);
  });

  test.each(['draft', 'live'])('stores every optional field of a %s policy', async (action) => {
    const fields = { category: 'IT', ownerName: 'Charles', ownerEmail: 'Charles@Tenant.test', isPublic: true };
    const created = await create({ action, ...fields });
    expect(created).toMatchObject(fields);
    if (action === 'draft') expect(created.draft).toMatchObject(fields);
    expect(await read(created.id)).toEqual(created);
  });

  test.each([
    [{}, 1, 0],
    [{ majorVersion: 3, minorVersion: 7 }, 3, 7],
    [{ majorVersion: 0, minorVersion: 0 }, 0, 0],
    [{ majorVersion: 2 }, 2, 0],
    [{ minorVersion: 5 }, 1, 5],
    [{ majorVersion: 100_000, minorVersion: 100_000 }, 100_000, 100_000],
  ])('with %j the first version is %i.%i, live or from a draft', async (versions, majorVersion, minorVersion) => {
    const live = await create(versions);
    const draft = await create({ action: 'draft', ...versions });
    const published = await publish(draft.id, { major: true });
    for (const shown of [live, draft, published]) expect(shown).toMatchObject({ majorVersion, minorVersion });
    for (const { id } of [live, draft]) {
      expect((await versionsOf(id)).map(({ version }) => version)).toEqual([`${majorVersion}.${minorVersion}`]);
    }
    expect(await publishAgain(live.id)).toMatchObject({ majorVersion, minorVersion: minorVersion + 1 });
  });

  const publishAgain = async (id: string): Promise<unknown> => {
    await update(id, { action: 'draft', name: 'Next' });
    return publish(id);
  };

  test('a repeated call creates another policy with the same file', async () => {
    const [first, second] = [await create(), await create()];
    expect(second.id > first.id).toBe(true);
    expect(second.pdfFile).toBe(first.pdfFile);
  });

  test('sends no signature requests', async () => {
    await create({ isPublic: true });
    expect(await queuedMessages()).toEqual([]);
  });

  test('stores text of any script, and markup, unchanged except for surrounding white space', async () => {
    const [texts, stored] = [oddText, oddText.trim()].map((one) => ({ name: one, category: one, ownerName: one }));
    const created = await create({ action: 'draft', ...texts });
    expect(await read(created.id)).toMatchObject({ ...stored, draft: stored });
  });

  test('accepts an expired file that a policy uses', async () => {
    expect((await create({ pdfFile: fileId('tenant') })).isLive).toBe(true);
  });
});

describe('signatureSettings of POST /policies', () => {
  const none = { startDate: null, intervalLength: null, intervalUnit: null, useDefault: false, setDefault: false };
  test.each([
    [{ type: 'none' }, { type: 'none' }],
    [{ type: 'none', startDate: null, intervalLength: null, intervalUnit: null }, { type: 'none' }],
    [
      { type: 'newUsers', useDefault: true },
      { type: 'newUsers', useDefault: true },
    ],
    [
      { type: 'lastSignature', intervalLength: 1200, intervalUnit: 'months' },
      { type: 'lastSignature', intervalLength: 1200, intervalUnit: 'months' },
    ],
    [
      { type: 'fixed', startDate: '2028-02-29', intervalLength: 1, intervalUnit: 'years' },
      { type: 'fixed', startDate: '2028-02-29', intervalLength: 1, intervalUnit: 'years' },
    ],
  ])('%j are stored, with omitted fields null or false', async (signatureSettings, kept) => {
    for (const action of ['draft', 'live']) {
      const created = await create({ action, signatureSettings });
      expect(created.signatureSettings).toEqual({ ...none, ...kept });
      expect(await read(created.id)).toEqual(created);
    }
    expect(await signatureDefault()).toEqual({ policyIds: [], type: null });
  });

  test('setDefault makes them the default and takes it from the policy that had it before', async () => {
    const settings = (type: string) => ({ signatureSettings: { type, setDefault: true } });
    const first = await create(settings('none'));
    expect(first.signatureSettings).toMatchObject({ setDefault: true });
    const second = await create({ action: 'draft', ...settings('newUsers') });
    expect(await signatureDefault()).toEqual({ policyIds: [second.id], type: 'newUsers' });
    expect((await read(first.id)).signatureSettings).toMatchObject({ type: 'none', setDefault: false });
  });

  test.each<[object | null, string]>([
    [{}, '/type'],
    [{ type: 'sometimes' }, '/type'],
    [{ type: 'none', intervalLength: 0 }, '/intervalLength'],
    [{ type: 'none', intervalLength: 1201 }, '/intervalLength'],
    [{ type: 'none', intervalLength: 1.5 }, '/intervalLength'],
    [{ type: 'none', intervalUnit: 'days' }, '/intervalUnit'],
    [{ type: 'fixed', startDate: '2027-02-29' }, '/startDate'],
    [{ type: 'fixed', startDate: '2027-02-28T00:00:00Z' }, '/startDate'],
    [{ type: 'none', useDefault: 'yes' }, '/useDefault'],
    [{ type: 'none', repeats: true }, '/repeats'],
    [{ type: 'none', useDefault: true, setDefault: true }, '/setDefault'],
    [{ type: 'none', intervalUnit: 'months' }, '/intervalUnit'],
    [{ type: 'none', startDate: '2027-02-28' }, '/startDate'],
    [{ type: 'lastSignature' }, '/intervalLength'],
    [{ type: 'fixed', startDate: null, intervalLength: null, intervalUnit: null }, '/startDate'],
    [null, ''],
  ])('%j return 400 naming the field and create nothing', async (signatureSettings, field) => {
    const fields = [`body/signatureSettings${field}`];
    await expectRefused(() => tryToCreate({ signatureSettings }), 400, 'invalid_request', fields);
  });
});

describe('POST /policies with an invalid body', () => {
  describe.each(['name', 'category'])('%s', (field) => {
    test.each(refusedTexts)('of %s returns 400 naming the field and creates nothing', async (_case, value) => {
      const answer = await expectRefused(() => tryToCreate({ [field]: value }), 400, 'invalid_request');
      expect(new Set(fieldsOf(answer))).toEqual(new Set([`body/${field}`]));
    });
  });

  test.each<[string, unknown]>([
    ['name', undefined],
    ['pdfFile', undefined],
    ['action', undefined],
    ['action', 'publish'],
    ['action', 'LIVE'],
    ['pdfFile', null],
    ['pdfFile', ''],
    ['pdfFile', `${file}\0`],
    ['pdfFile', 'x'.repeat(201)],
    ['category', null],
    ['isPublic', 'true'],
    ['ownerEmail', 'charles'],
    ['ownerEmail', 'charles@bücher.test'],
    ['majorVersion', -1],
    ['majorVersion', 100_001],
    ['minorVersion', 1.5],
    ['minorVersion', '1'],
    ['major', true],
    ['resend', true],
    ['isLive', true],
  ])('%s %j returns 400 naming the field', async (field, value) => {
    const answer = await expectRefused(() => tryToCreate({ [field]: value }), 400, 'invalid_request');
    expect(new Set(fieldsOf(answer))).toEqual(new Set([`body/${field}`]));
  });

  test('a pdfFile in upper case names the same file', async () => {
    expect((await tryToCreate({ pdfFile: file.toUpperCase() })).body.data.pdfFile).toBe(file);
  });

  test.each([
    ['an unknown id', () => unknownId],
    ['a file of another company', () => fileId('other')],
    ['a file of its MSP', () => storeFile({ company: 'msp' })],
    ['the id of a policy', () => policyId('tenant', 1)],
    ['an expired file', () => storeFile({ expiresIn: '-1 second' })],
    ['a file name', () => 'acceptable-use.pdf'],
    ['a reference with white space', () => ` ${file}`],
    ['SQL', () => "x'; drop table policies; --"],
  ])('%s as pdfFile returns 404 naming the field and creates nothing', async (_case, reference) => {
    const pdfFile = await reference();
    for (const action of ['draft', 'live']) {
      await expectRefused(() => tryToCreate({ action, pdfFile }), 404, 'not_found', ['body/pdfFile']);
    }
  });
});

describe('concurrent POST /policies requests', () => {
  test('ten creations with one file create ten policies', async () => {
    const pdfFile = await storeFile();
    const requests = Array.from({ length: 10 }, () => race('POST', '/policies', { ...body, pdfFile }));
    expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
    expect((await get('/policies')).body.data).toHaveLength(13);
  });

  test('creations and changes with setDefault leave exactly one default', async () => {
    const signatureSettings = { type: 'none', setDefault: true };
    const requests = Array.from({ length: 12 }, (_, n) =>
      n % 2
        ? race('POST', '/policies', { ...body, signatureSettings })
        : race('PATCH', `/policies/${policy(n % 4 ? 1 : 2)}`, { action: 'draft', signatureSettings }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    expect(await signatureDefault()).toMatchObject({ policyIds: [expect.any(String)], type: 'none' });
  });

  test('a file that expires while a policy is created with it is not purged', async () => {
    const pdfFile = await storeFile();
    await whileSlow('insert', 'policies', async () => {
      const creation = race('POST', '/policies', { ...body, pdfFile });
      await untilBegun(creation);
      await testService.query('update policy_files set expires_at = now() where id = $1', [pdfFile]);
      const purge = testService.query('select purge_files()').catch(() => undefined);
      expect(await expectNoFailure([creation])).toEqual({ 200: 1 });
      await purge;
      expect(await read((await creation).body.data.id)).toMatchObject({ pdfFile, fileName: 'new.pdf' });
    });
  });
});
