const MESSAGES = {
  not_found: 'There is no such learner.',
  already_active: 'The learner is active already.',
  already_inactive: 'The learner is inactive already.',
  already_member: 'The learner is in the group already.',
  not_member: 'The learner is not in the group.',
} as const;

export type SkipCode = keyof typeof MESSAGES;

/**
 * Says of each learner that a bulk operation left alone why it did.
 * @param askedIds the ids of the request
 * @param changedIds those that the operation changed
 * @param knownIds those that the company has
 * @param otherwise why a known learner was not changed
 */
export function skippedLearners<Code extends SkipCode>(
  askedIds: readonly string[],
  changedIds: readonly string[],
  knownIds: ReadonlySet<string>,
  otherwise: Code,
): { learnerId: string; code: Code | 'not_found'; message: string }[] {
  const changed = new Set(changedIds);
  return askedIds
    .filter((learnerId) => !changed.has(learnerId))
    .map((learnerId) => {
      const code = knownIds.has(learnerId) ? otherwise : 'not_found';
      return { learnerId, code, message: MESSAGES[code] };
    });
}

/** What a bulk operation did, both lists in the order of the request. */
export function bulkOutcome<Code extends SkipCode>(
  askedIds: readonly string[],
  changedIds: readonly string[],
  knownIds: ReadonlySet<string>,
  otherwise: Code,
): { changedIds: string[]; skipped: ReturnType<typeof skippedLearners<Code>> } {
  const changed = new Set(changedIds);
  return {
    changedIds: askedIds.filter((learnerId) => changed.has(learnerId)),
    skipped: skippedLearners(askedIds, changedIds, knownIds, otherwise),
  };
}
