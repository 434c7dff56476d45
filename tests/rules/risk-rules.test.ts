import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  PRESUMED,
  type RiskFactor,
  type RiskFacts,
  riskScore,
  riskScoreLevel,
  SEVERITIES,
  WEIGHTS,
  WORST_MEAN,
} from '../../src/resources/risk/risk-rules.ts';

interface Event {
  factor: RiskFactor;
  outcome: string;
}

/** Outcomes of each factor, from best to worst. */
const OUTCOMES: Record<RiskFactor, string[]> = {
  simulations: ['reported', 'ignored', 'visited', 'compromised'],
  courses: ['passed', 'completed', 'open', 'failed', 'overdue'],
  policies: ['signed', 'open', 'overdue'],
  breaches: ['address', 'password'],
};
const ALL = Object.keys(OUTCOMES) as RiskFactor[];
const AVERAGED = ['simulations', 'courses', 'policies'] as const;

/** Counts events; outcomes keep the order of their first event. */
function tally(events: Event[]): RiskFacts {
  const facts: Record<string, Record<string, number>> = {};
  for (const { factor, outcome } of events) {
    const counts = (facts[factor] ??= {});
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  for (const factor of ALL) {
    const counts = (facts[factor] ??= {});
    for (const outcome of OUTCOMES[factor]) counts[outcome] ??= 0;
  }
  return facts as unknown as RiskFacts;
}

function repeat(factor: RiskFactor, outcome: string, times = 1): Event[] {
  return Array.from({ length: times }, () => ({ factor, outcome }));
}

const event: fc.Arbitrary<Event> = fc
  .constantFrom(...ALL)
  .chain((factor) => fc.record({ factor: fc.constant(factor), outcome: fc.constantFrom(...OUTCOMES[factor]) }));
const events = fc.array(event, { maxLength: 40, size: 'max' });
const modules = fc.shuffledSubarray(ALL);
const RUNS = { numRuns: 2000 };

type Fraction = [bigint, bigint];

/** Computes the formula of docs/risk-score.md, times 100, as an exact fraction. */
function exactScore(list: Event[], factors: readonly RiskFactor[]): Fraction {
  const hundredths: Record<string, number[]> = {
    simulations: [0, 10, 60, 100, 15, 15],
    courses: [0, 0, 40, 80, 100, 20],
    policies: [0, 30, 100, 0],
  };
  const weights = { simulations: 40n, courses: 25n, breaches: 20n, policies: 15n };
  let [top, bottom, weight]: [bigint, bigint, bigint] = [0n, 1n, 0n];
  for (const factor of factors) {
    const happened = list
      .filter((one) => one.factor === factor)
      .map(({ outcome }) => OUTCOMES[factor].indexOf(outcome));
    let risk: Fraction;
    if (factor === 'breaches') {
      const safety = happened.reduce<Fraction>(([a, b], n) => (n ? [a, b * 2n] : [a * 4n, b * 5n]), [1n, 1n]);
      risk = [safety[1] - safety[0], safety[1]];
    } else {
      const presumed = hundredths[factor]!.slice(OUTCOMES[factor].length);
      const all = [...happened.map((n) => hundredths[factor]![n]!), ...presumed];
      const most = 100 * all.length;
      risk = [BigInt(Math.min(2 * all.reduce((a, b) => a + b), most)), BigInt(most)];
    }
    [top, bottom] = [top * risk[1] + weights[factor] * risk[0] * bottom, bottom * risk[1]];
    weight += weights[factor];
  }
  return weight === 0n ? [0n, 1n] : [100n * top, bottom * weight];
}

describe('riskScore', () => {
  test('equals the documented formula, rounded to the nearest integer', () => {
    fc.assert(
      fc.property(events, modules, (list, factors) => {
        const [top, bottom] = exactScore(list, factors);
        // Twice the difference between the fraction and the score, in billionths.
        const distance = Number((1_000_000_000n * (2n * top - 2n * bottom * BigInt(score(list, factors)))) / bottom);
        expect(Math.abs(distance)).toBeLessThanOrEqual(1_000_000_001);
      }),
      RUNS,
    );
  });

  test('is an integer from 0 to 100 for any number of events', () => {
    const count = fc.oneof(fc.nat(3), fc.nat(1_000_000));
    const counts = (factor: RiskFactor) => fc.record(Object.fromEntries(OUTCOMES[factor].map((name) => [name, count])));
    const facts = fc.record(Object.fromEntries(ALL.map((factor) => [factor, counts(factor)])));
    fc.assert(
      fc.property(facts, modules, (many, factors) => {
        const found = riskScore(many as unknown as RiskFacts, factors);
        expect({ found, isWhole: Number.isInteger(found) }).toEqual({ found, isWhole: true });
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(100);
      }),
      RUNS,
    );
  });

  test('does not fall when an outcome gets worse', () => {
    fc.assert(
      fc.property(events, fc.nat(), fc.nat(), modules, (list, position, step, factors) => {
        fc.pre(list.length > 0);
        const { factor, outcome } = list[position % list.length]!;
        const worse = OUTCOMES[factor].slice(OUTCOMES[factor].indexOf(outcome) + 1);
        fc.pre(worse.length > 0);
        const changed = list.with(position % list.length, { factor, outcome: worse[step % worse.length]! });
        expect(score(changed, factors)).toBeGreaterThanOrEqual(score(list, factors));
      }),
      RUNS,
    );
  });

  test('does not fall with another worst outcome', () => {
    fc.assert(
      fc.property(events, fc.constantFrom(...ALL), modules, (list, factor, factors) => {
        const more = [...list, ...repeat(factor, OUTCOMES[factor].at(-1)!)];
        expect(score(more, factors)).toBeGreaterThanOrEqual(score(list, factors));
      }),
      RUNS,
    );
  });

  test('does not fall with another breach of any kind', () => {
    fc.assert(
      fc.property(events, fc.constantFrom(...OUTCOMES.breaches), modules, (list, outcome, factors) => {
        const more = [...list, ...repeat('breaches', outcome)];
        expect(score(more, factors)).toBeGreaterThanOrEqual(score(list, factors));
      }),
      RUNS,
    );
  });

  test('does not rise with another best outcome', () => {
    fc.assert(
      fc.property(events, fc.constantFrom(...AVERAGED), modules, (list, factor, factors) => {
        const more = [...list, ...repeat(factor, OUTCOMES[factor][0]!)];
        expect(score(more, factors)).toBeLessThanOrEqual(score(list, factors));
      }),
      RUNS,
    );
  });

  test('is independent of the order of events', () => {
    const twice = events.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(twice, modules, ([list, shuffled], factors) =>
        expect(score(shuffled, factors)).toBe(score(list, factors)),
      ),
      RUNS,
    );
  });

  test('ignores factors whose modules the company lacks', () => {
    fc.assert(
      fc.property(events, events, modules, (list, others, factors) => {
        const seen = (one: Event): boolean => factors.includes(one.factor);
        const changed = [...list.filter(seen), ...others.filter((one) => !seen(one))];
        expect(score(changed, factors)).toBe(score(list, factors));
        expect(score(list, [])).toBe(0);
      }),
      RUNS,
    );
  });

  const mixed = [
    ...repeat('simulations', 'compromised'),
    ...repeat('simulations', 'ignored', 2),
    ...repeat('simulations', 'reported'),
    ...repeat('courses', 'passed'),
    ...repeat('courses', 'overdue'),
    ...repeat('policies', 'signed'),
    ...repeat('policies', 'open'),
    ...repeat('breaches', 'password'),
    ...repeat('breaches', 'address'),
  ];
  const best = [...repeat('simulations', 'reported', 20), ...repeat('courses', 'passed', 20)];
  const sixMessages = [
    ...repeat('simulations', 'visited'),
    ...repeat('simulations', 'compromised'),
    ...repeat('simulations', 'ignored', 4),
  ];
  const worst = ALL.flatMap((factor) => repeat(factor, OUTCOMES[factor].at(-1)!, 100));
  const half = AVERAGED.flatMap((factor) => [0, -1].flatMap((nth) => repeat(factor, OUTCOMES[factor].at(nth)!, 100)));

  // Calculated by hand: 40 for simulations, 25 for courses, 15 for policies, 20 for breaches.
  test.each<[string, Event[], RiskFactor[], number]>([
    ['no events: 12 + 10 + 0 + 0', [], ALL, 22],
    ['one compromise: 34.7 + 10 + 0 + 0', repeat('simulations', 'compromised'), ALL, 45],
    ['mixed outcomes: 20 + 20 + 3 + 12', mixed, ALL, 55],
    ['the same without breaches: 43 of 80', mixed, ['simulations', 'courses', 'policies'], 54],
    ['the same without policies and breaches: 40 of 65', mixed, ['simulations', 'courses'], 62],
    ['the same without simulations: 35 of 60', mixed, ['courses', 'policies', 'breaches'], 58],
    ['the same without any module', mixed, [], 0],
    ['many good outcomes: 1.1 + 0.5', best, ALL, 2],
    ['many bad outcomes', worst, ALL, 100],
    ['as many bad outcomes as good: 40 + 25 + 15 + 0', half, ALL, 80],
  ])('is correct for %s', (_case, list, factors, expected) => {
    expect(score(list, factors)).toBe(expected);
  });

  test.each<[RiskFactor, string, number, number]>([
    ['simulations', 'reported', 0, 30],
    ['simulations', 'reported', 1, 20],
    ['simulations', 'ignored', 1, 27],
    ['simulations', 'visited', 1, 60],
    ['simulations', 'compromised', 1, 87],
    ['simulations', 'compromised', 2, 100],
    ['courses', 'passed', 0, 40],
    ['courses', 'passed', 1, 20],
    ['courses', 'completed', 1, 20],
    ['courses', 'open', 1, 60],
    ['courses', 'failed', 1, 100],
    ['courses', 'overdue', 1, 100],
    ['policies', 'signed', 0, 0],
    ['policies', 'open', 1, 30],
    ['policies', 'overdue', 1, 100],
    ['breaches', 'address', 1, 20],
    ['breaches', 'address', 3, 49],
    ['breaches', 'password', 1, 50],
    ['breaches', 'password', 2, 75],
  ])('with only %s, after %s × %i', (factor, outcome, times, expected) => {
    expect(score(repeat(factor, outcome, times), [factor])).toBe(expected);
  });

  test.each<[string, Event[], RiskFactor, number]>([
    ['7.5', repeat('simulations', 'reported', 6), 'simulations', 8],
    ['57.5', sixMessages, 'simulations', 58],
    ['2.5', repeat('courses', 'passed', 15), 'courses', 3],
    ['7.5', [...repeat('policies', 'open'), ...repeat('policies', 'signed', 6)], 'policies', 8],
    ['22.5', [...repeat('policies', 'open', 3), ...repeat('policies', 'signed', 4)], 'policies', 23],
    ['52.5', [...repeat('simulations', 'visited', 3), ...repeat('simulations', 'reported', 3)], 'simulations', 53],
  ])('rounds %s up', (_value, list, factor, expected) => {
    expect(score(list, [factor])).toBe(expected);
  });
});

function score(list: Event[], factors: readonly RiskFactor[]): number {
  return riskScore(tally(list), factors);
}

describe('docs/risk-score.md', () => {
  const document = readFileSync(new URL('../../docs/risk-score.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');

  test.each([
    `| Simulations | ${WEIGHTS.simulations} | \`smphish\` |`,
    `| Courses | ${WEIGHTS.courses} | \`smlearn\` |`,
    `| Breaches | ${WEIGHTS.breaches} | \`smbreachproenabled\` |`,
    `| Policies | ${WEIGHTS.policies} | \`smpolicy\` |`,
    `| gave data away | ${SEVERITIES.simulations.compromised} | not finished in 30 days | ${SEVERITIES.courses.overdue} |`,
    `| followed the link | ${SEVERITIES.simulations.visited} | failed | ${SEVERITIES.courses.failed} |`,
    `| did nothing | ${SEVERITIES.simulations.ignored} | not finished yet | ${SEVERITIES.courses.open} |`,
    `| reported it | ${SEVERITIES.simulations.reported} | passed or completed | ${SEVERITIES.courses.passed} |`,
    `| not signed in 14 days | ${SEVERITIES.policies.overdue} |`,
    `| not signed yet | ${SEVERITIES.policies.open} |`,
    `| signed | ${SEVERITIES.policies.signed} |`,
    `1 − ${1 - SEVERITIES.breaches.password}^p × ${1 - SEVERITIES.breaches.address}^a`,
    `two messages of severity ${PRESUMED.simulations.severity}`,
    `one enrolment of ${PRESUMED.courses.severity}`,
  ])('states %s as in the code', (line) => expect(document).toContain(line));

  test('states the presumed events of each factor as in the code', () => {
    expect(document).toContain('two messages of severity 0.15, one enrolment of 0.2, one signed policy');
    expect(AVERAGED.map((factor) => PRESUMED[factor].count)).toEqual([2, 1, 1]);
    expect(PRESUMED.policies.severity).toBe(SEVERITIES.policies.signed);
    expect(document).toContain('The risk of the factor is twice the mean of them all, at most 1');
    expect(WORST_MEAN).toBe(1 / 2);
  });
});

describe('riskScoreLevel', () => {
  test.each([
    [0, 'low'],
    [24, 'low'],
    [25, 'moderate'],
    [49, 'moderate'],
    [50, 'high'],
    [74, 'high'],
    [75, 'critical'],
    [100, 'critical'],
  ])('of %i is %s', (score, level) => {
    expect(riskScoreLevel(score)).toBe(level);
  });
});
