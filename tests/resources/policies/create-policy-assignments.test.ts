/** @jest-environment-options {"DATABASE_POOL_SIZE": "20"} */
import { type Answer, fingerprintOf, post } from '../../support/client.ts';
import { policyId, versionId } from '../../support/world-policies.ts';
import { type CompanyName, learnerId, unknownId } from '../../support/world.ts';
import {
  codesOf,
  expectNoDeadlocks,
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
  untilBegun,
  whileSlow,
} from '../tenant-state.ts';
import {
  assignedTo,
  completedIn,
  countAssignments,
  countsOf,
  expectEachNamedOnce,
  expectNow,
  insertPolicies,
  message,
  pairsOf,
  policy,
  queuedMessages,
  restorePolicies,
  resultsOf,
  textOf,
} from './assignment-state.ts';

const path = '/policy-assignments';
const assign = (learnerIds: unknown, policyIds: unknown, key: CompanyName = 'tenant'): Promise<Answer> =>
  post(path, { learnerIds, policyIds }, key);

restorePolicies();
afterEach(forgetNewLearners);

describe('POST /policy-assignments', () => {
  test('assigns every policy to every learner, and answers in the order of the request', async () => {
    const { status, body } = await assign([learner(4), learner(1)], [policy(2), policy(1)]);
    const completed = pairsOf([learner(4), learner(1)], [policy(2), policy(1)]);
    expect(status).toBe(200);
    expect(body.data).toEqual({ success: true, completed, failures: [], errors: [] });
    const results = await resultsOf(learner(4));
    const fresh = { remindedAt: null, signed: null };
    expect(results).toMatchObject([
      { policyId: policy(1), sentVersionId: versionId('tenant', 1), ...fresh },
      { policyId: policy(2), sentVersionId: versionId('tenant', 2), ...fresh },
    ]);
    for (const { assignedAt, askedAt } of results) {
      expectNow(assignedAt);
      expect(askedAt).toEqual(assignedAt);
    }
    expect(await assignedTo(learner(1))).toEqual([policy(1), policy(2)]);
    expect(await countsOf(policy(2))).toEqual({ assigned: 3, signed: 0 });
  });

  test('answers pair by pair in the order of the request, and says why a pair failed', async () => {
    const foreign = learnerId('other', 1);
    const ofOther = policyId('other', 1);
    const { status, body } = await assign(
      [learner(4), unknownId, learner(5), foreign],
      [policy(3), ofOther, policy(1), unknownId],
    );
    expect(status).toBe(200);
    expect({ ...body.data, failures: codesOf(body.data.failures) }).toEqual({
      success: false,
      completed: [{ learnerId: learner(4), policyId: policy(1) }],
      failures: [
        { learnerId: learner(4), policyId: policy(3), code: 'policy_not_live' },
        { learnerId: learner(4), policyId: ofOther, code: 'policy_not_found' },
        { learnerId: learner(4), policyId: unknownId, code: 'policy_not_found' },
        ...pairsOf([unknownId], [policy(3), ofOther, policy(1), unknownId]).map(notFound),
        { learnerId: learner(5), policyId: policy(3), code: 'learner_inactive' },
        { learnerId: learner(5), policyId: ofOther, code: 'policy_not_found' },
        { learnerId: learner(5), policyId: policy(1), code: 'learner_inactive' },
        { learnerId: learner(5), policyId: unknownId, code: 'policy_not_found' },
        ...pairsOf([foreign], [policy(3), ofOther, policy(1), unknownId]).map(notFound),
      ],
      errors: [],
    });
    expect(await assignedTo(learner(4))).toEqual([policy(1)]);
    expect(await assignedTo(learner(5))).toEqual([policy(1)]);
  });

  test('an inactive learner fails with the words of the contract', async () => {
    const { body } = await assign([learner(5)], [policy(2)]);
    const said = { code: 'learner_inactive', message: 'The learner is inactive.' };
    expect(body.data.failures).toEqual([{ learnerId: learner(5), policyId: policy(2), ...said }]);
  });

  test('each learner with a new assignment is sent one message, which names the new ones alone', async () => {
    await assign([learner(1), learner(4), learner(5), unknownId], [policy(2), policy(1), policy(3), unknownId]);
    expect(await queuedMessages()).toEqual([
      message('policy_request', learner(1), policy(2)),
      message('policy_request', learner(4), policy(1), policy(2)),
    ]);
  });

  test('who is assigned, has opened or has signed keeps what is stored, counts as completed and is sent nothing', async () => {
    const before = await fingerprintOf('tenant');
    const { body } = await assign([learner(1), learner(2)], [policy(1)]);
    const completed = pairsOf([learner(1), learner(2)], [policy(1)]);
    expect(body.data).toEqual({ success: true, completed, failures: [], errors: [] });
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toEqual([]);
  });

  test('who has signed and was freed of it is asked anew, counts as unsigned and keeps the signature', async () => {
    const [before] = await resultsOf(learner(3));
    await assign([learner(3)], [policy(1)]);
    const [after, ...others] = await resultsOf(learner(3));
    expect(others).toEqual([]);
    expect(before!.signed).not.toBeNull();
    expect(after).toMatchObject({ id: before!.id, signed: before!.signed, remindedAt: null });
    expectNow(after!.assignedAt);
    expect(after!.askedAt).toEqual(after!.assignedAt);
    expect(await countsOf(policy(1))).toEqual({ assigned: 3, signed: 1 });
    expect(await queuedMessages()).toEqual([message('policy_request', learner(3), policy(1))]);
  });

  test('a repeated call answers the same and changes and sends nothing more', async () => {
    const { body } = await assign([learner(4), learner(5)], [policy(2), policy(1)]);
    const before = await fingerprintOf('tenant');
    expect((await assign([learner(4), learner(5)], [policy(2), policy(1)])).body).toEqual(body);
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toHaveLength(1);
  });

  test('an MSP assigns nothing to a learner of its child, and no policy of its child', async () => {
    const child = learnerId('childA', 4);
    const { body } = await assign([child, learnerId('msp', 4)], [policyId('msp', 1), policyId('childA', 1)], 'msp');
    expect(body.data.completed).toEqual([{ learnerId: learnerId('msp', 4), policyId: policyId('msp', 1) }]);
    const codes = codesOf(body.data.failures).map(({ code }) => code);
    expect(codes).toEqual(['learner_not_found', 'learner_not_found', 'policy_not_found']);
    expect(await assignedTo(child)).toEqual([]);
  });

  test('nothing is assigned when the messages cannot be queued', async () => {
    await whileQueueIsStuck(() => expectRefused(() => assign([learner(4)], [policy(1)]), 504, 'service_timeout'));
    expect((await assign([learner(4)], [policy(1)])).body.data.success).toBe(true);
    expect(await queuedMessages()).toEqual([message('policy_request', learner(4), policy(1))]);
  });

  describe('with a bad learnerIds', () => testIdList('learnerIds', (learnerIds) => assign(learnerIds, [policy(1)])));
  describe('with a bad policyIds', () => testIdList('policyIds', (policyIds) => assign([learner(4)], policyIds)));
});

describe('POST /policy-assignments with very many pairs', () => {
  const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => numbered(count - n));

  test('200,001 pairs are refused and nothing changes', async () => {
    const policyIds = [policy(1), ...ids(408)];
    const learnerIds = [learner(4), ...ids(488)];
    await expectRefused(() => assign(learnerIds, policyIds), 400, 'invalid_request', ['body/policyIds']);
  });

  test.each([
    [500, 400],
    [10_000, 20],
    [20, 10_000],
  ])('200,000 pairs of %i unknown learners and %i policies fail in their order', async (learners, policies) => {
    const { body } = await assign(ids(learners), ids(policies));
    expect(body.data.completed).toEqual([]);
    expect(textOf(body.data.failures) === textOf(pairsOf(ids(learners), ids(policies)))).toBe(true);
  });

  test('2,000 learners are assigned 20 policies, and a repeated call sends nothing more', async () => {
    await insertLearners('directChild', 2_000);
    const policyIds = (await insertPolicies('directChild', 20)).toReversed();
    const { all, active } = manyLearnerIds(2_000);
    const inactive = all.filter((id) => !active.includes(id));
    await planForFew(() => assign([unknownId], [policyIds[0]], 'directChild'));
    for (let round = 0; round < 2; round += 1) {
      const { status, body } = await assign(all, policyIds, 'directChild');
      expect(status).toBe(200);
      expect(textOf(body.data.completed) === textOf(pairsOf(active, policyIds))).toBe(true);
      expect(textOf(body.data.failures) === textOf(pairsOf(inactive, policyIds))).toBe(true);
      expect(await countAssignments('directChild')).toBe(active.length * 20 + 4);
    }
    expect(await queuedMessages()).toEqual(active.map((id) => message('policy_request', id, ...policyIds)));
  }, 180_000);
});

describe('POST /policy-assignments at the same time', () => {
  const { all, active } = manyLearnerIds(60);
  let policyIds: string[];
  beforeEach(async () => {
    await insertLearners('tenant', 60);
    policyIds = await insertPolicies('tenant', 4);
  });
  expectNoDeadlocks();

  test('the same assignment ten times in different orders assigns once and sends each learner one message', async () => {
    await whileRowsAreSlow('insert', 'policy_results', async () => {
      const requests = Array.from({ length: 10 }, (_, n) => {
        const learnerIds = n % 2 ? active : active.toReversed();
        return race(path, { learnerIds, policyIds: n % 3 ? policyIds : policyIds.toReversed() });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
      for (const { body } of await Promise.all(requests)) expect(body.data.success).toBe(true);
    });
    expect(await queuedMessages()).toEqual(active.map((id) => message('policy_request', id, ...policyIds)));
    for (const id of active) expect(await assignedTo(id)).toEqual(policyIds);
  });

  test('assignments that overlap name each new pair in exactly one message', async () => {
    const requests = Array.from({ length: 12 }, (_, n) => {
      const learnerIds = n % 2 ? active.slice(n) : active.slice(0, 40 + n).toReversed();
      return race(path, { learnerIds, policyIds: [policyIds[(n + 1) % 4], policyIds[n % 4]] });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    const completed = completedIn(await Promise.all(requests));
    const pairs = pairsOf(active, policyIds).filter((pair) => completed.has(textOf([pair])));
    expectEachNamedOnce(await queuedMessages(), pairs);
  });

  test.each(['policy_results', 'messages'])(
    'a learner who is deleted while %s are written leaves nothing',
    async (table) => {
      await whileSlow('insert', table, async () => {
        const requests = [race(path, { learnerIds: [active[0], learner(4)], policyIds })];
        await meanwhile();
        requests.push(race(`/learners/${active[0]}`, undefined, 'DELETE'));
        expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
      });
      expect(await assignedTo(active[0]!)).toEqual([]);
      expect(await assignedTo(learner(4))).toEqual(policyIds);
    },
  );

  test('assignments and deactivations end without a 5xx, and what is completed is what is stored', async () => {
    await whileRowsAreSlow('update', 'learners', async () => {
      const requests = Array.from({ length: 12 }, (_, n) => {
        if (n % 3 === 0) return race('/learners/deactivate', { learnerIds: active.slice(n) });
        if (n % 3 === 1) return race('/learners/activate', { learnerIds: active.slice(0, -n).toReversed() });
        return race(path, { learnerIds: n % 2 ? all : all.toReversed(), policyIds });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
      const completed = completedIn((await Promise.all(requests)).filter(({ body }) => body.data.completed));
      for (const id of all) {
        const stored = textOf(pairsOf([id], await assignedTo(id)));
        expect(stored).toBe(
          [...completed]
            .filter((pair) => pair.startsWith(id))
            .sort()
            .join('\n'),
        );
      }
    });
  });

  test('assignments and publications that ask again leave every learner asked about the live version', async () => {
    await whileRowsAreSlow('insert', 'policy_results', async () => {
      const requests = Array.from({ length: 12 }, (_, n) => {
        const change = { action: 'live', name: `Name ${n}`, resend: true };
        if (n % 2) return race(`/policies/${policyIds[n % 4]}`, change, 'PATCH');
        return race(path, { learnerIds: n % 4 ? active : active.toReversed(), policyIds });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    });
    const stale = await testService.query(
      `select from policy_results r join policies p on p.company_id = r.company_id and p.id = r.policy_id
        where p.id = any($1) and r.sent_version_id is distinct from p.live_version_id`,
      [policyIds],
    );
    expect(stale).toEqual([]);
    const named = (await queuedMessages()).flatMap((sent) => pairsOf([sent.learnerId], sent.policyIds));
    expect(new Set(textOf(named).split('\n'))).toEqual(new Set(textOf(pairsOf(active, policyIds)).split('\n')));
  });

  test('policies whose deletion is under way are not found, and the others are assigned', async () => {
    const [kept, ...deleted] = policyIds;
    await whileSlow('delete', 'policies', async () => {
      const requests = [race('/policies/bulk', { policyIds: deleted }, 'DELETE')];
      await untilBegun(requests[0]!);
      for (let n = 0; n < 3; n += 1) requests.push(race(path, { learnerIds: active, policyIds }));
      expect(await expectNoFailure(requests)).toEqual({ 200: 4 });
      for (const { body } of (await Promise.all(requests)).slice(1)) {
        expect(body.data.completed).toEqual(pairsOf(active, [kept!]));
        expect(new Set(codesOf(body.data.failures).map(({ code }) => code))).toEqual(new Set(['policy_not_found']));
      }
    });
    expect(await queuedMessages()).toEqual(active.map((id) => message('policy_request', id, kept!)));
  });
});

const notFound = (pair: object): object => ({ ...pair, code: 'learner_not_found' });
