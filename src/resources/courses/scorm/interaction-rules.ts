import type { Schemas } from '../../../contract/contract.ts';
import type { PackageState } from './package-state.ts';

type Interaction = Schemas['CourseInteraction'];

const ELEMENT = /^cmi\.interactions\.(\d{1,5})\.([a-z_]+)(?:\.(\d{1,5})\.pattern)?$/;

/** Lists the interactions of all items: those of the first one, then those of the others in the order of the manifest. */
export function listInteractions({ elements, others = {} }: Pick<PackageState, 'elements' | 'others'>): Interaction[] {
  const lists = [elements, ...Object.values(others).map((other) => other.elements)].map(readInteractions);
  return lists.reduce((all, list) => {
    const from = all.length === 0 ? 0 : all.at(-1)!.number + 1;
    return [...all, ...list.map((interaction) => ({ ...interaction, number: from + interaction.number }))];
  });
}

/**
 * Reads the interactions from the elements that a package has reported, by their names in SCORM 1.2 or 2004.
 * @param elements JSON of elements and their values; unvalidated text of the package
 */
export function readInteractions(elements: string | null | undefined): Interaction[] {
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

function parseElements(elements: string | null | undefined): [string, string][] {
  if (!elements) return [];
  try {
    const values: unknown = JSON.parse(elements);
    if (typeof values !== 'object' || values === null) return [];
    return Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  } catch {
    return [];
  }
}
