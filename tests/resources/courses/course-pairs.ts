import type { PairResource } from '../pairs/pair-resource.ts';
import { enrollmentsOf, insertCourses, queuedMessages, storeEnrollments, storeReminder } from './enrollment-state.ts';

/** Properties of enrolments, in courses and in the gap analysis, for the shared pair cases. */
export const coursePairs = {
  kinds: { add: 'course_enrollment', remind: 'course_reminder' },
  table: 'enrollments',
  codes: { unknown: 'course_not_found', missing: 'not_enrolled', done: 'already_finished' },
  words: {
    missing: 'The learner is not enrolled in the course.',
    done: 'The learner has already finished the course.',
  },
  removesDone: false,
  addsAgain: true,
  insertTargets: insertCourses,
  store: storeEnrollments,
  finish: `update enrollments set start_date = '2026-05-05', finish_date = '2026-05-06', score = 80, passed = true
            where learner_id = any($1) and course_id = any($2)`,
  storeReminder,
  rowsOf: async (learnerId) =>
    (await enrollmentsOf(learnerId)).map(({ courseId, ...row }) => ({ targetId: courseId, ...row })),
  queuedMessages: async () =>
    (await queuedMessages()).map(({ courseIds, ...message }) => ({ targetIds: courseIds, ...message })),
} satisfies Partial<PairResource>;
