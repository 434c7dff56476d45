import { readAddress, readFirstAddress } from '../../../net/client-address.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { invalidField } from '../../../contract/errors.ts';
import { isPlausiblePast, isPlausiblePlan } from '../../learners/shared/fact-times.ts';
import { partitionNewRecords } from '../../learners/shared/dedupe-records.ts';
import type { SeenEvent } from './interaction-rules.ts';

type Input = Schemas['SimulationEventInput'];
type FailureCode =
  | 'simulation_not_found'
  | 'learner_not_found'
  | 'event_id_reused'
  | 'time_not_plausible'
  | 'too_many_events'
  | 'own_simulation';

const MESSAGES: Record<FailureCode, string> = {
  simulation_not_found: 'Simulation not found.',
  learner_not_found: 'Learner not found.',
  event_id_reused: 'Another event already has this `eventId`; use a new one.',
  time_not_plausible: 'The time must not be in the future or more than ten years ago.',
  too_many_events: 'The recipient already has the maximum of 5,000 events of this simulation.',
  own_simulation: 'The service runs this simulation itself and records its events.',
};

/** An event of a known simulation and a known learner. */
export interface IdentifiedEvent extends SeenEvent {
  simulationId: string;
}

/** Facts that new events are checked against. */
export interface EventFacts {
  now: Date;
  findSimulationId: (key: Schemas['SimulationKey']) => string | undefined;
  /** Whether another system reports the events. Such events cannot belong to simulations that the service runs. */
  areReported: boolean;
  ownIds: ReadonlySet<string>;
  findLearnerId: (input: Input, recorded?: IdentifiedEvent) => string | undefined;
  /** Recorded events with the ids that the call names, by id. */
  recorded: ReadonlyMap<string, IdentifiedEvent>;
  /** Number of recorded events of each recipient, by `formatRecipientKey`. */
  counts: ReadonlyMap<string, number>;
}

/** Maximum number of events per recipient. Limited because milestones are derived from all of them at once. */
export const MAX_EVENTS = 5000;

/** Pattern of the ids of events that the service records itself. */
const OF_THE_SERVICE = /^(own|reported)-[0-9a-f]{8}-/;

/** Reports whether the service records an event itself. Other systems cannot use the ids of such events. */
export function isOfService(eventId: string): boolean {
  return OF_THE_SERVICE.test(eventId);
}

/** Normalises the IP addresses in evidence. @throws invalid_request naming the first invalid address */
export function readEvidence(inputs: readonly Input[]): Input[] {
  return inputs.map((input, index) => {
    if (input.evidence?.address === undefined) return input;
    const address = readFirstAddress(input.evidence.address);
    if (address === null) throw invalidField(`body/events/${index}/evidence/address`, 'must be an IP address');
    return { ...input, evidence: { ...input.evidence, address } };
  });
}

/** Returns the events to record, and the outcome of each event. */
export function judgeEvents(
  inputs: readonly Input[],
  { now, findSimulationId, areReported, ownIds, findLearnerId, recorded, counts: countsBefore }: EventFacts,
): { added: IdentifiedEvent[]; outcome: Schemas['RecordedEvents'] } {
  const counts = new Map(countsBefore);
  return partitionNewRecords<Input, IdentifiedEvent, FailureCode>(inputs, {
    recorded,
    identify,
    refuseNew,
    messages: MESSAGES,
  });

  function identify(input: Input, recordedEvent: IdentifiedEvent | undefined): IdentifiedEvent | FailureCode {
    const { simulation, type, occurredAt, evidence = {}, eventId } = input;
    const simulationId = findSimulationId(simulation);
    if (simulationId === undefined) return 'simulation_not_found';
    if (areReported && ownIds.has(simulationId)) return 'own_simulation';
    if (areReported && isOfService(eventId)) return 'event_id_reused';
    const learnerId = findLearnerId(input, recordedEvent);
    if (learnerId === undefined) return 'learner_not_found';
    const at = new Date(occurredAt);
    if (!isPlausibleTime(type, at, now)) return 'time_not_plausible';
    const event = { eventId, simulationId, learnerId, type, occurredAt: at.toISOString(), evidence };
    return recordedEvent && !areSameEvents(event, recordedEvent) ? 'event_id_reused' : event;
  }

  function refuseNew(event: IdentifiedEvent): FailureCode | undefined {
    const recipient = formatRecipientKey(event);
    const count = (counts.get(recipient) ?? 0) + 1;
    if (count > MAX_EVENTS) return 'too_many_events';
    counts.set(recipient, count);
    return undefined;
  }
}

/** Reports whether an event of a type can have happened, or a message can be planned, at a time. */
function isPlausibleTime(type: IdentifiedEvent['type'], at: Date, now: Date): boolean {
  return type === 'scheduled' ? isPlausiblePlan(at, now) : isPlausiblePast(at, now);
}

/**
 * Converts the replacement of an event to an event of the same recipient with the same evidence, or returns the
 * failure.
 */
export function readReplacement(
  { eventId, type, occurredAt }: Schemas['ReplacementInput'],
  { simulationId, learnerId, evidence, ...replaced }: IdentifiedEvent,
  now: Date,
): IdentifiedEvent | 'replacement_inconsistent' | 'event_id_reused' | 'time_not_plausible' {
  if (type === undefined && occurredAt === undefined) return 'replacement_inconsistent';
  if (isOfService(eventId)) return 'event_id_reused';
  const at = new Date(occurredAt ?? replaced.occurredAt);
  const newType = type ?? replaced.type;
  if (!isPlausibleTime(newType, at, now)) return 'time_not_plausible';
  return { eventId, simulationId, learnerId, type: newType, occurredAt: at.toISOString(), evidence };
}

/** Reports whether two events have the same content, apart from their ids. */
export function areSameEvents(a: IdentifiedEvent, b: IdentifiedEvent): boolean {
  return serializeContent(a) === serializeContent(b);
}

export function formatRecipientKey({ simulationId, learnerId }: { simulationId: string; learnerId: string }): string {
  return `${simulationId} ${learnerId}`;
}

function serializeContent({ simulationId, learnerId, type, occurredAt, evidence }: IdentifiedEvent): string {
  const { address } = evidence;
  // Earlier releases stored IP addresses as they were sent.
  const read = address === undefined ? {} : { address: readAddress(address) ?? address };
  const signs = Object.entries({ ...evidence, ...read }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([simulationId, learnerId, type, occurredAt, signs]);
}
