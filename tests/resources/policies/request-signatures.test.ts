import { addMonths } from '../../../src/resources/policies/signatures/signature-rules.ts';
import { expectError, fingerprintOf, patch } from '../../support/client.ts';
import { learner, whileQueueIsStuck } from '../courses/enrollment-state.ts';
import {
  countsOf,
  expectNow,
  insertPolicies,
  message,
  policy,
  queuedMessages,
  restorePolicies,
  resultsOf,
  storeResults,
} from './assignment-state.ts';
import { asked, dayAgo, monthly, run, schedule, timeAgo } from './signature-job.ts';

restorePolicies();

let policyIds: string[];
let one: string;
beforeEach(async () => {
  policyIds = await insertPolicies('tenant', 4);
  one = policyIds[0]!;
});

describe('a policy that is signed on fixed days', () => {
  test('asks everyone assigned, whether they have signed or not, and signatures count no more', async () => {
    await storeResults('tenant', [learner(1)], [one], { assignedAt: timeAgo(30), signed: timeAgo(20) });
    await storeResults('tenant', [learner(2)], [one], { assignedAt: timeAgo(30), remindedAt: timeAgo(0.01) });
    await schedule(one, { type: 'fixed', startDate: dayAgo(0), ...monthly });
    expect(await countsOf(one)).toEqual({ assigned: 2, signed: 1 });
    const [before] = (await resultsOf(learner(1))).filter(({ policyId }) => policyId === one);
    await run();
    expect(await asked(one)).toEqual([learner(1), learner(2)]);
    expect(await countsOf(one)).toEqual({ assigned: 2, signed: 0 });
    for (const id of [learner(1), learner(2)]) {
      const [result] = (await resultsOf(id)).filter(({ policyId }) => policyId === one);
      expectNow(result!.askedAt);
      expect(result).toMatchObject({ remindedAt: null, assignedAt: before!.assignedAt });
      if (id === learner(1)) expect(result!.signed).toEqual(before!.signed);
    }
  });

  test('asks no inactive learner, and nobody whose assignment has ended', async () => {
    await storeResults('tenant', [learner(5)], [one], { assignedAt: timeAgo(30) });
    await storeResults('tenant', [learner(4)], [one], { assignedAt: null, signed: timeAgo(20) });
    await schedule(one, { type: 'fixed', startDate: dayAgo(0) });
    const before = await fingerprintOf('tenant');
    await run();
    expect(await asked(one)).toEqual([]);
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test.each([
    ['tomorrow', dayAgo(-1), 30, false],
    ['today', dayAgo(0), 1, true],
    ['today, asked today', dayAgo(0), 0, false],
    ['three days ago, asked before', dayAgo(3), 4, true],
    ['three days ago, asked on that day', dayAgo(3), 3, false],
    ['three days ago, asked since', dayAgo(3), 2, false],
    ['years ago, every month', addMonths(dayAgo(0), -48), 40, true],
    ['years ago, every month, asked today', addMonths(dayAgo(0), -48), 0, false],
  ])('with a first day %s', async (_case, startDate, askedDaysAgo, isAsked) => {
    await storeResults('tenant', [learner(4)], [one], { assignedAt: timeAgo(60), askedAt: timeAgo(askedDaysAgo) });
    await schedule(one, { type: 'fixed', startDate, ...monthly });
    await run();
    expect(await asked(one)).toEqual(isAsked ? [learner(4)] : []);
  });

  test('without a first day, counts from its first publication', async () => {
    await storeResults('tenant', [learner(4)], [one], { assignedAt: timeAgo(20) });
    const publish = 'update policy_versions set published_at = $2 where policy_id = $1';
    await testService.query(publish, [one, timeAgo(26)]);
    await schedule(one, { type: 'fixed', ...monthly });
    await run();
    expect(await asked(one)).toEqual([]);
    await testService.query(publish, [one, `${addMonths(dayAgo(0), -1)}T23:59:59Z`]);
    await run();
    expect(await asked(one)).toEqual([learner(4)]);
  });
});

test('a first day that no calendar has is refused', async () => {
  const signatureSettings = { type: 'fixed', startDate: '0000-01-01' };
  const answer = await patch(`/policies/${one}`, { action: 'live', signatureSettings });
  expectError(answer, 400, 'invalid_request', ['body/signatureSettings/startDate']);
});

describe('a policy that is signed one interval after the last signature', () => {
  const due = timeAgo(40);
  test.each([
    ['a signature that is older', { signed: due }, monthly, true],
    ['a signature that is younger', { signed: timeAgo(25) }, monthly, false],
    ['a signature of that day', { signed: `${addMonths(dayAgo(0), -1)}T23:59:59Z` }, monthly, true],
    ['no signature', {}, monthly, false],
    ['a signature, asked again since', { signed: due, askedAt: timeAgo(35) }, monthly, false],
    ['an assignment that has ended', { signed: due, assignedAt: null }, monthly, false],
  ])('%s', async (_case, stored, interval, isAsked) => {
    await storeResults('tenant', [learner(4)], [one], { assignedAt: timeAgo(300), ...stored });
    await schedule(one, { type: 'lastSignature', ...interval });
    await run();
    expect(await asked(one)).toEqual(isAsked ? [learner(4)] : []);
  });
});

describe('a policy that asks new users alone, or nobody', () => {
  test.each([
    ['newUsers', 'has not signed', {}, true],
    ['newUsers', 'has not signed, asked today', { askedAt: timeAgo(0) }, false],
    ['newUsers', 'has signed', { signed: timeAgo(90) }, false],
    ['newUsers', 'has signed before being asked again', { signed: timeAgo(90), askedAt: timeAgo(80) }, false],
    ['none', 'has not signed', {}, false],
    ['none', 'has signed', { signed: timeAgo(90) }, false],
  ])('%s: who %s', async (type, _case, stored, isAsked) => {
    await storeResults('tenant', [learner(4)], [one], { assignedAt: timeAgo(100), ...stored });
    await schedule(one, type === 'none' ? { type } : { type, startDate: addMonths(dayAgo(0), -2), ...monthly });
    await run();
    expect(await asked(one)).toEqual(isAsked ? [learner(4)] : []);
  });
});

describe('a policy that follows the default', () => {
  const fixed = { type: 'fixed', startDate: dayAgo(0) };
  const old = { type: 'lastSignature', ...monthly };
  test.each<[string, object, object | null, boolean]>([
    ['goes by it', { type: 'none' }, fixed, true],
    ['goes by it and not by its own', fixed, { type: 'none' }, false],
    ['mixes nothing of its own into it', old, { type: 'lastSignature', intervalLength: 1200 }, false],
    ['goes by its own as long as there is none', fixed, null, true],
    ['asks nobody when its own says so and there is none', { type: 'none' }, null, false],
  ])('%s', async (_case, own, standard, isAsked) => {
    await storeResults('tenant', [learner(4)], [one], { assignedAt: timeAgo(90), signed: timeAgo(80) });
    await schedule(one, { ...own, useDefault: true });
    if (standard) await schedule(policyIds[1]!, { ...standard, setDefault: true });
    await run();
    expect(await asked(one)).toEqual(isAsked ? [learner(4)] : []);
  });

  test('a policy without settings does not, nor does one that has its own', async () => {
    await storeResults('tenant', [learner(4)], [one, policyIds[2]!], { assignedAt: timeAgo(90) });
    await schedule(policyIds[2]!, { type: 'none' });
    await schedule(policyIds[1]!, { ...fixed, setDefault: true });
    await run();
    expect(await queuedMessages()).toEqual([]);
  });
});

describe('what is due on a day', () => {
  beforeEach(async () => {
    await storeResults('tenant', [learner(4), learner(3)], policyIds, { assignedAt: timeAgo(90), signed: timeAgo(80) });
    await storeResults('tenant', [learner(1)], [policyIds[2]!], { assignedAt: timeAgo(90) });
    await schedule(policyIds[0]!, { type: 'fixed', startDate: dayAgo(1) });
    await schedule(policyIds[1]!, { type: 'lastSignature', ...monthly });
    await schedule(policyIds[2]!, { type: 'newUsers', startDate: dayAgo(0) });
    await schedule(policyIds[3]!, { type: 'none' });
  });

  test('is asked for in one message to each learner, which names all of it, and once however often it is done', async () => {
    await run();
    const messages = [
      message('policy_request', learner(1), policyIds[2]!),
      message('policy_request', learner(3), policyIds[0]!, policyIds[1]!),
      message('policy_request', learner(4), policyIds[0]!, policyIds[1]!),
    ];
    expect(await queuedMessages()).toEqual(messages);
    const before = await fingerprintOf('tenant');
    await run();
    await Promise.all([run(), run(), run()]);
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toEqual(messages);
  });

  test('is asked for of no other company, and not when the messages cannot be queued', async () => {
    const before = await Promise.all([fingerprintOf('tenant'), fingerprintOf('other'), fingerprintOf('childA')]);
    await run('other');
    await whileQueueIsStuck(() => expect(run()).rejects.toThrow('stuck'));
    expect(await Promise.all([fingerprintOf('tenant'), fingerprintOf('other'), fingerprintOf('childA')])).toEqual(
      before,
    );
  });

  test('is the live version, and nothing of a policy that is not live', async () => {
    await patch(`/policies/${one}`, { action: 'live', name: 'New' });
    await testService.query(
      `update policies set signature_type = 'fixed', signature_start_date = now(), signature_set_on = '2026-01-31'
        where id = $1`,
      [policy(3)],
    );
    await storeResults('tenant', [learner(4)], [policy(3)], { assignedAt: timeAgo(90) });
    await run();
    const sent = await testService.query(
      `select r.sent_version_id = p.live_version_id as live
         from policy_results r join policies p on p.company_id = r.company_id and p.id = r.policy_id
        where r.learner_id = $1 and r.policy_id = $2`,
      [learner(4), one],
    );
    expect(sent).toEqual([{ live: true }]);
    expect((await queuedMessages()).flatMap(({ policyIds }) => policyIds)).not.toContain(policy(3));
    await testService.query(
      `update policies set signature_type = null, signature_start_date = null, signature_set_on = null where id = $1`,
      [policy(3)],
    );
  });
});
