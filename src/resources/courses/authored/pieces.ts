import type { Language } from '../../../contract/languages.ts';
import type { AuthoredCourse, CourseText } from './course.ts';
import type { ReportFault } from './lesson.ts';

/** A short course made of some lessons of a longer course, as authors write it in `course.yaml`. */
export interface WrittenPiece {
  id: string;
  /** Names of the lessons. Their questions belong to the piece. */
  lessons: string[];
  minutes?: number;
}

const DEFAULT_MINUTES = 2;

const SUMMARIES: Record<Language, (title: string, course: string) => string> = {
  en: (title, course) => `“${title}” from the course “${course}”, with its questions, as a short course.`,
  de: (title, course) => `„${title}“ aus dem Kurs „${course}“ mit den Fragen dazu, als kurzer Kurs.`,
  fr: (title, course) => `« ${title} », tiré du cours « ${course} », avec ses questions, sous forme de cours bref.`,
};

/**
 * Builds the pieces of a course. A piece refers to the steps and texts of its course, so correcting a lesson also
 * corrects the piece. The title of a piece is that of its first lesson.
 */
export function buildPieces(
  course: AuthoredCourse,
  pieces: readonly WrittenPiece[],
  report: ReportFault,
): AuthoredCourse[] {
  const names = new Set(course.steps.flatMap(({ lessonName }) => lessonName ?? []));
  return pieces.flatMap(({ id, lessons, minutes = DEFAULT_MINUTES }) => {
    const unknown = lessons.filter((name) => !names.has(name));
    for (const name of unknown) report(`no lesson is named ${name} (piece ${id})`);
    const steps = course.steps.filter(({ lessonName }) => lessonName !== null && lessons.includes(lessonName));
    const first = steps.find(({ lesson }) => lesson !== null)?.lesson;
    if (!first || unknown.length > 0) return [];
    if (steps.every(({ questions }) => questions.length === 0)) report(`has no question (piece ${id})`);
    const texts = [...course.texts].map(
      ([language, text]) => [language, toPieceText(text, first.key, language)] as const,
    );
    return [
      {
        ...{ ...course, id, minutes, steps, texts: new Map(texts), pictures: new Map(), pieces: [] },
        slug: `${course.slug}-${lessons[0]!.replace(/^\d\d-/, '')}`,
        pieceOf: course,
      },
    ];
  });
}

function toPieceText(text: CourseText, lessonKey: string, language: Language): CourseText {
  const { title } = text.lessons.get(lessonKey)!;
  return { ...text, name: title, summary: SUMMARIES[language](title, text.name) };
}
