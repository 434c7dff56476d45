import type { Schemas } from '../src/contract/contract.ts';

type Event = Schemas['SimulationEventInput'];
type EventType = Event['type'];

/** A message of a simulation, and the times of its events in milliseconds since 1970. */
export type Message = { learnerId: string } & { [Type in EventType]?: number };

/** Event types in the order in which they happen to a message. */
const TYPES = ['scheduled', 'sent', 'opened', 'visited', 'compromised', 'reported'] as const;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const GATEWAY = { address: '203.0.113.80', userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0.0.0' };
/** Number of messages whose links a network must open for the service to recognise it as a scanner. */
const SCANNED = 3;
const SECOND_MS = 1000;

/**
 * Builds the events of a simulation's messages, as the sender reports them in one call. If a gateway opened links
 * again, its first visit is in that call and counts. The other visits follow in a second call, from which the service
 * recognises the gateway and withdraws the first visit.
 */
export function buildEvents(externalId: string, messages: Message[], rescannedAt?: string): Event[][] {
  const events = messages.flatMap((message, index) => {
    return TYPES.flatMap((type) => {
      const time = message[type];
      return time === undefined
        ? []
        : buildEvent(externalId, message.learnerId, {
            type,
            time,
            evidence: buildEvidence(type, index),
            number: index,
          });
    });
  });
  if (rescannedAt === undefined) return events.length > 0 ? [events] : [];
  const [first, ...others] = scans(externalId, messages, Date.parse(rescannedAt));
  return [[...events, first!], others];
}

interface Seen {
  type: EventType;
  time: number;
  evidence?: Event['evidence'];
  number: number | string;
}

function buildEvent(externalId: string, learnerId: string, { type, time, evidence, number }: Seen): Event {
  return {
    simulation: { externalId },
    learner: { id: learnerId },
    type,
    occurredAt: new Date(time).toISOString(),
    ...(evidence && { evidence }),
    eventId: `${externalId}-${number}-${type}`,
  };
}

/** Builds evidence: visits come from an IP address of the learner, and a compromise has keyboard input. */
function buildEvidence(type: EventType, index: number): Event['evidence'] {
  if (type !== 'visited' && type !== 'compromised') return undefined;
  const address = `198.51.100.${1 + (index % 250)}`;
  return { address, userAgent: BROWSER, ...(type === 'compromised' && { input: true }) };
}

/** Returns the time of the gateway's last visit. */
export function getLastScan(rescannedAt: string | undefined): Date | undefined {
  return rescannedAt === undefined ? undefined : new Date(Date.parse(rescannedAt) + (SCANNED - 1) * SECOND_MS);
}

/** Builds the gateway's visits to links that nobody has followed. */
function scans(externalId: string, messages: Message[], from: number): Event[] {
  const untouched = messages.filter(({ sent, visited }) => sent !== undefined && sent < from && visited === undefined);
  return untouched.slice(0, SCANNED).map(({ learnerId }, index) => {
    return buildEvent(externalId, learnerId, {
      type: 'visited',
      time: from + index * SECOND_MS,
      evidence: GATEWAY,
      number: `scan-${index}`,
    });
  });
}
