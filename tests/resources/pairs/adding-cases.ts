import { type Answer, fingerprintOf } from '../../support/client.ts';
import { learnerId, unknownId } from '../../support/world.ts';
import {
  expectNoDeadlocks,
  manyLearnerIds,
  planForFew,
  race as raceTo,
  whileQueueIsStuck,
  whileRowsAreSlow,
} from '../courses/enrollment-state.ts';
import { numbered } from '../id-list-cases.ts';
import {
  expectNoFailure,
  expectRefused,
  forgetNewLearnersOf,
  insertLearners,
  meanwhile,
  untilBegun,
  whileSlow,
} from '../tenant-state.ts';
import {
  doneIn,
  expectEachNamedOnce,
  finish,
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

/** Tests enrolling learners in courses and assigning policies to them. */
export function testAdding(resource: PairResource): void {
  describe(`POST ${resource.paths.add}`, () => testFewAdded(resource));
  describe(`POST ${resource.paths.add} with many pairs`, () => testManyAdded(resource));
  describe(`POST ${resource.paths.add} with concurrent calls`, () => testAddedAtOnce(resource));
}

const few = manyLearnerIds(21);
const [ada, bob] = few.active as [string, string];
const inactive = few.all[6]!;

function testFewAdded(resource: PairResource): void {
  const { targets, kinds, codes } = resource;
  const [target] = targets as [string];
  const add = send.bind(null, resource, 'add');
  beforeEach(() => insertLearners('tenant', 7));

  test('adds every target to every learner, and responds in the order of the request', async () => {
    const answer = await add([bob, ada], targets.toReversed());
    expect(outcomeOf(resource, answer)).toEqual({ done: pairsOf([bob, ada], targets.toReversed()), left: [] });
    expect(await targetsOf(resource, ada)).toEqual(targets);
    expect(await targetsOf(resource, bob)).toEqual(targets);
  });

  test('responds pair by pair in the order of the request, with the reason for each failure', async () => {
    const foreign = learnerId('other', 1);
    const unusable = resource.unusable('other');
    const answer = await add([ada, unknownId, inactive, foreign], [target, ...unusable]);
    expect(outcomeOf(resource, answer)).toEqual({
      done: [[ada, target]],
      left: [
        ...leftOf([ada], unusable, codes.unknown),
        ...leftOf([unknownId], [target, ...unusable], 'learner_not_found'),
        [inactive, target, 'learner_inactive'],
        ...leftOf([inactive], unusable, codes.unknown),
        ...leftOf([foreign], [target, ...unusable], 'learner_not_found'),
      ],
    });
    expect(await targetsOf(resource, ada)).toEqual([target]);
    expect(await targetsOf(resource, inactive)).toEqual([]);
  });

  test('an inactive learner fails with the message of the contract', async () => {
    const { body } = await add([inactive], [target]);
    expect(body.data.failures[0].message).toBe('The learner is inactive.');
  });

  test('each learner gets one message that names only the new targets', async () => {
    await resource.store('tenant', [ada], [target]);
    await add([ada, bob, inactive, unknownId], [...targets.toReversed(), ...resource.unusable('other')]);
    const expected = [
      { kind: kinds.add, learnerId: ada, targetIds: targets.slice(1) },
      { kind: kinds.add, learnerId: bob, targetIds: targets },
    ];
    expect(await resource.queuedMessages()).toEqual(expected.filter(({ targetIds }) => targetIds.length > 0));
  });

  test('an existing pair counts as completed and unchanged, and sends no message', async () => {
    await resource.store('tenant', [ada, bob], targets);
    if (!resource.addsAgain) await finish(resource, [bob], targets);
    const before = await fingerprintOf('tenant');
    const answer = await add([bob, ada], targets);
    expect(outcomeOf(resource, answer)).toEqual({ done: pairsOf([bob, ada], targets), left: [] });
    expect(unchangedIn(resource, answer)).toEqual(pairsOf([bob, ada], targets));
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await resource.queuedMessages()).toEqual([]);
  });

  test('a repeated call returns the pairs as unchanged, and changes and sends nothing', async () => {
    const first = await add([ada, inactive], targets);
    const before = await fingerprintOf('tenant');
    const second = await add([ada, inactive], targets);
    expect(outcomeOf(resource, second)).toEqual(outcomeOf(resource, first));
    expect(unchangedIn(resource, first)).toEqual([]);
    expect(unchangedIn(resource, second)).toEqual(pairsOf([ada], targets));
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await resource.queuedMessages()).toHaveLength(1);
  });

  test('an MSP cannot add a learner of its child, or a target of its child', async () => {
    const [child, own, usable] = [learnerId('childA', 4), learnerId('msp', 4), resource.targetOf('msp')];
    const unusable = resource.unusable('childA');
    const answer = await add([child, own], [usable, ...unusable], 'msp');
    expect(outcomeOf(resource, answer)).toEqual({
      done: [[own, usable]],
      left: [...leftOf([child], [usable, ...unusable], 'learner_not_found'), ...leftOf([own], unusable, codes.unknown)],
    });
    expect(await targetsOf(resource, child)).toEqual([]);
  });

  test('nothing is added if the messages cannot be queued', async () => {
    await whileQueueIsStuck(() => expectRefused(() => add([ada], [target]), 504, 'service_timeout'));
    expect(outcomeOf(resource, await add([ada], [target])).left).toEqual([]);
    expect(await resource.queuedMessages()).toEqual([{ kind: kinds.add, learnerId: ada, targetIds: [target] }]);
  });
}

function testManyAdded(resource: PairResource): void {
  beforeAll(() => insertLearners('directChild', 1100));
  afterAll(() => forgetNewLearnersOf('directChild'));
  const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => numbered(count - n));
  const add = send.bind(null, resource, 'add');

  testTooMany(resource, 'add');

  test('the maximum number of pairs fails in order if all learners are unknown', async () => {
    const [learners, targets] = resource.name ? [ids(500), ids(400)] : [ids(10_000), resource.targets];
    const answer = await add(learners, targets);
    expect(doneIn(resource, answer)).toEqual([]);
    expect(textOf(leftIn(resource, answer)) === textOf(pairsOf(learners, targets))).toBe(true);
  });

  test('1,100 learners are added in one call, and a repeated call sends nothing', async () => {
    const targets = (await resource.insertTargets('directChild', 20)).toReversed();
    const { all, active } = manyLearnerIds(1100);
    const others = all.filter((id) => !active.includes(id));
    await planForFew(() => add([unknownId], [targets[0]!], 'directChild'));
    for (let round = 0; round < 2; round += 1) {
      const answer = await add(all.toReversed(), targets, 'directChild');
      expect(textOf(doneIn(resource, answer)) === textOf(pairsOf(active.toReversed(), targets))).toBe(true);
      expect(textOf(leftIn(resource, answer)) === textOf(pairsOf(others.toReversed(), targets))).toBe(true);
    }
    const sent = { kind: resource.kinds.add, targetIds: targets.toReversed() };
    expect(await resource.queuedMessages()).toEqual(active.map((id) => ({ ...sent, learnerId: id })));
    expect(await targetsOf(resource, active.at(-1)!)).toEqual(targets.toReversed());
  });
}

/** Tests that a call with 200,001 pairs returns 400 and changes nothing. */
export function testTooMany(resource: PairResource, verb: 'add' | 'remind' | 'remove'): void {
  if (!resource.name) return;
  test('200,001 pairs return 400 and change nothing', async () => {
    const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => numbered(n));
    const request = () => send(resource, verb, ids(489), [resource.targets[0]!, ...ids(408)]);
    await expectRefused(request, 400, 'invalid_request', [`body/${resource.name}s`]);
  });
}

function testAddedAtOnce(resource: PairResource): void {
  const { all, active } = few;
  const add = race.bind(null, resource, 'add');
  let targets: string[];
  beforeEach(async () => {
    await insertLearners('tenant', all.length);
    targets = await resource.someTargets();
  });
  expectNoDeadlocks();

  test('ten identical calls in different orders add once and send each learner one message', async () => {
    await whileRowsAreSlow('insert', resource.table, async () => {
      const requests = tenTimes(resource, 'add', active, targets);
      expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
      for (const answer of await Promise.all(requests)) expect(outcomeOf(resource, answer).left).toEqual([]);
    });
    const sent = { kind: resource.kinds.add, targetIds: targets };
    expect(await resource.queuedMessages()).toEqual(active.map((id) => ({ ...sent, learnerId: id })));
    for (const id of active) expect(await targetsOf(resource, id)).toEqual(targets);
  });

  test('overlapping calls name each new pair in exactly one message', async () => {
    const requests = Array.from({ length: 12 }, (_, n) => {
      const some = new Set([targets[(n + 1) % targets.length]!, targets[n % targets.length]!]);
      return add(n % 2 ? active.slice(n) : active.slice(0, 6 + n).toReversed(), [...some]);
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    const completed = completedIn(resource, await Promise.all(requests));
    const pairs = pairsOf(active, targets).filter((pair) => completed.has(textOf([pair])));
    expectEachNamedOnce(await resource.queuedMessages(), pairs);
  });

  test.each([resource.table, 'messages'])(
    'a learner who is deleted while %s are written leaves nothing',
    async (table) => {
      const [gone, kept] = active as [string, string];
      await whileSlow('insert', table, async () => {
        const requests = [add([gone, kept], targets)];
        await meanwhile();
        requests.push(raceTo(`/learners/${gone}`, undefined, 'DELETE'));
        expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
      });
      expect(await targetsOf(resource, gone)).toEqual([]);
      expect(await targetsOf(resource, kept)).toEqual(targets);
    },
  );

  test('learners who are being deleted are not found, and the others are added', async () => {
    const other = learnerId('tenant', 4);
    await whileRowsAreSlow('delete', 'learners', async () => {
      const requests = [raceTo('/learners/bulk', { learnerIds: all }, 'DELETE')];
      await untilBegun(requests[0]!);
      for (let n = 0; n < 3; n += 1) requests.push(add([...all, other], targets));
      expect(await expectNoFailure(requests)).toEqual({ 200: 4 });
    });
    expect(await targetsOf(resource, all[0]!)).toEqual([]);
    expect(await targetsOf(resource, other)).toEqual(targets);
    expect(await testService.query('select learner_id from messages')).toEqual([{ learner_id: other }]);
  });

  test('concurrent additions and deactivations return no 5xx, and completed pairs are stored', async () => {
    await whileRowsAreSlow('update', 'learners', async () => {
      const requests = Array.from({ length: 12 }, (_, n) => {
        if (n % 3 === 0) return raceTo('/learners/deactivate', { learnerIds: active.slice(n) });
        if (n % 3 === 1) return raceTo('/learners/activate', { learnerIds: active.slice(0, -n).toReversed() });
        return add(n % 2 ? all : all.toReversed(), targets);
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
      const added = (await Promise.all(requests)).filter(({ body }) => body.data.failures);
      const completed = completedIn(resource, added);
      for (const id of all) {
        const stored = textOf(pairsOf([id], await targetsOf(resource, id)));
        expect(stored).toBe(
          [...completed]
            .filter((pair) => pair.startsWith(id))
            .sort()
            .join('\n'),
        );
      }
    });
  });
}

/** Returns the pairs that any of the responses completed, each as a string. */
function completedIn(resource: PairResource, answers: Answer[]): Set<string> {
  return new Set(answers.flatMap((answer) => doneIn(resource, answer).map((pair) => textOf([pair]))));
}
