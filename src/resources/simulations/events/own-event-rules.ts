import { hash } from 'node:crypto';
import type { Schemas } from '../../../contract/contract.ts';

type Evidence = Schemas['SimulationEvidence'];

/** An interaction with one of the service's messages. */
export interface Interaction {
  simulationId: string;
  learnerId: string;
  recipientId: string;
  type: 'opened' | 'visited' | 'compromised';
  /** IP address in the canonical form of `readAddress`; null if unknown. */
  address: string | null;
  userAgent: string | undefined;
  signs: Pick<Evidence, 'method' | 'input' | 'hiddenLink' | 'script' | 'styleSheet'>;
}

/** Milliseconds within which interactions with identical evidence count as one event. Must not exceed `BURST_MS`. */
const SAME_MS = 10_000;
const MAX_USER_AGENT = 1000;

/** Builds the event of an interaction. Repeated requests within `SAME_MS` get the same id. */
export function interactionEvent(
  { simulationId, learnerId, recipientId, type, address, userAgent, signs }: Interaction,
  now: Date,
): Schemas['SimulationEventInput'] {
  const evidence: Evidence = {
    ...(address !== null && { address }),
    ...(userAgent !== undefined && {
      userAgent: userAgent.replace(/[^\u0020-\u007e]/g, '?').slice(0, MAX_USER_AGENT),
    }),
    ...signs,
  };
  const moment = Math.floor(now.getTime() / SAME_MS);
  const place = hash('sha256', JSON.stringify(evidence), 'base64url').slice(0, 16);
  return {
    eventId: `own-${recipientId}-${type}-${moment}-${place}`,
    simulation: { id: simulationId },
    learner: { id: learnerId },
    type,
    occurredAt: now.toISOString(),
    evidence,
  };
}
