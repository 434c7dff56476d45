import { type Answer, call, post } from '../../support/client.ts';
import type { CompanyName } from '../../support/world.ts';
import { codesOf } from '../courses/enrollment-state.ts';

export type Verb = 'add' | 'remind' | 'remove';

/** A learner and what they are put on, reminded of or taken off: a course or a policy, the target. */
export type Pair = [learnerId: string, targetId: string];

/** A pair that a call left as it was, and why. */
export type Left = [...Pair, code: string];

/** What the cases of this folder need to know of a resource whose operations act on pairs. */
export interface PairResource {
  paths: Record<Verb, string>;
  /** The kinds of the messages that learners are sent. */
  kinds: { add: string; remind: string };
  /** How bodies and answers name a target; null where the one target goes without saying. */
  name: 'courseId' | 'policyId' | null;
  /** The table in which each pair is a row. */
  table: 'enrollments' | 'policy_results';
  /** Why a pair is left. */
  codes: { unknown: string; missing: string; done: string };
  /** What is said of it. */
  words: { missing: string; done: string };
  /** Whether removing also ends what a learner is done with. */
  removesDone: boolean;
  /** Whether adding begins anew what a learner is done with. */
  addsAgain: boolean;
  /** Targets of the tenant, in the order of their ids. */
  targets: string[];
  /** A target that a company may use. */
  targetOf(company: CompanyName): string;
  /** Ids that are no target for anybody but the company; none where no target can be named. */
  unusable(company: CompanyName): string[];
  /** More targets of the tenant, in the order of their ids. */
  someTargets(): Promise<string[]>;
  /** So many new targets of a company, in the order of their ids. */
  insertTargets(company: CompanyName, count: number): Promise<string[]>;
  /** Puts learners on targets, past the API. */
  store(company: CompanyName, learnerIds: string[], targetIds: string[]): Promise<void>;
  /** SQL that has learners, `$1`, finish or sign the targets, `$2`, that they are on. */
  finish: string;
  storeReminder(learnerId: string, targetId: string, ago: string): Promise<void>;
  /** What is stored of the pairs of a learner, in the order of the targets. */
  rowsOf(learnerId: string): Promise<({ targetId: string; remindedAt: Date | null } & object)[]>;
  queuedMessages(): Promise<Message[]>;
}

export interface Message {
  kind: string;
  learnerId: string;
  targetIds: string[];
}

/** Every learner with every target, in the order of an answer. */
export function pairsOf(learnerIds: string[], targetIds: string[]): Pair[] {
  return learnerIds.flatMap((id) => targetIds.map((targetId): Pair => [id, targetId]));
}

/** The same, left for one reason. */
export function leftOf(learnerIds: string[], targetIds: string[], code: string): Left[] {
  return pairsOf(learnerIds, targetIds).map((pair): Left => [...pair, code]);
}

/** Pairs as one text, to compare very many of them. */
export function textOf(pairs: Pair[]): string {
  return pairs.map((pair) => pair.join(' ')).join('\n');
}

/** Calls an operation on every learner with every target. */
export function send(
  resource: PairResource,
  verb: Verb,
  learnerIds: string[],
  targetIds: string[],
  key: CompanyName = 'tenant',
): Promise<Answer> {
  return post(resource.paths[verb], bodyOf(resource, learnerIds, targetIds), key);
}

/** The same at the same time as other calls, so that there is no moment to look at the other companies. */
export function race(resource: PairResource, verb: Verb, learnerIds: string[], targetIds: string[]): Promise<Answer> {
  const body = bodyOf(resource, learnerIds, targetIds);
  return call('tenant', 'POST', resource.paths[verb], { body, alone: false });
}

function bodyOf({ name }: PairResource, learnerIds: string[], targetIds: string[]): object {
  return name ? { learnerIds, [`${name}s`]: targetIds } : { learnerIds };
}

/** The pairs that an answer says were done. */
export function doneIn(resource: PairResource, { body: { data } }: Answer): Pair[] {
  const ids = (data.completedIds ?? data.removedIds) as string[] | undefined;
  return ids ? pairsOf(ids, resource.targets) : pairsIn(resource, data.completed ?? data.removed);
}

/** The pairs that an answer says were left. */
export function leftIn(resource: PairResource, { body: { data } }: Answer): Pair[] {
  return pairsIn(resource, data.failures ?? data.skipped);
}

function pairsIn({ name, targets }: PairResource, list: Record<string, string>[]): Pair[] {
  return list.map((pair) => [pair.learnerId!, name ? pair[name]! : targets[0]!]);
}

/** The pairs that an answer says were as asked before the call. */
export function unchangedIn(resource: PairResource, { body: { data } }: Answer): Pair[] {
  return data.unchangedIds ? pairsOf(data.unchangedIds, resource.targets) : pairsIn(resource, data.unchanged);
}

/** What an answer says became of each pair. Expects that it is called a success when none was left. */
export function outcomeOf(resource: PairResource, answer: Answer): { done: Pair[]; left: Left[] } {
  const { success, errors, failures, skipped } = answer.body.data;
  expect(answer.status).toBe(200);
  if (success !== undefined) expect(success).toBe(failures.length === 0);
  if (errors !== undefined) expect(errors).toEqual([]);
  const codes = codesOf(failures ?? skipped);
  const left = leftIn(resource, answer).map((pair, n): Left => [...pair, codes[n]!.code]);
  return { done: doneIn(resource, answer), left };
}

/** Targets that a learner is on, in order. */
export async function targetsOf(resource: PairResource, learnerId: string): Promise<string[]> {
  return (await resource.rowsOf(learnerId)).map(({ targetId }) => targetId);
}

/** Has learners finish, or sign, what they are on. */
export async function finish(resource: PairResource, learnerIds: string[], targetIds: string[]): Promise<void> {
  await testService.query(resource.finish, [learnerIds, targetIds]);
}

/** The same, in a transaction that stays open for a moment after it. */
export async function finishSlowly(resource: PairResource, learnerId: string, targetIds: string[]): Promise<void> {
  await testService.query(
    `with done as (${resource.finish} returning 1) select pg_sleep(0.2) from (select count(*) from done) as all_done`,
    [[learnerId], targetIds],
  );
}

/** Expects that the messages name each of the pairs exactly once, and no other. */
export function expectEachNamedOnce(messages: Message[], pairs: Pair[]): void {
  const named = messages.flatMap(({ learnerId, targetIds }) => pairsOf([learnerId], targetIds));
  expect(textOf(named).split('\n').sort()).toEqual(textOf(pairs).split('\n').sort());
}

/** Expects a time to be that of the test. */
export function expectNow(time: Date | null): void {
  expect(Math.abs(Number(time) - Date.now())).toBeLessThan(10_000);
}

/** Ten calls in different orders, all of the same pairs. */
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
