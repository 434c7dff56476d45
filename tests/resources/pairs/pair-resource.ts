import { type Answer, call, post } from '../../support/client.ts';
import type { CompanyName } from '../../support/world.ts';
import { codesOf } from '../courses/enrollment-state.ts';

export type Verb = 'add' | 'remind' | 'remove';

/** A learner and a target, which is the course or policy that they are assigned, reminded of or removed from. */
export type Pair = [learnerId: string, targetId: string];

/** A pair that a call left unchanged, with the reason. */
export type Left = [...Pair, code: string];

/** Properties of a resource with operations on pairs, for the cases of this folder. */
export interface PairResource {
  paths: Record<Verb, string>;
  /** Kinds of the messages to learners. */
  kinds: { add: string; remind: string };
  /** Property that names a target in requests and responses; null if only one target exists. */
  name: 'courseId' | 'policyId' | null;
  /** Table with one row for each pair. */
  table: 'enrollments' | 'policy_results';
  /** Codes of pairs that are left unchanged. */
  codes: { unknown: string; missing: string; done: string };
  /** Messages of these codes. */
  words: { missing: string; done: string };
  /** Whether removing also removes completed pairs. */
  removesDone: boolean;
  /** Whether adding a completed pair starts it again. */
  addsAgain: boolean;
  /** Targets of the tenant, ordered by id. */
  targets: string[];
  /** Returns a target that a company can use. */
  targetOf(company: CompanyName): string;
  /** Returns ids that are targets only for this company; empty if requests name no targets. */
  unusable(company: CompanyName): string[];
  /** Returns more targets of the tenant, ordered by id. */
  someTargets(): Promise<string[]>;
  /** Inserts new targets of a company, and returns their ids in order. */
  insertTargets(company: CompanyName, count: number): Promise<string[]>;
  /** Stores pairs in the database. */
  store(company: CompanyName, learnerIds: string[], targetIds: string[]): Promise<void>;
  /** SQL that completes the pairs of the learners `$1` and the targets `$2`. */
  finish: string;
  storeReminder(learnerId: string, targetId: string, ago: string): Promise<void>;
  /** Returns the stored rows of a learner, ordered by target. */
  rowsOf(learnerId: string): Promise<({ targetId: string; remindedAt: Date | null } & object)[]>;
  queuedMessages(): Promise<Message[]>;
}

export interface Message {
  kind: string;
  learnerId: string;
  targetIds: string[];
}

/** Pairs every learner with every target, in the order of a response. */
export function pairsOf(learnerIds: string[], targetIds: string[]): Pair[] {
  return learnerIds.flatMap((id) => targetIds.map((targetId): Pair => [id, targetId]));
}

/** Pairs every learner with every target, each left unchanged with the same code. */
export function leftOf(learnerIds: string[], targetIds: string[], code: string): Left[] {
  return pairsOf(learnerIds, targetIds).map((pair): Left => [...pair, code]);
}

/** Formats pairs as a single string, to compare large numbers of them. */
export function textOf(pairs: Pair[]): string {
  return pairs.map((pair) => pair.join(' ')).join('\n');
}

/** Calls an operation for every learner and every target. */
export function send(
  resource: PairResource,
  verb: Verb,
  learnerIds: string[],
  targetIds: string[],
  key: CompanyName = 'tenant',
): Promise<Answer> {
  return post(resource.paths[verb], bodyOf(resource, learnerIds, targetIds), key);
}

/** Sends a call that can overlap with others, without checking that other companies stay unchanged. */
export function race(resource: PairResource, verb: Verb, learnerIds: string[], targetIds: string[]): Promise<Answer> {
  const body = bodyOf(resource, learnerIds, targetIds);
  return call('tenant', 'POST', resource.paths[verb], { body, alone: false });
}

function bodyOf({ name }: PairResource, learnerIds: string[], targetIds: string[]): object {
  return name ? { learnerIds, [`${name}s`]: targetIds } : { learnerIds };
}

/** Returns the completed pairs of a response. */
export function doneIn(resource: PairResource, { body: { data } }: Answer): Pair[] {
  const ids = (data.completedIds ?? data.removedIds) as string[] | undefined;
  return ids ? pairsOf(ids, resource.targets) : pairsIn(resource, data.completed ?? data.removed);
}

/** Returns the failed or skipped pairs of a response. */
export function leftIn(resource: PairResource, { body: { data } }: Answer): Pair[] {
  return pairsIn(resource, data.failures ?? data.skipped);
}

function pairsIn({ name, targets }: PairResource, list: Record<string, string>[]): Pair[] {
  return list.map((pair) => [pair.learnerId!, name ? pair[name]! : targets[0]!]);
}

/** Returns the unchanged pairs of a response. */
export function unchangedIn(resource: PairResource, { body: { data } }: Answer): Pair[] {
  return data.unchangedIds ? pairsOf(data.unchangedIds, resource.targets) : pairsIn(resource, data.unchanged);
}

/** Returns the completed and the other pairs of a response, and expects `success` to match them. */
export function outcomeOf(resource: PairResource, answer: Answer): { done: Pair[]; left: Left[] } {
  const { success, errors, failures, skipped } = answer.body.data;
  expect(answer.status).toBe(200);
  if (success !== undefined) expect(success).toBe(failures.length === 0);
  if (errors !== undefined) expect(errors).toEqual([]);
  const codes = codesOf(failures ?? skipped);
  const left = leftIn(resource, answer).map((pair, n): Left => [...pair, codes[n]!.code]);
  return { done: doneIn(resource, answer), left };
}

/** Returns the targets of a learner, in order. */
export async function targetsOf(resource: PairResource, learnerId: string): Promise<string[]> {
  return (await resource.rowsOf(learnerId)).map(({ targetId }) => targetId);
}

/** Completes pairs: learners finish their courses or sign their policies. */
export async function finish(resource: PairResource, learnerIds: string[], targetIds: string[]): Promise<void> {
  await testService.query(resource.finish, [learnerIds, targetIds]);
}

/** Completes pairs in a transaction that stays open for 200 ms afterwards. */
export async function finishSlowly(resource: PairResource, learnerId: string, targetIds: string[]): Promise<void> {
  await testService.query(
    `with done as (${resource.finish} returning 1) select pg_sleep(0.2) from (select count(*) from done) as all_done`,
    [[learnerId], targetIds],
  );
}

/** Expects the messages to name exactly the given pairs, each once. */
export function expectEachNamedOnce(messages: Message[], pairs: Pair[]): void {
  const named = messages.flatMap(({ learnerId, targetIds }) => pairsOf([learnerId], targetIds));
  expect(textOf(named).split('\n').sort()).toEqual(textOf(pairs).split('\n').sort());
}

/** Expects a time within 10 seconds of now. */
export function expectNow(time: Date | null): void {
  expect(Math.abs(Number(time) - Date.now())).toBeLessThan(10_000);
}

/** Sends ten calls with the same pairs in different orders. */
export function tenTimes(
  resource: PairResource,
  verb: Verb,
  learnerIds: string[],
  targetIds: string[],
): Promise<Answer>[] {
  return Array.from({ length: 10 }, (_, n) =>
    race(resource, verb, n % 2 ? learnerIds : learnerIds.toReversed(), n % 3 ? targetIds : targetIds.toReversed()),
  );
}
