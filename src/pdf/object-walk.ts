import { type ActionKinds, HAS_SCRIPT, hasOperand } from './action-kinds.ts';
import { nameFault, NAME_KEYS } from './attachments.ts';
import type { DocumentObjects } from './document-objects.ts';
import { isItems, type PdfItems, type PdfValue, listReferences, listValues } from './object-reader.ts';
import { Refused } from './refused.ts';

/** Maximum length of a chain of actions after an action that starts automatically. */
const MAX_FOLLOWED = 8;

export const HAS_FORM_SCRIPT = 'has an XFA form, which can contain scripts; save it without /XFA';

/**
 * Role of an object for the object that refers to it: an action that starts automatically; one or more actions that
 * follow it; a table of actions by event; the form of the document; a part of the tree of its scripts; the streams of
 * an attached file.
 */
type Role = 'action' | 'next' | 'table' | 'form' | 'scripts' | 'files';

/** Keys at which the walk begins, in any dictionary: each dictionary could be the catalogue for some viewer. */
const BEGINNINGS: Record<string, Role> = {
  '/OpenAction': 'action',
  '/AA': 'table',
  '/AcroForm': 'form',
  '/JavaScript': 'scripts',
  '/EF': 'files',
};
export const WALK_KEYS = Object.keys(BEGINNINGS);

/** Walks the objects of a file by references: the same dictionary is an action in one place and data in another. */
export class ObjectWalk {
  /** Numbers of the streams with attached files. */
  readonly attached = new Set<number>();
  readonly #kinds: ActionKinds;
  readonly #seen = new Set<string>();
  #wanted = new Map<number, Set<Role>>();
  /** Faults of file names, by the number of the object with the file's streams. */
  readonly #nameFaults = new Map<number, string>();

  constructor(kinds: ActionKinds) {
    this.#kinds = kinds;
  }

  recordReferences(items: PdfItems): void {
    const fault = items.items.includes('/EF') ? nameFault(items) : undefined;
    for (const key of WALK_KEYS) {
      const role = BEGINNINGS[key]!;
      for (const number of listReferences(items, key)) {
        if (role === 'files' && fault !== undefined) this.#nameFaults.set(number, fault);
      }
      this.#followKey(items, key, role, role === 'files' ? fault : undefined);
    }
  }

  /**
   * Follows all recorded references, object by object.
   * @param hasLeaving whether the file has any action that leaves the document
   * @throws {Refused} with the fault
   */
  follow(objects: DocumentObjects, hasLeaving: boolean): void {
    for (let steps = 0; this.#wanted.size > 0; steps++) {
      const pending = this.#wanted;
      this.#wanted = new Map();
      for (const [number, roles] of pending) {
        const isAction = roles.has('action') || roles.has('next');
        if (isAction && steps >= MAX_FOLLOWED) {
          if (hasLeaving) throw new Refused('has a long chain of actions that starts without a click; remove it');
          continue;
        }
        for (const { value } of objects.resolve(number)) {
          for (const role of roles) this.#follow(value, role, this.#nameFaults.get(number));
        }
      }
    }
  }

  #followKey(items: PdfItems, key: string, role: Role, nameFault?: string): void {
    for (const number of listReferences(items, key)) this.#want(number, role);
    for (const value of listValues(items, key)) this.#follow(value, role, nameFault);
  }

  #follow(value: PdfValue, role: Role, nameFault?: string): void {
    if (!isItems(value)) return;
    if (role === 'table') return this.#followAll(value, 'action');
    if (role === 'files') return this.#attach(value, nameFault);
    if (role === 'form') {
      if (hasOperand(value, '/XFA')) throw new Refused(HAS_FORM_SCRIPT);
      return;
    }
    // Some viewers do not check the kind of scripts and of field actions.
    if (hasOperand(value, '/JS')) throw new Refused(HAS_SCRIPT);
    if (role === 'scripts') return this.#followAll(value, 'scripts');
    if (value.items.includes('/S')) {
      const fault = this.#kinds.findAutomaticFault(value);
      if (fault !== undefined) throw new Refused(fault);
      this.#followKey(value, '/Next', 'next');
    } else if (role === 'next') {
      this.#followAll(value, 'next');
    }
  }

  #attach(files: PdfItems, nameFault: string | undefined): void {
    const numbers = NAME_KEYS.flatMap((key) => listReferences(files, key));
    if (numbers.length > 0 && nameFault !== undefined) throw new Refused(nameFault);
    for (const number of numbers) this.attached.add(number);
  }

  #followAll(items: PdfItems, role: Role): void {
    for (const number of listReferences(items)) this.#want(number, role);
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
