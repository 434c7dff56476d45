import type { TenantWriter } from '../../../db/tenant.ts';
import { findAttempts, type PairAttempts, removeAttempts, saveAttempts } from './attempt-repository.ts';
import { deriveAttempts, enrolmentFact } from './attempt-rules.ts';
import {
  findFacts,
  type GradedResult,
  insertFacts,
  type NewFact,
  type ResultDays,
  setResultsVoided,
  toFact,
  toNewFact,
} from './result-event-repository.ts';
import { distinctPairs, formatPair, type ResultEvent } from './result-event-rules.ts';

/** Changes to recorded results. A result is in at most one of the lists. */
export interface ResultChanges {
  voided: readonly ResultEvent[];
  /** Results to restore, with the attempts that they had finished. */
  restored: readonly (GradedResult & ResultDays & { attemptId: string | null })[];
  /** Replacements, which have already been recorded, with the ids of the results that they replace. */
  replacements: readonly (ResultEvent & { replacedId: string })[];
}

/**
 * Voids and restores results of locked learners. Derives the attempts of the affected learners and courses again, from
 * the results that count. Returns the ids of the attempts that the voided results had finished, by event id.
 */
export async function correctResults(
  tenant: TenantWriter,
  { voided, restored, replacements }: ResultChanges,
): Promise<Map<string, string>> {
  const pairs = distinctPairs([...voided, ...restored, ...replacements]);
  const stored = await findAttempts(tenant, pairs);
  const found = await findFacts(tenant, pairs);
  await setResultsVoided(tenant, toIds(voided), true);
  await setResultsVoided(tenant, toIds(restored), false);
  const enrolments: NewFact[] = [];
  const voidedIds = new Set(toIds(voided));
  const replacementIds = new Set(toIds(replacements));
  const newIds = new Set([...replacementIds, ...toIds(restored)]);
  const restoredFacts = Map.groupBy(restored.map(toFact), formatPair);
  const replacedIds = new Map(replacements.map(({ eventId, replacedId }) => [eventId, replacedId]));
  const restoredAttemptIds = new Map(
    restored.flatMap(({ eventId, attemptId }) => (attemptId === null ? [] : [[eventId, attemptId]])),
  );
  const derived = pairs.map((pair): PairAttempts => {
    const key = formatPair(pair);
    const attempts = stored.get(key) ?? [];
    const known = found.get(key) ?? [];
    const before = known.filter(({ eventId }) => !replacementIds.has(eventId));
    const enrolment = enrolmentFact(attempts, before);
    if (enrolment) enrolments.push(toNewFact({ ...enrolment, ...pair }));
    const added = enrolment ? [enrolment] : [];
    const kept = known.filter(({ eventId }) => !voidedIds.has(eventId));
    const facts = [...kept, ...(restoredFacts.get(key) ?? []), ...added];
    const correction = { former: [...before, ...added], replacedIds, restoredAttemptIds };
    return { ...pair, stored: attempts, attempts: deriveAttempts({ stored: attempts, facts, newIds, correction }) };
  });
  await insertFacts(tenant, enrolments);
  await removeAttempts(tenant, derived);
  await saveAttempts(tenant, derived);
  const finishers = [...stored.values()].flat();
  return new Map(
    finishers.flatMap(({ finishEventId, attemptId }) => (finishEventId === null ? [] : [[finishEventId, attemptId]])),
  );
}

function toIds(results: readonly ResultEvent[]): string[] {
  return results.map(({ eventId }) => eventId);
}
