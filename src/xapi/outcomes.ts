import type { Response } from 'express';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics/metrics.ts';
import { getRequestContext } from '../http/request-context.ts';

/**
 * What became of a statement: `recorded`, `ignored`, the code of the failure that its result has in the contract, or
 * `not_recorded` beside one whose id is that of another.
 */
export type Outcome = string;

/** Most activities of a learning system are no courses here, so that tells the operator nothing. */
const USUAL: Outcome[] = ['recorded', 'ignored', 'course_not_found'];

export interface OutcomeWitnesses {
  logger: Logger;
  metrics: Pick<Metrics, 'xapiStatement'>;
}

/**
 * Says what became of statements where xAPI has no place for it: in a header of the answer, in the metrics, and in the log
 * when somebody should look.
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
  logger.info({ requestId, keyId, companyId, outcomes: Object.fromEntries(counts) }, 'xAPI statements');
}
