// Rows of learners who were merged after a night. Reports of that night show both as the remaining learner.

/** Rows of a report for one night, as stored then and as returned now. */
export interface RowsOfNight {
  path: string;
  day: string;
  stored: any[];
  asked: any[];
}

export const learnerOf = (row: { learnerId?: string; id?: string }): string | undefined => row.learnerId ?? row.id;

const groupBy = (rows: any[], keyOf: (row: any) => string): Map<string, any[]> => Map.groupBy(rows, keyOf);

/** Expects each learner once for each subject, even if rows of a merged learner had the same one. */
export function expectUnique({ path, day, asked }: RowsOfNight): void {
  const keys = asked.map((row) =>
    [learnerOf(row), row.courseId, row.policyId, row.simulationId, row.attempt, row.group, row.simulation?.id].join(),
  );
  expect({ path, day, repeated: keys.filter((key, index) => keys.indexOf(key) !== index) }).toMatchObject({
    repeated: [],
  });
}

/** Expects the finished attempts of both learners. An open attempt of the duplicate might be missing. */
function expectAttempts(stored: any[], asked: any[]): void {
  const attempts = (rows: any[]) =>
    rows.map((row) => [row.courseId, row.enrollDate, row.startDate, row.finishDate, row.score].join()).toSorted();
  const isFinished = ({ finishDate }: any) => finishDate !== null;
  expect(attempts(asked.filter(isFinished))).toEqual(attempts(stored.filter(isFinished)));
  expect(attempts(stored)).toEqual(expect.arrayContaining(attempts(asked)));
}

/**
 * Expects for each policy the latest of both learners' signatures, requested when one of them was asked or when it was
 * signed.
 */
function expectPolicies(stored: any[], asked: any[]): void {
  const former = groupBy(stored, ({ policyId }) => policyId);
  const present = groupBy(asked, ({ policyId }) => policyId);
  expect([...present.keys()].toSorted()).toEqual([...former.keys()].toSorted());
  for (const [policyId, [row]] of present) {
    const rows = former.get(policyId)!;
    expect(row.signed ?? '').toBe(
      rows
        .map(({ signed }) => signed ?? '')
        .toSorted()
        .at(-1),
    );
    expect([...rows.map(({ askedAt }) => askedAt), row.signed]).toContain(row.askedAt);
  }
}

/** Expects for each simulation the row of one of the learners. */
function expectRecipients(stored: any[], asked: any[]): void {
  const withoutLearner = (rows: any[]) =>
    rows.map((row) => JSON.stringify({ ...row, learnerId: null, learner: null })).toSorted();
  expect(withoutLearner(stored)).toEqual(expect.arrayContaining(withoutLearner(asked)));
}

/**
 * Expects a single row, whose groups are groups of both learners. Groups of the duplicate can be missing if the
 * remaining learner joined later.
 */
function expectParticipants(stored: any[], asked: any[]): void {
  expect(asked).toHaveLength(1);
  expect(stored.flatMap(({ groups }) => groups)).toEqual(expect.arrayContaining(asked[0].groups));
}

const EXPECTATIONS = new Map([
  ['/reports/course-results?attempts=all&includeInactive=true', expectAttempts],
  ['/reports/gap-analysis-results?attempts=all&includeInactive=true', expectAttempts],
  ['/reports/learning?attempts=all&includeInactive=true', expectAttempts],
  ['/reports/course-participation?attempts=all&includeInactive=true', expectParticipants],
  ['/reports/policy-results?includeInactive=true', expectPolicies],
  ['/reports/simulation-results?includeInactive=true', expectRecipients],
]);

/**
 * Expects the rows of two or more learners who have since been merged.
 * @param currentOf the learner who now replaces each of them
 */
export function expectMerged({ path, day, stored, asked }: RowsOfNight, currentOf: Map<string, string>): void {
  const current = (row: any) => currentOf.get(learnerOf(row)!);
  const expectRows = EXPECTATIONS.get(path);
  if (!expectRows) return;
  for (const learnerId of new Set(currentOf.values())) {
    const isOfLearner = (row: any) => current(row) === learnerId;
    try {
      expectRows(stored.filter(isOfLearner), asked.filter(isOfLearner));
    } catch (error) {
      throw new Error(`${path} of ${learnerId} on ${day}`, { cause: error });
    }
  }
}
