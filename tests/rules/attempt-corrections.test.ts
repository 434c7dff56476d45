import fc from 'fast-check';
import {
  deriveAttempts,
  enrolmentFact,
  type Fact,
  type StoredAttempt,
} from '../../src/resources/courses/results/attempt-rules.ts';
import { anyFact, begins, end, finish, openSinceDay5, record, seen, start, withDayEnds } from './attempt-samples.ts';

interface Change {
  voids?: string[];
  restores?: string[];
  replaces?: Fact;
}

/** Attempts with the facts that they are derived from, as stored in the database. */
class Corrected {
  stored: StoredAttempt[];
  readonly #facts = new Map<string, Fact>();
  readonly #voidedIds = new Set<string>();
  readonly #attemptIds = new Map<string, string>();
  #newIds = 0;

  constructor(facts: Fact[], begin: StoredAttempt[] = []) {
    const enrolment = facts.length > 0 ? enrolmentFact(begin, []) : undefined;
    for (const fact of [...facts, ...(enrolment ? [enrolment] : [])]) this.#facts.set(fact.eventId, fact);
    this.stored = record(facts.length > 0 ? [facts] : [], begin);
  }

  get counted(): Fact[] {
    return [...this.#facts.values()].filter(({ eventId }) => !this.#voidedIds.has(eventId));
  }

  /** Voids and restores facts, or voids the first one and adds its replacement. */
  correct({ voids = [], restores = [], replaces }: Change): void {
    const former = this.counted;
    for (const id of voids) this.#voidedIds.add(id);
    for (const id of restores) this.#voidedIds.delete(id);
    if (replaces) this.#facts.set(replaces.eventId, replaces);
    const added = replaces ? [replaces.eventId] : [];
    const attempts = deriveAttempts({
      ...{ stored: this.stored, facts: this.counted, newIds: new Set([...restores, ...added]) },
      correction: {
        former,
        replacedIds: new Map(added.map((eventId) => [eventId, voids[0]!])),
        restoredAttemptIds: new Map(
          restores.flatMap((id) => (this.#attemptIds.has(id) ? [[id, this.#attemptIds.get(id)!]] : [])),
        ),
      },
    });
    for (const { finishEventId, attemptId } of this.stored)
      if (finishEventId !== null && voids.includes(finishEventId)) this.#attemptIds.set(finishEventId, attemptId);
    this.stored = attempts.map((attempt) => {
      return withDayEnds({ ...attempt, attemptId: attempt.attemptId ?? `new ${(this.#newIds += 1)}`, isDerived: true });
    });
  }
}

const idsOf = (attempts: readonly StoredAttempt[]) => attempts.map(({ attemptId }) => attemptId);

test('after any corrections, the attempts follow from the facts that count, each with its own id', () => {
  const step = fc.record({ pick: fc.nat(), action: fc.constantFrom('void', 'restore', 'replace'), make: anyFact });
  fc.assert(
    fc.property(
      fc.array(anyFact, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...begins),
      fc.array(step, { minLength: 1, maxLength: 6 }),
      (drawn, begin, steps) => {
        const corrected = new Corrected(
          drawn.map((create, index) => create(`e${index}`)),
          begin,
        );
        const voidedIds: string[] = [];
        steps.forEach(({ pick, action, make }, index) => {
          const live = corrected.counted.filter(({ eventId }) => !eventId.startsWith(' '));
          if (action === 'restore' && voidedIds.length > 0) {
            corrected.correct({ restores: voidedIds.splice(pick % voidedIds.length, 1) });
          } else if (action !== 'restore' && live.length > 0) {
            const { eventId } = live[pick % live.length]!;
            voidedIds.push(eventId);
            corrected.correct({ voids: [eventId], ...(action === 'replace' && { replaces: make(`r${index}`) }) });
          }
        });
        const remaining = corrected.counted.filter(({ eventId }) => !eventId.startsWith(' '));
        expect(seen(corrected.stored)).toEqual(seen(record([remaining], begin)));
        expect(new Set(idsOf(corrected.stored)).size).toBe(corrected.stored.length);
      },
    ),
    { numRuns: 2000 },
  );
});

test('an attempt keeps its id if its finish is replaced, and gets it back if its finish is restored', () => {
  const corrected = new Corrected([finish('e', 5)], [openSinceDay5]);
  expect(idsOf(corrected.stored)).toEqual(['a']);
  corrected.correct({ voids: ['e'], replaces: finish('f', 8, 60) });
  expect(idsOf(corrected.stored)).toEqual(['a']);
  corrected.correct({ voids: ['f'] });
  expect(corrected.stored).toMatchObject([{ finishDate: null }]);
  expect(idsOf(corrected.stored)).not.toEqual(['a']);
  corrected.correct({ restores: ['f'] });
  expect(idsOf(corrected.stored)).toEqual(['a']);
});

test('other attempts keep their ids', () => {
  const corrected = new Corrected([finish('e', 3, 60), finish('f', 5, 70), start('s', 6), finish('g', 7, 80)]);
  const [first, , third] = idsOf(corrected.stored);
  corrected.correct({ voids: ['f'] });
  expect(idsOf(corrected.stored)).toEqual([first, third]);
});

test('a grade can be voided apart from the finish of the same day', () => {
  const corrected = new Corrected([end('e', 5, 8), end('f', 5, 9, true)]);
  const ids = idsOf(corrected.stored);
  corrected.correct({ voids: ['f'] });
  expect(corrected.stored).toMatchObject([{ attemptId: ids[0], passed: null, finishEventId: 'e' }]);
});
