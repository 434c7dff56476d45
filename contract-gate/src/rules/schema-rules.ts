import { isDeepStrictEqual } from 'node:util';
import { hurtBy } from './constraint-rules.ts';
import { at, child, type Json, list, own, text } from '../document.ts';
import { changedDiscriminator } from './discriminator-rules.ts';
import { difference, type Direction, missingFrom, said } from '../findings.ts';
import {
  isSame,
  pairMembers,
  type Pair,
  selectParts,
  resolvedOn,
  type Side,
  addFinding,
  tellNotJudged,
} from './pairs.ts';
import type { Rule } from './reasons.ts';
import { meanTheSame } from '../same-meaning.ts';
import { isHidden } from '../usage.ts';
import { compareVariants, unlikeUnions } from './variant-rules.ts';

/** Compares two schemas keyword by keyword, including nested schemas. */
export function compareSchemas(pair: Pair): void {
  const unions = unlikeUnions(pair);
  if (unions) compareVariants(pair, unions, compareParts);
  for (const [keyword, old, now] of pairMembers(pair.base, pair.head)) {
    if (unions?.covers(keyword)) continue;
    const rule = holders.get(keyword) ?? (isDeepStrictEqual(old, now) ? undefined : judges.get(keyword));
    if (rule) rule(pair, keyword, old, now);
    else if (!judges.has(keyword)) changedUnknown(pair, keyword, old, now);
  }
}

type KeywordRule = (pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined) => void;

/**
 * Keywords that contain schemas. They are compared even if they look equal, because equal references can have different
 * targets.
 */
const holders = new Map<string, KeywordRule>([
  ['properties', compareProperties],
  ['items', compareSubschemas],
  ['additionalProperties', compareSubschemas],
  ['contentSchema', compareSubschemas],
  ['oneOf', compareLists],
  ['anyOf', compareLists],
  ['allOf', compareLists],
]);

const constraints = [
  'format pattern multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength',
  'minItems maxItems uniqueItems minProperties maxProperties',
]
  .join(' ')
  .split(' ');

/** Keywords without schemas, which are judged if they differ. */
const judges = new Map<string, KeywordRule>([
  ...constraints.map((keyword) => [keyword, changedConstraint] as const),
  ['type', changedType],
  ['enum', changedEnum],
  ['x-extensible-enum', changedKnownValues],
  ['required', changedRequired],
  ['default', changedDefault],
  ['discriminator', changedDiscriminator],
  ['readOnly', changedAccess],
  ['writeOnly', changedAccess],
  ['contentEncoding', changedEncoding],
  ['contentMediaType', changedEncoding],
]);

/** Keywords that can only narrow a schema, so the effect of adding or removing one is clear. */
const narrowing = new Set(['not', 'contains', 'propertyNames', 'dependentRequired', 'dependentSchemas']);

/** Records keywords that no rule judges. Judges narrowing keywords that were added or removed. */
function changedUnknown(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  if (isSame(pair, old, now, keyword) && (keyword !== '$dynamicRef' || isSameTarget(pair, text(now)))) return;
  if (narrowing.has(keyword) && (old === undefined || now === undefined))
    return changedConstraint(pair, keyword, old, now);
  tellNotJudged(pair, keyword, now !== undefined);
}

/** Reports whether all schemas that a dynamic reference can lead to are unchanged. */
function isSameTarget({ walk: { forms } }: Pair, reference: string): boolean {
  const [old, now] = [forms.base, forms.head].map((form) => form.anchored(reference.slice(1)));
  return meanTheSame({ base: forms.base.source, head: forms.head.source }, old, now);
}

/** Records a change to a keyword at its place, in the base if the head does not have it. */
function tellKeyword(pair: Pair, keyword: string, rule: Rule, what: string): void {
  addFinding(pair, { side: Object.hasOwn(pair.head, keyword) ? 'head' : 'base', keyword, rule, what });
}

function compareParts(pair: Pair, old: Json | undefined, now: Json | undefined): void {
  const parts = selectParts(pair, old, now);
  if (parts) compareSchemas(parts);
}

/** Compares subschemas. Either side can be a schema, true or false. */
function compareSubschemas(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  const areSchemas = [old, now].every((one) => one !== undefined && typeof one === 'object');
  if (areSchemas) compareParts({ ...pair, isOptional: false }, old, now);
  else if (old !== now) changedConstraint(pair, keyword, old, now);
}

function compareLists(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  if (old !== undefined && now !== undefined)
    return compareVariants(pair, { keyword: keyword as 'oneOf', before: list(old), after: list(now) }, compareParts);
  const hurt: Direction = old === undefined ? 'request' : 'response';
  const rule = hurt === pair.direction ? 'schema-combinator-changed' : 'changed';
  tellKeyword(pair, keyword, rule, difference(keyword, old, now));
}

function changedConstraint(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  const rule = hurtBy(pair, keyword).includes(pair.direction) ? 'schema-constraint-changed' : 'changed';
  const [was, is] = [written(pair, 'base', keyword, old), written(pair, 'head', keyword, now)];
  tellKeyword(pair, keyword, rule, difference(keyword, was, is));
}

/** Returns a pattern as written in the document, instead of its normal form. */
function written({ walk, ...pair }: Pair, side: Side, keyword: string, value: Json | undefined): Json | undefined {
  if (keyword !== 'pattern' || value === undefined) return value;
  const { source, originOf } = walk.forms[side];
  return at(source, child(originOf(pair[side]), keyword)) ?? value;
}

function changedType(pair: Pair, keyword: string, before: Json | undefined, after: Json | undefined): void {
  const [old, now] = [readTypes(before), readTypes(after)];
  // The values of an enum state its types, except for null.
  const isToldByEnum = [pair.base, pair.head].every((schema) => 'enum' in schema || schema.type === undefined);
  if (isToldByEnum && old.includes('null') === now.includes('null')) return;
  const takes = (types: string[], type: string) =>
    types.includes(type) || types.includes('any') || (type === 'integer' && types.includes('number'));
  const isWider = old.every((type) => takes(now, type));
  const isNarrower = now.every((type) => takes(old, type));
  const verb = isWider ? 'was widened' : isNarrower ? 'was narrowed' : 'changed';
  const isBroken = pair.direction === 'request' ? !isWider : !isNarrower;
  const what = `The type ${verb} from ${saidTypes(old)} to ${saidTypes(now)}.`;
  tellKeyword(pair, keyword, isBroken ? 'schema-type-changed' : 'changed', what);
}

/** Returns the types with null last. */
function readTypes(value: Json | undefined): string[] {
  const types = [value ?? 'any'].flat() as string[];
  return [...types.filter((type) => type !== 'null'), ...types.filter((type) => type === 'null')];
}

function saidTypes(types: string[]): string {
  return types.join(' or ') || 'nothing';
}

function changedEnum(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  if (old === undefined)
    return tellKeyword(pair, keyword, 'enum-values-removed', `The value must now be one of ${said(list(now))}.`);
  if (now === undefined)
    return tellKeyword(pair, keyword, 'enum-values-added', `The value may now be none of ${said(list(old))}.`);
  const [gained, lost] = [missingFrom(old, now), missingFrom(now, old)];
  if (gained) tellKeyword(pair, keyword, 'enum-values-added', `The list of values gained ${said(gained)}.`);
  if (lost) tellKeyword(pair, keyword, 'enum-values-removed', `The list of values lost ${said(lost)}.`);
}

/** Compares the known values of an open list: readers must expect others, but senders can send only these. */
function changedKnownValues(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  if (old === undefined || now === undefined) return;
  const [gained, lost] = [missingFrom(old, now), missingFrom(now, old)];
  if (gained) tellKeyword(pair, keyword, 'extensible-values-added', `The list of known values gained ${said(gained)}.`);
  if (lost) tellKeyword(pair, keyword, 'enum-values-removed', `The list of known values lost ${said(lost)}.`);
}

/** Compares required properties. A property that is not sent in this direction is never required. */
function changedRequired(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  const isSent = (side: Side) => (name: Json) =>
    !isHidden(resolvedOn(pair, side, own(pair[side].properties, name as string)), pair.direction);
  const gained = missingFrom(old, now)?.filter(isSent('head')) ?? [];
  const lost = missingFrom(now, old)?.filter(isSent('base')) ?? [];
  if (gained.length > 0)
    tellKeyword(pair, keyword, 'required-properties-added', `Properties became required: ${said(gained)}.`);
  if (lost.length > 0)
    tellKeyword(pair, keyword, 'required-properties-removed', `Properties are no longer required: ${said(lost)}.`);
}

/** Compares defaults. A default has no effect on a value that callers must send. */
function changedDefault(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  const rule = old === undefined ? 'default-added' : now === undefined ? 'default-removed' : 'default-changed';
  tellKeyword(pair, keyword, pair.isOptional ? rule : 'changed', difference(keyword, old, now));
}

function changedEncoding(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  tellKeyword(pair, keyword, 'content-encoding-changed', difference(keyword, old, now));
}

/** Compares the access of a schema that is not a property; `compareProperty` reports properties by name. */
function changedAccess(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  tellKeyword(pair, keyword, 'changed', difference(keyword, old, now));
}

function compareProperties(pair: Pair): void {
  for (const [name, old, now] of pairMembers(pair.base.properties, pair.head.properties)) {
    const wasHidden = isHidden(resolvedOn(pair, 'base', old), pair.direction);
    if (old === undefined) addFinding(pair, { side: 'head', node: now, rule: 'added', what: `\`${name}\` was added.` });
    else if (now !== undefined) compareProperty(pair, name, old, now, wasHidden);
    else if (!wasHidden)
      addFinding(pair, {
        side: 'base',
        node: old,
        rule: 'property-removed',
        what: `Property \`${name}\` was removed.`,
      });
  }
}

/** Compares a property; its schema only if the property is sent on both sides. */
function compareProperty(pair: Pair, name: string, old: Json, now: Json, wasHidden: boolean): void {
  const isNowHidden = isHidden(resolvedOn(pair, 'head', now), pair.direction);
  const isOptional = !list(pair.base.required).includes(name);
  if (!wasHidden && !isNowHidden) return compareParts({ ...pair, isOptional }, old, now);
  if (wasHidden && isNowHidden) return;
  const isRequest = pair.direction === 'request';
  const access = isRequest ? 'read-only' : 'write-only';
  const told = { side: 'head', node: now } as const;
  if (isNowHidden) {
    const rule = isRequest ? 'property-became-read-only' : 'property-became-write-only';
    return addFinding(pair, { ...told, rule, what: `Property \`${name}\` is now ${access}.` });
  }
  const mustBeSent = isRequest && list(pair.head.required).includes(name);
  const what = `Property \`${name}\` is no longer ${access}${mustBeSent ? ', and must be sent' : ''}.`;
  addFinding(pair, { ...told, rule: mustBeSent ? 'required-properties-added' : 'changed', what });
}
