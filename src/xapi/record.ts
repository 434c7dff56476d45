import type { Caller } from '../auth/caller.ts';
import type { Data, Schemas } from '../contract/contract.ts';
import type { Invoke } from '../operations/invoke.ts';
import { ReusedEventIds } from '../resources/courses/results/course-results.ts';
import type { Outcome } from './outcomes.ts';
import type { Statement } from './statement.ts';
import { getStatementId, toResult, type Translation, type Voiding } from './translation-rules.ts';

export interface Recorded {
  /** Ids of the statements, in the order of the request; `outcomes` has the same order. */
  ids: string[];
  outcomes: Outcome[];
}

/**
 * Records the course results of xAPI statements through `recordCourseResults`, then voids results through
 * `correctRecords`. If a statement with a timestamp reuses the id of a different statement, records and voids nothing.
 * A statement without a timestamp whose id exists counts as recorded.
 */
export async function recordStatements(
  invoke: Invoke,
  caller: Caller,
  statements: readonly Statement[],
): Promise<Recorded> {
  const now = new Date();
  const ids = statements.map(getStatementId);
  const translations = statements.map((statement, index) => toResult(statement, { id: ids[index]!, now }));
  const outcomes: Outcome[] = translations.map(toOutcome);
  let places = findIndexes(outcomes, 'recorded');
  while (places.length > 0) {
    const results = places.map((place) => translations[place] as Schemas['CourseResultInput']);
    const recorded = await record(invoke, caller, { results });
    if (!(recorded instanceof ReusedEventIds)) {
      for (const { index, code } of recorded.failures) outcomes[places[index]!] = code;
      break;
    }
    const reused = new Set(recorded.indexes.map((index) => places[index]!));
    // A statement without a timestamp gets the time of its arrival, which is the only difference when it is sent again.
    const others = [...reused].filter((place) => statements[place]!.timestamp !== undefined);
    if (others.length > 0) return { ids, outcomes: refuseAll(outcomes, others) };
    places = places.filter((place) => !reused.has(place));
  }
  const voidings = findIndexes(outcomes, 'voided');
  if (voidings.length === 0) return { ids, outcomes };
  const voidedIds = voidings.map((place) => (translations[place] as Voiding).voidedEventId);
  const failures = await voidResults(invoke, caller, voidedIds);
  for (const { index, code } of failures) outcomes[voidings[index]!] = code;
  return { ids, outcomes };
}

function toOutcome(translation: Translation): Outcome {
  if (typeof translation === 'string') return translation;
  return 'voidedEventId' in translation ? 'voided' : 'recorded';
}

function findIndexes(outcomes: readonly Outcome[], wanted: Outcome): number[] {
  return [...outcomes.keys()].filter((place) => outcomes[place] === wanted);
}

async function voidResults(
  invoke: Invoke,
  caller: Caller,
  eventIds: readonly string[],
): Promise<Schemas['CorrectionFailure'][]> {
  const kind = 'course_result';
  const reason = 'Voided by an xAPI statement';
  const corrections = eventIds.map((eventId): Schemas['CorrectionInput'] => ({
    kind,
    eventId,
    action: 'void',
    reason,
  }));
  const outcome = (await invoke('correctRecords', caller, { body: { corrections } })) as Data<'correctRecords'>;
  return outcome.failures;
}

async function record(
  invoke: Invoke,
  caller: Caller,
  body: Schemas['RecordCourseResultsInput'],
): Promise<Data<'recordCourseResults'> | ReusedEventIds> {
  try {
    return (await invoke('recordCourseResults', caller, { body })) as Data<'recordCourseResults'>;
  } catch (error) {
    if (error instanceof ReusedEventIds) return error;
    throw error;
  }
}

/** Marks statements with reused ids, and the other statements of the request as not recorded. */
function refuseAll(outcomes: readonly Outcome[], reused: readonly number[]): Outcome[] {
  const refused = outcomes.map((outcome) =>
    outcome === 'recorded' || outcome === 'voided' ? 'not_recorded' : outcome,
  );
  for (const place of reused) refused[place] = 'event_id_reused';
  return refused;
}
