import type { Language } from '../../contract/languages.ts';
import { notFound } from '../../contract/errors.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import type { CourseLibrary } from './authored/course-library.ts';
import type { AuthoredCourse } from './authored/course.ts';
import { drawSteps } from './authored/pools.ts';
import { findOwnContent, findOwnDraft } from './content/own-contents.ts';
import { localName } from './course-names.ts';
import { findProposals, finishGapAnalysis, startProposal } from './gap-analysis/follow-up.ts';
import { getGapAnalysisId } from './course-repository.ts';
import { type CourseAttemptState, findAttemptState } from './results/attempt-state-repository.ts';
import { type Languages, type OwnCourse, viewOwnCourse } from './results/own-course.ts';
import { isDone, placeIn, readStep, buildStepVersion } from './results/progress-rules.ts';
import type { Pair } from './results/result-event-rules.ts';
import * as taking from './results/take-course.ts';
import { isToDo, listTrainings } from './results/training-repository.ts';

/** Data that the form of a step submits. */
interface SentStep extends Pair {
  place: number;
  attemptId: string;
  version: string;
  answers: URLSearchParams;
}

/** A course that an admin is viewing. */
interface Previewed {
  courseId: string;
  languages: Languages;
  replay: string | null;
  /** The step that the admin has answered. */
  step?: { place: number; answers: URLSearchParams };
  /** Whether to show the draft of a company's own course. */
  isDraft?: boolean;
}

export type SentStepOutcome = taking.StepOutcome | { unanswered: readonly string[] };

/** Creates the handlers of learners' own operations on courses. */
export function createOwnCourseHandlers(library: CourseLibrary) {
  /** @throws {ApiError} `not_found` if the company does not have the course */
  async function find(tenant: TenantReader, pair: Pair): Promise<AttemptWithCourse> {
    const state = await findAttemptState(tenant, pair);
    if (!state) throw notFound('course');
    const shipped = await library.find({ id: pair.courseId, type: state.type });
    return { state, course: shipped ?? (await findOwnContent(tenant, pair.courseId)) };
  }

  return {
    /** Lists a learner's courses, oldest enrolment first. */
    async listOwnCourses({ learnerId, language }: { learnerId: string; language: Language }, tenant: TenantReader) {
      const trainings = await listTrainings(tenant, learnerId);
      return trainings.map((one) => ({ ...one, name: localName(one, language), isToDo: isToDo(one) }));
    },

    async getOwnCourse(
      { languages, replay, ...pair }: Pair & { languages: Languages; replay: string | null },
      tenant: TenantReader,
    ): Promise<OwnCourse> {
      const course = await find(tenant, pair);
      return viewOwnCourse(tenant, { courseId: pair.courseId, ...course }, { languages, replay, library });
    },

    /** Shows a course to an admin as its learners see it, with the answers of one step, and records nothing. */
    async previewCourse(previewed: Previewed, tenant: TenantReader): Promise<OwnCourse> {
      const { courseId, languages, replay, step, isDraft = false } = previewed;
      const { state, course: published } = await find(tenant, { learnerId: courseId, courseId });
      const course = isDraft ? await findOwnDraft(tenant, courseId) : published;
      const shown = course && { ...course, steps: course.steps.map((one) => ({ ...one, pool: null })) };
      const asked = step && shown?.steps[step.place];
      const done = asked && step ? readStep(asked, step.answers).done : {};
      const attempt = { ...state, attemptId: courseId, finishDate: null, score: null, passed: null, done };
      return viewOwnCourse(tenant, { courseId, state: attempt, course: shown }, { languages, replay, library });
    },

    async getGapAnalysisCourse(_input: { learnerId: string }, tenant: TenantReader) {
      return { courseId: await getGapAnalysisId(tenant) };
    },

    /** Lists the courses that the learner's own gap analysis proposes, lowest score first. */
    async listOwnProposals({ learnerId, language }: { learnerId: string; language: Language }, tenant: TenantReader) {
      const { proposals } = await findProposals(tenant, learnerId, library);
      return proposals.map((one) => ({ ...one, name: localName(one, language) }));
    },

    /** Enrols the learner in a proposed course. @throws {ApiError} `not_found` for a course that is not proposed */
    async startProposedCourse({ learnerId, courseId }: Pair, tenant: TenantWriter): Promise<void> {
      await startProposal(tenant, { learnerId, courseId }, library);
    },

    async beginCourse({ learnerId, courseId }: Pair, tenant: TenantWriter): Promise<void> {
      await taking.beginCourse(tenant, { learnerId, courseId });
    },

    async keepCourseStep({ learnerId, courseId, ...sent }: SentStep, tenant: TenantWriter): Promise<SentStepOutcome> {
      const pair = { learnerId, courseId };
      const { state, course } = await find(tenant, pair);
      const steps = drawSteps(course?.steps ?? [], state.attemptId);
      const step = steps[sent.place];
      if (!step || sent.attemptId !== state.attemptId || sent.version !== buildStepVersion(step)) return 'stale';
      const { done, unanswered } = readStep(step, sent.answers);
      const isOpen = state.done !== null && state.finishDate === null && !isDone(step, state.done);
      if (isOpen && sent.place <= placeIn(steps, state.done!) && unanswered.length > 0) return { unanswered };
      const { place, attemptId } = sent;
      return taking.keepStep(tenant, pair, { steps, place, attemptId, done });
    },

    async finishCourse({ learnerId, courseId }: Pair, tenant: TenantWriter): Promise<void> {
      const pair = { learnerId, courseId };
      const { course } = await find(tenant, pair);
      if (course?.type === 'gap_analysis') await finishGapAnalysis(tenant, pair, { course, library });
      else if (course) await taking.finishCourse(tenant, pair, course.steps);
    },
  };
}

interface AttemptWithCourse {
  state: CourseAttemptState;
  course: AuthoredCourse | undefined;
}
