import fc from 'fast-check';
import { expectError, get } from '../../support/client.ts';
import { policyId, versionId } from '../../support/world-policies.ts';
import { companies, id, learnerId } from '../../support/world.ts';
import { file, policy, publish, queuedMessages, read, restorePolicies, update } from './policy-state.ts';
import { at, learner, publishSecond, record, results, stored } from './signature-event-state.ts';

restorePolicies();

/** The records of signatures that were made elsewhere. */
const REPORTED = `signature_events where event_id not like 'signed-%'`;

const codesOf = ({ body }: any) => body.data.failures.map(({ index, code }: any) => [index, code]);
describe('POST /policy-signatures', () => {
  test('a paper signature is stored with its note and counts, without a message', async () => {
    const { status, body } = await record({ note: 'Folder 12', eventId: 'paper-1' });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      success: true,
      completed: [{ index: 0, eventId: 'paper-1' }],
      failures: [],
      errors: [],
    });
    const [result] = await results();
    expect(result).toMatchObject({
      policyId: policy(1),
      askedAt: at('04'),
      signed: at('04'),
      signedOffline: true,
      sentVersionId: null,
      signedVersionId: versionId('tenant', 1),
    });
    const { sha256 } = (await read(policy(1))).versions[0];
    expect(result.signatures).toEqual([
      {
        policyId: policy(1),
        learnerId: learner(4),
        name: expect.stringContaining('tenant'),
        email: 'learner4@tenant.test',
        versionId: versionId('tenant', 1),
        majorVersion: 1,
        minorVersion: 0,
        policyName: 'Policy 1 of tenant',
        sha256,
        signed: at('04'),
        signedOffline: true,
        signedFrom: null,
        emailChangedAt: null,
        eventId: 'paper-1',
        note: 'Folder 12',
        voidedAt: null,
      },
    ]);
    const { signatures, signedCount, assignedCount } = (await get(`/policies/${policy(1)}?includeSignatures=true`)).body
      .data;
    expect(signatures).toContainEqual(result.signatures[0]);
    expect([signedCount, assignedCount]).toEqual([2, 3]);
    expect(await queuedMessages()).toEqual([]);
  });

  test('finds learners by email in any case and by externalLearnerId', async () => {
    await testService.query(`update learners set external_learner_id = 'HR-9' where id = $1`, [learner(5)]);
    const { body } = await record(
      { learner: { email: 'LEARNER2@tenant.test' } },
      { learner: { externalLearnerId: ' HR-9 ' } },
    );
    expect(body.data.success).toBe(true);
    expect((await results(2))[0].signed).toBe(at('04'));
    expect((await results(5))[0].signed).toBe(at('04'));
  });

  test('a signature is on the version live at its time unless it names a version', async () => {
    const second = await publishSecond();
    const { body } = await record(
      { signedAt: at('09') },
      { signedAt: at('10') },
      { signedAt: at('12'), versionId: versionId('tenant', 1) },
    );
    expect(body.data.failures).toEqual([]);
    const { signatures } = (await results())[0];
    expect(signatures.map((one: any) => one.versionId)).toEqual([
      versionId('tenant', 1),
      second,
      versionId('tenant', 1),
    ]);
    expect(new Set(signatures.map((one: any) => one.sha256)).size).toBe(1);
  });

  test('each unknown, foreign or implausible signature fails with its own code', async () => {
    const second = await publishSecond();
    const answer = await record(
      {},
      { learner: { id: learnerId('other', 1) } },
      { learner: { email: 'nobody@tenant.test' } },
      { policyId: policyId('other', 1) },
      { policyId: id('6', 999) },
      { versionId: versionId('tenant', 2) },
      { versionId: versionId('other', 1) },
      { versionId: second },
      { signedAt: '2026-03-02T07:59:59.999Z' },
      { policyId: policy(3) },
      { signedAt: new Date(Date.now() + 4 * 60_000).toISOString() },
      { signedAt: '1926-01-01T00:00:00Z' },
      { signedAt: at('05'), eventId: 'e0' },
    );
    expect(answer.status).toBe(200);
    expect(answer.body.data.completed).toEqual([{ index: 0, eventId: 'e0' }]);
    expect(codesOf(answer)).toEqual([
      [1, 'learner_not_found'],
      [2, 'learner_not_found'],
      [3, 'policy_not_found'],
      [4, 'policy_not_found'],
      [5, 'version_not_found'],
      [6, 'version_not_found'],
      [7, 'not_published_then'],
      [8, 'not_published_then'],
      [9, 'not_published_then'],
      [10, 'time_not_plausible'],
      [11, 'time_not_plausible'],
      [12, 'event_id_reused'],
    ]);
    expect((await results())[0].signatures).toHaveLength(1);
  });

  test('a repeated signature in another spelling and after a new version changes nothing', async () => {
    await record({ note: 'Folder 12' });
    await publishSecond();
    await testService.query('update policy_versions set published_at = $1 where policy_id = $2', [at('04'), policy(1)]);
    const before = await stored();
    const { body } = await record({
      note: 'Folder 12',
      signedAt: '2026-05-04T10:00:00+02:00',
      learner: { email: 'learner4@tenant.test' },
    });
    expect(body.data).toMatchObject({ success: true, completed: [{ index: 0, eventId: 'e0' }] });
    expect(await stored()).toEqual(before);
  });

  test('a different signature with the same eventId fails with event_id_reused and changes nothing', async () => {
    await record({});
    const before = await stored();
    for (const change of [{ learner: { id: learner(2) } }, { policyId: policy(2) }, { offline: false }, { note: 'x' }])
      expect(codesOf(await record(change))).toEqual([[0, 'event_id_reused']]);
    expect(await stored()).toEqual(before);
  });

  test('an earlier signature is stored as evidence, and the result keeps the latest signature', async () => {
    const [before] = await results(1);
    await record({ learner: { id: learner(1) }, signedAt: '2026-03-02T09:00:00Z' });
    const [after] = await results(1);
    expect({ ...after, signatures: null }).toEqual({ ...before, signatures: null });
    expect(after.signatures).toMatchObject([
      { signed: '2026-03-02T09:00:00.000Z', eventId: 'e0' },
      { eventId: expect.stringMatching(/^signed-/) },
    ]);
  });

  test('a signature from before the last request is stored but does not count', async () => {
    await testService.query(`update policy_results set asked_at = $1 where learner_id = $2`, [at('20'), learner(2)]);
    await record({ learner: { id: learner(2) }, signedAt: at('19') });
    expect((await results(2))[0]).toMatchObject({ askedAt: at('20'), signed: at('19') });
    expect((await read(policy(1))).signedCount).toBe(1);
    await record({ learner: { id: learner(2) }, signedAt: at('21'), eventId: 'later' });
    expect((await results(2))[0]).toMatchObject({ askedAt: at('20'), signed: at('21') });
    expect((await read(policy(1))).signedCount).toBe(2);
  });

  test('a signature assigns an unassigned learner again, with the latest signature in force', async () => {
    await record({ learner: { id: learner(3) }, signedAt: '2026-03-02T09:00:00Z' });
    const signed = '2026-03-03T09:15:02.310Z';
    expect((await results(3))[0]).toMatchObject({ askedAt: signed, signed });
    expect((await read(policy(1))).signedCount).toBe(2);
  });

  test('publishing with resend also asks learners who were assigned by their signature', async () => {
    await record({});
    await update(policy(1), { name: 'New', pdfFile: file, action: 'draft' });
    await publish(policy(1), { resend: true });
    expect((await results())[0]).toMatchObject({
      signed: at('04'),
      sentVersionId: (await read(policy(1))).liveVersionId,
    });
    expect((await queuedMessages()).map(([, to]) => to)).toContain(learner(4));
    expect((await read(policy(1))).signedCount).toBe(0);
  });

  test('signatures give the same results in any order and any number of calls', async () => {
    const second = await publishSecond();
    const signature = fc.record({
      number: fc.constantFrom(3, 4),
      day: fc.constantFrom('10', '11', '12'),
      version: fc.constantFrom(undefined, versionId('tenant', 1), second),
      offline: fc.boolean(),
    });
    const seen = async () =>
      (await Promise.all([results(3), results(4)])).flat().map(({ id: _id, ...result }) => result);
    const forget = () =>
      testService.query(`
        delete from signature_events;
        delete from policy_results where learner_id in ('${learner(3)}', '${learner(4)}');
        delete from signatures where learner_id in ('${learner(3)}', '${learner(4)}')`);
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(signature, { minLength: 2, maxLength: 6 })
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys()], { minLength: all.length }))),
        async ([drawn, order]) => {
          const signatures = drawn.map(({ number, day, version, offline }, index) => ({
            learner: { id: learner(number as 3) },
            signedAt: at(day),
            ...(version && { versionId: version }),
            offline,
            note: `Note ${index}`,
            eventId: `p${index}`,
          }));
          await forget();
          await record(...signatures);
          const together = await seen();
          await forget();
          for (const place of order) expect((await record(signatures[place]!)).body.data.success).toBe(true);
          expect(await seen()).toEqual(together);
        },
      ),
      { numRuns: 10 },
    );
  });

  test('concurrent calls about several policies store each eventId once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        record({ policyId: policy(index % 2 ? 1 : 2), eventId: 'one' }, { policyId: policy(1), eventId: 'two' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    const made = (await results()).flatMap(({ signatures }) => signatures);
    expect(made).toHaveLength((await testService.query(`select distinct policy_id from ${REPORTED}`)).length);
    expect(await testService.query(`select from ${REPORTED}`)).toHaveLength(2);
  });

  test('recorded signatures outlive the learner as evidence without name, eventId and note', async () => {
    await record({ note: 'Signed by Mary' });
    await testService.query(
      `insert into learners (company_id, id, first_name, last_name, email, email_key, locale)
       select company_id, $1, first_name, last_name, 'gone@tenant.test', 'gone@tenant.test', locale from learners where id = $2`,
      [id('1', 4000), learner(4)],
    );
    await record({ learner: { id: id('1', 4000) }, note: 'Signed by Mary', eventId: 'gone' });
    await testService.query('delete from learners where id = $1', [id('1', 4000)]);
    const { signatures } = (await get(`/policies/${policy(1)}?includeSignatures=true`)).body.data;
    expect(signatures).toContainEqual(
      expect.objectContaining({ learnerId: id('1', 4000), name: null, eventId: null, note: null, signedOffline: true }),
    );
    expect(await testService.query(`select event_id from ${REPORTED}`)).toEqual([{ event_id: 'e0' }]);
  });

  test.each([
    ['no learner', { learner: {} }],
    ['an invalid time', { signedAt: 'yesterday' }],
    ['an empty note', { note: '' }],
    ['a note of several lines', { note: 'Folder\n12' }],
    ['an invalid versionId', { versionId: 'newest' }],
    ['an unknown field', { address: '203.0.113.7' }],
  ])('%s returns 400 for the whole call', async (_case, change) => {
    const before = await stored();
    expectError(await record({}, change), 400, 'invalid_request');
    expect(await stored()).toEqual(before);
  });
});

test('recorded signatures are stored only for the company of the caller', async () => {
  await record({});
  const others = await testService.query(`select * from ${REPORTED} and company_id <> $1`, [companies.tenant]);
  expect(others).toEqual([]);
});
