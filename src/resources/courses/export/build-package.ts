// An exported course is a ZIP file with a single page that needs no server: `index.html` loads the course as data, and
// the scripts in `assets/`. They are classic scripts instead of modules, because some systems play packages in a frame
// without an origin. In such a frame, a module counts as a file from another host.
//
// - `course.js`: the steps, the texts in each language, and the pass mark of the authored course.
// - `grading.js` and `attempt.js`: the rules, and the learner's progress as the string that the learning system stores.
// - `views.js` and `player.js`: the pages.
// - `scorm.js` or `cmi5.js`: the connection to the learning system.
//
// The learner's browser grades the answers, so `course.js` contains the correct ones. As in every package of this kind,
// learners who read the files can find them. Do not export a course if that is a problem.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import escapeHtml from 'escape-html';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { Language } from '../../../contract/languages.ts';
import { giveWay } from '../../../limits/give-way.ts';
import type { AuthoredCourse, CourseText, LessonText, QuestionText, Step } from '../authored/course.ts';
import type { ReportingChannels } from '../results/reporting-channels.ts';
import { exportMessages, LANGUAGE_NAMES } from './export-messages.ts';
import { buildManifest, type ExportFormat, LAUNCH_PATH } from './package-manifest.ts';

export interface ExportedCourse {
  course: AuthoredCourse;
  courseId: string;
  /** Minimum score to pass, in percent. */
  passMark: number;
  /** Languages of the package. The first language is for people who read none of the others. */
  languages: readonly Language[];
  reporting: ReportingChannels | null;
}

/** The earliest date of a ZIP file, so that the same course always produces the same bytes. */
const MODIFIED = new Date(1980, 0, 1);
const PICTURE = /\/learn\/pictures\/([a-z0-9-]+\/([a-z0-9-]+\.svg))/g;
const SCRIPTS = ['grading.js', 'attempt.js', 'views.js'];

/** Number of bytes to compress at a time, which takes a few milliseconds. */
const CHUNK = 32 * 1024;

/** Builds the ZIP file of a course. */
export async function buildPackage(exported: ExportedCourse, format: ExportFormat): Promise<Buffer> {
  const { course, languages, passMark, courseId } = exported;
  const texts = languages.map((language) => ({ language, ...course.texts.get(language)! }));
  const pictures = listPictures(exported);
  const connection = format === 'cmi5' ? 'cmi5.js' : 'scorm.js';
  const scripts = [...SCRIPTS, connection, 'player.js'];
  const files: Record<string, Uint8Array> = {
    [LAUNCH_PATH]: strToU8(buildPage(texts[0]!, format, ['course.js', ...scripts])),
    'course.js': strToU8(`globalThis.course = ${JSON.stringify(buildData(exported))};\n`),
    ...Object.fromEntries([...scripts, 'style.css'].map((name) => [name, readAsset(name)])),
    ...pictures,
  };
  const manifest = buildManifest(format, {
    ...{ courseId, texts },
    passMark: course.steps.some(({ questions }) => questions.length > 0) ? passMark : null,
    files: Object.keys(files),
  });
  await giveWay();
  return compress({ [manifest.path]: strToU8(manifest.text), ...files });
}

/** Compresses the files, and yields to other requests after each chunk. A long course takes 60 ms in total. */
async function compress(files: Readonly<Record<string, Uint8Array>>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const archive = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  for (const [path, bytes] of Object.entries(files)) {
    const file = new ZipDeflate(path);
    file.mtime = MODIFIED;
    archive.add(file);
    for (let at = 0; at < bytes.length; at += CHUNK) {
      file.push(bytes.subarray(at, at + CHUNK), at + CHUNK >= bytes.length);
      await giveWay();
    }
  }
  archive.end();
  return Buffer.concat(pieces);
}

const assets = new Map<string, Uint8Array>();

function readAsset(name: string): Uint8Array {
  const bytes = assets.get(name) ?? new Uint8Array(readFileSync(new URL(`assets/${name}`, import.meta.url)));
  assets.set(name, bytes);
  return bytes;
}

function buildPage({ name, language }: { name: string; language: Language }, format: ExportFormat, scripts: string[]) {
  return `<!doctype html>
<html lang="${language}" data-format="${format}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<main></main>
${scripts.map((script) => `<script src="${script}"></script>`).join('\n')}
</body>
</html>
`;
}

/**
 * Builds the data of `player.js`. The version changes with the content, so that an attempt begins again after the
 * content has changed.
 */
function buildData(exported: ExportedCourse): object {
  const { course, languages, passMark } = exported;
  const data = {
    ...{ passMark, minutes: course.minutes },
    steps: course.steps.map(toStep),
    texts: Object.fromEntries(languages.map((language) => [language, toText(exported, language)])),
    languageNames: Object.fromEntries(languages.map((language) => [language, LANGUAGE_NAMES[language]])),
  };
  return { version: hash('sha256', JSON.stringify([course.steps, passMark]), 'hex').slice(0, 8), ...data };
}

function toStep({ lesson, pool, questions }: Step): object {
  return {
    ...{ lesson: lesson?.key ?? null, pool },
    questions: questions.map(({ id, key, kind, answers, atLeast, scenes }) => ({
      ...{ id, key, kind, answers, atLeast, scenes },
    })),
  };
}

function toText({ course, reporting }: ExportedCourse, language: Language): object {
  const { name, summary, lessons, questions }: CourseText = course.texts.get(language)!;
  const ofSteps = new Set(course.steps.flatMap((step) => [step.lesson?.key, ...step.questions.map(({ key }) => key)]));
  const pick = <T>(map: ReadonlyMap<string, T>, convert: (value: T) => object) =>
    Object.fromEntries([...map].filter(([key]) => ofSteps.has(key)).map(([key, value]) => [key, convert(value)]));
  return {
    ...{ name, summary, messages: exportMessages[language] },
    lessons: pick(lessons, (lesson) => ({ title: lesson.title, html: toLessonHtml(lesson, reporting, language) })),
    questions: pick(questions, toQuestionText),
  };
}

function toQuestionText({ caseHtml, askHtml, answers, mail, scenes }: QuestionText): object {
  return {
    ...{ caseHtml: caseHtml && relinkPictures(caseHtml), askHtml, mail },
    answers: Object.fromEntries(answers),
    scenes: Object.fromEntries(
      [...scenes].map(([id, { html, choices }]) => [
        id,
        { html: relinkPictures(html), choices: Object.fromEntries(choices) },
      ]),
    ),
  };
}

function toLessonHtml({ html, afterHtml }: LessonText, reporting: ReportingChannels | null, language: Language) {
  const all = afterHtml === null ? html : `${html}${renderChannels(reporting, language)}${afterHtml}`;
  return relinkPictures(all);
}

/** Renders how people in the company report a suspicious message. */
function renderChannels(reporting: ReportingChannels | null, language: Language): string {
  const messages = exportMessages[language];
  if (!reporting) return `<p class="note">${messages.noChannels}</p>`;
  const { instructions, address, phone } = reporting;
  const entry = (name: string, value: string | null) =>
    value === null ? '' : `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`;
  return (
    `<section class="note"><h2>${messages.channels}</h2>` +
    (instructions === null ? '' : `<p>${escapeHtml(instructions)}</p>`) +
    `<dl>${entry(messages.forwardTo, address)}${entry(messages.call, phone)}</dl></section>`
  );
}

function relinkPictures(html: string): string {
  return html.replaceAll(PICTURE, (_, _key, name: string) => `pictures/${name}`);
}

/** Lists the pictures that the texts of the package show, by their paths in the package. */
function listPictures({ course, languages }: ExportedCourse): Record<string, Uint8Array> {
  const { pictures } = course.pieceOf ?? course;
  const shown = JSON.stringify(languages.map((language) => [...listHtml(course, language)]));
  const keys = new Map([...shown.matchAll(PICTURE)].map(([, key, name]) => [name!, key!]));
  return Object.fromEntries(
    [...keys].toSorted().flatMap(([name, key]) => {
      const bytes = pictures.get(key);
      return bytes ? [[`pictures/${name}`, new Uint8Array(bytes)]] : [];
    }),
  );
}

function* listHtml(course: AuthoredCourse, language: Language): Generator<string | null> {
  const { lessons, questions } = course.texts.get(language)!;
  const keys = new Set(
    course.steps.flatMap(({ lesson, questions: own }) => [lesson?.key, ...own.map(({ key }) => key)]),
  );
  for (const [key, { html, afterHtml }] of lessons) if (keys.has(key)) yield html + (afterHtml ?? '');
  for (const [key, { caseHtml, scenes }] of questions) {
    if (keys.has(key)) yield [caseHtml, ...[...scenes.values()].map((scene) => scene.html)].join('');
  }
}
