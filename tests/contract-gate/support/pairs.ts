import { at } from '../../../contract-gate/src/document.ts';
import { compare, type Options } from '../../../contract-gate/src/compare.ts';
import { accessRules } from '../../../src/released/access-rules.ts';
import { copied, libraryContract } from './library-contract.ts';

type Edit = (contract: any) => void;

/** A change and its break: the rule, the location and the affected operations, by operationId. */
export type Breaking = [title: string, edit: Edit, rule: string, pointer: string, operations: string[], prepare?: Edit];

/** A change that resembles a breaking one but is compatible. */
export type Harmless = [title: string, edit: Edit, prepare?: Edit];

/**
 * Expects the break of each change at its location, and no other break. Pairs with the same title are breaks of one
 * change.
 */
export function expectBreaks(pairs: Breaking[]): void {
  for (const [title, told] of Map.groupBy(pairs, ([title]) => title))
    test(`${title} breaks clients`, () => {
      const [, edit, , , , prepare] = told[0]!;
      const { breaking, base, head } = changed(edit, prepare);
      const found = breaking.map(({ rule, pointer, operations }) => ({ rule, pointer, operations: idsOf(operations) }));
      const expected = told.map(([, , rule, pointer, operations]) => ({ rule, pointer, operations }));
      expect(found).toEqual(expect.arrayContaining(expected));
      expect(found).toHaveLength(expected.length);
      for (const { document, pointer } of breaking)
        expect(at(document === 'base' ? base : head, pointer)).toBeDefined();
      for (const { what, why, whom } of breaking) for (const words of [what, why, whom]) expect(words).toMatch(/\w{3}/);
    });
}

export function expectNoBreak(pairs: Harmless[]): void {
  for (const [title, edit, prepare] of pairs)
    test(`${title} breaks no client`, () => {
      expect(changed(edit, prepare).breaking).toEqual([]);
    });
}

/** Compares the library's contract, after `prepare`, with its edited copy. */
export function changed(edit: Edit, prepare: Edit = () => undefined, options: Options = {}) {
  const base = libraryContract();
  prepare(base);
  const head = copied(base);
  edit(head);
  expect(head).not.toEqual(base);
  return { ...compare(base, head, { rules: [accessRules], ...options }), base, head };
}

/** Compares the edited contract with its copy. */
export function copiedPair(edit: Edit, prepare: Edit = () => undefined) {
  const prepared = libraryContract();
  prepare(prepared);
  const base = copied(prepared);
  edit(base);
  return compare(base, copied(base), { rules: [accessRules] });
}

function idsOf(operations: string[]): string[] {
  return operations.map((operation) => /\((\w+)\)$/.exec(operation)![1]!).toSorted();
}
