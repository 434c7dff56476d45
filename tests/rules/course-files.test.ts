/** @jest-environment node */
import { listSteps, readField } from '../../src/pages/console/courses/editor/course-files.ts';

test.each([
  ['- id: first  \n  ask: Why?', 'id', 'first'],
  ["- id: a\n  ask: 'Who?'", 'ask', 'Who?'],
  ['- id: a\n  ask: >-\n    Which one?\n    This?', 'ask', 'Which one?'],
  ['- id:   \n  ask: x', 'id', undefined],
  ['- id: a', 'lesson', undefined],
])('the entry %j has the field %s', (entry, name, value) => expect(readField(entry, name)).toBe(value));

// A pattern that leaves out the spaces at the end would take 27 s and block the event loop.
test('a field with 100,000 spaces is read within a second', () => {
  const begin = performance.now();
  expect(listSteps(new Map([['en/questions.yaml', `- id: a${' '.repeat(100_000)}b`]]), 'en')).toHaveLength(1);
  expect(performance.now() - begin).toBeLessThan(1000);
});
