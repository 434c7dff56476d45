import type { Schemas } from '../../contract/contract.ts';

export type RiskScoreLevel = Schemas['RiskScoreLevel'];

/** Number of times that each outcome has happened, regardless of order. */
export interface RiskFacts {
  /**
   * Simulated phishing messages of the last year, by the learner's worst action. Opening a message does not count,
   * because programs open messages too.
   */
  simulations: Record<'reported' | 'ignored' | 'visited' | 'compromised', number>;
  /**
   * Courses are `open` for up to 30 days after the enrolment, and `overdue` after that. A finish without a grade is
   * `completed`, which counts like `passed`.
   */
  courses: Record<'passed' | 'completed' | 'open' | 'failed' | 'overdue', number>;
  /** Policies to sign are `open` for up to 14 days after the request, and `overdue` after that. */
  policies: Record<'signed' | 'open' | 'overdue', number>;
  /** Breaches of services, by which data of the learner they exposed. */
  breaches: Record<'address' | 'password', number>;
}

/** Part of the score. If a company lacks a module, its factor has no weight, and the other factors weigh more. */
export type RiskFactor = keyof RiskFacts;

export const WEIGHTS: Record<RiskFactor, number> = { simulations: 40, courses: 25, policies: 15, breaches: 20 };

/** Severity of each outcome, from 0 to 1. */
export const SEVERITIES: { [Factor in RiskFactor]: RiskFacts[Factor] } = {
  simulations: { reported: 0, ignored: 0.1, visited: 0.6, compromised: 1 },
  courses: { passed: 0, completed: 0, open: 0.4, failed: 0.8, overdue: 1 },
  policies: { signed: 0, open: 0.3, overdue: 1 },
  breaches: { address: 0.2, password: 0.5 },
};

/**
 * Prior for learners about whom little is known: this number of outcomes with this severity is added to the real
 * outcomes. Breaches have no prior, because they are not averaged.
 */
export const PRESUMED = {
  simulations: { severity: 0.15, count: 2 },
  courses: { severity: 0.2, count: 1 },
  policies: { severity: 0, count: 1 },
} as const;

/** Mean severity at which a factor reaches its highest risk; below 1, because nobody fails every time. */
export const WORST_MEAN = 0.5;

/** Returns the risk of each factor, from 0 to 1, regardless of the company's modules. */
export function factorRisks(facts: RiskFacts): Record<RiskFactor, number> {
  return {
    simulations: computeMeanRisk('simulations', facts.simulations),
    courses: computeMeanRisk('courses', facts.courses),
    policies: computeMeanRisk('policies', facts.policies),
    breaches: breachRisk(facts.breaches),
  };
}

/**
 * Returns how likely a learner is to cause an incident, from 0 to 100; see docs/risk-score.md for the formula.
 * @param factors factors of the modules that the company has; without any, the score is 0
 */
export function riskScore(facts: RiskFacts, factors: readonly RiskFactor[]): number {
  const risks = factorRisks(facts);
  const weight = factors.reduce((sum, factor) => sum + WEIGHTS[factor], 0);
  if (weight === 0) return 0;
  const risk = factors.reduce((sum, factor) => sum + WEIGHTS[factor] * risks[factor], 0);
  // Rounds halves up, even if floating-point errors make them slightly smaller.
  return Math.round(Number(((100 * risk) / weight).toFixed(9)));
}

function computeMeanRisk(factor: keyof typeof PRESUMED, outcomes: Record<string, number>): number {
  const { severity, count } = PRESUMED[factor];
  let sum = severity * count;
  let number: number = count;
  for (const [outcome, severityOfOutcome] of Object.entries<number>(SEVERITIES[factor])) {
    sum += severityOfOutcome * outcomes[outcome]!;
    number += outcomes[outcome]!;
  }
  return Math.min(1, sum / number / WORST_MEAN);
}

/** Returns the risk of breaches. Each breach removes a share of the remaining safety, so the risk never exceeds 1. */
function breachRisk({ address, password }: RiskFacts['breaches']): number {
  return 1 - (1 - SEVERITIES.breaches.address) ** address * (1 - SEVERITIES.breaches.password) ** password;
}

/** Exclusive upper bounds of the levels, in ascending order. Each level is a quarter of the scale. */
const LEVEL_ENDS = { low: 25, moderate: 50, high: 75, critical: 101 } as const satisfies Record<RiskScoreLevel, number>;

/** Returns the level of a risk score from 0 to 100. */
export function riskScoreLevel(score: number): RiskScoreLevel {
  return (Object.keys(LEVEL_ENDS) as RiskScoreLevel[]).find((level) => score < LEVEL_ENDS[level])!;
}
