import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import type { AuthoredCourse, Question } from '../../src/resources/courses/authored/course.ts';
import { readContent } from '../../src/resources/courses/authored/read-content.ts';
import { findEnd } from '../../src/resources/courses/authored/scenario.ts';
import { isRight, toPercent } from '../../src/resources/courses/results/progress-rules.ts';
import { chooseLanguages, toFileName } from '../../src/resources/courses/export/export-rules.ts';

/** Runs scripts of exported courses, and returns their globals. */
function load(): any {
  const context = {};
  for (const name of ['grading', 'attempt']) {
    runInNewContext(readFileSync(`src/resources/courses/export/assets/${name}.js`, 'utf8'), context);
  }
  return context;
}

const { courseGrading, createAttempt } = load();
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

let course: AuthoredCourse;
let questions: readonly Question[];
beforeAll(async () => {
  const { courses } = await readContent('tests/fixtures/practice');
  course = courses[0]!;
  questions = course.steps.flatMap((step) => step.questions);
});

/** Lists all subsets of the answers of a question. */
function listSubsets(ids: readonly string[]): string[][] {
  return ids.reduce<string[][]>((sets, id) => [...sets, ...sets.map((set) => [...set, id])], [[]]);
}

test('exported courses mark every combination of answers as the service does', () => {
  for (const question of questions.filter(({ kind }) => kind !== 'scenario')) {
    for (const given of listSubsets(question.answers.map(({ id }) => id)))
      expect([question.id, given, courseGrading.isRight(question, given)]).toEqual([
        question.id,
        given,
        isRight(question, given),
      ]);
  }
});

test('exported courses reach the same ends of a scenario, also after detours', () => {
  const { scenes } = questions.find(({ kind }) => kind === 'scenario')!;
  for (const path of [[], ['a'], ['b'], ['b', 'a'], ['b', 'a', 'a'], ['b', 'a', 'b', 'b'], ['b', 'b'], ['x']])
    expect(courseGrading.findEnd(scenes, path)).toBe(findEnd(scenes, path));
});

test('the score is rounded as the service rounds it', () => {
  const three = questions.filter(({ kind }) => kind === 'one').slice(0, 3);
  const right = new Set([three[0]!.id]);
  const score = courseGrading.toScore(three, ({ id }: Question) => (right.has(id) ? ['a'] : ['b']));
  expect(score).toBe(toPercent({ right: 1, total: 3 }));
  expect(courseGrading.toScore([], () => [])).toBeUndefined();
});

test.each([7, 14, 28, 29, 55, 56, 57, 58])('a pass mark of %d is read back unchanged', (passMark) => {
  expect(courseGrading.toPercent(passMark / 100)).toBe(passMark);
});

test('a stored attempt has the same questions, order and answers when it is read again', () => {
  const begin = createAttempt({ steps: course.steps, version: 'v' });
  const attempt = begin(undefined);
  expect(attempt.steps).toHaveLength(4 + 2);
  attempt.steps.forEach((step: { questions: Question[] }, place: number) => {
    const [question] = step.questions;
    const path = question?.kind === 'scenario' ? ['b', 'b'] : question?.answers.slice(-1).map(({ id }) => id);
    attempt.answer(place, question ? [path] : []);
  });
  attempt.language = 'de';
  attempt.result = { score: 33.33, passed: false };
  const again = begin(attempt.toText());
  expect(plain(again.steps)).toEqual(plain(attempt.steps));
  expect(plain(again.result)).toEqual({ score: 33.33, passed: false });
  expect(again.language).toBe('de');
  for (const place of attempt.steps.keys()) {
    expect(again.isDone(place)).toBe(true);
    expect(plain(again.givenTo(place, 0) ?? null)).toEqual(plain(attempt.givenTo(place, 0) ?? null));
  }
});

test('an attempt at other content, or text that is not an attempt, begins again', () => {
  const stored = createAttempt({ steps: course.steps, version: 'v' })(undefined).toText();
  const begin = createAttempt({ steps: course.steps, version: 'w' });
  for (const text of [stored, '', 'null', '{"h":"w"}', '[1']) expect(begin(text).firstOpen()).toBe(0);
});

test('an attempt at the longest course fits into the 4,096 characters of SCORM 1.2', () => {
  const question = {
    ...questions[0]!,
    answers: Array.from({ length: 12 }, (_, index) => ({ id: `a${index}`, right: true })),
  };
  const steps = Array.from({ length: 130 }, () => ({ lesson: null, pool: null, questions: [question] }));
  const attempt = createAttempt({ steps, version: '12345678' })(undefined);
  steps.forEach((_, place) => attempt.answer(place, [question.answers.map(({ id }) => id)]));
  expect(attempt.toText().length).toBeLessThan(4096);
});

test('a package has the requested languages, the base language first', () => {
  expect(chooseLanguages(['de', 'en'], undefined, 'en')).toEqual(['en', 'de']);
  expect(chooseLanguages(['de', 'fr'], ['fr'], 'de')).toEqual(['fr']);
  expect(() => chooseLanguages(['de'], ['fr'], 'de')).toThrow();
});

test('the name of the file has only letters, digits and hyphens', () => {
  expect(toFileName('Übung: 1/2 „neu“', 'scorm_1_2')).toBe('U-bung-1-2-neu-scorm-1-2.zip');
  expect(toFileName('…', 'cmi5')).toBe('course-cmi5.zip');
});
