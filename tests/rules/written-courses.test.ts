import { inLine } from '../../src/resources/courses/authored/course.ts';
import type { Fault, AuthoredCourse } from '../../src/resources/courses/authored/course.ts';
import { readContent, SHIPPED_CONTENT } from '../../src/resources/courses/authored/read-content.ts';
import { readCourse } from '../../src/resources/courses/authored/read-course.ts';

const FIXTURES = new URL('../fixtures/content', import.meta.url).pathname;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h8" /></svg>';
const MANIFEST = `id: 0192a3b4-0000-7000-8000-4000000000aa
names: { en: A, de: B }
summaries: { en: A., de: B. }
minutes: 5
passMark: 70
languages: [en, de]
reviewed: 2026-11-23
`;
const QUESTIONS = `- id: q
  lesson: 01-first
  kind: one
  ask: What?
  answers:
    - { id: a, text: A, right: true, because: So. }
    - { id: b, text: B, right: false, because: So. }
`;

/** Returns the faults of a valid course after the given changes; undefined omits a file. */
function faultsOf(changes: Record<string, string | undefined>): string[] {
  const written = {
    'course.yaml': MANIFEST,
    'pictures/letter.svg': SVG,
    'en/01-first.md': '# First\n\nText.\n',
    'de/01-first.md': '# Erste\n\nText.\n',
    'en/questions.yaml': QUESTIONS,
    'de/questions.yaml': QUESTIONS,
    ...changes,
  };
  const files = Object.entries(written).flatMap(([name, text]) =>
    text === undefined ? [] : ([[name, Buffer.from(text)]] as const),
  );
  const faults: Fault[] = [];
  readCourse('courses/slug', new Map(files), faults);
  return faults.map(inLine);
}

async function fixture(slug: string): Promise<AuthoredCourse> {
  const { courses } = await readContent(FIXTURES);
  return courses.find((course) => course.slug === slug)!;
}

test('the shipped courses and the test courses have no faults', async () => {
  expect((await readContent(SHIPPED_CONTENT)).faults).toEqual([]);
  expect((await readContent(FIXTURES)).faults).toEqual([]);
  expect(await readContent('/nowhere')).toEqual({ courses: [], faults: [] });
});

test('questions follow their lesson, others come last, and a gap analysis groups them by subject', async () => {
  const stepsOf = ({ steps }: AuthoredCourse) =>
    steps.map(({ lesson, questions }) => [lesson?.key, ...questions.map(({ key }) => key)].filter(Boolean).join());
  expect(stepsOf(await fixture('phishing-basics'))).toEqual([
    ...['lesson:01-what-it-wants', 'question:first', 'lesson:02-reporting', 'question:signs', 'question:last'],
  ]);
  expect(stepsOf(await fixture('gap-analysis'))).toEqual(['question:hook,question:line']);
});

test('a piece has lessons of its course with their questions, and its texts name the course', async () => {
  const { courses } = await readContent(SHIPPED_CONTENT);
  const phishing = courses.find(({ slug }) => slug === 'phishing')!;
  const piece = courses.find(({ slug }) => slug === 'phishing-reading-addresses')!;
  expect(piece).toMatchObject({ pieceOf: { slug: 'phishing' }, minutes: 4, passMark: phishing.passMark });
  expect(piece.steps).toEqual(phishing.steps.filter(({ lessonName }) => lessonName === '02-reading-addresses'));
  expect(piece.texts.get('de')).toMatchObject({
    name: 'Wer steckt wirklich hinter der Adresse?',
    summary: expect.stringContaining('aus dem Kurs „Betrügerische Nachrichten erkennen“'),
  });
  const lessons = (of: readonly AuthoredCourse[]) =>
    of.flatMap(({ steps }) => steps.flatMap(({ lesson }) => lesson ?? []));
  const trainings = courses.filter(({ type, pieceOf }) => type === 'training' && pieceOf === null);
  expect(lessons(courses.filter(({ pieceOf }) => pieceOf !== null))).toEqual(lessons(trainings));
});

test('in a lesson, addresses stay text, pictures have service URLs, and tables have headers', async () => {
  const { texts, pictures } = await fixture('phishing-basics');
  const { title, html } = texts.get('en')!.lessons.get('lesson:01-what-it-wants')!;
  expect(title).toBe('What it wants');
  expect(html).not.toMatch(/<a |href/);
  expect(html).toContain('www.support.test or write to help@support.test');
  expect(html).toContain(`<img src="/learn/pictures/${[...pictures.keys()][0]}" alt="A letter with a hook">`);
  expect(html).toContain('<th scope="col">Sign</th>');
});

test.each<[string, Record<string, string | undefined>, RegExp]>([
  ['a manifest with invalid YAML', { 'course.yaml': 'id: [' }, /^courses\/slug\/course\.yaml, line \d+: /],
  ['a manifest without a field', { 'course.yaml': MANIFEST.replace('minutes: 5\n', '') }, /minutes: is required/],
  ['an id in upper case', { 'course.yaml': MANIFEST.replace('aa', 'AA') }, /id: must be an id of this service, a UUID/],
  [
    'a date that does not exist',
    { 'course.yaml': MANIFEST.replace(/reviewed: .*/, 'reviewed: 2026-02-30') },
    /reviewed: must be a date such as 2026-03-31/,
  ],
  ['a blank name', { 'course.yaml': MANIFEST.replace(', de: B }', ', de: " " }') }, /names\/de: must not be blank/],
  [
    'an answer id with a space',
    { 'en/questions.yaml': QUESTIONS.replace('id: b', 'id: b b') },
    /id: must be lower-case letters and digits, with single hyphens/,
  ],
  [
    'a name that is missing in one language',
    { 'course.yaml': MANIFEST.replace(', de: B }', ' }') },
    /names\/de: is required/,
  ],
  ['a language without questions', { 'de/questions.yaml': undefined }, /slug\/de\/questions\.yaml: is missing/],
  ['a language without a lesson', { 'de/01-first.md': undefined }, /slug\/de: has the lessons , but en has 01-first/],
  [
    'an answer id that differs from English',
    { 'de/questions.yaml': QUESTIONS.replace('id: b', 'id: c') },
    /question 1 differs from en/,
  ],
  [
    'an answer that is right in only one language',
    { 'de/questions.yaml': QUESTIONS.replace('true', 'false').replace('B, right: false', 'B, right: true') },
    /question 1 differs from en/,
  ],
  [
    'two right answers to a single-choice question',
    { 'en/questions.yaml': QUESTIONS.replace('false', 'true') },
    /en\/questions\.yaml, 0\/answers: exactly one answer must be right, not 2/,
  ],
  [
    'no right answer to a multiple-choice question',
    { 'en/questions.yaml': QUESTIONS.replace('one', 'many').replace('true', 'false') },
    /at least one answer must be right/,
  ],
  [
    'an answer without a reason',
    { 'en/questions.yaml': QUESTIONS.replace(', because: So.', '') },
    /0\/answers\/0\/because: is required/,
  ],
  [
    'an unknown field',
    { 'en/questions.yaml': QUESTIONS.replace('ask:', 'hint: x\n  ask:') },
    /0\/hint: is not a known field/,
  ],
  [
    'a question about a missing lesson',
    { 'en/questions.yaml': QUESTIONS.replace('01-first', '09-none') },
    /no lesson is named 09-none/,
  ],
  ['HTML', { 'en/01-first.md': '# A\n\n<b>x</b>\n' }, /en\/01-first\.md, line 3: must not have HTML: <b>/],
  [
    'HTML in an answer',
    { 'en/questions.yaml': QUESTIONS.replace('text: A', 'text: <i>A</i>') },
    /must not have HTML: <i>/,
  ],
  [
    'reporting channels twice',
    { 'en/01-first.md': '# A\n\n{{reporting}}\n\n{{reporting}}\n' },
    /can have \{\{rep.* once/,
  ],
  ['reporting channels within a text', { 'en/01-first.md': '# A\n\nSo: {{reporting}}\n' }, /as a paragraph/],
  ['an unknown placeholder', { 'en/01-first.md': '# A\n\n{{phone}}\n' }, /no other \{\{/],
  [
    'a piece of a missing lesson',
    { 'course.yaml': `${MANIFEST}pieces: [{ id: 0192a3b4-0000-7000-8000-4000000000ab, lessons: [09-none] }]\n` },
    /course\.yaml: no lesson is named 09-none \(piece 0192/,
  ],
  [
    'a piece without questions',
    {
      'course.yaml': `${MANIFEST}pieces: [{ id: 0192a3b4-0000-7000-8000-4000000000ab, lessons: [01-first] }]\n`,
      ...{ 'en/questions.yaml': QUESTIONS.replace('  lesson: 01-first\n', '') },
    },
    /course\.yaml: has no question \(piece 0192/,
  ],
  ['a link', { 'en/01-first.md': '# A\n\n[x](https://a.test)\n' }, /must not have a link/],
  ['a lesson without a title', { 'en/01-first.md': 'Text.\n' }, /must begin with a title/],
  ['a heading that skips a level', { 'en/01-first.md': '# A\n\n### B\n' }, /level 3 instead of 2/],
  ['an external picture', { 'en/01-first.md': '# A\n\n![a](https://a.test/b.svg)\n' }, /shows https:/],
  [
    'a picture whose file is missing',
    { 'en/01-first.md': '# A\n\n![a](../pictures/b.svg)\n' },
    /b\.svg, which does not exist/,
  ],
  [
    'a picture without a description',
    { 'en/01-first.md': '# A\n\n![](../pictures/letter.svg)\n' },
    /no description of the picture/,
  ],
  ['an unexpected file', { 'en/notes.txt': 'x' }, /en\/notes\.txt: is not a file of a course/],
  [
    'a picture with a script',
    { 'pictures/letter.svg': SVG.replace('<path', '<script>x</script><path') },
    /must not have the element script/,
  ],
  [
    'an inline event handler',
    { 'pictures/letter.svg': SVG.replace('d=', 'onload="x" d=') },
    /must not have a script: onload/,
  ],
  [
    'an attribute without quotes',
    { 'pictures/letter.svg': SVG.replace('d=', 'onload=x d=') },
    /a tag that cannot be read/,
  ],
  [
    'a picture that loads another one',
    { 'pictures/letter.svg': SVG.replace('<path', '<use href="//a.test/#b" /><path') },
    /must not refer to \/\/a\.test/,
  ],
  [
    'a picture with an external style',
    { 'pictures/letter.svg': SVG.replace('d=', 'fill="url(https://a.test)" d=') },
    /must not refer to https/,
  ],
  ['a picture with an entity', { 'pictures/letter.svg': `<!DOCTYPE svg>${SVG}` }, /must be an SVG/],
  [
    'a picture that contains text',
    { 'pictures/letter.svg': SVG.replace('<path', '<text>Stop</text><path') },
    /must not have text, .*: Stop/,
  ],
])('%s is reported with its location', (_, changes, told) => {
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf(changes).join('\n')).toMatch(told);
});
