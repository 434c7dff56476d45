import fc from 'fast-check';
import { bulkOutcome } from '../../src/resources/learners/shared/skipped-learners.ts';

const skip = (asked: string[], changed: string[], known: string[]) =>
  bulkOutcome(asked, changed, new Set(known), 'already_active').skipped;

describe('bulkOutcome', () => {
  test('reports for each skipped learner whether it exists', () => {
    expect(skip(['a', 'b', 'c'], ['a'], ['a', 'c'])).toEqual([
      { learnerId: 'b', code: 'not_found', message: 'Learner not found.' },
      { learnerId: 'c', code: 'already_active', message: 'The learner is already active.' },
    ]);
  });

  test.each(['already_active', 'already_inactive', 'already_member', 'not_member'] as const)(
    'gives %s its own message',
    (code) => {
      const messages = (['already_active', 'already_inactive', 'already_member', 'not_member'] as const).map(
        (other) => bulkOutcome(['a'], [], new Set(['a']), other).skipped[0]!.message,
      );
      const [skipped] = bulkOutcome(['a'], [], new Set(['a']), code).skipped;
      expect(skipped).toMatchObject({ code, message: expect.stringMatching(/^The learner is .+\.$/) });
      expect(messages.filter((message) => message === skipped!.message)).toHaveLength(1);
    },
  );

  test('returns every requested learner as changed or skipped, in the order of the request', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 50 }).map(String), { minLength: 1 });
    fc.assert(
      fc.property(ids, fc.func(fc.boolean()), fc.func(fc.boolean()), (asked, isKnown, isChanged) => {
        const known = asked.filter(isKnown);
        const changed = known.filter(isChanged);
        const skipped = skip(asked, changed.toReversed(), known);
        expect(skipped.map(({ learnerId }) => learnerId)).toEqual(asked.filter((id) => !changed.includes(id)));
        const notFound = skipped.filter(({ code }) => code === 'not_found').map(({ learnerId }) => learnerId);
        expect(notFound).toEqual(asked.filter((id) => !known.includes(id)));
      }),
    );
  });
});
