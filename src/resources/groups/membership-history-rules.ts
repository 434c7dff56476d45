import type { Schemas } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';
import { moveDay } from '../learners/shared/company-days.ts';

/** A learner's period of membership; includes both days. */
export interface LearnerPeriod {
  learnerId: string;
  /** First day, such as `2026-01-31`. */
  from: string;
  /** Last day. */
  to: string;
}

/** State of the group, and the day of the call, by which periods are judged. */
interface GroupState {
  /** Day of the call (today). */
  today: string;
  /** Days on which the service first recorded each learner's membership, by learner. */
  memberSince: ReadonlyMap<string, string>;
  /** Reports whether the company has the learner. */
  isKnown: (learnerId: string) => boolean;
}

/** Earliest possible first day, as for past policy versions; rejects mistyped years. */
const EARLIEST = '1970-01-01';

/**
 * Returns the periods of each existing learner, ordered by day.
 * @throws invalid_request naming the field
 */
export function readMemberships(
  memberships: readonly Schemas['LearnerMembershipPeriods'][],
  state: GroupState,
): Map<string, LearnerPeriod[]> {
  const periodsByLearner = new Map<string, LearnerPeriod[]>();
  const seen = new Set<string>();
  for (const [index, { learnerId, periods }] of memberships.entries()) {
    const field = `body/memberships/${index}`;
    if (seen.has(learnerId)) throw invalidField(`${field}/learnerId`, 'must not be given twice');
    seen.add(learnerId);
    if (!state.isKnown(learnerId)) continue;
    const read = periods.map((period, at) => readPeriod(learnerId, period, `${field}/periods/${at}`, state));
    periodsByLearner.set(learnerId, sortPeriods(read, `${field}/periods`));
  }
  return periodsByLearner;
}

function readPeriod(
  learnerId: string,
  { from, to }: Schemas['MembershipPeriod'],
  field: string,
  { today, memberSince }: GroupState,
): LearnerPeriod {
  if (from < EARLIEST) throw invalidField(`${field}/from`, `must be ${EARLIEST} or later`);
  if (from >= today) throw invalidField(`${field}/from`, `must be before today (${today})`);
  if (to !== undefined) {
    if (to < from) throw invalidField(`${field}/to`, 'must not be before `from`');
    if (to >= today) throw invalidField(`${field}/to`, `must be before today (${today})`);
    return { learnerId, from, to };
  }
  const since = memberSince.get(learnerId);
  if (since === undefined)
    throw invalidField(`${field}/to`, 'is required: the service has not recorded the learner in the group');
  if (from >= since)
    throw invalidField(`${field}/from`, `must be before ${since}, when the service first recorded the membership`);
  return { learnerId, from, to: moveDay(since, -1) };
}

function sortPeriods(periods: readonly LearnerPeriod[], field: string): LearnerPeriod[] {
  const sorted = [...periods.entries()].toSorted(([, a], [, b]) => (a.from < b.from ? -1 : 1));
  for (const [order, [index, { from }]] of sorted.entries()) {
    const previous = sorted[order - 1];
    if (previous && previous[1].to >= from)
      throw invalidField(`${field}/${index}/from`, `must be after ${previous[1].to}, the end of another period`);
  }
  return sorted.map(([, period]) => period);
}

interface PeriodPlan {
  /** Learners whose periods change. */
  changedIds: ReadonlySet<string>;
  removedIds: string[];
  /** Periods to add, as one array for each column. */
  added: { learnerIds: string[]; firstDays: string[]; lastDays: string[] };
}

/** Compares the requested periods of learners with their recorded periods. */
export function planPeriods(
  requested: ReadonlyMap<string, readonly LearnerPeriod[]>,
  recorded: readonly (LearnerPeriod & { id: string })[],
): PeriodPlan {
  const toKey = ({ learnerId, from, to }: LearnerPeriod) => `${learnerId} ${from} ${to}`;
  const target = [...requested.values()].flat();
  const targetKeys = new Set(target.map(toKey));
  const recordedKeys = new Set(recorded.map(toKey));
  // After a merge, the same period of a learner can be recorded twice.
  const kept = new Set<string>();
  const removed = recorded.filter((period) => {
    const key = toKey(period);
    if (!requested.has(period.learnerId) || (targetKeys.has(key) && !kept.has(key))) {
      kept.add(key);
      return false;
    }
    return true;
  });
  const added = target.filter((period) => !recordedKeys.has(toKey(period)));
  return {
    changedIds: new Set([...removed, ...added].map(({ learnerId }) => learnerId)),
    removedIds: removed.map(({ id }) => id),
    added: {
      learnerIds: added.map(({ learnerId }) => learnerId),
      firstDays: added.map(({ from }) => from),
      lastDays: added.map(({ to }) => to),
    },
  };
}
