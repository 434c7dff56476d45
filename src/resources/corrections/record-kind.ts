import type { TenantWriter } from '../../db/tenant.ts';
import {
  type Fact,
  type Item,
  type ItemOutcomes,
  judgeCorrections,
  type JudgedCorrections,
  type KindRules,
  type NewCorrection,
  type RecordState,
} from './correction-rules.ts';

/** A correction that was made, with the data that a later restoration needs. */
export interface MadeCorrection extends NewCorrection {
  /** Id of the attempt that a voided result had finished; null if it finished none. */
  attemptId: string | null;
  /** Time of the assignment that a voided signature set; null if the policy was assigned otherwise. */
  assignedAt: string | null;
}

/** Corrections of one kind of record. */
export interface RecordKind {
  /**
   * Locks the simulations of the records, or prevents the deletion of their courses or policies. Returns the ids of the
   * records' learners.
   */
  lockTargets: (tenant: TenantWriter, eventIds: string[]) => Promise<string[]>;
  /** Corrects records whose learners are locked. */
  correct: (tenant: TenantWriter, items: readonly Item[]) => Promise<ItemOutcomes & { corrections: MadeCorrection[] }>;
}

/** Functions that find, judge and insert records of one kind. */
interface RecordStore<F extends Fact, R extends F & RecordState> {
  find: (eventIds: string[]) => Promise<Map<string, R>>;
  /**
   * @param ownIds ids of replacements that this call has already inserted, which are not counted as existing records
   */
  toRules: (recorded: Map<string, R>, ownIds: ReadonlySet<string>) => Promise<KindRules<F, R>>;
  /**
   * Inserts replacements. Returns the ids of those that it inserted, without those that a concurrent call has inserted.
   */
  insert: (replacements: readonly F[]) => Promise<Set<string>>;
}

/**
 * Judges items and inserts their replacements. If a concurrent call has used one of their ids, judges the items again.
 */
export async function judgeAndInsert<F extends Fact, R extends F & RecordState>(
  items: readonly Item[],
  { find, toRules, insert }: RecordStore<F, R>,
): Promise<JudgedCorrections<F, R>> {
  const eventIds = distinct(
    items.flatMap(({ input: { eventId, replacement } }) => [eventId, replacement?.eventId ?? eventId]),
  );
  const ownIds = new Set<string>();
  for (;;) {
    const recorded = new Map([...(await find(eventIds))].filter(([eventId]) => !ownIds.has(eventId)));
    const judged = judgeCorrections(items, await toRules(recorded, ownIds));
    for (const eventId of await insert(judged.replacements)) ownIds.add(eventId);
    if (judged.replacements.every(({ eventId }) => ownIds.has(eventId))) return judged;
  }
}

export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
