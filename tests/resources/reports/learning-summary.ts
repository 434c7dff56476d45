interface LearningRow {
  learnerId: string;
  status: string;
  score?: number | null;
  grade?: string | null;
}

/** Calculates the totals of the learning report's rows. */
export function learningSummary(rows: LearningRow[]): object {
  const finished = rows.filter((row) => row.status === 'finished');
  const scores = rows.flatMap(({ score = null }) => (score === null ? [] : [Math.round(score * 100)]));
  const total = scores.reduce((sum, hundredths) => sum + hundredths, 0);
  return {
    learnerCount: new Set(rows.map((row) => row.learnerId)).size,
    enrollmentCount: rows.length,
    startedCount: rows.filter((row) => row.status !== 'not_started').length,
    finishedCount: finished.length,
    passedCount: finished.filter((row) => row.grade === 'pass').length,
    averageScore: scores.length === 0 ? null : Math.round(total / scores.length) / 100,
  };
}
