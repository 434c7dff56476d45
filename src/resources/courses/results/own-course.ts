import type { Language } from '../../../contract/languages.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { languageFor, type CourseLibrary, getCourseText } from '../authored/course-library.ts';
import type { CourseText, Question, Step, AuthoredCourse } from '../authored/course.ts';
import { localName } from '../course-names.ts';
import { findCourseNames } from '../course-repository.ts';
import type { CourseAttemptState } from './attempt-state-repository.ts';
import { countRight, chosenAnswers, isDone, isRight, type Parts, placeIn, buildStepVersion } from './progress-rules.ts';
import { isComplete, mayBegin } from './take-course.ts';

/** A course as its learner sees it. */
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
  /** The authored course; null if the course is taken elsewhere, or the learner is not enrolled. */
  written: AuthoredCourseView | null;
}

/** An authored course in one language. */
export interface AuthoredCourseView {
  language: Language;
  /** Language that the learner gets unless they request a different one. */
  ownLanguage: Language;
  languages: readonly Language[];
  summary: string;
  minutes: number;
  steps: readonly StepView[];
  isBegun: boolean;
  /** Whether all steps are done, but the result is not recorded. */
  isComplete: boolean;
  /** Index of the first step that is not done; the number of steps if all are. */
  next: number;
}

export interface StepView {
  /** Version of the step, which changes with the text of any part. */
  version: string;
  isDone: boolean;
  lesson: { title: string; html: string } | null;
  /** Name of the subject in the gap analysis; null in a training. */
  subject: string | null;
  questions: readonly QuestionView[];
  /** Number of questions that the learner answered correctly. */
  right: number;
}

/** A question and its answers. Fields that end in `Html` are safe to insert into a page. */
export interface QuestionView {
  /** Number of the question in the course, from 1. */
  number: number;
  id: string;
  key: string;
  kind: 'one' | 'many';
  caseHtml: string | null;
  askHtml: string;
  verdict: 'right' | 'wrong' | 'not_answered';
  answers: readonly { id: string; isRight: boolean; isGiven: boolean; html: string; becauseHtml: string }[];
}

/** Languages of a learner: the language that the address requests, and the language of the learner's pages. */
export interface Languages {
  asked: string | null;
  own: Language;
}

/** Builds the learner's view of a course. @param course undefined for a course that is taken elsewhere */
export async function viewOwnCourse(
  tenant: TenantReader,
  { courseId, state, course }: { courseId: string; state: CourseAttemptState; course: AuthoredCourse | undefined },
  { languages, library }: { languages: Languages; library: CourseLibrary },
): Promise<OwnCourse> {
  const { type, passMark, attemptId, finishDate, score, passed } = state;
  const written =
    course && attemptId !== null ? await viewWritten(tenant, { course, state }, { languages, library }) : null;
  return {
    ...{ courseId, type, passMark, attemptId, finishDate, score, passed, written },
    name: localName(state, written?.language ?? languages.own),
    mayBegin: mayBegin(state),
  };
}

async function viewWritten(
  tenant: TenantReader,
  { course, state }: { course: AuthoredCourse; state: CourseAttemptState },
  { languages, library }: { languages: Languages; library: CourseLibrary },
): Promise<AuthoredCourseView> {
  const language = languageFor(course, [languages.asked, languages.own]);
  const text = getCourseText(course, language);
  const subjects =
    course.type === 'gap_analysis'
      ? await findSubjects(tenant, await library.all(), language)
      : new Map<string, string>();
  const done = state.done ?? {};
  return {
    ...{ language, ownLanguage: languageFor(course, [languages.own]), languages: course.languages },
    summary: text.summary,
    minutes: state.durationMinutes ?? course.minutes,
    steps: viewSteps(course.steps, { text, done, subjects }),
    isBegun: state.done !== null,
    isComplete: isComplete(state, course.steps),
    next: placeIn(course.steps, done),
  };
}

interface Shown {
  text: CourseText;
  done: Parts;
  subjects: ReadonlyMap<string, string>;
}

function viewSteps(steps: readonly Step[], { text, done, subjects }: Shown): StepView[] {
  const numbers = new Map(steps.flatMap(({ questions }) => questions).map(({ key }, index) => [key, index + 1]));
  return steps.map((step) => {
    const subject = step.questions[0]?.subject ?? null;
    return {
      version: buildStepVersion(step),
      isDone: isDone(step, done),
      lesson: step.lesson && text.lessons.get(step.lesson.key)!,
      subject: subject === null ? null : (subjects.get(subject) ?? subject),
      questions: step.questions.map((question) => viewQuestion(question, numbers.get(question.key)!, { text, done })),
      right: countRight(step.questions, done).right,
    };
  });
}

function viewQuestion(question: Question, number: number, { text, done }: Omit<Shown, 'subjects'>): QuestionView {
  const { id, key, kind } = question;
  const { caseHtml, askHtml, answers } = text.questions.get(key)!;
  const given = chosenAnswers(question, done);
  return {
    ...{ number, id, key, kind, caseHtml, askHtml },
    verdict: given === undefined ? 'not_answered' : isRight(question, given) ? 'right' : 'wrong',
    answers: question.answers.map((answer) => ({
      ...{ id: answer.id, isRight: answer.right, isGiven: given?.includes(answer.id) ?? false },
      ...answers.get(answer.id)!,
    })),
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
