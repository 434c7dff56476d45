import { call, del, get, post } from '../../support/client.ts';
import { versionId } from '../../support/world-policies.ts';
import { learnerId } from '../../support/world.ts';
import { policy, queuedMessages, read, restorePolicies } from '../policies/policy-state.ts';
import { at, learner, publishSecond, record, results, stored } from '../policies/signature-event-state.ts';
import {
  bodyOf,
  correctedSignatures as corrected,
  correctSignatures as correct,
  idsOf,
  signOnPage,
} from './signature-correction-state.ts';

restorePolicies();
afterEach(() => testService.query('delete from corrections'));

const first = versionId('tenant', 1);
const counts = async () => {
  const { assignedCount, signedCount } = await read(policy(1));
  return [assignedCount, signedCount];
};
const shown = async (number: 1 | 2 | 3 | 4 | 5) =>
  (await results(number)).find(({ policyId }) => policyId === policy(1));
const reported = async () => {
  const { data } = (await get(`/reports/policy-results?policyId=${policy(1)}`)).body;
  return data.map((row: any) => [row.learnerId, row.outcome]);
};

describe('a signature that was recorded', () => {
  test('is left out of every list once it is voided, with its assignment, and counts again once it is restored', async () => {
    const before = await counts();
    await record({ eventId: 'e1' });
    const signed = await shown(4);
    const withSignature = await counts();
    expect(withSignature).toEqual(before.map((count) => count + 1));
    expect(await corrected({ eventId: 'e1', action: 'void' })).toEqual([true]);
    expect([await shown(4), await counts()]).toEqual([undefined, before]);
    const { signatures } = (await get(`/policies/${policy(1)}?includeSignatures=true`)).body.data;
    expect(signatures.map(({ learnerId: id }: any) => id)).not.toContain(learner(4));
    expect(await corrected({ eventId: 'e1', action: 'restore' })).toEqual([true]);
    expect(await shown(4)).toEqual({ ...signed, id: expect.any(String) });
    expect(await counts()).toEqual(withSignature);
  });

  test('is listed with the time of the void only with includeVoided', async () => {
    await record({ eventId: 'e1' }, { eventId: 'e2', signedAt: at('05') });
    await corrected({ eventId: 'e1', action: 'void' });
    expect([await idsOf(4), await idsOf(4, '&includeVoided=true')]).toEqual([['e2'], ['e1', 'e2']]);
    const { signatures } = (await get(`/policies/${policy(1)}?includeSignatures=true&includeVoided=true`)).body.data;
    const voided = signatures.filter(({ voidedAt }: any) => voidedAt !== null);
    expect(voided).toMatchObject([{ eventId: 'e1', voidedAt: expect.stringMatching(/Z$/) }]);
    for (const path of [`/policies/${policy(1)}`, `/learners/${learner(4)}/policy-results`]) {
      const { status, body } = await get(`${path}?includeVoided=true`);
      expect([status, body.error?.details[0]?.field]).toEqual([400, 'query/includeSignatures']);
    }
  });

  test('leaves an assigned learner unsigned, with the original request', async () => {
    const before = await shown(2);
    await record({ learner: { id: learner(2) }, eventId: 'e1' });
    await corrected({ eventId: 'e1', action: 'void' });
    expect(await shown(2)).toEqual(before);
    await corrected({ eventId: 'e1', action: 'restore' }, { eventId: 'e1', action: 'void' });
    expect(await shown(2)).toEqual(before);
  });

  test('leaves an unassigned learner unassigned when it is restored', async () => {
    await record({ eventId: 'e1' });
    await post('/policy-removals', { policyIds: [policy(1)], learnerIds: [learner(4)] });
    const before = await shown(4);
    await corrected({ eventId: 'e1', action: 'void' });
    expect(await shown(4)).toBeUndefined();
    await corrected({ eventId: 'e1', action: 'restore' });
    expect(await shown(4)).toEqual({ ...before, id: expect.any(String) });
  });

  test('on an earlier version is in force again if the later one is voided', async () => {
    const second = await publishSecond();
    await record({ eventId: 'e1' }, { eventId: 'e2', signedAt: at('12') });
    expect(await shown(4)).toMatchObject({ signed: at('12'), signedVersionId: second });
    await corrected({ eventId: 'e2', action: 'void' });
    expect(await shown(4)).toMatchObject({ signed: at('04'), askedAt: at('04'), signedVersionId: first });
    await corrected({ eventId: 'e2', action: 'restore' }, { eventId: 'e1', action: 'void' });
    expect(await shown(4)).toMatchObject({ signed: at('12'), askedAt: at('12'), signedVersionId: second });
  });

  test('under two ids stays until both are voided, and was offline if the remaining record says so', async () => {
    await record({ eventId: 'e1', offline: false, note: 'A' }, { eventId: 'e2', note: 'B' });
    expect(await shown(4)).toMatchObject({ signedOffline: false, signatures: [{ eventId: 'e1', note: 'A' }] });
    await corrected({ eventId: 'e1', action: 'void' });
    expect(await shown(4)).toMatchObject({
      signedOffline: true,
      signatures: [{ eventId: 'e2', note: 'B', signedOffline: true }],
    });
    await corrected({ eventId: 'e2', action: 'void' });
    expect(await shown(4)).toBeUndefined();
    await record({ eventId: 'e3' });
    expect(await idsOf(4)).toEqual(['e3']);
  });

  test('can be replaced by one with another time, version, medium and note', async () => {
    const second = await publishSecond();
    await record({ eventId: 'e1', note: 'Folder 12' });
    const replacement = { eventId: 'e2', signedAt: at('12'), offline: false, note: 'Folder 13' };
    const replace = { eventId: 'e1', action: 'replace', replacement } as const;
    expect(await corrected(replace)).toEqual([true]);
    expect(await shown(4)).toMatchObject({
      signed: at('12'),
      askedAt: at('12'),
      signedOffline: false,
      signedVersionId: second,
      signatures: [{ eventId: 'e2', note: 'Folder 13', versionId: second }],
    });
    const before = await stored();
    expect(await corrected(replace, { eventId: 'e1', action: 'void' })).toEqual([false, false]);
    expect(await stored()).toEqual(before);
    const named = { eventId: 'e3', signedAt: at('13'), offline: true, versionId: first };
    await corrected({ eventId: 'e2', action: 'replace', replacement: named });
    expect(await shown(4)).toMatchObject({ signed: at('13'), signedVersionId: first, signedOffline: true });
  });

  test('stays voided if its sender sends it again, and reports and updatedSince follow', async () => {
    await record({ learner: { id: learner(2) }, eventId: 'e1' });
    const path = `/policies/${policy(1)}?outcome=signed`;
    const since = new Date().toISOString();
    expect(await reported()).toContainEqual([learner(2), 'signed']);
    await corrected({ eventId: 'e1', action: 'void' });
    expect(await reported()).toContainEqual([learner(2), 'unsigned']);
    const { body } = await get(`${path}&updatedSince=${since}`);
    expect((body as any).removed).toContainEqual({ learnerId: learner(2) });
    expect((await record({ learner: { id: learner(2) }, eventId: 'e1' })).body.data.success).toBe(true);
    expect(await shown(2)).toMatchObject({ signed: null });
  });

  test('of a deleted policy or learner, or of another company is not found', async () => {
    await record({ eventId: 'e1' }, { eventId: 'e2', policyId: policy(2) });
    for (const company of ['other', 'msp'] as const) {
      const { body } = await call(company, 'POST', '/corrections', {
        body: bodyOf([{ eventId: 'e1', action: 'void' }]),
      });
      expect(body.data.failures).toMatchObject([{ index: 0, code: 'record_not_found' }]);
    }
    expect(await idsOf(4)).toEqual(['e1']);
    await del('/policies/bulk', { policyIds: [policy(2)] });
    const { body } = await correct({ eventId: 'e2', action: 'void' }, { eventId: 'e1', action: 'void' });
    expect(body.data).toMatchObject({
      completed: [{ index: 1, changed: true }],
      failures: [{ index: 0, code: 'record_not_found' }],
    });
  });

  test('each correction that cannot be made fails with its own code', async () => {
    const second = await publishSecond();
    await record({ eventId: 'e1' }, { eventId: 'e2', signedAt: at('05') });
    const replace = (replacement: object) => ({ eventId: 'e1', action: 'replace', replacement }) as const;
    const next = { eventId: 'e3', signedAt: at('06'), offline: true };
    const { body } = await correct(
      { eventId: 'nobody', action: 'void' },
      { eventId: 'e1', action: 'replace' },
      { eventId: 'e1', action: 'void', replacement: next },
      replace({ eventId: 'e3', signedAt: at('06') }),
      replace({ eventId: 'e3', offline: true }),
      replace({ ...next, score: 70 }),
      replace({ ...next, signedAt: '2031-01-01T00:00:00Z' }),
      replace({ ...next, signedAt: '2026-03-01T00:00:00Z' }),
      replace({ ...next, versionId: second }),
      replace({ ...next, versionId: versionId('other', 1) }),
      replace({ ...next, eventId: 'e2' }),
      { eventId: 'e2', action: 'void' },
      { eventId: 'e2', action: 'replace', replacement: next },
      replace({ ...next, passMark: 70 }),
    );
    expect(body.data.failures.map(({ index, code }: any) => [index, code])).toEqual([
      [0, 'record_not_found'],
      [1, 'replacement_inconsistent'],
      [2, 'replacement_inconsistent'],
      [3, 'replacement_inconsistent'],
      [4, 'replacement_inconsistent'],
      [5, 'replacement_inconsistent'],
      [6, 'time_not_plausible'],
      [7, 'not_published_then'],
      [8, 'not_published_then'],
      [9, 'version_not_found'],
      [10, 'event_id_reused'],
      [12, 'already_voided'],
      [13, 'replacement_inconsistent'],
    ]);
    expect(await idsOf(4)).toEqual(['e1']);
  });

  test.each([
    ['an unknown kind', { kind: 'policy' }, 'body/corrections/0/kind'],
    ['an invalid time', { replacement: { eventId: 'e2', signedAt: 'now' } }, 'body/corrections/0/replacement/signedAt'],
    [
      'an invalid version',
      { replacement: { eventId: 'e2', versionId: 'x' } },
      'body/corrections/0/replacement/versionId',
    ],
    ['an empty note', { replacement: { eventId: 'e2', note: '' } }, 'body/corrections/0/replacement/note'],
  ])('with %s returns 400 that names the field', async (_, fields, field) => {
    const item = { kind: 'policy_signature', eventId: 'e1', action: 'replace', reason: 'A mistake', ...fields };
    const { status, body } = await post('/corrections', { corrections: [item] });
    expect({ status, field: body.error?.details[0]?.field }).toEqual({ status: 400, field });
  });
});

describe('a signature on the pages', () => {
  test('has an id, is voided, and can be given again', async () => {
    expect(await signOnPage(2, first)).toBe(303);
    const [eventId] = await idsOf(2);
    expect(eventId).toMatch(/^signed-/);
    await testService.query('delete from messages');
    await corrected({ eventId: eventId!, action: 'void', reason: 'Signed by a colleague' });
    expect(await shown(2)).toMatchObject({ signed: null, signatures: [] });
    expect(await queuedMessages()).toEqual([['signature_voided', learner(2), policy(1)]]);
    expect(await signOnPage(2, first)).toBe(303);
    const [again] = await idsOf(2);
    expect(again).not.toBe(eventId);
    await corrected({ eventId: eventId!, action: 'restore' });
    expect(await idsOf(2)).toEqual([eventId, again]);
    await corrected({ eventId: again!, action: 'void' });
    expect(await shown(2)).toMatchObject({ signatures: [{ eventId }] });
  });

  test('queues no message if it is restored, if the signature was recorded, or if the learner is inactive', async () => {
    await record({ eventId: 'e1' });
    await signOnPage(2, first);
    const [eventId] = await idsOf(2);
    await testService.query('update learners set inactive = true where id = $1', [learner(2)]);
    await testService.query('delete from messages');
    await corrected({ eventId: 'e1', action: 'void' }, { eventId: eventId!, action: 'void' });
    await corrected({ eventId: eventId!, action: 'restore' });
    expect(await queuedMessages()).toEqual([]);
    await testService.query('update learners set inactive = false where id = $1', [learner(2)]);
  });
});

test('one call corrects records of both kinds in order, and corrections are listed by kind', async () => {
  await record({ eventId: 'e1' });
  const { body } = await post('/corrections', {
    corrections: [
      { kind: 'course_result', eventId: 'e1', action: 'void', reason: 'A mistake' },
      { kind: 'policy_signature', eventId: 'e1', action: 'void', reason: 'A mistake' },
    ],
  });
  expect(body.data).toMatchObject({
    success: false,
    completed: [{ index: 1, eventId: 'e1', changed: true }],
    failures: [{ index: 0, code: 'record_not_found' }],
  });
  const listed = async (query: string) => (await get(`/corrections?${query}`)).body.data;
  expect(await listed('kind=policy_signature')).toMatchObject([
    { kind: 'policy_signature', eventId: 'e1', learnerId: learner(4), action: 'void', reason: 'A mistake' },
  ]);
  expect(await listed('kind=course_result')).toEqual([]);
  expect(await listed(`learnerId=${learner(4)}&kind=policy_signature`)).toHaveLength(1);
  expect(await listed(`learnerId=${learner(4)}&kind=course_result`)).toEqual([]);
  expect((await get('/corrections?kind=shoe')).status).toBe(400);
  expect((await get(`/corrections?kind=policy_signature&learnerId=${learnerId('other', 1)}`)).status).toBe(404);
});

test('a correction with an Idempotency-Key is made once', async () => {
  await record({ eventId: 'e1' });
  const request = { body: bodyOf([{ eventId: 'e1', action: 'void' }]), headers: { 'idempotency-key': 'void-e1' } };
  const answers = [
    await call('tenant', 'POST', '/corrections', request),
    await call('tenant', 'POST', '/corrections', request),
  ];
  expect(answers.map(({ body }) => body.data.completed)).toEqual(
    answers.map(() => [{ index: 0, eventId: 'e1', changed: true }]),
  );
  expect((await get('/corrections')).body.data).toHaveLength(1);
});
