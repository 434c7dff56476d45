import type { Language } from '../../../contract/languages.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { languageFor, type CourseLibrary, getCourseText } from '../authored/course-library.ts';
import type {
  CourseText,
  LessonText,
  MailText,
  Question,
  QuestionKind,
  Step,
  AuthoredCourse,
} from '../authored/course.ts';
import { drawSteps } from '../authored/pools.ts';
import { followPath, type Position } from '../authored/scenario.ts';
import { localName } from '../course-names.ts';
import { findCourseNames } from '../course-repository.ts';
import type { CourseAttemptState } from './attempt-state-repository.ts';
import {
  countRight,
  chosenAnswers,
  isDone,
  isPartDone,
  isRight,
  type Parts,
  placeIn,
  buildStepVersion,
} from './progress-rules.ts';
import { findReportingChannels, type ReportingChannels } from './reporting-channels.ts';
import { isComplete, mayBegin } from './take-course.ts';

/** A course as the learner sees it. */
export interface OwnCourse {
  courseId: string;
  name: string;
  type: 'training' | 'gap_analysis';
  /** Minimum score to pass, in percent. */
  passMark: number;
  /** Id of the newest attempt; null if the learner is not enrolled. */
  attemptId: string | null;
  finishDate: string | null;
  score: number | null;
  passed: boolean | null;
  mayBegin: boolean;
  /** The authored course; null if learners take the course elsewhere, or the learner is not enrolled. */
  written: AuthoredCourseView | null;
}

/** An authored course in one language. */
export interface AuthoredCourseView {
  language: Language;
  /** Language that the learner gets unless the URL requests a different one. */
  ownLanguage: Language;
  languages: readonly Language[];
  summary: string;
  minutes: number;
  steps: readonly StepView[];
  isBegun: boolean;
  /** Whether all steps are completed, but the result has not been recorded. */
  isComplete: boolean;
  /** How the learner reports a suspicious message; null if the company has not set this. */
  reporting: ReportingChannels | null;
  /** Index of the first incomplete step; the number of steps if there is none. */
  next: number;
}

export interface StepView {
  /** Version of the step, which changes with the text of any of its parts. */
  version: string;
  isDone: boolean;
  lesson: LessonText | null;
  /** Name of the subject in the gap analysis; null for a training. */
  subject: string | null;
  questions: readonly QuestionView[];
  /** Number of questions that the learner answered correctly. */
  right: number;
}

/** A question and its answers. Fields that end in `Html` are safe to insert into a page. */
export interface QuestionView {
  /** Number of the question in the course, counted from 1. */
  number: number;
  id: string;
  key: string;
  kind: QuestionKind;
  caseHtml: string | null;
  askHtml: string;
  verdict: 'right' | 'wrong' | 'not_answered';
  answers: readonly { id: string; isRight: boolean; isGiven: boolean; html: string; becauseHtml: string }[];
  /** Number of correct answers that must be chosen; null if all must be chosen. */
  atLeast: number | null;
  mail: MailText | null;
  /** The learner's position in a scenario, or the position of a replay; null for other kinds. */
  scenario: SceneView | null;
}

export interface SceneView {
  html: string;
  end: 'good' | 'bad' | null;
  choices: readonly { id: string; html: string }[];
  /** Ids of the choices that lead from the first scene to this one. */
  path: readonly string[];
  /** Whether the learner is replaying the scenario after reaching an end. A replay is not stored. */
  isReplay: boolean;
}

/** Languages of a learner: the language that the URL requests, and the language of the learner's pages. */
export interface Languages {
  asked: string | null;
  own: Language;
}

interface ViewOptions {
  languages: Languages;
  library: CourseLibrary;
  /** Path of a scenario that the learner is replaying, such as `a.c`; null if there is no replay. */
  replay: string | null;
}

/** Builds the learner's view of a course. @param course undefined for a course that learners take elsewhere */
export async function viewOwnCourse(
  tenant: TenantReader,
  { courseId, state, course }: { courseId: string; state: CourseAttemptState; course: AuthoredCourse | undefined },
  options: ViewOptions,
): Promise<OwnCourse> {
  const { languages } = options;
  const { type, passMark, attemptId, finishDate, score, passed } = state;
  const written = course && attemptId !== null ? await viewWritten(tenant, { course, state }, options) : null;
  return {
    ...{ courseId, type, passMark, attemptId, finishDate, score, passed, written },
    name: localName(state, written?.language ?? languages.own),
    mayBegin: mayBegin(state),
  };
}

async function viewWritten(
  tenant: TenantReader,
  { course, state }: { course: AuthoredCourse; state: CourseAttemptState },
  { languages, library, replay }: ViewOptions,
): Promise<AuthoredCourseView> {
  const language = languageFor(course, [languages.asked, languages.own]);
  const text = getCourseText(course, language);
  const subjects =
    course.type === 'gap_analysis'
      ? await findSubjects(tenant, await library.all(), language)
      : new Map<string, string>();
  const done = state.done ?? {};
  const steps = drawSteps(course.steps, state.attemptId);
  return {
    ...{ language, ownLanguage: languageFor(course, [languages.own]), languages: course.languages },
    summary: text.summary,
    minutes: state.durationMinutes ?? course.minutes,
    steps: viewSteps(steps, { text, done, subjects, replay, isFinished: state.finishDate !== null }),
    isBegun: state.done !== null,
    isComplete: isComplete(state, steps),
    reporting: await findReportingChannels(tenant),
    next: placeIn(steps, done),
  };
}

interface Shown {
  text: CourseText;
  done: Parts;
  subjects: ReadonlyMap<string, string>;
  replay: string | null;
  isFinished: boolean;
}

function viewSteps(steps: readonly Step[], shown: Shown): StepView[] {
  const { text, done, subjects } = shown;
  const numbers = new Map(steps.flatMap(({ questions }) => questions).map(({ key }, index) => [key, index + 1]));
  return steps.map((step) => {
    const subject = step.questions[0]?.subject ?? null;
    return {
      version: buildStepVersion(step),
      isDone: isDone(step, done),
      lesson: step.lesson && text.lessons.get(step.lesson.key)!,
      subject: subject === null ? null : (subjects.get(subject) ?? subject),
      questions: step.questions.map((question) => viewQuestion(question, numbers.get(question.key)!, shown)),
      right: countRight(step.questions, done).right,
    };
  });
}

function viewQuestion(question: Question, number: number, shown: Shown): QuestionView {
  const { text, done } = shown;
  const { id, key, kind, atLeast } = question;
  const { caseHtml, askHtml, answers, mail } = text.questions.get(key)!;
  const given = chosenAnswers(question, done);
  return {
    ...{ number, id, key, kind, caseHtml, askHtml, atLeast, mail },
    scenario: kind === 'scenario' ? viewScene(question, shown) : null,
    verdict:
      given === undefined || !isPartDone(question, done)
        ? 'not_answered'
        : isRight(question, given)
          ? 'right'
          : 'wrong',
    answers: question.answers.map((answer) => ({
      ...{ id: answer.id, isRight: answer.right, isGiven: given?.includes(answer.id) ?? false },
      ...answers.get(answer.id)!,
    })),
  };
}

/** Shows the scene that the learner has reached. After an end, `replay` can show other scenes. */
function viewScene(question: Question, { text, done, replay, isFinished }: Shown): SceneView {
  const { scenes, key } = question;
  const isOver = isFinished || isPartDone(question, done);
  const replayed = isOver && replay !== null ? followPath(scenes, replay.split('.').filter(Boolean)) : undefined;
  const start: Position = { scene: scenes[0]!, path: [] };
  const { scene, path } = replayed ?? followPath(scenes, chosenAnswers(question, done) ?? []) ?? start;
  const { html, choices } = text.questions.get(key)!.scenes.get(scene.id)!;
  return {
    ...{ html, path, end: scene.end, isReplay: replayed !== undefined },
    choices: scene.choices.map(({ id }) => ({ id, html: choices.get(id)! })),
  };
}

/** Returns the names of courses by slug: from the catalogue, or the authored name if the catalogue lacks the course. */
async function findSubjects(
  tenant: TenantReader,
  courses: readonly AuthoredCourse[],
  language: Language,
): Promise<Map<string, string>> {
  const ids = courses.map(({ id }) => id);
  const names = await findCourseNames(tenant, ids);
  return new Map(
    courses.map((course) => {
      const name = names.get(course.id);
      return [course.slug, name ? localName(name, language) : getCourseText(course, language).name];
    }),
  );
}
