import { hash } from 'node:crypto';
import type { Language } from '../../../contract/languages.ts';
import type { CourseFiles, CourseText, Fault, Part, Question, QuestionText, Step, AuthoredCourse } from './course.ts';
import { renderCase, renderLesson, renderLine, type RenderedLesson, type Tell } from './lesson.ts';
import { type Manifest, readManifest, readQuestions, type WrittenQuestion } from './manifest.ts';
import { judgePicture } from './picture.ts';

const LESSON = /^\d\d-[a-z0-9]+(-[a-z0-9]+)*\.md$/;
const PICTURE = /^[a-z0-9]+(-[a-z0-9]+)*\.svg$/;
/** Where pictures are served, by the names that they have in a `AuthoredCourse`. */
export const PICTURES_PATH = '/learn/pictures';

/** What one language of a course has: lessons in their order, and questions. */
interface Edition {
  lessons: { name: string; source: string; rendered: RenderedLesson }[];
  questions: WrittenQuestion[];
}

/** Reads a course from its files. Undefined when it has a fault that leaves nothing to read. */
export function readCourse(path: string, files: CourseFiles, faults: Fault[]): AuthoredCourse | undefined {
  const reading = new CourseReading(path, files, faults);
  const manifest = reading.manifest();
  return manifest && reading.course(manifest);
}

class CourseReading {
  readonly #path: string;
  readonly #files: CourseFiles;
  readonly #faults: Fault[];
  readonly #slug: string;
  /** By the names that they have in the folder. */
  readonly #pictures = new Map<string, { address: string; bytes: Buffer }>();

  constructor(path: string, files: CourseFiles, faults: Fault[]) {
    this.#path = path;
    this.#files = files;
    this.#faults = faults;
    this.#slug = path.split('/').at(-1)!;
  }

  manifest(): Manifest | undefined {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(this.#slug)) this.#tell('')('has a name with other signs than a-z, 0-9 and -');
    const text = this.#text('course.yaml');
    return text === undefined ? undefined : readManifest(`${this.#path}/course.yaml`, text, this.#faults);
  }

  course(manifest: Manifest): AuthoredCourse | undefined {
    this.#readPictures();
    const editions = new Map(manifest.languages.map((language) => [language, this.#edition(language)]));
    this.#refuseStrays(manifest.languages);
    const first = editions.get('en');
    if (!first || [...editions.values()].includes(undefined)) return undefined;
    for (const [language, edition] of editions) this.#compare(first, edition!, language);
    const all = editions as ReadonlyMap<Language, Edition>;
    const isGapAnalysis = this.#path === 'gap-analysis';
    return {
      ...manifest,
      slug: this.#slug,
      type: isGapAnalysis ? 'gap_analysis' : 'training',
      steps: isGapAnalysis ? stepsBySubject(all) : stepsOfLessons(all),
      texts: new Map([...all].map(([language, edition]) => [language, this.#textOf(manifest, language, edition)])),
      pictures: new Map([...this.#pictures.values()].map(({ address, bytes }) => [address, bytes])),
    };
  }

  #readPictures(): void {
    for (const [file, bytes] of this.#files) {
      const [folder, name = ''] = file.split('/');
      if (folder !== 'pictures') continue;
      const tell = this.#tell(file);
      if (!PICTURE.test(name)) tell('is not named like a-letter.svg');
      judgePicture(bytes, tell);
      const address = `${this.#slug}/${name.replace(/\.svg$/, '')}-${versionOf(bytes)}.svg`;
      this.#pictures.set(name, { address, bytes });
    }
  }

  #edition(language: Language): Edition | undefined {
    const names = [...this.#files.keys()].filter((file) => file.startsWith(`${language}/`) && file.endsWith('.md'));
    const lessons = names.sort().map((file) => {
      const name = file.slice(language.length + 1);
      if (!LESSON.test(name)) this.#tell(file)('is not named like 01-first-steps.md');
      const source = this.#text(file) ?? '';
      const rendered = renderLesson(source, this.#findPicture, this.#tell(file));
      return { name: name.replace(/\.md$/, ''), source, rendered };
    });
    const file = `${language}/questions.yaml`;
    const text = this.#text(file);
    const questions = text === undefined ? undefined : readQuestions(`${this.#path}/${file}`, text, this.#faults);
    return questions && { lessons, questions };
  }

  /** All languages have the same lessons and questions, in the same order. */
  #compare(first: Edition, edition: Edition, language: Language): void {
    const told = this.#tell(`${language}/questions.yaml`);
    const names = (of: Edition) => of.lessons.map(({ name }) => name).join(', ');
    if (names(edition) !== names(first))
      this.#tell(language)(`has the lessons ${names(edition)}, and en ${names(first)}`);
    edition.questions.forEach((question, index) => {
      const { lesson, subject } = question;
      if (lesson !== undefined && !edition.lessons.some(({ name }) => name === lesson))
        told(`no lesson is ${lesson} (${question.id})`);
      if (this.#path === 'gap-analysis' && subject === undefined) told(`has no subject (${question.id})`);
      const same = first.questions[index];
      if (same === undefined || shapeOf(same) !== shapeOf(question)) {
        told(`question ${index + 1} has another id, kind, place or other answers than in en (${question.id})`);
      }
    });
    const missing = first.questions.slice(edition.questions.length).map(({ id }) => id);
    if (missing.length > 0) told(`lacks ${missing.join(', ')}`);
  }

  #refuseStrays(languages: readonly Language[]): void {
    for (const file of this.#files.keys()) {
      const [folder, name] = file.split('/') as [string, string?];
      const isText = languages.some((language) => language === folder) && /(^questions\.yaml|\.md)$/.test(name ?? '');
      if (file !== 'course.yaml' && folder !== 'pictures' && !isText) this.#tell(file)('is no file of a course');
    }
  }

  #textOf({ names, summaries }: Manifest, language: Language, { lessons, questions }: Edition): CourseText {
    const tell = this.#tell(`${language}/questions.yaml`);
    return {
      name: names[language],
      summary: summaries[language],
      lessons: new Map(lessons.map(({ name, rendered }) => [keyOf('lesson', name), rendered])),
      questions: new Map(
        questions.map((question) => [keyOf('question', question.id), this.#questionText(question, tell)]),
      ),
    };
  }

  #questionText(question: WrittenQuestion, tell: Tell): QuestionText {
    const told: Tell = (words) => tell(`${words} (${question.id})`);
    const answers = question.answers.map(({ id, text, because }) => {
      return [id, { html: renderLine(text, told), becauseHtml: renderLine(because, told) }] as const;
    });
    return {
      caseHtml: question.case === undefined ? null : renderCase(question.case, this.#findPicture, told),
      askHtml: renderLine(question.ask, told),
      answers: new Map(answers),
    };
  }

  readonly #findPicture = (name: string): string | undefined => {
    const picture = this.#pictures.get(name);
    return picture && `${PICTURES_PATH}/${picture.address}`;
  };

  #text(file: string): string | undefined {
    const bytes = this.#files.get(file);
    if (bytes === undefined) return void this.#tell(file)('is missing');
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return void this.#tell(file)('is not in UTF-8');
    }
  }

  #tell(file: string): Tell {
    return (texts) =>
      this.#faults.push({ file: file ? `${this.#path}/${file}` : this.#path, place: '', message: texts });
  }
}

function stepsOfLessons(editions: ReadonlyMap<Language, Edition>): Step[] {
  const { lessons, questions } = editions.get('en')!;
  const asked = (lesson?: string) =>
    questions
      .filter((question) => question.lesson === lesson)
      .map(({ id }) => ({ lesson: null, questions: [questionOf(id, editions)] }));
  const taught = lessons.flatMap(({ name }) => [{ lesson: lessonOf(name, editions), questions: [] }, ...asked(name)]);
  return [...taught, ...asked()];
}

function stepsBySubject(editions: ReadonlyMap<Language, Edition>): Step[] {
  const questions = editions.get('en')!.questions.map(({ id }) => questionOf(id, editions));
  return [...Map.groupBy(questions, ({ subject }) => subject).values()].map((asked) => ({
    lesson: null,
    questions: asked,
  }));
}

function lessonOf(name: string, editions: ReadonlyMap<Language, Edition>): Part {
  const sources = [...editions].map(([language, { lessons }]) => [
    language,
    lessons.find((lesson) => lesson.name === name)?.source,
  ]);
  return { key: keyOf('lesson', name), version: versionOf(JSON.stringify(sources)) };
}

function questionOf(id: string, editions: ReadonlyMap<Language, Edition>): Question {
  const sources = [...editions].map(([language, { questions }]) => [
    language,
    questions.find((question) => question.id === id),
  ]);
  const { kind, answers, subject = null } = editions.get('en')!.questions.find((question) => question.id === id)!;
  return {
    ...{ key: keyOf('question', id), version: versionOf(JSON.stringify(sources)), id, kind, subject },
    answers: answers.map((answer) => ({ id: answer.id, right: answer.right })),
  };
}

/** What is the same of a question in all languages. */
function shapeOf({ id, kind, lesson, subject, answers }: WrittenQuestion): string {
  return JSON.stringify([id, kind, lesson, subject, answers.map((answer) => [answer.id, answer.right])]);
}

function keyOf(kind: 'lesson' | 'question', name: string): string {
  return `${kind}:${name}`;
}

function versionOf(text: string | Buffer): string {
  return hash('sha256', text, 'hex').slice(0, 12);
}
