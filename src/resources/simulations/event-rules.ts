import type { Schemas } from '../../contract.ts';
import { isPlausiblePast, isPlausiblePlan } from '../people/fact-times.ts';
import type { SeenEvent } from './interaction-rules.ts';

type Input = Schemas['SimulationEventInput'];
type FailureCode =
  'simulation_not_found' | 'learner_not_found' | 'event_id_reused' | 'time_not_plausible' | 'too_many_events';

const MESSAGES: Record<FailureCode, string> = {
  simulation_not_found: 'There is no such simulation.',
  learner_not_found: 'There is no such learner.',
  event_id_reused: 'Another event has this eventId.',
  time_not_plausible: 'The time lies in the future, or more than ten years back.',
  too_many_events: 'The recipient has five thousand events of this simulation.',
};

/** An event of a known simulation and learner. */
export interface IdentifiedEvent extends SeenEvent {
  simulationId: string;
}

/** What is known before events are recorded. */
export interface EventFacts {
  now: Date;
  simulationIdOf: (key: Schemas['SimulationKey']) => string | undefined;
  learnerIdOf: (key: Schemas['LearnerKey']) => string | undefined;
  /** Events that are on record under one of the ids, by their id. */
  recorded: ReadonlyMap<string, IdentifiedEvent>;
  /** How many events are on record of a recipient, by `recipientOf`. */
  counts: ReadonlyMap<string, number>;
}

/** The milestones of a recipient are derived from all of their events, so that the number has a bound. */
const MAX_EVENTS = 5000;

/** Splits events into those to record, and what the call answers of each. */
export function judgeEvents(
  inputs: readonly Input[],
  { now, simulationIdOf, learnerIdOf, recorded, counts: countsBefore }: EventFacts,
): { added: IdentifiedEvent[]; outcome: Schemas['RecordedEvents'] } {
  const known = new Map(recorded);
  const counts = new Map(countsBefore);
  const added: IdentifiedEvent[] = [];
  const completed: Schemas['RecordedEvent'][] = [];
  const failures: Schemas['SimulationEventFailure'][] = [];
  inputs.forEach((input, index) => {
    const { eventId } = input;
    const judged = identify(input);
    if (typeof judged === 'string') return failures.push({ index, eventId, code: judged, message: MESSAGES[judged] });
    if (!known.has(eventId)) {
      const count = (counts.get(recipientOf(judged)) ?? 0) + 1;
      const code = 'too_many_events';
      if (count > MAX_EVENTS) return failures.push({ index, eventId, code, message: MESSAGES[code] });
      counts.set(recipientOf(judged), count);
      added.push(judged);
      known.set(eventId, judged);
    }
    return completed.push({ index, eventId });
  });
  return { added, outcome: { success: failures.length === 0, completed, failures, errors: [] } };

  function identify({
    simulation,
    learner,
    type,
    occurredAt,
    evidence = {},
    eventId,
  }: Input): IdentifiedEvent | FailureCode {
    const simulationId = simulationIdOf(simulation);
    if (simulationId === undefined) return 'simulation_not_found';
    const learnerId = learnerIdOf(learner);
    if (learnerId === undefined) return 'learner_not_found';
    const at = new Date(occurredAt);
    const isPlausible = type === 'scheduled' ? isPlausiblePlan : isPlausiblePast;
    if (!isPlausible(at, now)) return 'time_not_plausible';
    const event = { eventId, simulationId, learnerId, type, occurredAt: at.toISOString(), evidence };
    const other = known.get(eventId);
    return other && !areSameEvents(event, other) ? 'event_id_reused' : event;
  }
}

/** A recipient as one text. */
export function recipientOf({ simulationId, learnerId }: { simulationId: string; learnerId: string }): string {
  return `${simulationId} ${learnerId}`;
}

function areSameEvents(a: IdentifiedEvent, b: IdentifiedEvent): boolean {
  return contentOf(a) === contentOf(b);
}

function contentOf({ simulationId, learnerId, type, occurredAt, evidence }: IdentifiedEvent): string {
  const signs = Object.entries(evidence).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([simulationId, learnerId, type, occurredAt, signs]);
}
