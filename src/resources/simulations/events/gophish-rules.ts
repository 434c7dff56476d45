import { createHash } from 'node:crypto';
import { readFirstAddress } from '../../../net/client-address.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { invalidField } from '../../../contract/errors.ts';
import type { IntakeInput } from '../own-simulation-rules.ts';

type Sent = Schemas['GoPhishEventInput'];
type Evidence = Schemas['SimulationEvidence'];

/** What a recipient did, by GoPhish's word for it. */
const TYPES: ReadonlyMap<string, Schemas['SimulationEventType']> = new Map([
  ['Email Sent', 'sent'],
  ['Email Opened', 'opened'],
  ['Clicked Link', 'visited'],
  ['Submitted Data', 'compromised'],
  ['Email Reported', 'reported'],
]);
const MAX_AGENT_LENGTH = 1000;

/** An event of GoPhish in the words of the contract, and the simulation that its campaign is. */
export interface ReportedEvent {
  event: Schemas['SimulationEventInput'];
  simulation: IntakeInput;
}

/**
 * Translates an event. What people typed is left behind here, and reaches nothing else.
 * @returns undefined for what is no event of a recipient
 * @throws invalid_request for one that lacks a field, or whose details are no JSON
 */
export function translateEvent(sent: Sent, sourceId: string, now: Date): ReportedEvent | undefined {
  const type = TYPES.get(sent.message ?? '');
  if (type === undefined) return undefined;
  const [campaign, email, time] = [given(sent, 'campaign_id'), given(sent, 'email'), given(sent, 'time')];
  const externalId = `gophish-${sourceId}-${campaign}`;
  // An event has no id of its own. Its time has nine digits of a second, so that it is hardly that of another.
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

/** The address and the user agent, where they are some. */
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
    // NOTE: the parser's own error quotes the text.
    throw invalidField('body/details', 'is not valid JSON');
  }
}

function printable(text: string): string {
  return text.slice(0, MAX_AGENT_LENGTH).replaceAll(/[^\u0020-\u007e]/g, '?');
}
