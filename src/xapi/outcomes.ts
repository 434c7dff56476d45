import type { Response } from 'express';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics/metrics.ts';
import { getRequestContext } from '../http/request-context.ts';

/**
 * Result of a statement: `recorded`, `voided`, `ignored`, the contract's failure code for its result or correction, or
 * `not_recorded` if another statement of the request reuses an id.
 */
export type Outcome = string;

/** Outcomes that are not logged. Most activities in a learning system are not courses of this service. */
const USUAL: Outcome[] = ['recorded', 'voided', 'ignored', 'course_not_found'];

export interface OutcomeWitnesses {
  logger: Logger;
  metrics: Pick<Metrics, 'xapiStatement'>;
}

/**
 * Reports the outcomes of statements, since xAPI has no place for them: in a response header, in the metrics, and in
 * the log if an outcome needs attention.
 */
export function reportOutcomes(
  res: Response,
  outcomes: readonly Outcome[],
  { logger, metrics }: OutcomeWitnesses,
): void {
  const counts = new Map<Outcome, number>();
  for (const outcome of outcomes) {
    metrics.xapiStatement(outcome);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  res.setHeader('Statement-Outcomes', [...counts].map(([outcome, count]) => `${outcome}=${count}`).join(', '));
  if (outcomes.every((outcome) => USUAL.includes(outcome))) return;
  const { requestId, caller } = getRequestContext(res);
  const { keyId, companyId } = caller!;
  logger.info({ requestId, keyId, companyId, outcomes: Object.fromEntries(counts) }, 'xAPI statements not recorded');
}
