/** @jest-environment-options {"DATABASE_POOL_SIZE": "20"} */
import { policyId, versionId } from '../../support/world-policies.ts';
import { unknownId } from '../../support/world.ts';
import { expectNoDeadlocks, learner, manyLearnerIds, race, whileRowsAreSlow } from '../courses/enrollment-state.ts';
import { testAdding } from '../pairs/adding-cases.ts';
import { type Left, leftOf, outcomeOf, type PairResource, pairsOf, send, type Verb } from '../pairs/pair-resource.ts';
import { testReminding } from '../pairs/reminding-cases.ts';
import { testRemoving } from '../pairs/removing-cases.ts';
import {
  expectNoFailure,
  forgetNewLearners,
  insertLearners,
  meanwhile,
  untilBegun,
  whileSlow,
} from '../tenant-state.ts';
import {
  assignedTo,
  countAssignments,
  countsOf,
  expectNow,
  insertPolicies,
  message,
  policy,
  queuedMessages,
  restorePolicies,
  resultsOf,
  sign,
  storeReminder,
  storeResults,
} from './assignment-state.ts';

const assignments: PairResource = {
  paths: { add: '/policy-assignments', remind: '/policy-reminders', remove: '/policy-removals' },
  kinds: { add: 'policy_request', remind: 'policy_reminder' },
  name: 'policyId',
  table: 'policy_results',
  codes: { unknown: 'policy_not_found', missing: 'not_assigned', done: 'already_signed' },
  words: {
    missing: 'The policy is not assigned to the learner.',
    done: 'The learner has already signed the policy.',
  },
  removesDone: true,
  addsAgain: false,
  targets: [policy(1), policy(2)],
  targetOf: (company) => policyId(company, 1),
  unusable: (company) => [policyId(company, 1), unknownId],
  someTargets: () => insertPolicies('tenant', 4),
  insertTargets: insertPolicies,
  store: storeResults,
  finish: `update policy_results set signed = statement_timestamp(), signed_version_id = sent_version_id
            where learner_id = any($1) and policy_id = any($2)`,
  storeReminder,
  rowsOf: async (learnerId) =>
    (await resultsOf(learnerId))
      .filter(({ assignedAt }) => assignedAt)
      .map(({ policyId: targetId, ...row }) => ({ targetId, ...row })),
  queuedMessages: async () =>
    (await queuedMessages()).map(({ policyIds: targetIds, ...sent }) => ({ targetIds, ...sent })),
};
const act = (verb: Verb, learnerIds: string[], policyIds: string[]) => send(assignments, verb, learnerIds, policyIds);
const leftBy = async (verb: Verb, learnerIds: string[], policyIds: string[]): Promise<Left[]> =>
  outcomeOf(assignments, await act(verb, learnerIds, policyIds)).left;

restorePolicies();
afterEach(forgetNewLearners);

testAdding(assignments);
testReminding(assignments);
testRemoving(assignments);

describe('POST /policy-assignments', () => {
  test('assigns the live version as of now and counts the assigned learners', async () => {
    await act('add', [learner(4), learner(1)], [policy(2), policy(1)]);
    const fresh = { remindedAt: null, signed: null };
    const results = await resultsOf(learner(4));
    expect(results).toMatchObject([
      { policyId: policy(1), sentVersionId: versionId('tenant', 1), ...fresh },
      { policyId: policy(2), sentVersionId: versionId('tenant', 2), ...fresh },
    ]);
    for (const { assignedAt, askedAt } of results) {
      expectNow(assignedAt);
      expect(askedAt).toEqual(assignedAt);
    }
    expect(await countsOf(policy(2))).toEqual({ assigned: 3, signed: 0 });
  });

  test('a policy that is not live can be neither assigned nor reminded of', async () => {
    expect(await leftBy('add', [learner(4)], [policy(3)])).toEqual([[learner(4), policy(3), 'policy_not_live']]);
    expect(await leftBy('add', [learner(5)], [policy(3)])).toEqual([[learner(5), policy(3), 'learner_inactive']]);
    await storeResults('tenant', [learner(2)], [policy(3)]);
    expect(await leftBy('remind', [learner(2), learner(4)], [policy(3)])).toEqual(
      leftOf([learner(2), learner(4)], [policy(3)], 'policy_not_live'),
    );
    expect(await queuedMessages()).toEqual([]);
  });

  test('the response has exactly the documented fields', async () => {
    const { body } = await act('add', [learner(4), learner(5)], [policy(2)]);
    const said = { code: 'learner_inactive', message: 'The learner is inactive.' };
    expect(body.data).toEqual({
      success: false,
      completed: [{ learnerId: learner(4), policyId: policy(2) }],
      unchanged: [],
      failures: [{ learnerId: learner(5), policyId: policy(2), ...said }],
      errors: [],
    });
  });

  test('a learner who signed before is asked again, keeps the signature and counts as unsigned', async () => {
    const [before] = await resultsOf(learner(3));
    await act('add', [learner(3)], [policy(1)]);
    const [after, ...others] = await resultsOf(learner(3));
    expect(others).toEqual([]);
    expect(before!.signed).not.toBeNull();
    expect(after).toMatchObject({ id: before!.id, signed: before!.signed, remindedAt: null });
    expectNow(after!.assignedAt);
    expect(after!.askedAt).toEqual(after!.assignedAt);
    expect(await countsOf(policy(1))).toEqual({ assigned: 3, signed: 1 });
    expect(await queuedMessages()).toEqual([message('policy_request', learner(3), policy(1))]);
  });
});

describe('POST /policy-reminders', () => {
  test('a learner whose assignment has ended is reported as not_assigned', async () => {
    expect(await leftBy('remind', [learner(3)], [policy(1)])).toEqual([[learner(3), policy(1), 'not_assigned']]);
  });

  test('a learner who is asked again can be reminded until the next signature', async () => {
    await testService.query('update policy_results set asked_at = now() where learner_id = $1', [learner(1)]);
    expect(await leftBy('remind', [learner(1)], [policy(1)])).toEqual([]);
    expect(await queuedMessages()).toEqual([message('policy_reminder', learner(1), policy(1))]);
    await sign(learner(1), policy(1));
    expect(await leftBy('remind', [learner(1)], [policy(1)])).toEqual([[learner(1), policy(1), 'already_signed']]);
  });

  test('a learner who signs within an hour of a reminder is reported as already_signed', async () => {
    await act('remind', [learner(2)], [policy(2)]);
    await sign(learner(2), policy(2));
    expect(await leftBy('remind', [learner(2)], [policy(2)])).toEqual([[learner(2), policy(2), 'already_signed']]);
  });

  test('a reminder sets sentVersionId to the live version', async () => {
    await testService.query('update policy_results set sent_version_id = null where learner_id = $1', [learner(2)]);
    await act('remind', [learner(2)], [policy(2)]);
    const sent = (await resultsOf(learner(2))).map(({ sentVersionId }) => sentVersionId);
    expect(sent).toEqual([null, versionId('tenant', 2)]);
  });
});

describe('POST /policy-removals', () => {
  test('keeps the signature but no longer counts it', async () => {
    const [before] = await resultsOf(learner(1));
    const { body } = await act('remove', [learner(1)], [policy(1)]);
    expect(body.data).toEqual({ removed: [{ learnerId: learner(1), policyId: policy(1) }], skipped: [] });
    const ended = { assignedAt: null, askedAt: null, remindedAt: null };
    expect(await resultsOf(learner(1))).toEqual([{ ...before, ...ended }]);
    expect(before!.signed).not.toBeNull();
    expect(await countsOf(policy(1))).toEqual({ assigned: 1, signed: 0 });
  });

  test('deletes unsigned results and no longer counts them', async () => {
    await act('remove', [learner(2)], [policy(2), policy(1)]);
    expect(await resultsOf(learner(2))).toEqual([]);
    expect(await countsOf(policy(1))).toEqual({ assigned: 1, signed: 1 });
  });

  test('accepts a policy that is not live', async () => {
    await storeResults('tenant', [learner(4)], [policy(3)]);
    expect(await leftBy('remove', [learner(4)], [policy(3)])).toEqual([]);
    expect(await assignedTo(learner(4))).toEqual([]);
  });

  test('a reassigned learner is asked again, keeps the signature and counts as unsigned until the next', async () => {
    const [before] = await resultsOf(learner(1));
    await act('remove', [learner(1)], [policy(1)]);
    await act('add', [learner(1)], [policy(1)]);
    const [again] = await resultsOf(learner(1));
    expect(again).toMatchObject({ id: before!.id, signed: before!.signed });
    expectNow(again!.askedAt);
    expect(await queuedMessages()).toEqual([message('policy_request', learner(1), policy(1))]);
    expect(await countsOf(policy(1))).toEqual({ assigned: 2, signed: 0 });
    expect(await leftBy('remind', [learner(1)], [policy(1)])).toEqual([]);
    await sign(learner(1), policy(1));
    expect(await countsOf(policy(1))).toEqual({ assigned: 2, signed: 1 });
  });

  test('a reassigned learner without a signature gets a new result', async () => {
    const [before] = await resultsOf(learner(2));
    for (const verb of ['remove', 'add'] as const) await act(verb, [learner(2)], [policy(1)]);
    const [again] = await resultsOf(learner(2));
    expect(again!.id).not.toBe(before!.id);
    expect(
      await testService.query('select visited_at as visit from policy_results where id = $1', [again!.id]),
    ).toEqual([{ visit: null }]);
  });
});

describe('assignments during concurrent policy changes', () => {
  const { all, active } = manyLearnerIds(21);
  const { paths } = assignments;
  let policyIds: string[];
  beforeEach(async () => {
    await insertLearners('tenant', all.length);
    policyIds = await insertPolicies('tenant', 4);
  });
  expectNoDeadlocks();

  const publication = (n: number) =>
    race(`/policies/${policyIds[n % 4]}`, { action: 'live', name: `Name ${n}`, resend: true }, 'PATCH');

  test('assignments and publications with resend ask every learner about the live version', async () => {
    await whileRowsAreSlow('insert', 'policy_results', async () => {
      const requests = Array.from({ length: 12 }, (_, n) =>
        n % 2 ? publication(n) : race(paths.add, { learnerIds: n % 4 ? active : active.toReversed(), policyIds }),
      );
      expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    });
    const stale = await testService.query(
      `select from policy_results r join policies p on p.company_id = r.company_id and p.id = r.policy_id
        where p.id = any($1) and r.sent_version_id is distinct from p.live_version_id`,
      [policyIds],
    );
    expect(stale).toEqual([]);
    const named = (await queuedMessages()).flatMap((sent) => pairsOf([sent.learnerId], sent.policyIds));
    expect(new Set(named.map(String))).toEqual(new Set(pairsOf(active, policyIds).map(String)));
  });

  test('removals, assignments, reminders and publications with resend never return a 5xx', async () => {
    await storeResults('tenant', all, policyIds.slice(1));
    await storeResults('tenant', all, [policyIds[0]!], { signed: '2026-05-05T08:00:00Z' });
    await whileRowsAreSlow('update', 'policy_results', async () => {
      const verbs = ['remove', 'add', 'remind'] as const;
      const requests = Array.from({ length: 20 }, (_, n) => {
        if (n % 4 === 3) return publication(n >> 2);
        return race(paths[verbs[n % 4]!], { learnerIds: n % 2 ? active : active.toReversed(), policyIds });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 20 });
    });
  });

  test('policies that are being deleted are reported as policy_not_found, and the others are assigned', async () => {
    const [kept, ...deleted] = policyIds as [string];
    await whileSlow('delete', 'policies', async () => {
      const requests = [race('/policies/bulk', { policyIds: deleted }, 'DELETE')];
      await untilBegun(requests[0]!);
      for (let n = 0; n < 3; n += 1) requests.push(race(paths.add, { learnerIds: active, policyIds }));
      expect(await expectNoFailure(requests)).toEqual({ 200: 4 });
      for (const answer of (await Promise.all(requests)).slice(1)) {
        const { done, left } = outcomeOf(assignments, answer);
        expect(done).toEqual(pairsOf(active, [kept]));
        expect(left).toEqual(leftOf(active, deleted, 'policy_not_found'));
      }
    });
    expect(await queuedMessages()).toEqual(active.map((id) => message('policy_request', id, kept)));
  });

  test('deleting a learner and a policy while reminders are written never returns a 5xx', async () => {
    const [gone] = policyIds as [string];
    await storeResults('tenant', all, policyIds);
    await whileSlow('update', 'policy_results', async () => {
      const requests = [race(paths.remind, { learnerIds: [active[0], learner(2)], policyIds: [gone, policy(2)] })];
      await meanwhile();
      requests.push(race(`/learners/${active[0]}`, undefined, 'DELETE'));
      requests.push(race('/policies/bulk', { policyIds: [gone] }, 'DELETE'));
      expect(await expectNoFailure(requests)).toEqual({ 200: 3 });
    });
    expect(await testService.query('select learner_id from messages')).toEqual([{ learner_id: learner(2) }]);
  });

  test('removals and deletions of the same policies never return a 5xx', async () => {
    await storeResults('tenant', all, policyIds);
    await whileRowsAreSlow('delete', 'policy_results', async () => {
      const requests = Array.from({ length: 6 }, (_, n) => {
        const some = [policyIds[n % 4]!, policyIds[(n + 1) % 4]!];
        if (n % 2) return race('/policies/bulk', { policyIds: some.toReversed() }, 'DELETE');
        return race(paths.remove, { learnerIds: all.toReversed(), policyIds });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 6 });
    });
    expect(await countAssignments('tenant')).toBe(4);
  });
});
