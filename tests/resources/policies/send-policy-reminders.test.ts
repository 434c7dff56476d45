/** @jest-environment-options {"DATABASE_POOL_SIZE": "20"} */
import { type Answer, fingerprintOf, post } from '../../support/client.ts';
import { policyId, versionId } from '../../support/world-policies.ts';
import { type CompanyName, learnerId, unknownId } from '../../support/world.ts';
import {
  codesOf,
  expectNoDeadlocks,
  forgetMessages,
  learner,
  manyLearnerIds,
  planForFew,
  race,
  whileQueueIsStuck,
  whileRowsAreSlow,
} from '../courses/enrollment-state.ts';
import { numbered, testIdList } from '../id-list-cases.ts';
import {
  expectNoFailure,
  expectRefused,
  forgetNewLearners,
  insertLearners,
  meanwhile,
  whileSlow,
} from '../tenant-state.ts';
import {
  expectEachNamedOnce,
  expectNow,
  insertPolicies,
  message,
  pairsOf,
  policy,
  queuedMessages,
  restorePolicies,
  resultsOf,
  sign,
  storeReminder,
  storeResults,
  textOf,
} from './assignment-state.ts';

const path = '/policy-reminders';
const remind = (learnerIds: unknown, policyIds: unknown, key: CompanyName = 'tenant'): Promise<Answer> =>
  post(path, { learnerIds, policyIds }, key);
const codes = ({ body }: Answer): string[] => codesOf(body.data.failures).map(({ code }) => code);

restorePolicies();
afterEach(forgetNewLearners);

describe('POST /policy-reminders', () => {
  test('reminds each learner of what they have to sign in one message, and asks for nothing anew', async () => {
    const before = await resultsOf(learner(2));
    const { status, body } = await remind([learner(2)], [policy(2), policy(1)]);
    const completed = pairsOf([learner(2)], [policy(2), policy(1)]);
    expect(status).toBe(200);
    expect(body.data).toEqual({ success: true, completed, failures: [], errors: [] });
    expect(await queuedMessages()).toEqual([message('policy_reminder', learner(2), policy(1), policy(2))]);
    const after = await resultsOf(learner(2));
    expect(after.map((result) => ({ ...result, remindedAt: null }))).toEqual(before);
    for (const { remindedAt } of after) expectNow(remindedAt);
  });

  test('answers pair by pair in the order of the request, and says why a pair has no reminder', async () => {
    const foreign = learnerId('other', 2);
    const ofOther = policyId('other', 1);
    await storeResults('tenant', [learner(2)], [policy(3)]);
    const { body } = await remind(
      [learner(4), learner(2), learner(1), learner(5), foreign],
      [policy(3), policy(1), ofOther, unknownId],
    );
    const { failures, ...others } = body.data;
    const completed = [{ learnerId: learner(2), policyId: policy(1) }];
    expect(others).toEqual({ success: false, completed, errors: [] });
    const rest = (id: string): object[] => [
      { learnerId: id, policyId: ofOther, code: 'policy_not_found' },
      { learnerId: id, policyId: unknownId, code: 'policy_not_found' },
    ];
    expect(codesOf(failures)).toEqual([
      { learnerId: learner(4), policyId: policy(3), code: 'policy_not_live' },
      { learnerId: learner(4), policyId: policy(1), code: 'not_assigned' },
      ...rest(learner(4)),
      { learnerId: learner(2), policyId: policy(3), code: 'policy_not_live' },
      ...rest(learner(2)),
      { learnerId: learner(1), policyId: policy(3), code: 'policy_not_live' },
      { learnerId: learner(1), policyId: policy(1), code: 'already_signed' },
      ...rest(learner(1)),
      { learnerId: learner(5), policyId: policy(3), code: 'learner_inactive' },
      { learnerId: learner(5), policyId: policy(1), code: 'learner_inactive' },
      ...rest(learner(5)),
      ...pairsOf([foreign], [policy(3), policy(1), ofOther, unknownId]).map((pair) => {
        return { ...pair, code: 'learner_not_found' };
      }),
    ]);
    expect(await queuedMessages()).toEqual([message('policy_reminder', learner(2), policy(1))]);
  });

  test('a signature is not reminded of, in the words of the contract', async () => {
    const before = await fingerprintOf('tenant');
    const { body } = await remind([learner(1)], [policy(1)]);
    const said = { code: 'already_signed', message: 'The learner has signed the policy.' };
    expect(body.data.failures).toEqual([{ learnerId: learner(1), policyId: policy(1), ...said }]);
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toEqual([]);
  });

  test('a signature whose assignment has ended is not assigned', async () => {
    expect(codes(await remind([learner(3)], [policy(1)]))).toEqual(['not_assigned']);
  });

  test('an inactive learner who has something to sign is not reminded', async () => {
    expect(codes(await remind([learner(5)], [policy(1)]))).toEqual(['learner_inactive']);
    expect(await resultsOf(learner(5))).toMatchObject([{ remindedAt: null }]);
    expect(await queuedMessages()).toEqual([]);
  });

  test('who was asked again has something to sign until the next signature', async () => {
    await testService.query('update policy_results set asked_at = now() where learner_id = $1', [learner(1)]);
    expect((await remind([learner(1)], [policy(1)])).body.data).toMatchObject({ success: true });
    expect(await queuedMessages()).toEqual([message('policy_reminder', learner(1), policy(1))]);
    await sign(learner(1), policy(1));
    expect(codes(await remind([learner(1)], [policy(1)]))).toEqual(['already_signed']);
  });

  test('a repeated call answers the same and changes and sends nothing more', async () => {
    const { body } = await remind([learner(2), learner(4)], [policy(1), policy(2)]);
    const before = await fingerprintOf('tenant');
    expect((await remind([learner(2), learner(4)], [policy(1), policy(2)])).body).toEqual(body);
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toHaveLength(1);
  });

  test('a reminder counts for an hour', async () => {
    await storeReminder(learner(2), policy(2), '59 minutes 50 seconds');
    const [, before] = await resultsOf(learner(2));
    expect((await remind([learner(2)], [policy(2)])).body.data.completed).toHaveLength(1);
    expect(await queuedMessages()).toEqual([]);
    expect((await resultsOf(learner(2)))[1]).toEqual(before);

    await storeReminder(learner(2), policy(2), '60 minutes 1 second');
    expect((await remind([learner(2)], [policy(2)])).body.data.completed).toHaveLength(1);
    expect(await queuedMessages()).toEqual([message('policy_reminder', learner(2), policy(2))]);
    expectNow((await resultsOf(learner(2)))[1]!.remindedAt);
  });

  test('who signs within the hour of a reminder has signed', async () => {
    await remind([learner(2)], [policy(2)]);
    await sign(learner(2), policy(2));
    expect(codes(await remind([learner(2)], [policy(2)]))).toEqual(['already_signed']);
  });

  test('a message leaves out what the learner was just reminded of, which counts as completed', async () => {
    await remind([learner(2)], [policy(1)]);
    const { body } = await remind([learner(2)], [policy(1), policy(2)]);
    expect(body.data).toMatchObject({ success: true, completed: pairsOf([learner(2)], [policy(1), policy(2)]) });
    expectEachNamedOnce(await queuedMessages(), pairsOf([learner(2)], [policy(1), policy(2)]));
  });

  test('a request is no reminder, and a new assignment knows no older reminder', async () => {
    const pair = { learnerIds: [learner(1)], policyIds: [policy(1)] };
    await storeReminder(learner(1), policy(1), '5 minutes');
    await post('/policy-removals', pair);
    await forgetMessages();
    await post('/policy-assignments', pair);
    expect(await resultsOf(learner(1))).toMatchObject([{ remindedAt: null }]);
    await remind([learner(1)], [policy(1)]);
    expect((await queuedMessages()).map(({ kind }) => kind)).toEqual(['policy_reminder', 'policy_request']);
  });

  test('a reminder sends the live version', async () => {
    await testService.query('update policy_results set sent_version_id = null where learner_id = $1', [learner(2)]);
    await remind([learner(2)], [policy(2)]);
    const sent = (await resultsOf(learner(2))).map(({ sentVersionId }) => sentVersionId);
    expect(sent).toEqual([null, versionId('tenant', 2)]);
  });

  test('an MSP reminds no learner of its child', async () => {
    const answer = await remind([learnerId('childA', 2)], [policyId('childA', 2), policyId('msp', 1)], 'msp');
    expect(codes(answer)).toEqual(['learner_not_found', 'learner_not_found']);
  });

  test('nobody counts as reminded when the messages cannot be queued', async () => {
    await whileQueueIsStuck(() => expectRefused(() => remind([learner(2)], [policy(2)]), 504, 'service_timeout'));
    await remind([learner(2)], [policy(2)]);
    expect(await queuedMessages()).toEqual([message('policy_reminder', learner(2), policy(2))]);
  });

  describe('with a bad learnerIds', () => testIdList('learnerIds', (learnerIds) => remind(learnerIds, [policy(1)])));
  describe('with a bad policyIds', () => testIdList('policyIds', (policyIds) => remind([learner(2)], policyIds)));
});

describe('POST /policy-reminders with very many pairs', () => {
  test('200,001 pairs are refused and nothing changes', async () => {
    const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => numbered(n));
    const request = () => remind([learner(2), ...ids(488)], [policy(2), ...ids(408)]);
    await expectRefused(request, 400, 'invalid_request', ['body/policyIds']);
  });

  test('2,000 learners are reminded of 20 policies in one message each, and a repeated call sends nothing more', async () => {
    await insertLearners('directChild', 2_000);
    const policyIds = (await insertPolicies('directChild', 20)).toReversed();
    const { all, active } = manyLearnerIds(2_000);
    await storeResults('directChild', all, policyIds);
    const inactive = all.filter((id) => !active.includes(id));
    await planForFew(() => remind([unknownId], [policyIds[0]], 'directChild'));
    for (let round = 0; round < 2; round += 1) {
      const { status, body } = await remind(all, policyIds, 'directChild');
      expect(status).toBe(200);
      expect(textOf(body.data.completed) === textOf(pairsOf(active, policyIds))).toBe(true);
      expect(textOf(body.data.failures) === textOf(pairsOf(inactive, policyIds))).toBe(true);
    }
    expect(await queuedMessages()).toEqual(active.map((id) => message('policy_reminder', id, ...policyIds)));
  }, 180_000);
});

describe('POST /policy-reminders at the same time', () => {
  const { all, active } = manyLearnerIds(60);
  let policyIds: string[];
  beforeEach(async () => {
    await insertLearners('tenant', 60);
    policyIds = await insertPolicies('tenant', 4);
    await storeResults('tenant', all, policyIds);
  });
  expectNoDeadlocks();

  test('the same reminders ten times in different orders send each learner one message', async () => {
    await whileRowsAreSlow('update', 'policy_results', async () => {
      const requests = Array.from({ length: 10 }, (_, n) => {
        const learnerIds = n % 2 ? active : active.toReversed();
        return race(path, { learnerIds, policyIds: n % 3 ? policyIds : policyIds.toReversed() });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
      for (const { body } of await Promise.all(requests)) expect(body.data.success).toBe(true);
    });
    expect(await queuedMessages()).toEqual(active.map((id) => message('policy_reminder', id, ...policyIds)));
  });

  test('reminders that overlap name each pair in exactly one message', async () => {
    const requests = Array.from({ length: 12 }, (_, n) => {
      const learnerIds = n % 2 ? active : active.toReversed();
      return race(path, { learnerIds, policyIds: [policyIds[n % 4], policyIds[(n + 1) % 4]] });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    expectEachNamedOnce(await queuedMessages(), pairsOf(active, policyIds));
  });

  test('a signature that is given at that moment is not reminded of, and the answer says so', async () => {
    const [id] = active;
    const signed = testService.query(`do $$ begin
      update policy_results set signed = clock_timestamp(), signed_version_id = sent_version_id where learner_id = '${id}';
      perform pg_sleep(0.2);
    end $$`);
    await meanwhile();
    expect(codes(await race(path, { learnerIds: [id], policyIds }))).toEqual(Array(4).fill('already_signed'));
    await signed;
    expect(await queuedMessages()).toEqual([]);
  });

  test.each([
    ['update', 'POST', '/learners/deactivate'],
    ['delete', 'DELETE', '/learners/bulk'],
  ] as const)('reminders in the middle of a slow %s by %s %s end without a 5xx', async (statement, method, other) => {
    await whileRowsAreSlow(statement, 'learners', async () => {
      const requests = [race(other, { learnerIds: active }, method)];
      await meanwhile();
      for (let n = 0; n < 3; n += 1) requests.push(race(path, { learnerIds: active.toReversed(), policyIds }));
      expect(await expectNoFailure(requests)).toEqual({ 200: 4 });
    });
    expect(await testService.query('select from messages')).toEqual([]);
  });

  test.each<['update' | 'insert', string]>([
    ['update', 'policy_results'],
    ['insert', 'messages'],
  ])('a learner and a policy that are deleted at the %s of %s are no 5xx', async (statement, table) => {
    await whileSlow(statement, table, async () => {
      const requests = [race(path, { learnerIds: [active[0], learner(2)], policyIds: [policyIds[0], policy(2)] })];
      await meanwhile();
      requests.push(race(`/learners/${active[0]}`, undefined, 'DELETE'));
      requests.push(race('/policies/bulk', { policyIds: [policyIds[0]] }, 'DELETE'));
      expect(await expectNoFailure(requests)).toEqual({ 200: 3 });
    });
    const messages = await testService.query('select learner_id from messages');
    expect(messages).toEqual([{ learner_id: learner(2) }]);
  });
});
