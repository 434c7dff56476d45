import type { Schemas } from '../../../contract/contract.ts';

type Interaction = Schemas['CourseInteraction'];

const ELEMENT = /^cmi\.interactions\.(\d{1,5})\.([a-z_]+)(?:\.(\d{1,5})\.pattern)?$/;

/**
 * Reads the interactions from the elements that a package has reported, by their names in SCORM 1.2 or 2004.
 * @param elements JSON of elements and their values; unvalidated text of the package
 */
export function readInteractions(elements: string | null): Interaction[] {
  const byNumber = new Map<number, Map<string, string>>();
  for (const [element, value] of parseElements(elements)) {
    const [, number, name, index] = ELEMENT.exec(element) ?? [];
    if (number === undefined || name === undefined) continue;
    const fields = byNumber.get(Number(number)) ?? new Map<string, string>();
    byNumber.set(Number(number), fields.set(index === undefined ? name : `${name}.${index}`, value));
  }
  return [...byNumber].toSorted(([a], [b]) => a - b).map(([number, fields]) => toInteraction(number, fields));
}

function toInteraction(number: number, fields: ReadonlyMap<string, string>): Interaction {
  const read = (...names: string[]) => names.map((name) => fields.get(name)).find(Boolean) ?? null;
  const patterns = [...fields].filter(([name]) => name.startsWith('correct_responses.'));
  const inOrder = patterns.toSorted(([a], [b]) => Number(a.split('.')[1]) - Number(b.split('.')[1]));
  return {
    ...{ number, id: read('id'), type: read('type'), description: read('description') },
    learnerResponse: read('learner_response', 'student_response'),
    correctResponses: inOrder.map(([, pattern]) => pattern),
    ...{ result: read('result'), latency: read('latency'), time: read('timestamp', 'time') },
  };
}

function parseElements(elements: string | null): [string, string][] {
  if (!elements) return [];
  try {
    const values: unknown = JSON.parse(elements);
    if (typeof values !== 'object' || values === null) return [];
    return Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  } catch {
    return [];
  }
}
