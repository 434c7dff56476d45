import type { Caller } from '../../auth/caller.ts';
import type { Schemas } from '../../contract/contract.ts';
import { ApiError } from '../../contract/errors.ts';

export type CorrectionInput = Schemas['CorrectionInput'];
export type ReplacementInput = Schemas['ReplacementInput'];
export type FailureCode =
  | ('record_not_found' | 'already_voided' | 'replacement_inconsistent' | 'time_not_plausible' | 'event_id_reused')
  | ('too_many_results' | 'version_not_found' | 'not_published_then')
  | ('too_many_events' | 'not_replaceable' | 'sent_by_service');

const MESSAGES: Record<FailureCode, string> = {
  record_not_found: 'Record not found.',
  already_voided: 'The record is already voided, or has another replacement.',
  replacement_inconsistent:
    '`replace` requires a replacement, and other actions must not have one. The replacement of a result needs a start, a finish or both. The finish must not be before the start. Only a finish can have `score`, `passed` and `passMark`. `passMark` needs a `score` and must not contradict `passed`. The replacement of a signature needs `signedAt` and `offline`. The replacement of a simulation event needs `type`, `occurredAt` or both. Fields of other kinds are not allowed.',
  time_not_plausible: 'The time must not be in the future or more than ten years ago.',
  event_id_reused: 'Another record of this kind already has this `eventId`; use a new one.',
  too_many_results: 'The learner already has the maximum of 1,000 results of this course.',
  version_not_found: 'Policy version not found.',
  not_published_then: 'The policy or its version was not yet published at that time.',
  too_many_events: 'The recipient already has the maximum of 5,000 events of this simulation.',
  not_replaceable: 'The service recorded this event itself, so it has no replacement; use void or restore.',
  sent_by_service: 'The service sent this message itself, so its `sent` event cannot be corrected.',
};

/** @throws forbidden if a source corrects anything but course results */
export function requireKindsOfSource({ source }: Pick<Caller, 'source'>, inputs: readonly CorrectionInput[]): void {
  const index = source ? inputs.findIndex(({ kind }) => kind !== 'course_result') : -1;
  if (index === -1) return;
  const message = 'A source can correct only course results.';
  throw new ApiError('forbidden', message, { details: [{ field: `body/corrections/${index}/kind`, message }] });
}

/** A correction in a request, with its position. */
export interface Item {
  index: number;
  input: CorrectionInput;
}

/** A fact that replaces a recorded one. */
export interface Fact {
  eventId: string;
  learnerId: string;
}

/** State of a recorded fact. */
export interface RecordState {
  isVoided: boolean;
  /** Whether the course or policy of the record was deleted. */
  isOfDeleted: boolean;
  /** Id of the replacement; null if the record was not replaced. */
  replacementEventId: string | null;
}

export interface NewCorrection extends Pick<CorrectionInput, 'kind' | 'eventId' | 'action' | 'reason'> {
  index: number;
  learnerId: string;
  replacementEventId: string | null;
}

/** Outcomes of the items, as the response shows them. */
export type ItemOutcomes = Pick<Schemas['CorrectedRecords'], 'completed' | 'failures'>;

export interface JudgedCorrections<F extends Fact, R extends F & RecordState> extends ItemOutcomes {
  corrections: NewCorrection[];
  /** Records that no longer count. */
  voided: R[];
  /** Records that count again. */
  restored: R[];
  /** New records, with the ids of the records that they replace. */
  replacements: (F & { replacedId: string })[];
}

/** Rules and records of one kind. `F` is a new fact, `R` a recorded fact with its state. */
export interface KindRules<F extends Fact, R extends F & RecordState> {
  /** Records with the ids that the call names, including those of replacements, by id. */
  recorded: ReadonlyMap<string, R>;
  /** Fields of a replacement besides `eventId`; any other field makes the replacement inconsistent. */
  replacementFields: readonly (keyof ReplacementInput)[];
  /** Returns the failure of a correction that this kind does not allow; undefined if it is allowed. */
  refuse?: (input: CorrectionInput, record: R) => FailureCode | undefined;
  /** Converts the replacement of a record to a fact, or returns the failure. */
  readReplacement: (input: ReplacementInput, record: R) => F | FailureCode;
  /** Reports whether two facts have the same content, regardless of their ids. */
  areSame: (a: F, b: F) => boolean;
  /**
   * Counts another record of the same learner and target as the given one. Returns the failure if there are too many.
   */
  countOne?: (record: R) => FailureCode | undefined;
}

/** Returns the corrections to make, the changes that they cause, and the outcome of each item. */
export function judgeCorrections<F extends Fact, R extends F & RecordState>(
  items: readonly Item[],
  { recorded, replacementFields, readReplacement, areSame, ...rules }: KindRules<F, R>,
): JudgedCorrections<F, R> {
  const { refuse = () => undefined, countOne = () => undefined } = rules;
  const fields = new Set<string>(['eventId', ...replacementFields]);
  const states = new Map([...recorded].map(([eventId, record]) => [eventId, { ...record }]));
  const corrections: NewCorrection[] = [];
  const replacements = new Map<string, F & { replacedId: string }>();
  const completed: Schemas['MadeCorrection'][] = [];
  const failures: Schemas['CorrectionFailure'][] = [];
  for (const { index, input } of items) {
    const { kind, eventId, action, reason } = input;
    const state = states.get(eventId);
    const made = !state || state.isOfDeleted ? 'record_not_found' : (refuse(input, state) ?? correct(input, state));
    if (typeof made === 'string') failures.push({ index, eventId, code: made, message: MESSAGES[made] });
    else completed.push({ index, eventId, changed: made });
    if (made !== true) continue;
    const replacementEventId = input.replacement?.eventId ?? null;
    corrections.push({ index, kind, eventId, action, reason, learnerId: state!.learnerId, replacementEventId });
  }
  const changed = [...states.values()].filter(({ eventId, isVoided }) => recorded.get(eventId)!.isVoided !== isVoided);
  return {
    corrections,
    voided: changed.filter(({ isVoided }) => isVoided),
    restored: changed.filter(({ isVoided }) => !isVoided),
    replacements: [...replacements.values()],
    completed,
    failures,
  };

  /** Applies a correction to the state of a record. Returns whether the state changed, or the failure. */
  function correct({ action, replacement }: CorrectionInput, state: R): boolean | FailureCode {
    if ((replacement !== undefined) !== (action === 'replace')) return 'replacement_inconsistent';
    if (replacement) return replace(replacement, state);
    if (state.isVoided === (action === 'void')) return false;
    const failure = action === 'restore' ? countOne(state) : undefined;
    if (failure) return failure;
    state.isVoided = action === 'void';
    state.replacementEventId = null;
    return true;
  }

  function replace(input: ReplacementInput, state: R): boolean | FailureCode {
    if (!Object.keys(input).every((name) => fields.has(name))) return 'replacement_inconsistent';
    const fact = readReplacement(input, state);
    if (typeof fact === 'string') return fact;
    if (state.isVoided) return isReplacedBy(fact, state) ? false : 'already_voided';
    if (recorded.has(fact.eventId) || replacements.has(fact.eventId)) return 'event_id_reused';
    const failure = countOne(state);
    if (failure) return failure;
    replacements.set(fact.eventId, { ...fact, replacedId: state.eventId });
    state.isVoided = true;
    state.replacementEventId = fact.eventId;
    return true;
  }

  function isReplacedBy(fact: F, { replacementEventId }: R): boolean {
    const present = recorded.get(fact.eventId) ?? replacements.get(fact.eventId);
    return replacementEventId === fact.eventId && present !== undefined && areSame(fact, present);
  }
}
