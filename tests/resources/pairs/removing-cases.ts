import { fingerprintOf } from '../../support/client.ts';
import { learnerId, unknownId } from '../../support/world.ts';
import {
  expectNoDeadlocks,
  manyLearnerIds,
  planForFew,
  race as raceTo,
  whileRowsAreSlow,
} from '../courses/enrollment-state.ts';
import { expectNoFailure, forgetNewLearnersOf, insertLearners, meanwhile } from '../tenant-state.ts';
import { testTooMany } from './adding-cases.ts';
import {
  doneIn,
  finish,
  finishSlowly,
  leftIn,
  leftOf,
  outcomeOf,
  type Pair,
  pairsOf,
  type PairResource,
  race,
  send,
  targetsOf,
  tenTimes,
  textOf,
} from './pair-resource.ts';

/** Tests unenrolling learners from courses and removing policy assignments. */
export function testRemoving(resource: PairResource): void {
  describe(`POST ${resource.paths.remove}`, () => testFewRemoved(resource));
  describe(`POST ${resource.paths.remove} with many pairs`, () => testManyRemoved(resource));
  describe(`POST ${resource.paths.remove} with concurrent calls`, () => testRemovedAtOnce(resource));
}

const few = manyLearnerIds(21);
const [ada, bob] = few.active as [string, string];
const inactive = few.all[6]!;

function testFewRemoved(resource: PairResource): void {
  const { targets, codes, words } = resource;
  const [target] = targets as [string];
  const remove = send.bind(null, resource, 'remove');
  beforeEach(() => insertLearners('tenant', 7));

  test('removes the pairs, and responds in the order of the request', async () => {
    await resource.store('tenant', [ada, bob], targets);
    const answer = await remove([bob, ada], targets.toReversed());
    expect(outcomeOf(resource, answer)).toEqual({ done: pairsOf([bob, ada], targets.toReversed()), left: [] });
    expect(await targetsOf(resource, ada)).toEqual([]);
    expect(await targetsOf(resource, bob)).toEqual([]);
    expect(await resource.queuedMessages()).toEqual([]);
  });

  test('responds pair by pair in the order of the request, with the reason for each skipped pair', async () => {
    await resource.store('tenant', [ada], [target]);
    const foreign = learnerId('other', 3);
    const unusable = resource.unusable('other');
    const answer = await remove([foreign, ada, unknownId, bob], [...unusable, target]);
    expect(outcomeOf(resource, answer)).toEqual({
      done: [[ada, target]],
      left: [
        ...leftOf([foreign], [...unusable, target], 'learner_not_found'),
        ...leftOf([ada], unusable, codes.unknown),
        ...leftOf([unknownId], [...unusable, target], 'learner_not_found'),
        ...leftOf([bob], unusable, codes.unknown),
        [bob, target, codes.missing],
      ],
    });
  });

  test('a missing pair is skipped with the message of the contract', async () => {
    const before = await fingerprintOf('tenant');
    const { body } = await remove([ada], [target]);
    expect(body.data.skipped).toMatchObject([{ code: codes.missing, message: words.missing }]);
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('an inactive learner can be removed', async () => {
    await resource.store('tenant', [inactive], targets);
    const answer = await remove([inactive], targets);
    expect(outcomeOf(resource, answer)).toEqual({ done: pairsOf([inactive], targets), left: [] });
    expect(await targetsOf(resource, inactive)).toEqual([]);
  });

  test('a repeated call skips the removed pairs and changes nothing', async () => {
    await resource.store('tenant', [ada, bob], [target]);
    await remove([ada, bob], [target]);
    const before = await fingerprintOf('tenant');
    const answer = await remove([ada, bob], [target]);
    expect(outcomeOf(resource, answer)).toEqual({ done: [], left: leftOf([ada, bob], [target], codes.missing) });
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('an MSP cannot remove a learner of its child', async () => {
    const child = learnerId('childA', 4);
    const ofChild = [resource.targetOf('childA')];
    await resource.store('childA', [child], ofChild);
    const asked = [resource.targetOf('msp'), ...resource.unusable('childA')];
    const answer = await remove([child], asked, 'msp');
    expect(outcomeOf(resource, answer)).toEqual({ done: [], left: leftOf([child], asked, 'learner_not_found') });
    expect(await targetsOf(resource, child)).toEqual(ofChild);
  });
}

function testManyRemoved(resource: PairResource): void {
  beforeAll(() => insertLearners('directChild', 1100));
  afterAll(() => forgetNewLearnersOf('directChild'));
  const remove = send.bind(null, resource, 'remove');
  testTooMany(resource, 'remove');

  test('1,100 learners are removed, except completed pairs that stay, and a repeated call finds nothing', async () => {
    const targets = (await resource.insertTargets('directChild', 20)).toReversed();
    const { all, active } = manyLearnerIds(1100);
    await resource.store('directChild', all, targets);
    await finish(resource, active, [targets[0]!]);
    const done = new Set(active);
    const isKept = ([id, target]: Pair): boolean => !resource.removesDone && target === targets[0] && done.has(id);
    const pairs = pairsOf(all.toReversed(), targets);
    await planForFew(() => remove([unknownId], [targets[0]!], 'directChild'));
    const first = await remove(all.toReversed(), targets, 'directChild');
    expect(textOf(doneIn(resource, first)) === textOf(pairs.filter((pair) => !isKept(pair)))).toBe(true);
    expect(textOf(leftIn(resource, first)) === textOf(pairs.filter(isKept))).toBe(true);
    expect(await targetsOf(resource, active[0]!)).toEqual(resource.removesDone ? [] : [targets[0]]);
    const second = await remove(all.toReversed(), targets, 'directChild');
    expect(doneIn(resource, second)).toEqual([]);
    expect(textOf(leftIn(resource, second)) === textOf(pairs)).toBe(true);
  });
}

function testRemovedAtOnce(resource: PairResource): void {
  const { all, active } = few;
  const remove = race.bind(null, resource, 'remove');
  let targets: string[];
  beforeEach(async () => {
    await insertLearners('tenant', all.length);
    targets = await resource.someTargets();
    await resource.store('tenant', all, targets);
  });
  expectNoDeadlocks();

  test('ten identical calls in different orders remove each pair exactly once', async () => {
    await whileRowsAreSlow('delete', resource.table, async () => {
      const requests = tenTimes(resource, 'remove', all, targets);
      expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
      const removed = (await Promise.all(requests)).flatMap((answer) => doneIn(resource, answer));
      expect(textOf(removed).split('\n').sort()).toEqual(textOf(pairsOf(all, targets)).split('\n').sort());
    });
  });

  test('a pair that is completed in the meantime counts as completed', async () => {
    const [id] = all as [string];
    const done = finishSlowly(resource, id, targets);
    await meanwhile();
    const answer = await remove([id], targets);
    await done;
    const kept = { done: [], left: leftOf([id], targets, resource.codes.done) };
    expect(outcomeOf(resource, answer)).toEqual(
      resource.removesDone ? { done: pairsOf([id], targets), left: [] } : kept,
    );
    expect(await targetsOf(resource, id)).toEqual(resource.removesDone ? [] : targets);
  });

  test('concurrent removals, additions and reminders of the same pairs return no 5xx', async () => {
    await whileRowsAreSlow('delete', resource.table, async () => {
      const requests = Array.from({ length: 18 }, (_, n) => {
        const verb = (['remove', 'add', 'remind'] as const)[n % 3]!;
        return race(resource, verb, n % 2 ? active : active.toReversed(), targets);
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 18 });
    });
  });

  test('removals during a slow bulk deletion of learners return 200 and leave nothing', async () => {
    await whileRowsAreSlow('delete', 'learners', async () => {
      const requests = [raceTo('/learners/bulk', { learnerIds: all }, 'DELETE')];
      await meanwhile();
      for (let n = 0; n < 3; n += 1) requests.push(remove(all.toReversed(), targets));
      expect(await expectNoFailure(requests)).toEqual({ 200: 4 });
    });
    for (const id of all) expect(await targetsOf(resource, id)).toEqual([]);
  });
}
