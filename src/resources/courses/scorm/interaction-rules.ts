import type { Schemas } from '../../../contract/contract.ts';
import { giveWay } from '../../../limits/give-way.ts';
import type { PackageState } from './package-state.ts';

type Interaction = Schemas['CourseInteraction'];

const ELEMENT = /^cmi\.interactions\.(\d{1,5})\.([a-z_]+)(?:\.(\d{1,5})\.pattern)?$/;

/**
 * Maximum number of interactions in a list. A single item can report about 8,000; listing those of all items took 300
 * ms.
 */
const MAX_INTERACTIONS = 10_000;

/**
 * Lists the first 10,000 interactions, item by item in the order of the manifest, but starting with the item that is
 * played first. Yields to other requests after each item, which takes up to 20 ms.
 */
export async function listInteractions({
  elements,
  others = {},
}: Pick<PackageState, 'elements' | 'others'>): Promise<Interaction[]> {
  const all: Interaction[] = [];
  for (const text of [elements, ...Object.values(others).map((other) => other.elements)]) {
    if (all.length >= MAX_INTERACTIONS) break;
    const from = all.length === 0 ? 0 : all.at(-1)!.number + 1;
    for (const interaction of readInteractions(text)) all.push({ ...interaction, number: from + interaction.number });
    await giveWay();
  }
  return all.slice(0, MAX_INTERACTIONS);
}

/**
 * Reads the interactions from the elements that a package has reported, by their names in SCORM 1.2 or 2004.
 * @param elements JSON of elements and their values; unvalidated input from the package
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
