const ADL = 'http://adlnet.gov/expapi';

/** Returns an xAPI statement with much to validate, different for each number. */
export function statementOf(number: number): object {
  const extensions = Object.fromEntries(
    Array.from({ length: 5 }, (_, n) => [`https://worst.test/extension/${n}`, 'x']),
  );
  return {
    actor: { mbox: `mailto:worst${number}@worst.test` },
    verb: { id: `${ADL}/verbs/completed`, display: { 'en-US': 'completed' } },
    object: {
      id: 'https://worst.test/course',
      definition: { type: `${ADL}/activities/course`, name: { en: 'A course', 'de-CH': 'Ein Kurs' }, extensions },
    },
    result: { score: { raw: 80, min: 0, max: 100, scaled: 0.8 }, success: true, duration: 'PT1H30M' },
    timestamp: '2026-05-02T10:00:00.000Z',
  };
}
