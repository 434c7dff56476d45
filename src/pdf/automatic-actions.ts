import { type PdfItems, type PdfValue, referencesOf, valuesOf } from './object-reader.ts';

/** Kinds of actions that take the reader, or what a form holds, out of the document. */
const LEAVING = ['/URI', '/GoToR', '/GoToE', '/SubmitForm', '/Thread', '/Rendition', '/Movie'];
/** The keys of actions that nobody has to click: one action, and a table of them. */
const OPENING = '/OpenAction';
const TABLE = '/AA';
export const ACTION_KEYS = [OPENING, TABLE];

/** What stands in the place of an action: the action; an action or several that follow it; or a table of actions by event. */
type Role = 'action' | 'next' | 'table';

/** Whether an object is an action that leaves the document, by itself or when it is clicked. */
export function leaves(items: PdfItems): boolean {
  return valuesOf(items, '/S').some((kind) => LEAVING.includes(kind as string));
}

/** Follows the actions that begin by themselves, object by object, to find one that leaves the document. */
export class AutomaticActions {
  found = false;
  readonly #seen = new Set<string>();
  #wanted = new Map<number, Set<Role>>();

  /** Takes note of what begins by itself in a dictionary. */
  note(items: PdfItems): void {
    this.#followKey(items, OPENING, 'action');
    this.#followKey(items, TABLE, 'table');
  }

  /** The numbers of the objects that are to be looked at next. */
  get wanted(): readonly number[] {
    return [...this.#wanted.keys()];
  }

  /** Looks at what has been found for the objects that were wanted. */
  look(objects: Iterable<[number, PdfValue]>): void {
    const wanted = this.#wanted;
    this.#wanted = new Map();
    for (const [number, value] of objects) {
      for (const role of wanted.get(number) ?? []) this.#follow(value, role);
    }
  }

  #followKey(items: PdfItems, key: string, role: Role): void {
    for (const number of referencesOf(items, key)) this.#want(number, role);
    for (const value of valuesOf(items, key)) this.#follow(value, role);
  }

  #follow(value: PdfValue, role: Role): void {
    if (typeof value !== 'object' || !('items' in value)) return;
    if (role === 'table') return this.#followAll(value, 'action');
    if (value.items.includes('/S')) {
      this.found ||= leaves(value);
      this.#followKey(value, '/Next', 'next');
    } else if (role === 'next') {
      this.#followAll(value, 'next');
    }
  }

  #followAll(items: PdfItems, role: Role): void {
    for (const number of referencesOf(items)) this.#want(number, role);
    for (const value of items.items) this.#follow(value, role);
  }

  #want(number: number, role: Role): void {
    const name = `${role} ${number}`;
    if (this.#seen.has(name)) return;
    this.#seen.add(name);
    const roles = this.#wanted.get(number);
    if (roles) roles.add(role);
    else this.#wanted.set(number, new Set([role]));
  }
}
