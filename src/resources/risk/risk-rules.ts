import type { Schemas } from '../../contract/contract.ts';

export type RiskScoreLevel = Schemas['RiskScoreLevel'];

/** How often each outcome happened. Their order in time makes no difference. */
export interface RiskFacts {
  /**
   * Of the simulated phishing messages of the last year: the worst thing that the learner did with each. That one was
   * opened says nothing: programs do that.
   */
  simulations: Record<'reported' | 'ignored' | 'visited' | 'compromised', number>;
  /**
   * A course is `open` for up to 30 days after the enrolment, and `overdue` after that. One that was finished without a
   * grade is `completed`.
   */
  courses: Record<'passed' | 'completed' | 'open' | 'failed' | 'overdue', number>;
  /** A policy to sign is `open` for up to 14 days after the request, and `overdue` after that. */
  policies: Record<'signed' | 'open' | 'overdue', number>;
  /** What each breach of a service exposed of the learner. */
  breaches: Record<'address' | 'password', number>;
}

/** When a company lacks a module, its factor has no weight, and the others have more. */
export type RiskFactor = keyof RiskFacts;

export const WEIGHTS: Record<RiskFactor, number> = { simulations: 40, courses: 25, policies: 15, breaches: 20 };

/** How bad each outcome is, from 0 to 1. */
export const SEVERITIES: { [Factor in RiskFactor]: RiskFacts[Factor] } = {
  simulations: { reported: 0, ignored: 0.1, visited: 0.6, compromised: 1 },
  courses: { passed: 0, completed: 0, open: 0.4, failed: 0.8, overdue: 1 },
  policies: { signed: 0, open: 0.3, overdue: 1 },
  breaches: { address: 0.2, password: 0.5 },
};

/**
 * The prior for learners of whom little is known: so many outcomes of this severity are added to the real ones.
 * Breaches have none, since they are not averaged.
 */
export const PRESUMED = {
  simulations: { severity: 0.15, count: 2 },
  courses: { severity: 0.2, count: 1 },
  policies: { severity: 0, count: 1 },
} as const;

/** A factor reaches its highest risk at this mean severity: nobody fails every time. */
export const WORST_MEAN = 0.5;

/**
 * How likely a learner is to cause an incident: 0 to 100, higher is riskier. docs/risk-score.md explains the formula.
 * @param factors those of the modules that the company has; without any, the score is 0
 */
export function riskScore(facts: RiskFacts, factors: readonly RiskFactor[]): number {
  const risks: Record<RiskFactor, number> = {
    simulations: computeMeanRisk('simulations', facts.simulations),
    courses: computeMeanRisk('courses', facts.courses),
    policies: computeMeanRisk('policies', facts.policies),
    breaches: breachRisk(facts.breaches),
  };
  const weight = factors.reduce((sum, factor) => sum + WEIGHTS[factor], 0);
  if (weight === 0) return 0;
  const risk = factors.reduce((sum, factor) => sum + WEIGHTS[factor] * risks[factor], 0);
  // Rounds halves up, also when floating point makes them a little smaller.
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

/** Each breach removes a part of the remaining safety: many breaches come close to 1 and never pass it. */
function breachRisk({ address, password }: RiskFacts['breaches']): number {
  return 1 - (1 - SEVERITIES.breaches.address) ** address * (1 - SEVERITIES.breaches.password) ** password;
}

/** Where each level ends on the scale, in their order. Each is a quarter of it. */
export const LEVEL_ENDS = { low: 25, moderate: 50, high: 75, critical: 101 } as const satisfies Record<
  RiskScoreLevel,
  number
>;

/** The level of a risk score from 0 to 100. */
export function riskScoreLevel(score: number): RiskScoreLevel {
  return (Object.keys(LEVEL_ENDS) as RiskScoreLevel[]).find((level) => score < LEVEL_ENDS[level])!;
}
