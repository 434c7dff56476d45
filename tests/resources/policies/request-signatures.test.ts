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

describe('a policy signed on fixed days', () => {
  test('asks learners on leave in the first night after the leave', async () => {
    for (const number of [1, 2] as const)
      await storeResults('tenant', [learner(number)], [one], { assignedAt: timeAgo(30) });
    await schedule(one, { type: 'fixed', startDate: dayAgo(0), ...monthly });
    const setLeave = (until: string | null) =>
      testService.query('update learners set absent_until = $2 where id = $1', [learner(2), until]);
    await setLeave(dayAgo(-1));
    await run();
    expect(await asked(one)).toEqual([learner(1)]);
    await setLeave(dayAgo(1));
    await run();
    expect(await asked(one)).toEqual([learner(1), learner(2)]);
    await setLeave(null);
  });

  test('asks all assigned learners, signed or not, and no longer counts their signatures', async () => {
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

  test('does not ask inactive or unassigned learners', async () => {
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
  ])('asks learners not asked since the due day: first day %s', async (_case, startDate, askedDaysAgo, isAsked) => {
    await storeResults('tenant', [learner(4)], [one], { assignedAt: timeAgo(60), askedAt: timeAgo(askedDaysAgo) });
    await schedule(one, { type: 'fixed', startDate, ...monthly });
    await run();
    expect(await asked(one)).toEqual(isAsked ? [learner(4)] : []);
  });

  test('without a first day, counts the interval from the first publication', async () => {
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

test('a first day in year 0 returns 400', async () => {
  const signatureSettings = { type: 'fixed', startDate: '0000-01-01' };
  const answer = await patch(`/policies/${one}`, { action: 'live', signatureSettings });
  expectError(answer, 400, 'invalid_request', ['body/signatureSettings/startDate']);
});

describe('a policy signed one interval after the last signature', () => {
  const due = timeAgo(40);
  test.each([
    ['asks again after an older signature', { signed: due }, monthly, true],
    ['does not ask again after a more recent signature', { signed: timeAgo(25) }, monthly, false],
    ['asks again after exactly one interval', { signed: `${addMonths(dayAgo(0), -1)}T23:59:59Z` }, monthly, true],
    ['does not ask again without a signature', {}, monthly, false],
    ['does not ask twice for the next signature', { signed: due, askedAt: timeAgo(35) }, monthly, false],
    ['does not ask unassigned learners', { signed: due, assignedAt: null }, monthly, false],
  ])('%s', async (_case, stored, interval, isAsked) => {
    await storeResults('tenant', [learner(4)], [one], { assignedAt: timeAgo(300), ...stored });
    await schedule(one, { type: 'lastSignature', ...interval });
    await run();
    expect(await asked(one)).toEqual(isAsked ? [learner(4)] : []);
  });
});

describe('a policy of type newUsers or none', () => {
  test.each([
    ['newUsers', 'has not signed', {}, true],
    ['newUsers', 'has not signed, asked today', { askedAt: timeAgo(0) }, false],
    ['newUsers', 'has signed', { signed: timeAgo(90) }, false],
    ['newUsers', 'has signed before being asked again', { signed: timeAgo(90), askedAt: timeAgo(80) }, false],
    ['none', 'has not signed', {}, false],
    ['none', 'has signed', { signed: timeAgo(90) }, false],
  ])('of type %s asks only unsigned new users: a learner who %s', async (type, _case, stored, isAsked) => {
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
    ['uses the default', { type: 'none' }, fixed, true],
    ['uses the default instead of its own settings', fixed, { type: 'none' }, false],
    ['does not mix its own settings into the default', old, { type: 'lastSignature', intervalLength: 1200 }, false],
    ['uses its own settings without a default', fixed, null, true],
    ['asks no learners if its own type is none and no default exists', { type: 'none' }, null, false],
  ])('%s', async (_case, own, standard, isAsked) => {
    await storeResults('tenant', [learner(4)], [one], { assignedAt: timeAgo(90), signed: timeAgo(80) });
    await schedule(one, { ...own, useDefault: true });
    if (standard) await schedule(policyIds[1]!, { ...standard, setDefault: true });
    await run();
    expect(await asked(one)).toEqual(isAsked ? [learner(4)] : []);
  });

  test('policies without settings or with their own settings ignore the default', async () => {
    await storeResults('tenant', [learner(4)], [one, policyIds[2]!], { assignedAt: timeAgo(90) });
    await schedule(policyIds[2]!, { type: 'none' });
    await schedule(policyIds[1]!, { ...fixed, setDefault: true });
    await run();
    expect(await queuedMessages()).toEqual([]);
  });
});

describe('signatures due on a day', () => {
  beforeEach(async () => {
    await storeResults('tenant', [learner(4), learner(3)], policyIds, { assignedAt: timeAgo(90), signed: timeAgo(80) });
    await storeResults('tenant', [learner(1)], [policyIds[2]!], { assignedAt: timeAgo(90) });
    await schedule(policyIds[0]!, { type: 'fixed', startDate: dayAgo(1) });
    await schedule(policyIds[1]!, { type: 'lastSignature', ...monthly });
    await schedule(policyIds[2]!, { type: 'newUsers', startDate: dayAgo(0) });
    await schedule(policyIds[3]!, { type: 'none' });
  });

  test('are requested once, in one message per learner that names all due policies', async () => {
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

  test('are not requested for other companies or if the messages cannot be queued', async () => {
    const before = await Promise.all([fingerprintOf('tenant'), fingerprintOf('other'), fingerprintOf('childA')]);
    await run('other');
    await whileQueueIsStuck(() => expect(run()).rejects.toThrow('stuck'));
    expect(await Promise.all([fingerprintOf('tenant'), fingerprintOf('other'), fingerprintOf('childA')])).toEqual(
      before,
    );
  });

  test('are requested for the live version, and never for a policy that is not live', async () => {
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
