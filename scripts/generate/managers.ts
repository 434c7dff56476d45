import {
  type FoundOperation,
  type JsonObject,
  operationsIn,
  parametersOf,
  text,
} from '../../contract-gate/src/index.ts';

const NOTES = {
  filter:
    'An admin with the role `manager` reads only their own people here: the active learners whose effective manager ' +
    'they are. Another `managerId`, another company and inactive learners are rejected with 403.',
  learner:
    'An admin with the role `manager` reads only their own people here: the active learners whose effective manager ' +
    'they are. The response for all other learners is 404.',
};

/**
 * Returns how an operation is limited to a manager's people: by the filter `managerId`, or by the learner in the path.
 * Null if managers cannot call the operation.
 */
export function getManagerAccess(document: JsonObject, found: FoundOperation): keyof typeof NOTES | null {
  if (found.operation['x-managers'] !== true) return null;
  const has = (name: string, place: string) =>
    parametersOf(document, found).some((parameter) => parameter.name === name && parameter.in === place);
  if (has('learnerId', 'path')) return 'learner';
  if (has('managerId', 'query')) return 'filter';
  throw new Error(`${text(found.operation.operationId)} has x-managers, but neither managerId nor learnerId`);
}

/** Adds the rule about managers to the descriptions of the operations that they can call (`x-managers`). */
export function describeManagers(document: JsonObject): void {
  for (const found of operationsIn(document)) {
    const limit = getManagerAccess(document, found);
    if (limit === null) continue;
    const { operation } = found;
    operation.description = `${text(operation.description).trimEnd()}\n\n${NOTES[limit]}`;
  }
}
