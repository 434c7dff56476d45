import { readFileSync } from 'node:fs';
import { readCatalogue } from '../../src/commands/catalogue/catalogue-file.ts';

const COURSE = {
  ...{ externalId: 'phishing', name: 'phishing-basics', subject: 'Phishing' },
  ...{ difficulty: 1, passMark: 80, locales: ['en'] },
};
const read = (...courses: object[]) => readCatalogue(JSON.stringify({ courses }, null, 1));

test('omitted fields default to null, the name, training and not retired', async () => {
  expect(await read(COURSE)).toEqual([
    {
      ...{ id: undefined, type: 'training', retired: false },
      content: {
        ...{ external_id: 'phishing', name: 'phishing-basics', display_name: 'phishing-basics', subject: 'Phishing' },
        ...{ difficulty: 1, description: null, duration_minutes: null, pass_mark: 80, locales: ['en'] },
        ...{ valid_for_months: null, localized_names: {} },
      },
    },
  ]);
});

test('localized names are stored under language tags, within the bounds of names', async () => {
  const [course] = await read({ ...COURSE, localizedNames: { de_CH: 'Phishing erkennen', fr: 'Hameçonnage' } });
  expect(course!.content.localized_names).toEqual({ 'de-CH': 'Phishing erkennen', fr: 'Hameçonnage' });
  for (const localizedNames of [{ de: '' }, { de: 1 }, { 'no locale': 'x' }, ['de']]) {
    await expect(read({ ...COURSE, localizedNames })).rejects.toThrow(/localizedNames/);
  }
});

test('locales are stored as language tags, each once', async () => {
  const [course] = await read({ ...COURSE, locales: ['de_CH', 'en', 'de-CH'] });
  expect(course!.content.locales).toEqual(['de-CH', 'en']);
});

test.each([
  ['a missing field', { ...COURSE, passMark: undefined }, 'line 13, courses/1/passMark: is missing'],
  ['a value out of range', { ...COURSE, difficulty: 6 }, 'line 13, courses/1/difficulty: must be at most 5'],
  ['an unknown field', { ...COURSE, autoEnrol: true }, 'line 13, courses/1/autoEnrol: is unknown'],
  ['a missing id', { ...COURSE, externalId: undefined }, 'line 13, courses/1/externalId: is missing'],
  [
    'an invalid language',
    { ...COURSE, externalId: 'b', locales: ['??'] },
    'line 13, courses/1/locales/0: must be a language tag',
  ],
  [
    'the externalId of another entry',
    { ...COURSE, externalId: ' phishing ' },
    'line 13, courses/1/externalId: courses/0 has the same value',
  ],
])('%s is rejected, naming line and field', async (_case, course, words) => {
  await expect(read(COURSE, course)).rejects.toThrow(words);
});

test('JSON syntax inside a string does not shift the reported line', async () => {
  const first = { ...COURSE, description: 'a "{[" and a }' };
  await expect(read(first, { ...COURSE, externalId: 'b', passMark: 101 })).rejects.toThrow(
    'line 14, courses/1/passMark',
  );
});

test('a lone surrogate is rejected', async () => {
  await expect(read({ ...COURSE, name: 'phishing \ud83d' })).rejects.toThrow('is not valid UTF-8');
});

test('a file with many faults is rejected quickly, reporting only the first 20', async () => {
  const courses = Array.from({ length: 5000 }, (_, index) => ({ ...COURSE, externalId: `c${index}`, passMark: 101 }));
  const start = performance.now();
  await expect(read(...courses)).rejects.toThrow(/courses\/19\/passMark.*\n {2}and 4980 more$/);
  expect(performance.now() - start).toBeLessThan(3000);
});

test('invalid JSON is rejected with its line', async () => {
  await expect(readCatalogue('{\n "courses": [\n  {"a" 1}]}')).rejects.toThrow(/not valid JSON: .*line 3/);
  await expect(readCatalogue('[]')).rejects.toThrow('the file: must be an object');
});

test('the example in the operating guide is a valid catalogue', async () => {
  const [, example] = /```json\n(\{\n {2}"courses".+?)```/s.exec(readFileSync('docs/guides/operating.md', 'utf8'))!;
  expect((await readCatalogue(example!)).map(({ type }) => type)).toEqual(['training', 'gap_analysis']);
});
