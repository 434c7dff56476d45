import { type Answer, call, del, get, patch, post } from '../../support/client.ts';
import { companies, learnerId, unknownId } from '../../support/world.ts';
import { policyId, versionId } from '../../support/world-policies.ts';
import { startMailing, whenDone } from '../../mail/transport-support.ts';
import { MailServer } from '../../mail/smtp-support.ts';
import { stopServices } from '../../process/support.ts';
import { expectNoDeadlocks, whileRowsAreSlow } from '../courses/enrollment-state.ts';
import { numbered, testIdList } from '../id-list-cases.ts';
import { expectNoFailure, expectRefused, forgetNewLearners, insertLearners, meanwhile } from '../tenant-state.ts';
import {
  assign,
  create,
  dataOf,
  discard,
  file,
  policy,
  queuedMessages,
  race,
  restorePolicies,
  sign,
  storeFile,
  update,
  versionsOf,
  whileStuck,
} from './policy-state.ts';

restorePolicies();
afterEach(forgetNewLearners);

const path = '/policies/bulk';
const learner = (number: 1 | 2 | 3 | 4 | 5): string => learnerId('tenant', number);
const remove = (policyIds: unknown): Promise<Answer> => del(path, { policyIds });

/** Counts the rows of the policies in each of their tables. */
async function rowsOf(ids: string[]): Promise<number[]> {
  const tables = ['policy_drafts', 'policy_versions', 'policy_results'];
  const [row] = await testService.query(
    `select (select count(*)::integer from policies where id = any($1)) as policies,
            ${tables.map((table) => `(select count(*)::integer from ${table} where policy_id = any($1)) as ${table}`).join()}`,
    [ids],
  );
  return Object.values(row!) as number[];
}

const recordsOf = (id: string): Promise<Record<string, unknown>[]> =>
  testService.query(
    `select company_id, policy_id, policy_name, version_id, major_version || '.' || minor_version as version,
            encode(file_sha256, 'hex') as sha256, learner_id, learner_email, learner_name, signed, signed_offline
       from signatures s
       left join signature_names n using (company_id, learner_id, policy_id, signed, version_id)
      where policy_id = $1 order by learner_id, signed`,
    [id],
  );

async function hashOf(reference: string): Promise<unknown> {
  const [row] = await testService.query("select encode(sha256, 'hex') as sha256 from policy_files where id = $1", [
    reference,
  ]);
  return row!.sha256;
}

describe('DELETE /policies/bulk', () => {
  test('deletes policies with drafts, versions and assignments, and skips unknown and foreign ids', async () => {
    const skippedIds = [unknownId, policyId('other', 1), learner(1)];
    const { status, body } = await remove([skippedIds[0], policy(3), skippedIds[1], policy(1), skippedIds[2]]);
    expect(status).toBe(200);
    expect(body.data).toEqual({ deletedIds: [policy(3), policy(1)], skippedIds });
    expect(await rowsOf([policy(1), policy(3)])).toEqual([0, 0, 0, 0]);
    expect(await rowsOf([policy(2)])).toEqual([1, 1, 1, 1]);
    for (const id of [policy(1), policy(3)]) expect((await get(`/policies/${id}`)).status).toBe(404);
    const { body: results } = await get(`/learners/${learner(1)}/policy-results`);
    expect(results.data).toEqual([]);
  });

  test('a repeated call skips deleted policies', async () => {
    await remove([policy(1)]);
    expect((await remove([policy(1), policy(2)])).body.data).toEqual({
      deletedIds: [policy(2)],
      skippedIds: [policy(1)],
    });
  });

  test('skips 10,000 unknown ids and changes nothing', async () => {
    const policyIds = Array.from({ length: 10_000 }, (_, n) => numbered(10_000 - n));
    const { body } = await remove(policyIds);
    expect(body.data).toEqual({ deletedIds: [], skippedIds: policyIds });
    expect(await rowsOf([1, 2, 3].map((n) => policy(n as 1 | 2 | 3)))).toEqual([3, 2, 2, 5]);
  });

  test('deletes a policy with many versions and a policy without content', async () => {
    for (let n = 0; n < 5; n++) await update(policy(2), { action: 'live', name: `Name ${n}`, resend: true });
    await discard(policy(3));
    expect((await remove([policy(2), policy(3)])).body.data.skippedIds).toEqual([]);
  });

  test('deletes 2,000 policies', async () => {
    const rows = await testService.query(
      `insert into policies (company_id, id, name, is_public, major_version, minor_version)
       select $1, new_id(), 'Many', false, 1, 0 from generate_series(1, 2000) returning id`,
      [companies.tenant],
    );
    const policyIds = rows.map(({ id }) => id as string);
    expect((await remove(policyIds)).body.data).toEqual({ deletedIds: policyIds, skippedIds: [] });
    expect((await get('/policies')).body.data).toHaveLength(3);
  });

  test('keeps the files, which other policies can use', async () => {
    await remove([policy(1), policy(2), policy(3)]);
    expect((await create({ pdfFile: await storeFile() })).isLive).toBe(true);
    expect((await post('/policies', { name: 'Next', pdfFile: file, action: 'live' })).status).toBe(200);
  });

  test('deletes nothing if a statement fails', async () => {
    for (const table of ['policy_results', 'policy_drafts', 'policies']) {
      const request = () => remove([policy(1), policy(2), policy(3)]);
      await whileStuck('delete', table, () => expectRefused(request, 504, 'service_timeout'));
    }
  });

  testIdList('policyIds', remove);

  test('an MSP without companyId cannot delete a policy of its child company', async () => {
    const { body } = await call('msp', 'DELETE', path, { body: { policyIds: [policyId('childA', 1)] } });
    expect(body.data).toEqual({ deletedIds: [], skippedIds: [policyId('childA', 1)] });
  });
});

describe('signatures on deleted policies', () => {
  test('keep learner, version and time, even if the policy was no longer assigned', async () => {
    await remove([policy(1)]);
    const record = (number: 1 | 3, learner_name: string) => ({
      company_id: companies.tenant,
      policy_id: policy(1),
      policy_name: 'Policy 1 of tenant',
      version_id: versionId('tenant', 1),
      version: '1.0',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      learner_id: learner(number),
      learner_email: `learner${number}@tenant.test`,
      learner_name,
      signed: new Date('2026-03-03T09:15:02.310Z'),
      signed_offline: number === 3,
    });
    const records = await recordsOf(policy(1));
    expect(records).toEqual([record(1, 'Ada tenant'), record(3, 'Katherine tenant')]);
    expect(records[0]!.sha256).toBe(await hashOf(file));
  });

  test('name the signed version with its name and file, not a later version', async () => {
    const [first, second] = [await storeFile(), await storeFile()];
    const { id } = await create({ name: 'First', pdfFile: first, majorVersion: 2, minorVersion: 7 });
    await assign([learner(2), learner(4)], id);
    await sign(learner(2), id);
    await update(id, { action: 'live', name: 'Second', pdfFile: second, major: true, resend: true });
    await sign(learner(4), id);
    await update(id, { action: 'draft', name: 'Third' });
    const [version] = await versionsOf(id);
    await remove([id]);
    expect(await recordsOf(id)).toMatchObject([
      {
        learner_id: learner(2),
        policy_name: 'First',
        version: '2.7',
        version_id: version!.id,
        sha256: await hashOf(first),
      },
      { learner_id: learner(4), policy_name: 'Second', version: '3.0', sha256: await hashOf(second) },
    ]);
  });

  test('keep only the learner id after the learner is deleted', async () => {
    const { body } = await post('/learners', { email: 'gone@many.test', firstName: 'Zoë 🦊', lastName: 'Gone' });
    await assign([body.data.id], policy(2));
    await sign(body.data.id, policy(2));
    await remove([policy(2)]);
    expect(await recordsOf(policy(2))).toMatchObject([
      { learner_email: 'gone@many.test', learner_name: 'Zoë 🦊 Gone' },
    ]);
    await del(`/learners/${body.data.id}`);
    expect(await recordsOf(policy(2))).toMatchObject([
      { learner_id: body.data.id, learner_email: null, learner_name: null },
    ]);
  });

  test('are not created for unsigned policies or by repeated calls', async () => {
    await remove([policy(2), policy(3)]);
    expect(await recordsOf(policy(2))).toEqual([]);
    await remove([policy(1)]);
    await remove([policy(1)]);
    expect(await recordsOf(policy(1))).toHaveLength(2);
  });
});

describe('messages about deleted policies', () => {
  const server = new MailServer();
  beforeAll(async () => void (await server.start()));
  afterAll(async () => {
    stopServices();
    await server.stop();
  });

  test('are cancelled, and messages about several policies name only the others', async () => {
    const policyIds = [policy(1), policy(2)];
    await dataOf(post('/policy-assignments', { policyIds, learnerIds: [learner(4)] }));
    await dataOf(post('/policy-assignments', { policyIds: [policy(1)], learnerIds: [learner(3)] }));
    expect(await queuedMessages()).toHaveLength(2);
    await remove([policy(1)]);
    await startMailing(server);
    await whenDone();
    expect(server.received.map(({ to }) => to)).toEqual([['learner4@tenant.test']]);
    expect(server.received[0]!.parsed.text).toContain('Policy 2 of tenant');
    expect(server.received[0]!.parsed.text).not.toContain('Policy 1');
    const rows = await testService.query('select status from messages where learner_id = $1', [learner(3)]);
    expect(rows).toEqual([{ status: 'cancelled' }]);
  });
});

describe('concurrent DELETE /policies/bulk requests', () => {
  expectNoDeadlocks();

  test('ten deletions in different orders delete each policy once and record each signature once', async () => {
    const policyIds = [policy(1), policy(2), policy(3)];
    const requests = Array.from({ length: 10 }, (_, n) =>
      race('DELETE', path, { policyIds: n % 2 ? policyIds : policyIds.toReversed() }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
    const deleted = (await Promise.all(requests)).flatMap(({ body }) => body.data.deletedIds as string[]);
    expect(deleted.sort()).toEqual(policyIds);
    expect(await recordsOf(policy(1))).toHaveLength(2);
  });

  test('concurrent changes to the policies return 200 or 404', async () => {
    const { id } = await create();
    await assign([learner(1), learner(2)], id);
    const body = { policyIds: [id, policy(2)], learnerIds: [learner(1), learner(2), learner(4)] };
    await whileRowsAreSlow('delete', 'policy_results', async () => {
      const requests = Array.from({ length: 3 }, () => [
        race('PATCH', `/policies/${id}`, { action: 'live', name: 'Next', resend: true }),
        race('POST', '/policy-assignments', body),
        race('POST', '/policy-reminders', body),
        race('DELETE', path, { policyIds: [policy(2), id] }),
        race('PATCH', `/policies/${id}`, { action: 'draft', name: 'Next' }),
        race('POST', '/policy-removals', body),
      ]).flat();
      const statuses = await expectNoFailure(requests);
      expect(Object.keys(statuses)).toEqual(['200', '404']);
    });
    expect(await rowsOf([id])).toEqual([0, 0, 0, 0]);
  });

  test('concurrent deletions of learners never return a 5xx or deadlock', async () => {
    await insertLearners('tenant', 60);
    const rows = await testService.query("select id from learners where email like '%@many.test' order by id");
    const learnerIds = rows.map(({ id }) => id as string);
    await post('/learners/activate', { learnerIds });
    for (const half of [learnerIds.slice(30), learnerIds.slice(0, 30)]) await assign(half, policy(1), policy(2));
    await whileRowsAreSlow('delete', 'policy_results', async () => {
      const requests = [race('DELETE', '/learners/bulk', { learnerIds })];
      await meanwhile();
      requests.push(race('DELETE', path, { policyIds: [policy(1), policy(2)] }));
      expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
    });
    expect(await rowsOf([policy(1), policy(2)])).toEqual([0, 0, 0, 0]);
  });

  test('a change to a deleted policy returns 404', async () => {
    await remove([policy(1)]);
    expect((await patch(`/policies/${policy(1)}`, { action: 'live' })).status).toBe(404);
  });
});
