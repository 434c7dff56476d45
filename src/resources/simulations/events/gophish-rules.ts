import { createHash } from 'node:crypto';
import { readFirstAddress } from '../../../net/client-address.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { invalidField } from '../../../contract/errors.ts';
import type { IntakeInput } from '../own-simulation-rules.ts';

type Sent = Schemas['GoPhishEventInput'];
type Evidence = Schemas['SimulationEvidence'];

/** Event types of the contract, by GoPhish event type. */
const TYPES: ReadonlyMap<string, Schemas['SimulationEventType']> = new Map([
  ['Email Sent', 'sent'],
  ['Email Opened', 'opened'],
  ['Clicked Link', 'visited'],
  ['Submitted Data', 'compromised'],
  ['Email Reported', 'reported'],
]);
const MAX_AGENT_LENGTH = 1000;

/** A GoPhish event in the contract's schema, and the simulation that stands for its campaign. */
export interface ReportedEvent {
  event: Schemas['SimulationEventInput'];
  simulation: IntakeInput;
}

/**
 * Translates a GoPhish event. Drops everything that recipients entered.
 * @returns undefined for an event whose type has no counterpart in the contract
 * @throws invalid_request for a missing field, or for details that are not JSON
 */
export function translateEvent(sent: Sent, sourceId: string, now: Date): ReportedEvent | undefined {
  const type = TYPES.get(sent.message ?? '');
  if (type === undefined) return undefined;
  const [campaign, email, time] = [given(sent, 'campaign_id'), given(sent, 'email'), given(sent, 'time')];
  const externalId = `gophish-${sourceId}-${campaign}`;
  // GoPhish events have no ids, but their times have nanoseconds, so two events hardly ever have the same time.
  const eventId = `gophish-${hashParts([sourceId, campaign, email, sent.message, time])}`;
  const begun = new Date(Math.min(Date.parse(time), now.getTime())).toISOString();
  return {
    event: {
      simulation: { externalId },
      learner: { email },
      type,
      occurredAt: time,
      evidence: parseEvidence(sent.details),
      eventId,
    },
    simulation: { externalId, name: `GoPhish campaign ${campaign}`, deliveryMethod: 'email', startDate: begun },
  };
}

function given<Field extends keyof Sent>(sent: Sent, field: Field): NonNullable<Sent[Field]> {
  const value = sent[field];
  if (value === undefined || value === '') throw invalidField(`body/${field}`, 'is required');
  return value as NonNullable<Sent[Field]>;
}

function hashParts(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** Reads the IP address and the user agent, if they are valid. */
function parseEvidence(details: string | undefined): Evidence {
  const { address: sentAddress, 'user-agent': agent } = parseBrowser(details || '{}');
  const address = typeof sentAddress === 'string' ? readFirstAddress(sentAddress) : null;
  return {
    ...(address !== null && { address }),
    ...(typeof agent === 'string' && agent !== '' && { userAgent: printable(agent) }),
  };
}

function parseBrowser(details: string): Record<string, unknown> {
  try {
    const { browser } = (JSON.parse(details) ?? {}) as { browser?: unknown };
    return (browser ?? {}) as Record<string, unknown>;
  } catch {
    // The parser's own error would quote the input.
    throw invalidField('body/details', 'must be valid JSON');
  }
}

function printable(text: string): string {
  return text.slice(0, MAX_AGENT_LENGTH).replaceAll(/[^\u0020-\u007e]/g, '?');
}
