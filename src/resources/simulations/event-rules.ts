import type { Schemas } from '../../contract.ts';
import type { SeenEvent } from './interaction-rules.ts';

type Input = Schemas['SimulationEventInput'];
type FailureCode = 'simulation_not_found' | 'learner_not_found' | 'event_id_reused' | 'time_not_plausible';

const MESSAGES: Record<FailureCode, string> = {
  simulation_not_found: 'There is no such simulation.',
  learner_not_found: 'There is no such learner.',
  event_id_reused: 'Another event has this eventId.',
  time_not_plausible: 'The time lies in the future, or more than ten years back.',
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
}

/** Clocks differ; that much ahead is the same moment. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;
const TEN_YEARS_MS = 10 * 365.25 * 86_400_000;

/** Splits events into those to record, and what the call answers of each. */
export function judgeEvents(
  inputs: readonly Input[],
  { now, simulationIdOf, learnerIdOf, recorded }: EventFacts,
): { added: IdentifiedEvent[]; outcome: Schemas['RecordedEvents'] } {
  const known = new Map(recorded);
  const added: IdentifiedEvent[] = [];
  const completed: Schemas['RecordedEvent'][] = [];
  const failures: Schemas['SimulationEventFailure'][] = [];
  inputs.forEach((input, index) => {
    const { eventId } = input;
    const judged = identify(input);
    if (typeof judged === 'string') return failures.push({ index, eventId, code: judged, message: MESSAGES[judged] });
    if (!known.has(eventId)) added.push(judged);
    known.set(eventId, judged);
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
    if (!isPlausible(at, type, now)) return 'time_not_plausible';
    const event = { eventId, simulationId, learnerId, type, occurredAt: at.toISOString(), evidence };
    const other = known.get(eventId);
    return other && !areSameEvents(event, other) ? 'event_id_reused' : event;
  }
}

function isPlausible(at: Date, type: Input['type'], now: Date): boolean {
  const age = now.getTime() - at.getTime();
  return age <= TEN_YEARS_MS && age >= (type === 'scheduled' ? -TEN_YEARS_MS : -CLOCK_DIFFERENCE_MS);
}

function areSameEvents(a: IdentifiedEvent, b: IdentifiedEvent): boolean {
  return contentOf(a) === contentOf(b);
}

function contentOf({ simulationId, learnerId, type, occurredAt, evidence }: IdentifiedEvent): string {
  const signs = Object.entries(evidence).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([simulationId, learnerId, type, occurredAt, signs]);
}
