import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, object, child, standing } from './document.ts';
import { deprecationAt, deprecationFindings } from './rules/deprecation-rules.ts';
import { distinct, type Finding, type Located } from './findings.ts';
import { messageFindings } from './rules/message-rules.ts';
import { nameFindings } from './rules/name-rules.ts';
import { type NormalForm, normalForm } from './normal/normal-document.ts';
import { operationFindings } from './rules/operation-rules.ts';
import { securityFindings } from './rules/security-rules.ts';
import { usageOf } from './usage.ts';

export interface Comparison {
  breaking: Finding[];
  compatible: Finding[];
  /** How many descriptions, examples and the like differ. */
  words: number;
}

/** What else two contracts in normal form are held to: for extensions (`x-…`) that the gate does not know. */
export type Rule = (base: NormalForm, head: NormalForm) => Located[];

/** What changed from one bundled contract to another, breaking changes first. */
export function compare(baseSource: JsonObject, headSource: JsonObject, rules: Rule[] = []): Comparison {
  const [base, head] = [normalForm(baseSource), normalForm(headSource)];
  const located = [
    ...operationFindings(base, head),
    ...messageFindings(base, head),
    ...securityFindings(base, head),
    ...nameFindings(base, head),
    ...deprecationFindings(base, head),
    ...rules.flatMap((rule) => rule(base, head)),
  ];
  const usage = { base: usageOf(baseSource), head: usageOf(headSource) };
  const findings = distinct(
    located.flatMap(({ verdict, document, pointer: found, direction }: Located): Finding[] => {
      const pointer = standing(document === 'base' ? baseSource : headSource, found);
      const uses = usage[document](pointer);
      const touched = uses.filter((use) => direction === null || (use.direction ?? direction) === direction);
      if (uses.length > 0 && touched.length === 0) return [];
      const operations = [...new Set(touched.map(({ operation }) => operation))];
      return [{ ...verdict, operations, pointer, document, deprecation: deprecationAt(baseSource, pointer) }];
    }),
  );
  const [breaking, compatible] = (['breaking', 'compatible'] as const).map((level) =>
    findings.filter((finding) => finding.level === level),
  );
  return { breaking: breaking!, compatible: compatible!, words: changedWords(baseSource, headSource) };
}

const wordy = new Set(
  'title summary description termsOfService contact license example examples externalDocs'.split(' '),
);

function changedWords(base: JsonObject, head: JsonObject): number {
  const [before, after] = [wordsIn(base), wordsIn(head)];
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (pointer) =>
      before.has(pointer) && after.has(pointer) && !isDeepStrictEqual(before.get(pointer), after.get(pointer)),
  ).length;
}

/** All texts for readers, by pointer. Keys of `properties` are field names, which may be `description` too. */
function wordsIn(value: Json, pointer = '#', found = new Map<string, Json>()): Map<string, Json> {
  for (const [key, one] of Object.entries(Array.isArray(value) ? value : object(value))) {
    const where = child(pointer, key);
    const isWordy = wordy.has(key) ? !pointer.endsWith('/properties') : where === '#/tags';
    if (isWordy) found.set(where, one);
    else wordsIn(one, where, found);
  }
  return found;
}
