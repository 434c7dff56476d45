import { LANGUAGES, toLanguage } from '../../src/contract/languages.ts';

test.each([
  ['en', 'en'],
  ['de', 'de'],
  ['fr', 'fr'],
  ['de-CH', 'de'],
  ['DE-at', 'de'],
  ['fr-Latn-CA', 'fr'],
  ['it', 'en'],
  ['it-CH', 'en'],
  ['den', 'en'],
  ['d', 'en'],
  ['xx-de', 'en'],
  ['', 'en'],
  ['-', 'en'],
  ['constructor', 'en'],
  ['🦊', 'en'],
  [null, 'en'],
])('the locale %s gets strings in %s', (locale, language) => {
  expect(toLanguage(locale)).toBe(language);
});

test('each supported language maps to itself', () => {
  for (const language of LANGUAGES) expect(toLanguage(language)).toBe(language);
});
