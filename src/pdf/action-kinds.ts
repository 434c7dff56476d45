import { isItems, isString, type PdfItems, type PdfValue, listReferences, listValues } from './object-reader.ts';
import { decodePdfString } from './strings.ts';

export const HAS_SCRIPT = 'has JavaScript, which would run when people open or use it: remove it';
const LEAVES_ALONE = 'has an action that goes elsewhere without a click: remove it';

/** The actions that are refused wherever they stand, and the keys of what they act on: without any, they do nothing. */
const FORBIDDEN: Record<string, { operands: readonly string[]; fault: string }> = {
  Launch: {
    operands: ['/F', '/Win', '/Mac', '/Unix'],
    fault: 'has a /Launch action, which would start a program: remove it',
  },
  ImportData: {
    operands: ['/F'],
    fault: 'has an /ImportData action, which would read a file of its reader: remove it',
  },
  JavaScript: { operands: ['/JS'], fault: HAS_SCRIPT },
  Rendition: { operands: ['/JS'], fault: HAS_SCRIPT },
};

/** Kinds of actions that take the reader, or what a form holds, out of the document. */
const LEAVING = ['URI', 'GoToR', 'GoToE', 'SubmitForm', 'Thread', 'Rendition', 'Movie'];

/**
 * The kinds of actions in a file. The kind of an action is the value of its key /S, which also is the name of a glyph, a
 * style or a state elsewhere. Some viewers take a string for the name, and it may stand in an object of its own. Then
 * the action has the kind of every such object in the file: which one is meant depends on who reads the index.
 */
export class ActionKinds {
  /** The names that are objects of their own. */
  readonly #apart = new Set<string>();
  /** The faults of dictionaries whose kind stands in an object of its own, by the kind. */
  readonly #pending = new Map<string, string>();

  /** Takes note of an object of a file. */
  recordObject(value: PdfValue): void {
    const name = readActionName(value);
    if (name !== undefined && (name in FORBIDDEN || LEAVING.includes(name))) this.#apart.add(name);
  }

  /** What is wrong with a dictionary, if it is an action that is refused wherever it stands. */
  findFault(items: PdfItems): string | undefined {
    if (!items.items.includes('/S')) return undefined;
    const direct = kindsIn(items);
    for (const [kind, { operands, fault }] of Object.entries(FORBIDDEN)) {
      if (!direct.includes(kind) && !isApart(items)) continue;
      if (!operands.some((key) => hasOperand(items, key))) continue;
      if (direct.includes(kind)) return fault;
      this.#pending.set(kind, fault);
    }
    return undefined;
  }

  /** What is wrong with a dictionary that was asked for before, once all objects have been noted. */
  get pendingFault(): string | undefined {
    return [...this.#pending].find(([kind]) => this.#apart.has(kind))?.[1];
  }

  /** What is wrong with an action that begins by itself. */
  findAutomaticFault(items: PdfItems): string | undefined {
    if (kindsIn(items).some((kind) => LEAVING.includes(kind))) return LEAVES_ALONE;
    if (isApart(items)) for (const kind of LEAVING) this.#pending.set(kind, LEAVES_ALONE);
    return undefined;
  }
}

/** Reports whether a dictionary could be an action that leaves the document, by itself or when it is clicked. */
export function couldLeave(items: PdfItems): boolean {
  return isApart(items) || kindsIn(items).some((kind) => LEAVING.includes(kind));
}

/** Reports whether a dictionary has something under a key that an action can act on: a string, a dictionary, an object. */
export function hasOperand(items: PdfItems, key: string): boolean {
  const isDirect = listValues(items, key).some(
    (value) => isString(value) || (isItems(value) && value.items.length > 0),
  );
  return isDirect || listReferences(items, key).length > 0;
}

/** Reports whether the kind of an action stands in an object of its own. */
function isApart(items: PdfItems): boolean {
  return listReferences(items, '/S').length > 0;
}

function kindsIn(items: PdfItems): string[] {
  return listValues(items, '/S').flatMap((value) => readActionName(value) ?? []);
}

function readActionName(value: PdfValue): string | undefined {
  if (isString(value)) return decodePdfString(value);
  return typeof value === 'string' && value.startsWith('/') ? value.slice(1) : undefined;
}
