import type { Schemas } from '../../contract/contract.ts';
import { CONSTRAINT_REFUSALS } from '../../db/database-errors.ts';
import type { Refusal } from '../../contract/errors.ts';
import { refuseNames } from './shared/person-rules.ts';
import { runAtOnce } from '../../limits/give-way.ts';
import type { KeyHolders } from './unique-value-owners.ts';
import { type LearnerEmailPolicy, refuseEmail, refuseGroups, refuseManager, refuseTexts } from './learner-rules.ts';

/** A stored learner. */
export interface StoredLearner {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  externalLearnerId: string | null;
  locale: string | null;
  department: string | null;
  jobTitle: string | null;
  country: string | null;
  location: string | null;
  timeZone: string | null;
  managerId: string | null;
  absentUntil: string | null;
  excludedFromAutoEnrol: boolean;
}

/** An item of a bulk change in the form in which it would be stored, with the learner that it names. */
export type LearnerChange = Omit<Schemas['LearnerUpdateItem'], 'learner'> & {
  index: number;
  learner: StoredLearner | undefined;
};
export type ExistingValues = LearnerChange & { learner: StoredLearner };

/** Data that decides which changes are accepted. */
export interface UpdateFacts extends KeyHolders {
  emailPolicy: LearnerEmailPolicy;
  existingGroupIds: ReadonlySet<string>;
  existingManagerIds: ReadonlySet<string>;
}

export interface RefusedChange extends Refusal {
  index: number;
  learnerId: string | null;
  /** Id of the learner who holds the conflicting value, if there is one. */
  holderId: string | null;
}

/** Changes to make and changes to reject, both in order. */
export interface JudgedChanges {
  accepted: ExistingValues[];
  refused: RefusedChange[];
}

/** Splits changes into those to make and those to reject, both in order, each with the first reason. */
export function judgeChanges(changes: readonly LearnerChange[], facts: UpdateFacts): JudgedChanges {
  return runAtOnce(judgeChangesInSteps(changes, facts));
}

/** Judges changes like `judgeChanges`, but pauses after each change: ten thousand take 90 ms. */
export function* judgeChangesInSteps(
  changes: readonly LearnerChange[],
  facts: UpdateFacts,
): Generator<void, JudgedChanges, void> {
  const accepted = new Map<string, ExistingValues>();
  const refused: RefusedChange[] = [];
  const refuse = ({ index, learner }: LearnerChange, refusal: Refusal, holderId: string | null = null) =>
    refused.push({ index, learnerId: learner?.id ?? null, holderId, ...refusal });
  const named = new Set<string>();
  for (const change of changes) {
    yield;
    const refusal = refuseAlone(change, facts, named);
    if (refusal) refuse(change, refusal);
    else accepted.set(change.learner!.id, change as ExistingValues);
    if (change.learner) named.add(change.learner.id);
  }
  for (const { change, refusal, holderId } of yield* withoutTaken(accepted, facts)) refuse(change, refusal, holderId);
  return { accepted: [...accepted.values()], refused: refused.toSorted((a, b) => a.index - b.index) };
}

/**
 * Returns the refusal of a change on its own, regardless of other changes, except for an earlier change to the same
 * learner.
 */
function refuseAlone(change: LearnerChange, facts: UpdateFacts, named: ReadonlySet<string>): Refusal | undefined {
  const { learner, email } = change;
  if (!learner) return { code: 'not_found', message: 'Learner not found.', fields: ['learner'] };
  if (named.has(learner.id)) return invalid('An earlier item of this request names the same learner.', ['learner']);
  return (
    refuseTexts(change) ??
    refuseNames(change) ??
    refuseLists(change) ??
    (email === undefined || email === learner.email ? undefined : refuseEmail(email, facts.emailPolicy)) ??
    refuseGroups(change, facts.existingGroupIds) ??
    refuseManager(change, learner.id, facts.existingManagerIds)
  );
}

function refuseLists({ groupIds, addGroupIds = [], removeGroupIds = [] }: LearnerChange): Refusal | undefined {
  if (groupIds && addGroupIds.length + removeGroupIds.length > 0) {
    return invalid('`groupIds` replaces all groups; leave `addGroupIds` and `removeGroupIds` out.', ['groupIds']);
  }
  const removed = new Set(removeGroupIds);
  if (!addGroupIds.some((id) => removed.has(id))) return undefined;
  return invalid('A group cannot be in both `addGroupIds` and `removeGroupIds`.', ['addGroupIds', 'removeGroupIds']);
}

function invalid(message: string, fields: string[]): Refusal {
  return { code: 'invalid_request', message, fields };
}

/**
 * A field that is unique in a company. The new value is undefined if the change omits the field, and null if it clears
 * the field.
 */
interface Key {
  own: (learner: StoredLearner) => string | null;
  getNewValue: (change: ExistingValues) => string | null | undefined;
  holders: keyof KeyHolders;
  refusal: Refusal;
}

const KEYS: readonly Key[] = [
  {
    own: ({ email }) => email.toLowerCase(),
    getNewValue: ({ email }) => email?.toLowerCase(),
    holders: 'emailHolders',
    refusal: CONSTRAINT_REFUSALS.learners_email,
  },
  {
    own: ({ externalLearnerId }) => externalLearnerId?.trim() ?? null,
    getNewValue: ({ externalLearnerId }) => externalLearnerId,
    holders: 'externalIdHolders',
    refusal: CONSTRAINT_REFUSALS.learners_external_learner_id,
  },
];

/** Returns the new value that a change requests; undefined if the value does not change. */
function newKey({ getNewValue, own }: Key, change: ExistingValues): string | null | undefined {
  const key = getNewValue(change);
  return key === own(change.learner) ? undefined : key;
}

type KeyConflict = { change: ExistingValues; refusal: Refusal; holderId: string };
type ByLearner = Map<string, ExistingValues>;

/** Removes and returns changes whose requested value another learner keeps or an earlier change requests. */
function* withoutTaken(changes: ByLearner, holders: KeyHolders): Generator<void, KeyConflict[], void> {
  return [
    ...(yield* withoutHeld(changes, holders)),
    ...(yield* withoutLater(changes)),
    ...(yield* withoutHeld(changes, holders)),
  ];
}

/**
 * Removes changes that request a value that its current holder keeps. The learner of a removed change then also keeps
 * values, so the changes that request these values are checked again.
 */
function* withoutHeld(changes: ByLearner, holders: KeyHolders): Generator<void, KeyConflict[], void> {
  const conflicts: KeyConflict[] = [];
  const askers: Map<string | null | undefined, ExistingValues[]>[] = [];
  for (const key of KEYS) {
    askers.push(Map.groupBy(changes.values(), (change) => newKey(key, change)));
    yield;
  }
  const unseen = [...changes.values()];
  for (let change = unseen.pop(); change; change = unseen.pop()) {
    yield;
    const { learner } = change;
    const conflict = changes.has(learner.id) ? heldKey(change, changes, holders) : undefined;
    if (!conflict) continue;
    conflicts.push({ change, ...conflict });
    changes.delete(learner.id);
    KEYS.forEach(({ own }, place) => unseen.push(...(askers[place]!.get(own(learner) ?? '') ?? [])));
  }
  return conflicts;
}

function heldKey(
  change: ExistingValues,
  changes: ByLearner,
  facts: KeyHolders,
): Omit<KeyConflict, 'change'> | undefined {
  for (const key of KEYS) {
    const holderId = facts[key.holders].get(newKey(key, change) ?? '');
    if (holderId === undefined || holderId === change.learner.id) continue;
    const holder = changes.get(holderId);
    if (!holder || newKey(key, holder) === undefined) return { refusal: key.refusal, holderId };
  }
  return undefined;
}

function* withoutLater(changes: ByLearner): Generator<void, KeyConflict[], void> {
  const first = KEYS.map(() => new Map<string, string>());
  const conflicts: KeyConflict[] = [];
  for (const change of changes.values()) {
    yield;
    const newKeys = KEYS.map((key) => newKey(key, change) ?? '');
    const place = KEYS.findIndex((_, place) => first[place]!.has(newKeys[place]!));
    if (place < 0) {
      newKeys.forEach((key, place) => key && first[place]!.set(key, change.learner.id));
      continue;
    }
    changes.delete(change.learner.id);
    conflicts.push({ change, refusal: KEYS[place]!.refusal, holderId: first[place]!.get(newKeys[place]!)! });
  }
  return conflicts;
}

/** Returns the ids of the learners whose values other changes request. These learners give up the values first. */
export function givingUp(changes: readonly ExistingValues[]): { emails: string[]; externalIds: string[] } {
  const [emails, externalIds] = KEYS.map((key) => {
    const newKeys = new Set(changes.map((change) => newKey(key, change)));
    return changes.filter(({ learner }) => newKeys.has(key.own(learner) ?? '')).map(({ learner }) => learner.id);
  });
  return { emails: emails!, externalIds: externalIds! };
}
