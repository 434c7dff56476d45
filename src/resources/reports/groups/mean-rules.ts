// Means that cover few people are hidden, because they come close to a single person's value.
//
// A mean is hidden if it covers fewer people than the company's minimum group size. A group's mean is also hidden if
// the company, or another group that contains the whole group, exceeds the group by fewer people than this minimum.
// Otherwise, a reader could subtract the two means and learn the mean of the remaining people.
//
// Not for: several groups that are subtracted from the company together, groups that overlap, and reports on two days
// between which few people joined or left. The description of `PATCH /company/settings` states these limits.

interface People {
  learnerCount: number;
  /**
   * Smallest number of people by which the company or another group exceeds these people; null if the number is large,
   * or if there is no difference.
   */
  restCount: number | null;
}

/** Reports whether a mean must be hidden. */
export function hidesMean({ learnerCount, restCount }: People, minGroupSize: number): boolean {
  return learnerCount < minGroupSize || (restCount !== null && restCount < minGroupSize);
}
