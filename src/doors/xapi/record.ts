import type { Caller } from '../../auth/caller.ts';
import type { Data, Schemas } from '../../contract.ts';
import type { Invoke } from '../../operations/invoke.ts';
import type { Outcome } from './outcomes.ts';
import type { Statement } from './statement.ts';
import { idOf, toResult } from './translation-rules.ts';

export interface Recorded {
  /** In the order of the statements, as their outcomes. */
  ids: string[];
  outcomes: Outcome[];
}

/** Records what statements tell of courses, as one call of the contract. */
export async function recordStatements(
  invoke: Invoke,
  caller: Caller,
  statements: readonly Statement[],
): Promise<Recorded> {
  const now = new Date();
  const ids = statements.map(idOf);
  const translations = statements.map((statement, index) => toResult(statement, { id: ids[index]!, now }));
  const outcomes: Outcome[] = translations.map((one) => (typeof one === 'string' ? one : 'recorded'));
  const places = [...outcomes.keys()].filter((index) => outcomes[index] === 'recorded');
  if (places.length === 0) return { ids, outcomes };
  const body: Schemas['RecordCourseResultsInput'] = { results: translations.filter((one) => typeof one === 'object') };
  const { failures } = (await invoke('recordCourseResults', caller, { body })) as Data<'recordCourseResults'>;
  for (const { index, code } of failures) {
    const place = places[index]!;
    // Each time it is sent it has the time of then, which is all that differs when it is sent again.
    const isRepeated = code === 'event_id_reused' && statements[place]!.timestamp === undefined;
    if (!isRepeated) outcomes[place] = code;
  }
  return { ids, outcomes };
}
