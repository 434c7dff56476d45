import { type Fault, inLine } from '../../src/resources/courses/authored/course.ts';
import { readCourse } from '../../src/resources/courses/authored/read-course.ts';

const MANIFEST = `id: 0192a3b4-0000-7000-8000-4000000000aa
names: { en: A, de: B }
summaries: { en: A., de: B. }
minutes: 5
passMark: 70
languages: [en, de]
pools: { p: 1 }
reviewed: 2026-11-23
`;
const QUESTIONS = `- id: mail
  kind: mail
  ask: What is wrong?
  atLeast: 1
  mail:
    from: { name: Desk, address: desk@a.test }
    to: ada@b.test
    date: Monday
    subject: Hello
    headers:
      - { id: reply-to, name: Reply-To, value: c@d.test }
    body:
      - { id: link, text: Open it, address: "https://a.test" }
  answers:
    - { id: reply-to, right: true, because: So. }
    - { id: link, right: false, because: So. }
    - { id: harmless, right: false, because: So. }
- id: call
  kind: scenario
  ask: A call
  scenes:
    - id: ring
      text: It rings.
      choices:
        - { id: a, text: Answer, to: lost }
        - { id: b, text: Hang up, to: safe }
    - { id: lost, text: Lost., end: bad }
    - { id: safe, text: Safe., end: good }
- id: one
  pool: p
  kind: one
  ask: One?
  answers:
    - { id: a, text: A, right: true, because: So. }
    - { id: b, text: B, right: false, because: So. }
- id: two
  pool: p
  kind: one
  ask: Two?
  answers:
    - { id: a, text: A, right: true, because: So. }
    - { id: b, text: B, right: false, because: So. }
`;

function faultsOf(changed: { manifest?: string; en?: string; de?: string }, path = 'courses/slug'): string[] {
  const { manifest = MANIFEST, en = QUESTIONS, de = en } = changed;
  const texts = { 'course.yaml': manifest, 'en/questions.yaml': en, 'de/questions.yaml': de };
  const files = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const);
  const faults: Fault[] = [];
  readCourse(path, new Map(files), faults);
  return faults.map(inLine);
}

const change = (from: string | RegExp, to: string) => {
  const en = QUESTIONS.replace(from, to);
  expect(en).not.toBe(QUESTIONS);
  return { en };
};

test.each<[string, () => Parameters<typeof faultsOf>[0], RegExp]>([
  ['an unknown kind', () => change('kind: scenario', 'kind: film'), /1\/kind: .*one, many, mail, scenario/],
  ['an email without a sender', () => change(/ {4}from: .*\n/, ''), /0\/mail\/from: is required/],
  ['a field of another kind', () => change('  atLeast: 1\n', '  scenes: []\n'), /0\/scenes: is not a known field/],
  [
    'a mark with a text',
    () => change('id: link, right', 'id: link, text: x, right'),
    /0\/answers\/1\/text: is not a known/,
  ],
  [
    'a mark for a missing part',
    () => change('id: reply-to, right', 'id: cc, right'),
    /0\/answers\/0\/id: no part .*id cc/,
  ],
  ['a part without a mark', () => change(/ {4}- { id: link, right.*\n/, ''), /0\/answers: lack the parts link/],
  ['an email without the answer harmless', () => change(/ {4}- { id: harmless.*\n/, ''), /0\/answers: lack harmless/],
  [
    'a harmless email with cues',
    () => change('harmless, right: false', 'harmless, right: true'),
    /0\/answers: either harmless or/,
  ],
  ['more cues than there are', () => change('atLeast: 1', 'atLeast: 2'), /0\/atLeast: must be at most 1/],
  [
    'a part with the id of another',
    () => change('{ id: link, text', '{ id: subject, text'),
    /0\/mail: subject is the id of/,
  ],
  [
    'two parts with the same id',
    () => change('{ id: link, text', '{ id: reply-to, text'),
    /0\/mail: two parts have the id reply-to/,
  ],
  ['HTML in a mail', () => change('Open it', '<b>Open</b>'), /must not have HTML: <b>.*\(mail\)/],
  ['a dead end', () => change('text: Safe., end: good', 'text: Safe.'), /1\/scenes\/2: is a dead end.*\(call\)/],
  [
    'a choice without a target',
    () => change('Answer, to: lost', 'Answer'),
    /1\/scenes\/0\/choices\/0\/to: is required/,
  ],
  ['an unknown end', () => change('end: bad', 'end: fair'), /1\/scenes\/1\/end: .*good, bad/],
  [
    'a scenario that leads elsewhere in one language',
    () => ({ de: QUESTIONS.replace('up, to: safe', 'up, to: lost') }),
    /question 2 differs from en/,
  ],
  [
    'a link that is text in one language',
    () => ({ de: QUESTIONS.replace(', address: "https://a.test"', '') }),
    /question 1 differs from en/,
  ],
  ['a missing pool', () => change('pool: p', 'pool: q'), /course\.yaml has no pool q \(one\)/],
  [
    'a pool that draws all',
    () => ({ manifest: MANIFEST.replace('p: 1', 'p: 2') }),
    /the pool p has 2 questions and must have more/,
  ],
])('%s is reported with its field', (_, build, reported) => {
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf(build()).join('\n')).toMatch(reported);
});

test('a gap analysis has neither scenarios nor pools', () => {
  const faults = faultsOf({}, 'gap-analysis').filter((fault) => fault.includes('en/questions'));
  expect(faults.filter((fault) => fault.includes('only a training'))).toHaveLength(3);
});
