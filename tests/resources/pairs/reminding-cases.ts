import { fingerprintOf } from '../../support/client.ts';
import { learnerId, unknownId } from '../../support/world.ts';
import {
  expectNoDeadlocks,
  forgetMessages,
  manyLearnerIds,
  planForFew,
  race as raceTo,
  whileQueueIsStuck,
  whileRowsAreSlow,
} from '../courses/enrollment-state.ts';
import {
  expectNoFailure,
  expectRefused,
  forgetNewLearnersOf,
  insertLearners,
  meanwhile,
  untilBegun,
  whileSlow,
} from '../tenant-state.ts';
import { testTooMany } from './adding-cases.ts';
import {
  doneIn,
  expectEachNamedOnce,
  expectNow,
  finish,
  finishSlowly,
  leftIn,
  leftOf,
  outcomeOf,
  pairsOf,
  type PairResource,
  race,
  send,
  targetsOf,
  tenTimes,
  textOf,
  unchangedIn,
} from './pair-resource.ts';

/** Tests reminding learners of courses and policies. */
export function testReminding(resource: PairResource): void {
  describe(`POST ${resource.paths.remind}`, () => {
    beforeEach(() => insertLearners('tenant', 7));
    testFewReminded(resource);
    testWhenReminded(resource);
  });
  describe(`POST ${resource.paths.remind} with many pairs`, () => testManyReminded(resource));
  describe(`POST ${resource.paths.remind} with concurrent calls`, () => testRemindedAtOnce(resource));
}

const few = manyLearnerIds(21);
const [ada, bob, cyd] = few.active as [string, string, string];
const inactive = few.all[6]!;

function testFewReminded(resource: PairResource): void {
  const { targets, kinds, codes, words } = resource;
  const [target] = targets as [string];
  const remind = send.bind(null, resource, 'remind');

  test('sends each learner one reminder, and changes only remindedAt', async () => {
    await resource.store('tenant', [ada, bob], targets);
    const before = await resource.rowsOf(ada);
    const answer = await remind([ada], targets.toReversed());
    expect(outcomeOf(resource, answer)).toEqual({ done: pairsOf([ada], targets.toReversed()), left: [] });
    expect(await resource.queuedMessages()).toEqual([{ kind: kinds.remind, learnerId: ada, targetIds: targets }]);
    const after = await resource.rowsOf(ada);
    expect(after.map((row) => ({ ...row, remindedAt: null }))).toEqual(before);
    for (const { remindedAt } of after) expectNow(remindedAt);
  });

  test('responds pair by pair in the order of the request, with the reason for each failure', async () => {
    await resource.store('tenant', [ada, bob, inactive], [target]);
    await finish(resource, [bob], [target]);
    const foreign = learnerId('other', 2);
    const unusable = resource.unusable('other');
    const answer = await remind([cyd, ada, bob, inactive, foreign, unknownId], [target, ...unusable]);
    expect(outcomeOf(resource, answer)).toEqual({
      done: [[ada, target]],
      left: [
        [cyd, target, codes.missing],
        ...leftOf([cyd, ada], unusable, codes.unknown),
        [bob, target, codes.done],
        ...leftOf([bob], unusable, codes.unknown),
        [inactive, target, 'learner_inactive'],
        ...leftOf([inactive], unusable, codes.unknown),
        ...leftOf([foreign, unknownId], [target, ...unusable], 'learner_not_found'),
      ],
    });
    expect(await resource.queuedMessages()).toEqual([{ kind: kinds.remind, learnerId: ada, targetIds: [target] }]);
  });

  test('a completed pair is not reminded, with the message of the contract', async () => {
    await resource.store('tenant', [ada], [target]);
    await finish(resource, [ada], [target]);
    const before = await fingerprintOf('tenant');
    const { body } = await remind([ada], [target]);
    expect(body.data.failures).toMatchObject([{ code: codes.done, message: words.done }]);
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await resource.queuedMessages()).toEqual([]);
  });

  test('an inactive learner is not reminded', async () => {
    await resource.store('tenant', [inactive], [target]);
    const answer = await remind([inactive], [target]);
    expect(outcomeOf(resource, answer)).toEqual({ done: [], left: [[inactive, target, 'learner_inactive']] });
    expect(await resource.rowsOf(inactive)).toMatchObject([{ remindedAt: null }]);
    expect(await resource.queuedMessages()).toEqual([]);
  });

  test('an MSP cannot remind a learner of its child', async () => {
    const child = learnerId('childA', 4);
    await resource.store('childA', [child], [resource.targetOf('childA')]);
    const asked = [resource.targetOf('msp'), ...resource.unusable('childA')];
    const answer = await remind([child], asked, 'msp');
    expect(outcomeOf(resource, answer)).toEqual({ done: [], left: leftOf([child], asked, 'learner_not_found') });
    expect(await resource.rowsOf(child)).toMatchObject([{ remindedAt: null }]);
    expect(await resource.queuedMessages()).toEqual([]);
  });

  test('no learner counts as reminded if the messages cannot be queued', async () => {
    await resource.store('tenant', [ada], [target]);
    await whileQueueIsStuck(() => expectRefused(() => remind([ada], [target]), 504, 'service_timeout'));
    expect(outcomeOf(resource, await remind([ada], [target])).left).toEqual([]);
    expect(await resource.queuedMessages()).toEqual([{ kind: kinds.remind, learnerId: ada, targetIds: [target] }]);
  });
}

function testWhenReminded(resource: PairResource): void {
  const { targets, kinds } = resource;
  const [target] = targets as [string];
  const remind = send.bind(null, resource, 'remind');

  test('a repeated call returns the pairs as unchanged, and changes and sends nothing', async () => {
    await resource.store('tenant', [ada], targets);
    const first = await remind([ada, bob], targets);
    const before = await fingerprintOf('tenant');
    const second = await remind([ada, bob], targets);
    expect(outcomeOf(resource, second)).toEqual(outcomeOf(resource, first));
    expect(unchangedIn(resource, first)).toEqual([]);
    expect(unchangedIn(resource, second)).toEqual(pairsOf([ada], targets));
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await resource.queuedMessages()).toHaveLength(1);
  });

  test('a reminder is not repeated within an hour', async () => {
    await resource.store('tenant', [ada], [target]);
    await resource.storeReminder(ada, target, '59 minutes 50 seconds');
    const before = await resource.rowsOf(ada);
    expect(outcomeOf(resource, await remind([ada], [target])).left).toEqual([]);
    expect(await resource.queuedMessages()).toEqual([]);
    expect(await resource.rowsOf(ada)).toEqual(before);

    await resource.storeReminder(ada, target, '60 minutes 1 second');
    expect(outcomeOf(resource, await remind([ada], [target])).left).toEqual([]);
    expect(await resource.queuedMessages()).toEqual([{ kind: kinds.remind, learnerId: ada, targetIds: [target] }]);
    expectNow((await resource.rowsOf(ada))[0]!.remindedAt);
  });

  test('adding is not a reminder, and adding again clears remindedAt', async () => {
    for (const verb of ['add', 'remind', 'remove'] as const) await send(resource, verb, [ada], [target]);
    await forgetMessages();
    await send(resource, 'add', [ada], [target]);
    expect(await resource.rowsOf(ada)).toMatchObject([{ remindedAt: null }]);
    await remind([ada], [target]);
    const sent = (await resource.queuedMessages()).map(({ kind }) => kind);
    expect(sent.sort()).toEqual([kinds.add, kinds.remind].sort());
  });

  if (targets.length === 1) return;
  test('a message omits targets of a recent reminder, which count as completed', async () => {
    await resource.store('tenant', [ada], targets);
    await remind([ada], [target]);
    const answer = await remind([ada], targets);
    expect(outcomeOf(resource, answer)).toEqual({ done: pairsOf([ada], targets), left: [] });
    expectEachNamedOnce(await resource.queuedMessages(), pairsOf([ada], targets));
  });
}

function testManyReminded(resource: PairResource): void {
  beforeAll(() => insertLearners('directChild', 1100));
  afterAll(() => forgetNewLearnersOf('directChild'));
  const remind = send.bind(null, resource, 'remind');
  testTooMany(resource, 'remind');

  test('1,100 learners get one message each, and a repeated call sends nothing', async () => {
    const targets = (await resource.insertTargets('directChild', 20)).toReversed();
    const { all, active } = manyLearnerIds(1100);
    await resource.store('directChild', all, targets);
    const others = all.filter((id) => !active.includes(id));
    await planForFew(() => remind([unknownId], [targets[0]!], 'directChild'));
    for (let round = 0; round < 2; round += 1) {
      const answer = await remind(all.toReversed(), targets, 'directChild');
      expect(textOf(doneIn(resource, answer)) === textOf(pairsOf(active.toReversed(), targets))).toBe(true);
      expect(textOf(leftIn(resource, answer)) === textOf(pairsOf(others.toReversed(), targets))).toBe(true);
    }
    const sent = { kind: resource.kinds.remind, targetIds: targets.toReversed() };
    expect(await resource.queuedMessages()).toEqual(active.map((id) => ({ ...sent, learnerId: id })));
  });
}

function testRemindedAtOnce(resource: PairResource): void {
  const { all, active } = few;
  const remind = race.bind(null, resource, 'remind');
  let targets: string[];
  beforeEach(async () => {
    await insertLearners('tenant', all.length);
    targets = await resource.someTargets();
    await resource.store('tenant', all, targets);
  });
  expectNoDeadlocks();

  test('ten identical calls in different orders send each learner one message', async () => {
    await whileRowsAreSlow('update', resource.table, async () => {
      const requests = tenTimes(resource, 'remind', active, targets);
      expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
      for (const answer of await Promise.all(requests)) expect(outcomeOf(resource, answer).left).toEqual([]);
    });
    const sent = { kind: resource.kinds.remind, targetIds: targets };
    expect(await resource.queuedMessages()).toEqual(active.map((id) => ({ ...sent, learnerId: id })));
  });

  test('overlapping reminders name each pair in exactly one message', async () => {
    const requests = Array.from({ length: 12 }, (_, n) => {
      const some = new Set([targets[n % targets.length]!, targets[(n + 1) % targets.length]!]);
      return remind(n % 2 ? active : active.toReversed(), [...some]);
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    expectEachNamedOnce(await resource.queuedMessages(), pairsOf(active, targets));
  });

  test('a learner who completes the pairs in the meantime is not reminded', async () => {
    const [id] = active as [string];
    const done = finishSlowly(resource, id, targets);
    await meanwhile();
    const answer = await remind([id], targets);
    await done;
    expect(outcomeOf(resource, answer)).toEqual({ done: [], left: leftOf([id], targets, resource.codes.done) });
    expect(await resource.queuedMessages()).toEqual([]);
  });

  test.each([
    ['update', 'POST', '/learners/deactivate'],
    ['delete', 'DELETE', '/learners/bulk'],
  ] as const)('during a slow %s by %s %s no learner is reminded', async (statement, method, other) => {
    await whileRowsAreSlow(statement, 'learners', async () => {
      const requests = [raceTo(other, { learnerIds: active }, method)];
      await untilBegun(requests[0]!);
      for (let n = 0; n < 3; n += 1) requests.push(remind(active.toReversed(), targets));
      expect(await expectNoFailure(requests)).toEqual({ 200: 4 });
    });
    expect(await testService.query('select from messages')).toEqual([]);
  });

  test.each<['update' | 'insert', string]>([
    ['update', resource.table],
    ['insert', 'messages'],
  ])('a learner who is deleted during the %s of %s leaves nothing', async (statement, table) => {
    const [gone, kept] = active as [string, string];
    await whileSlow(statement, table, async () => {
      const requests = [remind([gone, kept], targets)];
      await meanwhile();
      requests.push(raceTo(`/learners/${gone}`, undefined, 'DELETE'));
      expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
    });
    expect(await targetsOf(resource, gone)).toEqual([]);
    expect(await testService.query('select learner_id from messages')).toEqual([{ learner_id: kept }]);
  });

  test('concurrent reminders and removals return no 5xx, and remaining pairs are reminded once', async () => {
    const removed = targets.slice(0, Math.ceil(targets.length / 2));
    const kept = targets.slice(removed.length);
    await whileRowsAreSlow('delete', resource.table, async () => {
      const requests = Array.from({ length: 12 }, (_, n) => {
        const learnerIds = n % 4 < 2 ? active : active.toReversed();
        return n % 2 ? remind(learnerIds, targets) : race(resource, 'remove', learnerIds, removed);
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    });
    for (const id of active) expect(await targetsOf(resource, id)).toEqual(kept);
    const named = (await resource.queuedMessages()).map((sent) => ({
      ...sent,
      targetIds: sent.targetIds.filter((id) => kept.includes(id)),
    }));
    expectEachNamedOnce(named, pairsOf(active, kept));
  });
}
