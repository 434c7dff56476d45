// Means over few people are hidden, because they come close to a single person's value.
//
// A mean is hidden if it is over fewer people than the company's minimum group size. A mean of a group is also hidden
// if the company, or another group that contains the whole group, has fewer people more than this minimum. Otherwise a
// reader could subtract the two means and learn the mean of the remaining people.
//
// Not for: several groups that are subtracted from the company together, groups that overlap, and reports of two days
// between which few people joined or left. `PATCH /company/settings` says so.

/** The people over whom a mean is taken. */
interface People {
  learnerCount: number;
  /** Smallest number of people by which the company or another group exceeds these people; null if many or none. */
  restCount: number | null;
}

/** Reports whether a mean must be hidden. */
export function hidesMean({ learnerCount, restCount }: People, minGroupSize: number): boolean {
  return learnerCount < minGroupSize || (restCount !== null && restCount < minGroupSize);
}
