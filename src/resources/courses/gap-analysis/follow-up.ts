// The effect of a finished gap analysis.
//
// Each question of the gap analysis has a subject, which one course of the catalogue teaches. The courses on the
// subjects with the lowest scores are proposed (`proposal-rules.ts`). The setting `gapAnalysisFollowUp` decides what
// happens with these courses: `off` proposes nothing, `propose` shows them to the learner and to admins, and `enrol`
// also enrols the learner, in the transaction that records the result.
//
// Such an enrolment is like any other: it queues a message, emits events, and is kept when a campaign ends. A learner
// is enrolled only in courses in which they have no attempt, so neither a second result nor a repeated request enrols
// them twice.
//
// Proposals are computed from the answers, which are stored only for the newest attempt. A result that another system
// has reported has no answers, and therefore leads to no proposals.
import { notFound } from '../../../contract/errors.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { lockLearnerStates } from '../../learners/shared/learner-locks.ts';
import type { CourseLibrary } from '../authored/course-library.ts';
import type { AuthoredCourse } from '../authored/course.ts';
import { drawSteps } from '../authored/pools.ts';
import { enrolInCourse, enrollments } from '../course-enrollments.ts';
import { findCourses } from '../course-keys.ts';
import { failureMessages } from '../course-rules.ts';
import { getGapAnalysisId } from '../course-repository.ts';
import { findAttemptState } from '../results/attempt-state-repository.ts';
import type { Pair } from '../results/result-event-rules.ts';
import { finishCourse } from '../results/take-course.ts';
import { findFollowUp, findProposable, type ProposedCourse } from './proposal-repository.ts';
import { scoreSubjects, selectProposals } from './proposal-rules.ts';

/** A proposed course, with the share of correct answers in its subject. */
export interface Proposal extends ProposedCourse {
  score: number;
}

export interface Proposals {
  attemptId: string | null;
  finishDate: string | null;
  proposals: Proposal[];
}

const NONE: Proposals = { attemptId: null, finishDate: null, proposals: [] };

/** Returns the courses that follow from a learner's newest result, lowest score first. */
export async function findProposals(
  tenant: TenantReader,
  learnerId: string,
  library: CourseLibrary,
): Promise<Proposals> {
  if ((await findFollowUp(tenant)) === 'off') return NONE;
  const state = await findAttemptState(tenant, { learnerId, courseId: await getGapAnalysisId(tenant) });
  const course = await library.find({ id: '', type: 'gap_analysis' });
  if (!course || !state || state.attemptId === null || state.finishDate === null) return NONE;
  const { attemptId, finishDate, done, passMark } = state;
  if (done === null) return { attemptId, finishDate, proposals: [] };
  const questions = drawSteps(course.steps, attemptId).flatMap((step) => step.questions);
  const selected = selectProposals(scoreSubjects(questions, done), passMark);
  const ids = await findCourseIds(library);
  const courseIds = selected.flatMap(({ subject }) => ids.get(subject) ?? []);
  const offered = await findProposable(tenant, { learnerId, courseIds });
  const proposals = selected.flatMap(({ subject, score }) => {
    const found = offered.get(ids.get(subject) ?? '');
    return found ? [{ ...found, score }] : [];
  });
  return { attemptId, finishDate, proposals };
}

/**
 * Records the result of a gap analysis, and enrols the learner in the proposed courses if the company has chosen that.
 */
export async function finishGapAnalysis(
  tenant: TenantWriter,
  pair: Pair,
  { course, library }: { course: AuthoredCourse; library: CourseLibrary },
): Promise<void> {
  if ((await findFollowUp(tenant)) !== 'enrol') return void (await finishCourse(tenant, pair, course.steps));
  const teaching = [...(await findCourseIds(library)).values()];
  await tenant.transaction(async (tx) => {
    // Locks all courses at once, because an enrolment locks courses before learners.
    await findCourses(tx, [pair.courseId, ...teaching]);
    if (!(await finishCourse(tx, pair, course.steps))) return;
    const { proposals } = await findProposals(tx, pair.learnerId, library);
    const targetIds = proposals.filter(({ status }) => status === 'proposed').map(({ id }) => id);
    if (targetIds.length === 0) return;
    const learnerIds = [pair.learnerId];
    await enrollments.add(tx, { learnerIds, targetIds, failureMessages: failureMessages('the course', '') });
  });
}

/**
 * Enrols a learner in a course that the learner's own gap analysis proposes. Does nothing if the learner is enrolled in
 * the course or has finished it, so a repeated request has no effect.
 * @throws not_found if the course is not proposed
 */
export async function startProposal(
  tenant: TenantWriter,
  { learnerId, courseId }: Pair,
  library: CourseLibrary,
): Promise<void> {
  await tenant.transaction(async (tx) => {
    await findCourses(tx, [courseId]);
    await lockLearnerStates(tx, [learnerId]);
    const { proposals } = await findProposals(tx, learnerId, library);
    const proposal = proposals.find(({ id }) => id === courseId);
    if (!proposal) throw notFound('course');
    if (proposal.status === 'proposed') await enrolInCourse(tx, { courseId, learnerIds: [learnerId] });
  });
}

/** Returns the ids of the authored courses, by slug. */
async function findCourseIds(library: CourseLibrary): Promise<Map<string, string>> {
  const courses = (await library.all()).filter(({ type, pieceOf }) => type === 'training' && pieceOf === null);
  return new Map(courses.map(({ slug, id }) => [slug, id]));
}
