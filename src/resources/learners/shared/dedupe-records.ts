interface Failure<Code extends string> {
  index: number;
  eventId: string;
  code: Code;
  message: string;
}

/** Outcome of a call that records facts: completed items and failures. */
export interface FactsOutcome<Code extends string> {
  success: boolean;
  completed: { index: number; eventId: string }[];
  failures: Failure<Code>[];
  errors: never[];
}

export interface FactRules<Input, Fact extends object, Code extends string> {
  /** Recorded facts with the ids that the call names, by id. */
  recorded: ReadonlyMap<string, Fact>;
  /** Converts an item to a fact, or returns the failure. `recordedFact` is the recorded fact with the item's id. */
  identify: (input: Input, recordedFact: Fact | undefined) => Fact | Code;
  /** Returns the failure of a new fact that exceeds a limit, if any. */
  refuseNew?: (fact: Fact) => Code | undefined;
  messages: Readonly<Record<Code, string>>;
}

/** Splits the items of another system into facts to record, without duplicates, and the outcome of each item. */
export function partitionNewRecords<Input extends { eventId: string }, Fact extends object, Code extends string>(
  inputs: readonly Input[],
  { recorded, identify, refuseNew, messages }: FactRules<Input, Fact, Code>,
): { added: Fact[]; outcome: FactsOutcome<Code> } {
  const factsById = new Map(recorded);
  const added: Fact[] = [];
  const completed: FactsOutcome<Code>['completed'] = [];
  const failures: Failure<Code>[] = [];
  inputs.forEach((input, index) => {
    const { eventId } = input;
    const isKnown = factsById.has(eventId);
    const fact = identify(input, factsById.get(eventId));
    const refusal = typeof fact === 'string' ? fact : isKnown ? undefined : refuseNew?.(fact);
    if (refusal !== undefined) return failures.push({ index, eventId, code: refusal, message: messages[refusal] });
    if (!isKnown) added.push(fact as Fact);
    factsById.set(eventId, fact as Fact);
    return completed.push({ index, eventId });
  });
  return { added, outcome: { success: failures.length === 0, completed, failures, errors: [] } };
}
