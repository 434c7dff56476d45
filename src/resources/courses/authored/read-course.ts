import { hash } from 'node:crypto';
import type { Language } from '../../../contract/languages.ts';
import {
  type AuthoredCourse,
  type CourseFiles,
  type CourseText,
  type Fault,
  getBaseLanguage,
  type Part,
  type Pool,
  type Question,
  type Step,
} from './course.ts';
import { renderLesson, type RenderedLesson, type ReportFault } from './lesson.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { judgePicture } from './picture.ts';
import { buildPieces } from './pieces.ts';
import { judgePools } from './pools.ts';
import { renderQuestion } from './question-text.ts';
import { readQuestions, serializeShape, type WrittenQuestion } from './questions.ts';

const LESSON = /^\d\d-[a-z0-9]+(-[a-z0-9]+)*\.md$/;
const PICTURE = /^[a-z0-9]+(-[a-z0-9]+)*\.svg$/;
/** Path under which pictures are served. The last segment is a key of `AuthoredCourse.pictures`. */
export const PICTURES_PATH = '/learn/pictures';

/** One language of a course: its lessons in order, and its questions. */
interface Edition {
  lessons: { name: string; source: string; rendered: RenderedLesson }[];
  questions: WrittenQuestion[];
}

/**
 * Reads a course from its files. Returns undefined if its manifest or some of its questions cannot be read.
 * @param ownId id of a company's own course; undefined for a course in the content folder
 */
export function readCourse(
  path: string,
  files: CourseFiles,
  faults: Fault[],
  ownId?: string,
): AuthoredCourse | undefined {
  const reading = new CourseReading(path, files, faults, ownId);
  const manifest = reading.manifest();
  return manifest && reading.course(manifest);
}

class CourseReading {
  readonly #path: string;
  readonly #files: CourseFiles;
  readonly #faults: Fault[];
  readonly #slug: string;
  readonly #ownId: string | undefined;
  /** Pictures by file name. */
  readonly #pictures = new Map<string, { address: string; bytes: Buffer }>();

  constructor(path: string, files: CourseFiles, faults: Fault[], ownId: string | undefined) {
    this.#path = path;
    this.#files = files;
    this.#faults = faults;
    this.#slug = path.split('/').at(-1)!;
    this.#ownId = ownId;
  }

  manifest(): Manifest | undefined {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(this.#slug)) this.#reportFor('')('must have a name of a-z, 0-9 and -');
    const text = this.#text('course.yaml');
    const file = `${this.#path}/course.yaml`;
    return text === undefined ? undefined : readManifest({ file, text, ownId: this.#ownId }, this.#faults);
  }

  course(manifest: Manifest): AuthoredCourse | undefined {
    this.#readPictures();
    const editions = new Map(manifest.languages.map((language) => [language, this.#edition(language)]));
    this.#refuseStrays(manifest.languages);
    const base = getBaseLanguage(manifest.languages);
    const first = editions.get(base);
    if (!first || [...editions.values()].includes(undefined)) return undefined;
    for (const [language, edition] of editions) this.#compare({ language: base, edition: first }, edition!, language);
    const all = editions as ReadonlyMap<Language, Edition>;
    const isGapAnalysis = this.#path === 'gap-analysis';
    const { pools = {}, pieces = [], ...fields } = manifest;
    judgePools(pools, first.questions, this.#reportFor(`${base}/questions.yaml`));
    const course: AuthoredCourse = {
      ...fields,
      slug: this.#slug,
      type: isGapAnalysis ? 'gap_analysis' : 'training',
      steps: isGapAnalysis ? buildSubjectSteps(all) : buildLessonSteps(all, pools),
      texts: new Map(
        [...all].map(([language, edition]) => [language, this.#toCourseText(manifest, language, edition)]),
      ),
      pictures: new Map([...this.#pictures.values()].map(({ address, bytes }) => [address, bytes])),
      ...{ pieces: [], pieceOf: null },
    };
    return { ...course, pieces: buildPieces(course, pieces, this.#reportFor('course.yaml')) };
  }

  #readPictures(): void {
    for (const [file, bytes] of this.#files) {
      const [folder, name = ''] = file.split('/');
      if (folder !== 'pictures') continue;
      const report = this.#reportFor(file);
      if (!PICTURE.test(name)) report('must have a name like a-letter.svg');
      judgePicture(bytes, report);
      const address = `${this.#slug}/${name.replace(/\.svg$/, '')}-${buildVersion(bytes)}.svg`;
      this.#pictures.set(name, { address, bytes });
    }
  }

  #edition(language: Language): Edition | undefined {
    const names = [...this.#files.keys()].filter((file) => file.startsWith(`${language}/`) && file.endsWith('.md'));
    const lessons = names.sort().map((file) => {
      const name = file.slice(language.length + 1);
      if (!LESSON.test(name)) this.#reportFor(file)('must have a name like 01-first-steps.md');
      const source = this.#text(file) ?? '';
      const rendered = renderLesson(source, this.#findPicture, this.#reportFor(file));
      return { name: name.replace(/\.md$/, ''), source, rendered };
    });
    const file = `${language}/questions.yaml`;
    const text = this.#text(file);
    const questions = text === undefined ? undefined : readQuestions(`${this.#path}/${file}`, text, this.#faults);
    return questions && { lessons, questions };
  }

  /** Requires the same lessons and questions in all languages, in the same order. */
  #compare(base: { language: Language; edition: Edition }, edition: Edition, language: Language): void {
    const first = base.edition;
    const report = this.#reportFor(`${language}/questions.yaml`);
    const names = (of: Edition) => of.lessons.map(({ name }) => name).join(', ');
    if (names(edition) !== names(first))
      this.#reportFor(language)(`has the lessons ${names(edition)}, but ${base.language} has ${names(first)}`);
    edition.questions.forEach((question, index) => {
      const { lesson, subject } = question;
      if (lesson !== undefined && !edition.lessons.some(({ name }) => name === lesson))
        report(`no lesson is named ${lesson} (${question.id})`);
      if (this.#path === 'gap-analysis' && subject === undefined) report(`has no subject (${question.id})`);
      if (this.#path === 'gap-analysis' && (question.kind === 'scenario' || question.pool !== undefined))
        report(`only a training can have scenarios and pools (${question.id})`);
      const same = first.questions[index];
      if (same === undefined || serializeShape(same) !== serializeShape(question)) {
        report(
          `question ${index + 1} differs from ${base.language} in its id, kind, place, answers, parts or scenes (${question.id})`,
        );
      }
    });
    const missing = first.questions.slice(edition.questions.length).map(({ id }) => id);
    if (missing.length > 0) report(`lacks the questions ${missing.join(', ')}`);
  }

  #refuseStrays(languages: readonly Language[]): void {
    for (const file of this.#files.keys()) {
      const [folder, name] = file.split('/') as [string, string?];
      const isText = languages.some((language) => language === folder) && /(^questions\.yaml|\.md)$/.test(name ?? '');
      if (file !== 'course.yaml' && folder !== 'pictures' && !isText)
        this.#reportFor(file)('is not a file of a course');
    }
  }

  #toCourseText({ names, summaries }: Manifest, language: Language, { lessons, questions }: Edition): CourseText {
    const report = this.#reportFor(`${language}/questions.yaml`);
    return {
      name: names[language],
      summary: summaries[language],
      lessons: new Map(lessons.map(({ name, rendered }) => [buildPartKey('lesson', name), rendered])),
      questions: new Map(
        questions.map((question) => [
          buildPartKey('question', question.id),
          renderQuestion(question, this.#findPicture, report),
        ]),
      ),
    };
  }

  readonly #findPicture = (name: string): string | undefined => {
    const picture = this.#pictures.get(name);
    return picture && `${PICTURES_PATH}/${picture.address}`;
  };

  #text(file: string): string | undefined {
    const bytes = this.#files.get(file);
    if (bytes === undefined) return void this.#reportFor(file)('is missing');
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return void this.#reportFor(file)('must be in UTF-8');
    }
  }

  #reportFor(file: string): ReportFault {
    return (texts, line) =>
      this.#faults.push({
        file: file ? `${this.#path}/${file}` : this.#path,
        place: line === undefined ? '' : `line ${line}`,
        message: texts,
      });
  }
}

function buildLessonSteps(editions: ReadonlyMap<Language, Edition>, pools: Readonly<Record<string, number>>): Step[] {
  const { lessons, questions } = getFirst(editions);
  const toPool = (name: string | undefined): Pool | null =>
    name === undefined ? null : { name, draw: pools[name] ?? 0 };
  const listQuestionSteps = (lesson?: string): Step[] =>
    questions
      .filter((question) => question.lesson === lesson)
      .map(({ id, pool }) => ({
        ...{ lesson: null, lessonName: lesson ?? null, pool: toPool(pool) },
        questions: [toQuestion(id, editions)],
      }));
  const taught = lessons.flatMap(({ name }) => [
    { lesson: toLesson(name, editions), lessonName: name, pool: null, questions: [] },
    ...listQuestionSteps(name),
  ]);
  return [...taught, ...listQuestionSteps()];
}

function buildSubjectSteps(editions: ReadonlyMap<Language, Edition>): Step[] {
  const questions = getFirst(editions).questions.map(({ id }) => toQuestion(id, editions));
  return [...Map.groupBy(questions, ({ subject }) => subject).values()].map((group) => ({
    ...{ lesson: null, lessonName: null, pool: null },
    questions: group,
  }));
}

/** Returns the edition with which all others are compared. */
function getFirst(editions: ReadonlyMap<Language, Edition>): Edition {
  return editions.get(getBaseLanguage([...editions.keys()]))!;
}

function toLesson(name: string, editions: ReadonlyMap<Language, Edition>): Part {
  const sources = [...editions].map(([language, { lessons }]) => [
    language,
    lessons.find((lesson) => lesson.name === name)?.source,
  ]);
  return { key: buildPartKey('lesson', name), version: buildVersion(JSON.stringify(sources)) };
}

function toQuestion(id: string, editions: ReadonlyMap<Language, Edition>): Question {
  const sources = [...editions].map(([language, { questions }]) => [
    language,
    questions.find((question) => question.id === id),
  ]);
  const {
    kind,
    answers,
    subject = null,
    atLeast = null,
    scenes,
  } = getFirst(editions).questions.find((question) => question.id === id)!;
  return {
    ...{ key: buildPartKey('question', id), version: buildVersion(JSON.stringify(sources)), id, kind, subject },
    answers: answers.map((answer) => ({ id: answer.id, right: answer.right })),
    atLeast,
    scenes: scenes.map((scene) => ({
      ...{ id: scene.id, end: scene.end },
      choices: scene.choices.map((choice) => ({ id: choice.id, to: choice.to })),
    })),
  };
}

function buildPartKey(kind: 'lesson' | 'question', name: string): string {
  return `${kind}:${name}`;
}

function buildVersion(text: string | Buffer): string {
  return hash('sha256', text, 'hex').slice(0, 12);
}
