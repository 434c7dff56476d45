import { call, expectError, get, post } from '../../support/client.ts';
import { fileId, policyId } from '../../support/world-policies.ts';
import { companies, unknownId } from '../../support/world.ts';
import { eventsOf } from '../events/event-state.ts';
import { createOfThePast, inMarch, recordVersion, tryToRecord, versionPath } from './past-version-state.ts';
import {
  create,
  file,
  policy,
  publish,
  queuedMessages,
  race,
  read,
  restorePolicies,
  storeFile,
  update,
} from './policy-state.ts';
import { learner } from './signature-event-state.ts';

restorePolicies();

const fieldOf = ({ status, body }: any) => [status, body.error.details?.[0]?.field];
const timesOf = ({ versions }: any) => versions.map(({ publishedAt }: any) => publishedAt);

describe('POST /policies/{policyId}/versions', () => {
  test('records versions in any order, newest first, and leaves the live version and the draft', async () => {
    const { id } = await createOfThePast();
    await update(id, { action: 'draft', name: 'Draft' });
    const before = await read(id);
    for (const year of [2023, 2021, 2024, 2022]) await recordVersion(id, year, { name: `Rules of ${year}` });
    const after = await read(id);
    expect(after).toEqual({ ...before, versions: expect.any(Array), updatedAt: expect.any(String) });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(timesOf(after)).toEqual([2025, 2024, 2023, 2022, 2021].map(inMarch));
    expect(after.versions[4]).toEqual({
      ...{ id: expect.any(String), majorVersion: 1, minorVersion: 0, name: 'Rules of 2021' },
      ...{ publishedAt: inMarch(2021), fileName: '2021.pdf', pageCount: 1 },
      ...{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), recordedAt: expect.any(String) },
    });
    const ids = after.versions.map(({ id: versionId }: any) => versionId);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(await queuedMessages()).toEqual([]);
    const pdf = await call('tenant', 'GET', `${versionPath(id, ids[4])}/pdf`);
    expect(pdf.status).toBe(200);
  });

  test('publications continue from the live version', async () => {
    const { id } = await createOfThePast();
    await recordVersion(id, 2021);
    await update(id, { action: 'draft', name: 'Next' });
    const { majorVersion, minorVersion, versions, liveVersionId } = await publish(id);
    expect([majorVersion, minorVersion]).toEqual([5, 1]);
    expect(versions[0]).toMatchObject({ id: liveVersionId, recordedAt: null });
    expect(timesOf({ versions }).slice(1)).toEqual([inMarch(2025), inMarch(2021)]);
    expect((await recordVersion(id, 2022)).recordedAt).toEqual(expect.any(String));
  });

  test('neither asks the assigned learners again nor changes their results', async () => {
    const results = async () => (await get(`/policies/${policy(1)}?outcome=all`)).body.data.results;
    const before = await results();
    await recordVersion(policy(1), 2021, { majorVersion: 0, minorVersion: 1 });
    expect(await results()).toEqual(before);
    expect(before.map(({ learner: { id } }: any) => id)).toContain(learner(1));
    expect(await queuedMessages()).toEqual([]);
  });

  test('sending the same version again changes nothing, even with another upload of the file', async () => {
    const { id } = await createOfThePast();
    const { body } = await tryToRecord(id);
    const upload = { fileName: 'again.pdf' };
    const [copy] = await testService.query(
      `insert into policy_files (company_id, id, sha256, file_name, size_bytes, page_count, expires_at)
       select company_id, new_id(), sha256, $2, size_bytes, page_count, now() + interval '1 day'
         from policy_files where company_id = $3 and id = $1 returning id`,
      [file, upload.fileName, companies.tenant],
    );
    for (const again of [{}, { pdfFile: copy!.id, minorVersion: 0, publishedAt: '2021-03-01T10:00:00+02:00' }])
      expect((await tryToRecord(id, again)).body).toEqual(body);
    const key = {
      headers: { 'Idempotency-Key': 'past-version-1' },
      body: { pdfFile: file, majorVersion: 2, publishedAt: inMarch(2022) },
    };
    const first = await call('tenant', 'POST', versionPath(id), key);
    expect((await call('tenant', 'POST', versionPath(id), key)).body).toEqual(first.body);
    expect((await read(id)).versions).toHaveLength(3);
  });

  test('another version with the same time or number returns 400 and names the field', async () => {
    const { id } = await createOfThePast();
    await tryToRecord(id);
    const cases = [
      [{ majorVersion: 2 }, 'body/publishedAt'],
      [{ name: 'Another name' }, 'body/publishedAt'],
      [{ pdfFile: await storeFile() }, 'body/publishedAt'],
      [{ publishedAt: inMarch(2022) }, 'body/majorVersion'],
    ] as const;
    for (const [fields, field] of cases) {
      const answer = await tryToRecord(id, fields);
      expectError(answer, 400, 'policy_version_taken');
      expect(fieldOf(answer)).toEqual([400, field]);
    }
    expect((await read(id)).versions).toHaveLength(2);
  });

  test.each([
    ['the time of the live version', { publishedAt: inMarch(2025) }, 'body/publishedAt'],
    ['a later time', { publishedAt: '2025-03-01T08:00:00.001Z' }, 'body/publishedAt'],
    ['the future', { publishedAt: '2999-12-31T23:59:59Z' }, 'body/publishedAt'],
    ['a time before 1970', { publishedAt: '1970-01-01T00:59:59+01:00' }, 'body/publishedAt'],
    ['the year 1000', { publishedAt: '1000-01-01T00:00:00Z' }, 'body/publishedAt'],
    ['the year 1', { publishedAt: '0001-01-01T00:00:00Z' }, 'body/publishedAt'],
    ['a day without a time', { publishedAt: '2021-03-01' }, 'body/publishedAt'],
    ['a missing leap day', { publishedAt: '2021-02-29T08:00:00Z' }, 'body/publishedAt'],
    ['no time', { publishedAt: undefined }, 'body/publishedAt'],
    ['null', { publishedAt: null }, 'body/publishedAt'],
    ['the number of the live version', { majorVersion: 5 }, 'body/majorVersion'],
    ['a higher number', { majorVersion: 5, minorVersion: 1 }, 'body/majorVersion'],
    ['a negative number', { majorVersion: -1 }, 'body/majorVersion'],
    ['an unknown field', { isPublic: true }, 'body/isPublic'],
  ])('%s returns 400 and names the field', async (_, fields, field) => {
    const { id } = await createOfThePast();
    expect(fieldOf(await tryToRecord(id, fields))).toEqual([400, field]);
    expect((await read(id)).versions).toHaveLength(1);
  });

  test.each([
    ['2020-02-29T23:59:59.9999Z', '2020-02-29T23:59:59.999Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['2020-03-01T01:00:00+02:00', '2020-02-29T23:00:00.000Z'],
  ])('%s is a valid time, and is returned as %s', async (publishedAt, time) => {
    const { id } = await createOfThePast();
    const { status, body } = await tryToRecord(id, { publishedAt });
    expect(status).toBe(200);
    expect(timesOf(body.data)).toEqual([inMarch(2025), time]);
  });

  test('a version newer than one that the service published is rejected, even if older than the live one', async () => {
    const { id } = await create({ majorVersion: 5 });
    await update(id, { action: 'live', name: 'Next' });
    const [{ publishedAt }, { publishedAt: first }] = (await read(id)).versions;
    for (const time of [publishedAt, first]) {
      expect(fieldOf(await tryToRecord(id, { publishedAt: time }))).toEqual([400, 'body/publishedAt']);
    }
    await recordVersion(id, 2021);
    expect((await read(id)).versions).toHaveLength(3);
  });

  test('a policy without a live version is rejected', async () => {
    expectError(await tryToRecord(policy(3)), 400, 'policy_not_live');
  });

  test('an unknown or foreign policy or file returns 404', async () => {
    const { id } = await createOfThePast();
    for (const other of [unknownId, policyId('other', 1), policyId('childA', 1)])
      expectError(await tryToRecord(other), 404, 'not_found');
    for (const pdfFile of [unknownId, fileId('other')]) {
      const answer = await tryToRecord(id, { pdfFile });
      expectError(answer, 404, 'not_found');
      expect(fieldOf(answer)).toEqual([404, 'body/pdfFile']);
    }
    expectError(await tryToRecord(policyId('childA', 1), { pdfFile: fileId('childA') }, 'msp'), 404, 'not_found');
    const answer = await post(`${versionPath(policyId('childA', 1))}?companyId=${companies.childA}`, {}, 'msp');
    expectError(answer, 400, 'invalid_request');
  });

  test('an MSP reads the past versions of a child company', async () => {
    const past = { pdfFile: fileId('childA'), publishedAt: inMarch(2021), majorVersion: 0, minorVersion: 1 };
    expect((await post(versionPath(policyId('childA', 1)), past, 'childA')).status).toBe(200);
    const { versions } = (await get(`/policies/${policyId('childA', 1)}?companyId=${companies.childA}`, 'msp')).body
      .data;
    expect(timesOf({ versions })[1]).toBe(inMarch(2021));
  });

  test('concurrent calls with the same version record it once', async () => {
    const { id } = await createOfThePast();
    const past = { pdfFile: file, publishedAt: inMarch(2021), majorVersion: 1 };
    const answers = await Promise.all([1, 2, 3, 4].map(() => race('POST', versionPath(id), past)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await read(id)).versions).toHaveLength(2);
  });

  test('an If-Match of a former state returns 412', async () => {
    const { id } = await createOfThePast();
    const { headers } = await get(`/policies/${id}`);
    const body = { pdfFile: file, publishedAt: inMarch(2021), majorVersion: 1 };
    const condition = { headers: { 'If-Match': headers.get('etag')! }, body };
    expect((await call('tenant', 'POST', versionPath(id), condition)).status).toBe(200);
    expectError(await call('tenant', 'POST', versionPath(id), condition), 412, 'changed_meanwhile');
  });
});

test('only the creation of a past policy writes policy.published', async () => {
  let id = '';
  const created = await eventsOf(async () => {
    id = (await createOfThePast()).id;
  });
  expect(created.map(([type]) => type)).toEqual(['policy.published']);
  expect(await eventsOf(() => recordVersion(id, 2021))).toEqual([]);
});

describe('POST /policies with publishedAt', () => {
  test('creates a live version that another system published', async () => {
    const created = await createOfThePast();
    expect(created).toMatchObject({ isLive: true, publishedAt: inMarch(2025), majorVersion: 5 });
    const { id, versions, liveVersionId } = created;
    expect(versions).toMatchObject([{ id: liveVersionId, publishedAt: inMarch(2025) }]);
    expect(versions[0].recordedAt).toEqual(expect.any(String));
    expect(await read(id)).toEqual(created);
    expect(await queuedMessages()).toEqual([]);
  });

  test.each([
    ['the future', { publishedAt: '2999-12-31T23:59:59Z' }],
    ['a time before 1970', { publishedAt: '1969-12-31T23:59:59Z' }],
    ['the year 1', { publishedAt: '0001-01-01T00:00:00Z' }],
    ['a draft', { publishedAt: inMarch(2021), action: 'draft' }],
  ])('%s returns 400 and names the field', async (_, fields) => {
    const answer = await post('/policies', { name: 'Past', pdfFile: file, action: 'live', ...fields });
    expect(fieldOf(answer)).toEqual([400, 'body/publishedAt']);
  });
});
