const MESSAGES = {
  not_found: 'Learner not found.',
  already_active: 'The learner is already active.',
  already_inactive: 'The learner is already inactive.',
  already_member: 'The learner is already in the group.',
  not_member: 'The learner is not in the group.',
  unchanged: "The learner's periods are already recorded.",
} as const;

type SkipCode = keyof typeof MESSAGES;

/**
 * Returns the outcome of a bulk operation, in the order of the request: the changed learners, and the others with the
 * reasons why they were skipped.
 * @param requestedIds ids in the request
 * @param changedIds ids that were changed
 * @param existingIds ids that the company has
 * @param otherwise reason why an existing learner was skipped
 */
export function bulkOutcome<Code extends SkipCode>(
  requestedIds: readonly string[],
  changedIds: readonly string[],
  existingIds: ReadonlySet<string>,
  otherwise: Code,
): { changedIds: string[]; skipped: { learnerId: string; code: Code | 'not_found'; message: string }[] } {
  const changed = new Set(changedIds);
  const skipped = requestedIds
    .filter((learnerId) => !changed.has(learnerId))
    .map((learnerId) => {
      const code: Code | 'not_found' = existingIds.has(learnerId) ? otherwise : 'not_found';
      return { learnerId, code, message: MESSAGES[code] };
    });
  return { changedIds: requestedIds.filter((learnerId) => changed.has(learnerId)), skipped };
}
