import { isItems, isString, type PdfItems, type PdfValue, listReferences, listValues } from './object-reader.ts';
import { decodePdfString } from './strings.ts';

export const HAS_SCRIPT = 'has JavaScript, which runs when people open or use the file; remove it';
const LEAVES_ALONE = 'has an action that leads elsewhere without a click; remove it';

/** Actions that are rejected wherever they occur, with their operands' keys; without an operand, they do nothing. */
const FORBIDDEN: Record<string, { operands: readonly string[]; fault: string }> = {
  Launch: {
    operands: ['/F', '/Win', '/Mac', '/Unix'],
    fault: 'has a /Launch action, which starts a program; remove it',
  },
  ImportData: {
    operands: ['/F'],
    fault: 'has an /ImportData action, which reads a file of the person who opens it; remove it',
  },
  JavaScript: { operands: ['/JS'], fault: HAS_SCRIPT },
  Rendition: { operands: ['/JS'], fault: HAS_SCRIPT },
};

/** Kinds of actions that take the reader, or the content of a form, out of the document. */
const LEAVING = ['URI', 'GoToR', 'GoToE', 'SubmitForm', 'Thread', 'Rendition', 'Movie'];

/**
 * Finds the kinds of actions in a file. The kind of an action is the value of its key /S, which elsewhere names a
 * glyph, a style or a state. Some viewers accept a string as the kind, and the kind can be an indirect object. An
 * action with such a reference counts as every kind that is an indirect object in the file, because different readings
 * of the index lead to different objects.
 */
export class ActionKinds {
  /** Kinds of actions that are indirect objects. */
  readonly #apart = new Set<string>();
  /** Faults of dictionaries whose kind is an indirect object, by kind. */
  readonly #pending = new Map<string, string>();

  recordObject(value: PdfValue): void {
    const name = readActionName(value);
    if (name !== undefined && (name in FORBIDDEN || LEAVING.includes(name))) this.#apart.add(name);
  }

  /**
   * Returns the fault of an action that is rejected wherever it occurs; undefined for other dictionaries. If the
   * action's kind is an indirect object, records the fault for `pendingFault`.
   */
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

  /**
   * The fault of an action whose kind is an indirect object; undefined if there is none. Valid once all objects are
   * recorded.
   */
  get pendingFault(): string | undefined {
    return [...this.#pending].find(([kind]) => this.#apart.has(kind))?.[1];
  }

  /** Returns the fault of an action that starts automatically. */
  findAutomaticFault(items: PdfItems): string | undefined {
    if (kindsIn(items).some((kind) => LEAVING.includes(kind))) return LEAVES_ALONE;
    if (isApart(items)) for (const kind of LEAVING) this.#pending.set(kind, LEAVES_ALONE);
    return undefined;
  }
}

/** Reports whether a dictionary could be an action that leaves the document, automatically or on a click. */
export function couldLeave(items: PdfItems): boolean {
  return isApart(items) || kindsIn(items).some((kind) => LEAVING.includes(kind));
}

/** Reports whether a dictionary has an operand under a key: a string, a dictionary or a reference. */
export function hasOperand(items: PdfItems, key: string): boolean {
  const isDirect = listValues(items, key).some(
    (value) => isString(value) || (isItems(value) && value.items.length > 0),
  );
  return isDirect || listReferences(items, key).length > 0;
}

/** Reports whether an action's type (`/S`) is an indirect reference. */
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
