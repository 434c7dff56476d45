import fc from 'fast-check';
import { enrolmentFact, type Fact, type StoredAttempt } from '../../src/resources/courses/results/attempt-rules.ts';
import { joinCourses, separateCourses } from '../../src/resources/learner-merges/join-rules.ts';
import {
  anyFact,
  finishedOnDay7,
  begins,
  finish,
  openSinceDay5,
  record,
  seen,
  start,
  withDayEnds,
} from './attempt-samples.ts';

/** Records facts of a learner. Returns the attempts, and the facts that count. */
function stateOf(name: string, facts: Fact[], begin: StoredAttempt[] = []) {
  const enrolment = facts.length > 0 ? enrolmentFact(begin, []) : undefined;
  const attempts = (facts.length > 0 ? record([facts], begin) : begin).map((attempt) => {
    return { ...attempt, attemptId: `${name} ${attempt.attemptId}` };
  });
  return { attempts, facts: [...facts, ...(enrolment ? [enrolment] : [])] };
}

const named = (name: string, makers: ((eventId: string) => Fact)[]) =>
  makers.map((make, index) => make(`${name}${index}`));
const anyFacts = fc.array(anyFact, { maxLength: 5 });

test('joined attempts equal the attempts of one learner with the facts of both', () => {
  fc.assert(
    fc.property(anyFacts, anyFacts, (some, others) => {
      const [a, b] = [named('a', some), named('b', others)];
      const joined = joinCourses(stateOf('a', a), stateOf('b', b));
      expect(seen(joined.attempts)).toEqual(a.length + b.length > 0 ? seen(record([[...a, ...b]])) : []);
    }),
  );
});

test('a finish of the other learner ends an open enrolment, and both finished attempts remain', () => {
  const ended = joinCourses(stateOf('a', [], [openSinceDay5]), stateOf('b', [finish('b', 8)]));
  expect(seen(ended.attempts)).toMatchObject([[1, '2026-03-05', '2026-03-08', '2026-03-08', 90]]);
  const both = joinCourses(stateOf('a', [], [finishedOnDay7]), stateOf('b', [finish('b', 6), start('c', 9)]));
  expect(both.attempts.map(({ finishDate, score }) => [finishDate, score])).toEqual([
    ['2026-03-06', 90],
    ['2026-03-07', 60],
    [null, null],
  ]);
});

test('separated attempts equal the attempts before the merge, with their ids', () => {
  fc.assert(
    fc.property(anyFacts, anyFacts, fc.constantFrom(...begins), (some, others, begin) => {
      const [stays, merged] = [stateOf('a', named('a', some), begin), stateOf('b', named('b', others))];
      const joined = joinCourses(stays, merged);
      const now = joined.attempts.map((attempt): StoredAttempt => {
        return withDayEnds({ ...attempt, attemptId: attempt.attemptId ?? 'new', isDerived: true });
      });
      const mergedIds = new Set(merged.attempts.map(({ attemptId }) => attemptId));
      const ownEnrolments = joined.enrolments.filter(({ eventId }) => !mergedIds.has(eventId.trim()));
      const facts = [...stays.facts, ...ownEnrolments];
      const separated = separateCourses(stays.attempts, { attempts: now, facts }, mergedIds);
      const withId = (attempts: readonly { attemptId: string | null }[]) => attempts.map(({ attemptId }) => attemptId);
      expect([seen(separated), withId(separated)]).toEqual([seen(stays.attempts), withId(stays.attempts)]);
    }),
  );
});
