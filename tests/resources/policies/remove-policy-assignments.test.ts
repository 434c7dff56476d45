/** @jest-environment-options {"DATABASE_POOL_SIZE": "20"} */
import { type Answer, fingerprintOf, post } from '../../support/client.ts';
import { policyId } from '../../support/world-policies.ts';
import { companies, type CompanyName, learnerId, unknownId } from '../../support/world.ts';
import {
  codesOf,
  expectNoDeadlocks,
  learner,
  manyLearnerIds,
  planForFew,
  race,
  whileRowsAreSlow,
} from '../courses/enrollment-state.ts';
import { numbered, testIdList } from '../id-list-cases.ts';
import { expectNoFailure, expectRefused, forgetNewLearners, insertLearners, meanwhile } from '../tenant-state.ts';
import {
  assignedTo,
  countAssignments,
  countsOf,
  expectNow,
  insertPolicies,
  message,
  type Pair,
  pairsOf,
  policy,
  queuedMessages,
  restorePolicies,
  resultsOf,
  sign,
  storeResults,
  textOf,
} from './assignment-state.ts';

const path = '/policy-removals';
const remove = (learnerIds: unknown, policyIds: unknown, key: CompanyName = 'tenant'): Promise<Answer> =>
  post(path, { learnerIds, policyIds }, key);
const codes = ({ body }: Answer): string[] => codesOf(body.data.skipped).map(({ code }) => code);

restorePolicies();
afterEach(forgetNewLearners);

describe('POST /policy-removals', () => {
  test('ends the assignments, signed or not, and answers in the order of the request', async () => {
    const { status, body } = await remove([learner(2)], [policy(2), policy(1)]);
    const removed = pairsOf([learner(2)], [policy(2), policy(1)]);
    expect({ status, body }).toEqual({ status: 200, body: { data: { removed, skipped: [] } } });
    expect(await resultsOf(learner(2))).toEqual([]);
    expect(await countsOf(policy(1))).toEqual({ assigned: 1, signed: 1 });
    expect(await queuedMessages()).toEqual([]);
  });

  test('a signature stays, and counts no more', async () => {
    const [before] = await resultsOf(learner(1));
    const { body } = await remove([learner(1)], [policy(1)]);
    expect(body.data).toEqual({ removed: [{ learnerId: learner(1), policyId: policy(1) }], skipped: [] });
    const ended = { assignedAt: null, askedAt: null, remindedAt: null };
    expect(await resultsOf(learner(1))).toEqual([{ ...before, ...ended }]);
    expect(before!.signed).not.toBeNull();
    expect(await countsOf(policy(1))).toEqual({ assigned: 1, signed: 0 });
  });

  test('answers pair by pair in the order of the request, and says why it skipped the others', async () => {
    const foreign = learnerId('other', 1);
    const ofOther = policyId('other', 1);
    const { body } = await remove([foreign, learner(3), learner(1)], [unknownId, policy(3), policy(1), ofOther]);
    expect({ ...body.data, skipped: codesOf(body.data.skipped) }).toEqual({
      removed: [{ learnerId: learner(1), policyId: policy(1) }],
      skipped: [
        ...pairsOf([foreign], [unknownId, policy(3), policy(1), ofOther]).map((pair) => {
          return { ...pair, code: 'learner_not_found' };
        }),
        { learnerId: learner(3), policyId: unknownId, code: 'policy_not_found' },
        { learnerId: learner(3), policyId: policy(3), code: 'not_assigned' },
        { learnerId: learner(3), policyId: policy(1), code: 'not_assigned' },
        { learnerId: learner(3), policyId: ofOther, code: 'policy_not_found' },
        { learnerId: learner(1), policyId: unknownId, code: 'policy_not_found' },
        { learnerId: learner(1), policyId: policy(3), code: 'not_assigned' },
        { learnerId: learner(1), policyId: ofOther, code: 'policy_not_found' },
      ],
    });
  });

  test('a pair that was not assigned is skipped with the words of the contract', async () => {
    const before = await fingerprintOf('tenant');
    const { body } = await remove([learner(4)], [policy(1)]);
    const said = { code: 'not_assigned', message: 'The policy is not assigned to the learner.' };
    expect(body.data).toEqual({ removed: [], skipped: [{ learnerId: learner(4), policyId: policy(1), ...said }] });
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('an inactive learner and a policy that is not live are accepted', async () => {
    await storeResults('tenant', [learner(4)], [policy(3)]);
    const { body } = await remove([learner(5), learner(4)], [policy(1), policy(3)]);
    expect(body.data.removed).toEqual([
      { learnerId: learner(5), policyId: policy(1) },
      { learnerId: learner(4), policyId: policy(3) },
    ]);
    expect([await assignedTo(learner(5)), await assignedTo(learner(4))]).toEqual([[], []]);
  });

  test('a repeated call skips what was removed and changes nothing more', async () => {
    await remove([learner(1), learner(2)], [policy(1)]);
    const before = await fingerprintOf('tenant');
    const answer = await remove([learner(1), learner(2)], [policy(1)]);
    expect(answer).toMatchObject({ status: 200, body: { data: { removed: [] } } });
    expect(codes(answer)).toEqual(['not_assigned', 'not_assigned']);
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('who is assigned again is asked anew, keeps the signature and counts as unsigned until the next', async () => {
    const pair = { learnerIds: [learner(1)], policyIds: [policy(1)] };
    const [before] = await resultsOf(learner(1));
    await post(path, pair);
    await post('/policy-assignments', pair);
    const [again] = await resultsOf(learner(1));
    expect(again).toMatchObject({ id: before!.id, signed: before!.signed });
    expectNow(again!.askedAt);
    expect(await queuedMessages()).toEqual([message('policy_request', learner(1), policy(1))]);
    expect(await countsOf(policy(1))).toEqual({ assigned: 2, signed: 0 });
    expect((await post('/policy-reminders', pair)).body.data.success).toBe(true);
    await sign(learner(1), policy(1));
    expect(await countsOf(policy(1))).toEqual({ assigned: 2, signed: 1 });
  });

  test('who had not signed and is assigned again begins anew', async () => {
    const [before] = await resultsOf(learner(2));
    for (const operation of [path, '/policy-assignments']) {
      await post(operation, { learnerIds: [learner(2)], policyIds: [policy(1)] });
    }
    const [again] = await resultsOf(learner(2));
    expect(again!.id).not.toBe(before!.id);
    expect(
      (await testService.query('select from policy_results where visit is null and id = $1', [again!.id]))[0],
    ).toEqual({});
  });

  test('an MSP removes nothing from a learner of its child', async () => {
    const answer = await remove([learnerId('childA', 2)], [policyId('childA', 2), policyId('msp', 2)], 'msp');
    expect(answer.body.data.removed).toEqual([]);
    expect(codes(answer)).toEqual(['learner_not_found', 'learner_not_found']);
    expect(await assignedTo(learnerId('childA', 2))).toHaveLength(2);
  });

  describe('with a bad learnerIds', () => testIdList('learnerIds', (learnerIds) => remove(learnerIds, [policy(1)])));
  describe('with a bad policyIds', () => testIdList('policyIds', (policyIds) => remove([learner(2)], policyIds)));
});

describe('POST /policy-removals with very many pairs', () => {
  test('200,001 pairs are refused and nothing changes', async () => {
    const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => numbered(n));
    const request = () => remove([learner(2), ...ids(488)], [policy(2), ...ids(408)]);
    await expectRefused(request, 400, 'invalid_request', ['body/policyIds']);
  });

  test('2,000 learners are freed of 20 policies, signatures are kept, and a repeated call finds nothing', async () => {
    await insertLearners('directChild', 2_000);
    const policyIds = (await insertPolicies('directChild', 20)).toReversed();
    const { all } = manyLearnerIds(2_000);
    const [signed, ...unsigned] = policyIds;
    await storeResults('directChild', all, unsigned);
    await storeResults('directChild', all, [signed!], { signed: '2026-05-05T08:00:00Z' });
    const pairs = textOf(pairsOf(all, policyIds));
    await planForFew(() => remove([unknownId], [signed], 'directChild'));
    const first = await remove(all, policyIds, 'directChild');
    expect(textOf(first.body.data.removed) === pairs).toBe(true);
    expect(await countAssignments('directChild')).toBe(4);
    const kept = 'select count(*)::integer from policy_results where company_id = $1 and policy_id = $2';
    expect(await testService.query(kept, [companies.directChild, signed])).toEqual([{ count: 2_000 }]);
    const second = await remove(all, policyIds, 'directChild');
    expect(second.body.data.removed).toEqual([]);
    expect(textOf(second.body.data.skipped) === pairs).toBe(true);
  }, 180_000);
});

describe('POST /policy-removals at the same time', () => {
  const { all, active } = manyLearnerIds(60);
  let policyIds: string[];
  beforeEach(async () => {
    await insertLearners('tenant', 60);
    policyIds = await insertPolicies('tenant', 4);
    await storeResults('tenant', all, policyIds.slice(1));
    await storeResults('tenant', all, [policyIds[0]!], { signed: '2026-05-05T08:00:00Z' });
  });
  expectNoDeadlocks();

  test('of the same removals ten times in different orders each pair is removed by exactly one', async () => {
    await whileRowsAreSlow('delete', 'policy_results', async () => {
      const requests = Array.from({ length: 10 }, (_, n) => {
        const learnerIds = n % 2 ? all : all.toReversed();
        return race(path, { learnerIds, policyIds: n % 3 ? policyIds : policyIds.toReversed() });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
      const removed = (await Promise.all(requests)).flatMap(({ body }) => body.data.removed as Pair[]);
      expect(textOf(removed).split('\n').sort()).toEqual(textOf(pairsOf(all, policyIds)).split('\n').sort());
    });
  });

  test('an assignment that is signed at that moment ends all the same, and the signature is kept', async () => {
    const [id] = all;
    const signed = testService.query(`do $$ begin
      update policy_results set signed = now(), signed_version_id = sent_version_id where learner_id = '${id}';
      perform pg_sleep(0.2);
    end $$`);
    await meanwhile();
    const { body } = await race(path, { learnerIds: [id], policyIds });
    await signed;
    expect(body.data).toEqual({ removed: pairsOf([id!], policyIds), skipped: [] });
    expect(await resultsOf(id!)).toHaveLength(4);
    expect(await assignedTo(id!)).toEqual([]);
  });

  test('removals, assignments, reminders and publications that ask again end without a 5xx', async () => {
    await whileRowsAreSlow('update', 'policy_results', async () => {
      const operations = [path, '/policy-assignments', '/policy-reminders'];
      const requests = Array.from({ length: 20 }, (_, n) => {
        const change = { action: 'live', name: `Name ${n}`, resend: true };
        if (n % 4 === 3) return race(`/policies/${policyIds[(n >> 2) % 4]}`, change, 'PATCH');
        return race(operations[n % 4]!, { learnerIds: n % 2 ? active : active.toReversed(), policyIds });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 20 });
    });
  });

  test('removals in the middle of a slow bulk deletion of learners end without a 5xx', async () => {
    await whileRowsAreSlow('delete', 'learners', async () => {
      const requests = [race('/learners/bulk', { learnerIds: all }, 'DELETE')];
      await meanwhile();
      for (let n = 0; n < 3; n += 1) requests.push(race(path, { learnerIds: all.toReversed(), policyIds }));
      expect(await expectNoFailure(requests)).toEqual({ 200: 4 });
    });
    expect(await countAssignments('tenant')).toBe(4);
  });

  test('removals and deletions of the same policies end without a 5xx', async () => {
    await whileRowsAreSlow('delete', 'policy_results', async () => {
      const requests = Array.from({ length: 6 }, (_, n) => {
        const some = [policyIds[n % 4]!, policyIds[(n + 1) % 4]!];
        if (n % 2) return race('/policies/bulk', { policyIds: some.toReversed() }, 'DELETE');
        return race(path, { learnerIds: all.toReversed(), policyIds });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 6 });
    });
    expect(await countAssignments('tenant')).toBe(4);
  });
});
