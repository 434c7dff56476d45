import { at } from '../../../contract-gate/src/document.ts';
import { compare, type Options } from '../../../contract-gate/src/compare.ts';
import { accessRules } from '../../../src/released/access-rules.ts';
import { copied, libraryContract } from './library-contract.ts';

type Edit = (contract: any) => void;

/** One change and the break that it is: the rule, its place, and the operations that it touches, by operationId. */
export type Breaking = [title: string, edit: Edit, rule: string, pointer: string, operations: string[], prepare?: Edit];

/** One change that breaks nobody, though it looks like one that does. */
export type Harmless = [title: string, edit: Edit, prepare?: Edit];

/** Each change is told as exactly one break, at its place, or as several where they are listed under one title. */
export function expectBreaks(pairs: Breaking[]): void {
  for (const [title, told] of Map.groupBy(pairs, ([title]) => title))
    test(`${title} breaks`, () => {
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
    test(`${title} breaks nobody`, () => {
      expect(changed(edit, prepare).breaking).toEqual([]);
    });
}

/** What is told of one change to the library's contract; the base may be prepared for it first. */
export function changed(edit: Edit, prepare: Edit = () => undefined, options: Options = {}) {
  const base = libraryContract();
  prepare(base);
  const head = copied(base);
  edit(head);
  expect(head).not.toEqual(base);
  return { ...compare(base, head, { rules: [accessRules], ...options }), base, head };
}

/** What is told of a contract with the change and its copy. */
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
