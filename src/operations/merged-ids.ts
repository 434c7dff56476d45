import { isId } from '../db/ids.ts';

type Fields = Record<string, unknown>;

/** Parameters and fields that name learners by one id or a list of ids. */
const NAMES = new Set(['learnerId', 'managerId', 'learnerIds', 'managerIds']);

/** Lists the learner ids in an input, in lower case: in parameters, in the body and in the objects of the body. */
export function listLearnerIds(input: Fields): string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    if (isFields(value)) return listLearnerIds(value);
    if (!NAMES.has(name)) return [];
    return [value]
      .flat()
      .filter((id) => typeof id === 'string')
      .map((id) => id.toLowerCase())
      .filter(isId);
  });
}

/** Replaces ids of learners in an input, and lists each remaining id once. */
export function replaceLearnerIds(input: Fields, currentIds: ReadonlyMap<string, string>): Fields {
  const toCurrent = (id: unknown) => (typeof id === 'string' ? (currentIds.get(id.toLowerCase()) ?? id) : id);
  const entries = Object.entries(input).map(([name, value]) => {
    if (isFields(value)) return [name, replaceLearnerIds(value, currentIds)];
    if (!NAMES.has(name)) return [name, value];
    return [name, Array.isArray(value) ? [...new Set(value.map(toCurrent))] : toCurrent(value)];
  });
  return Object.fromEntries(entries) as Fields;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
