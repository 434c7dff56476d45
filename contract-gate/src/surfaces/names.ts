import type { Comparison } from '../compare.ts';
import { child, type JsonObject, object, text } from '../document.ts';
import { breaking, compatible, type Finding, type Verdict } from '../findings.ts';

/**
 * Compares the exports of a package by name and kind.
 * @param base `{ "names": { <name>: <kind> } }`
 */
export function compareNames(base: JsonObject, head: JsonObject): Comparison {
  const [before, after] = [object(base.names), object(head.names)];
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  const changed = Object.keys(before).filter((name) => Object.hasOwn(after, name) && before[name] !== after[name]);
  const whom = 'users of the package who import the name';
  const kind = (names: JsonObject, name: string) => text(names[name]);
  return {
    breaking: [
      ...removed.map((name) =>
        found(
          'base',
          name,
          breaking('name-removed', `\`${name}\` (${kind(before, name)}) was removed.`, 'it no longer compiles', whom),
        ),
      ),
      ...changed.map((name) => {
        const what = `\`${name}\` changed from ${kind(before, name)} to ${kind(after, name)}.`;
        return found('head', name, breaking('name-changed', what, 'it is another kind of export', whom));
      }),
    ],
    compatible: added.map((name) =>
      found('head', name, compatible('added', `\`${name}\` (${kind(after, name)}) was added.`)),
    ),
    notJudged: [],
    words: 0,
  };
}

function found(document: Finding['document'], name: string, verdict: Verdict): Finding {
  return { ...verdict, operations: [], pointer: child('#/names', name), document, deprecation: null };
}
