import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, object, child, standing } from './document.ts';
import { deprecationAt, deprecationFindings } from './rules/deprecation-rules.ts';
import { distinct, distinctKeywords, type Finding, type Located, type NotJudged } from './findings.ts';
import { messageFindings } from './rules/message-rules.ts';
import { nameFindings } from './rules/name-rules.ts';
import { type NormalForm, normalForm, speaksXml } from './normal/normal-document.ts';
import { operationFindings } from './rules/operation-rules.ts';
import { securityFindings } from './rules/security-rules.ts';
import { unjudgedDifferences } from './rules/unjudged-rules.ts';
import { buildUsage } from './usage.ts';

export interface Comparison {
  breaking: Finding[];
  compatible: Finding[];
  /** Keywords that differ and that no rule judges, so it is unknown whether they break anything. */
  notJudged: NotJudged[];
  /** The number of descriptions, examples and similar texts that differ. */
  words: number;
}

/** A rule for extensions (`x-…`) that the gate does not know. It compares two contracts in normal form. */
export type Rule = (base: NormalForm, head: NormalForm) => Located[];

export interface Options {
  rules?: Rule[] | undefined;
  /**
   * Whether a changed name that only generated SDKs have (operationId, tag, schema, path parameter) is a break. Default
   * true.
   */
  sdkPolicy?: boolean | undefined;
}

/** Compares two bundled contracts. Breaking changes come first. */
export function compare(
  baseSource: JsonObject,
  headSource: JsonObject,
  { rules = [], sdkPolicy = true }: Options = {},
): Comparison {
  const hasXml = speaksXml(baseSource) || speaksXml(headSource);
  const [base, head] = [normalForm(baseSource, hasXml), normalForm(headSource, hasXml)];
  const sources = { base: baseSource, head: headSource };
  const operationsAt = operationsTouched(sources);
  const messages = messageFindings(base, head);
  const located = [
    ...operationFindings(base, head),
    ...messages.found,
    ...securityFindings(base, head),
    ...nameFindings(base, head),
    ...deprecationFindings(base, head),
    ...rules.flatMap((rule) => rule(base, head)),
  ].filter(({ verdict }) => sdkPolicy || verdict.policy !== 'sdk');
  const findings = distinct(
    located.flatMap(({ verdict, ...place }: Located): Finding[] => {
      const touched = operationsAt(place);
      return touched ? [{ ...verdict, ...touched, deprecation: deprecationAt(baseSource, touched.pointer) }] : [];
    }),
  );
  const notJudged = [...messages.notJudged, ...unjudgedDifferences(base, head)].flatMap(({ keyword, ...place }) => {
    const touched = operationsAt(place);
    return touched ? [{ ...touched, keyword }] : [];
  });
  const [breaking, compatible] = (['breaking', 'compatible'] as const).map((level) =>
    findings.filter((finding) => finding.level === level),
  );
  return {
    breaking: breaking!,
    compatible: compatible!,
    notJudged: distinctKeywords(notJudged),
    words: changedWords(baseSource, headSource),
  };
}

type Place = Omit<Located, 'verdict'>;

/**
 * Returns a function that finds the place of a change and the operations that it touches. The function returns
 * undefined if operations use the place, but none in the direction of the change.
 */
function operationsTouched(sources: Record<Place['document'], JsonObject>) {
  const usage = { base: buildUsage(sources.base), head: buildUsage(sources.head) };
  return ({ document, pointer: found, direction }: Place) => {
    const pointer = standing(sources[document], found);
    const uses = usage[document](pointer);
    const touched = uses.filter((use) => direction === null || (use.direction ?? direction) === direction);
    if (uses.length > 0 && touched.length === 0) return undefined;
    return { operations: [...new Set(touched.map(({ operation }) => operation))], pointer, document };
  };
}

const wordy = new Set(
  'title summary description termsOfService contact license example examples externalDocs'.split(' '),
);

function changedWords(base: JsonObject, head: JsonObject): number {
  const [before, after] = [textsIn(base), textsIn(head)];
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (pointer) =>
      before.has(pointer) && after.has(pointer) && !isDeepStrictEqual(before.get(pointer), after.get(pointer)),
  ).length;
}

/** Returns all texts for readers, by pointer. Keys of `properties` are field names, even if one is `description`. */
function textsIn(value: Json, pointer = '#', found = new Map<string, Json>()): Map<string, Json> {
  for (const [key, one] of Object.entries(Array.isArray(value) ? value : object(value))) {
    const where = child(pointer, key);
    const isWordy = wordy.has(key) ? !pointer.endsWith('/properties') : where === '#/tags';
    if (isWordy) found.set(where, one);
    else textsIn(one, where, found);
  }
  return found;
}
