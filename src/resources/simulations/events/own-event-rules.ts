import { hash } from 'node:crypto';
import type { Schemas } from '../../../contract/contract.ts';

type Evidence = Schemas['SimulationEvidence'];

/** What somebody did with a message of ours. */
export interface Interaction {
  simulationId: string;
  learnerId: string;
  recipientId: string;
  type: 'opened' | 'visited' | 'compromised';
  /** Canonical, as `readAddress` makes it. */
  address: string | null;
  userAgent: string | undefined;
  signs: Pick<Evidence, 'method' | 'input' | 'hiddenLink' | 'script' | 'styleSheet'>;
}

/** Within it, the same from the same place is one event. It is as long as a burst, which must not lose one. */
const SAME_MS = 10_000;
const MAX_USER_AGENT = 1000;

/** The event that an interaction makes. Its id is the same for what is asked for over and over. */
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
