import { isDeepStrictEqual } from 'node:util';
import { hurtBy } from './constraint-rules.ts';
import { type Json, list, object } from '../document.ts';
import { difference, type Direction, missingFrom, said } from '../findings.ts';
import { membersOf, type Pair, partsOf, resolvedOn, type Side, tell } from './pairs.ts';
import type { Rule } from './reasons.ts';
import { isHidden } from '../usage.ts';
import { compareVariants, variantsOf } from './variant-rules.ts';

/** Compares two schemas, keyword by keyword, and all that they hold. */
export function compareSchemas(pair: Pair): void {
  const variants = variantsOf(pair);
  if (variants) return compareVariants(pair, 'oneOf', variants, compareParts);
  for (const [keyword, old, now] of membersOf(pair.base, pair.head)) {
    const holder = holders[keyword];
    if (holder) holder(pair, keyword, old, now);
    else if (!isDeepStrictEqual(old, now)) (keywords[keyword] ?? changedConstraint)(pair, keyword, old, now);
  }
}

type KeywordRule = (pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined) => void;

/** Keywords that hold schemas. They are compared even when they look the same, as a reference may have another target. */
const holders: Record<string, KeywordRule> = {
  properties: compareProperties,
  items: compareSubschemas,
  additionalProperties: compareSubschemas,
  oneOf: compareLists,
  anyOf: compareLists,
  allOf: compareLists,
};

/** Keywords with a rule of their own; any other is a constraint. */
const keywords: Record<string, KeywordRule> = {
  type: changedType,
  enum: changedEnum,
  'x-extensible-enum': changedKnownValues,
  required: changedRequired,
  default: changedDefault,
  discriminator: changedDiscriminator,
  readOnly: changedAccess,
  writeOnly: changedAccess,
};

/** Tells a change of a keyword at its place, which is in the base when the head lacks it. */
function tellKeyword(pair: Pair, keyword: string, rule: Rule, what: string): void {
  tell(pair, { side: keyword in pair.head ? 'head' : 'base', keyword, rule, what });
}

function compareParts(pair: Pair, old: Json | undefined, now: Json | undefined): void {
  const parts = partsOf(pair, old, now);
  if (parts) compareSchemas(parts);
}

/** Either side may be a schema, or true or false in its place. */
function compareSubschemas(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  const areSchemas = [old, now].every((one) => one !== undefined && typeof one === 'object');
  if (areSchemas) compareParts(pair, old, now);
  else if (old !== now) changedConstraint(pair, keyword, old, now);
}

function compareLists(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  if (old !== undefined && now !== undefined)
    return compareVariants(pair, keyword, [list(old), list(now)], compareParts);
  const hurt: Direction = old === undefined ? 'request' : 'response';
  const rule = hurt === pair.direction ? 'schema-combinator-changed' : 'changed';
  tellKeyword(pair, keyword, rule, difference(keyword, old, now));
}

function changedConstraint(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  const rule = hurtBy(pair, keyword).includes(pair.direction) ? 'schema-constraint-changed' : 'changed';
  tellKeyword(pair, keyword, rule, difference(keyword, old, now));
}

function changedType(pair: Pair, keyword: string, before: Json | undefined, after: Json | undefined): void {
  const [old, now] = [typesOf(before), typesOf(after)];
  const takes = (types: string[], type: string) =>
    types.includes(type) || types.includes('any') || (type === 'integer' && types.includes('number'));
  const isWider = old.every((type) => takes(now, type));
  const isNarrower = now.every((type) => takes(old, type));
  const verb = isWider ? 'was widened' : isNarrower ? 'was narrowed' : 'changed';
  const isBroken = pair.direction === 'request' ? !isWider : !isNarrower;
  const what = `The type ${verb} from ${old.join(' or ')} to ${now.join(' or ')}.`;
  tellKeyword(pair, keyword, isBroken ? 'schema-type-changed' : 'changed', what);
}

/** Null is named last. */
function typesOf(value: Json | undefined): string[] {
  const types = [value ?? 'any'].flat() as string[];
  return [...types.filter((type) => type !== 'null'), ...types.filter((type) => type === 'null')];
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

/** The known values of an open list: readers must expect others, but senders may only send these. */
function changedKnownValues(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  if (old === undefined || now === undefined) return;
  const [gained, lost] = [missingFrom(old, now), missingFrom(now, old)];
  if (gained) tellKeyword(pair, keyword, 'extensible-values-added', `The list of known values gained ${said(gained)}.`);
  if (lost) tellKeyword(pair, keyword, 'enum-values-removed', `The list of known values lost ${said(lost)}.`);
}

/** Properties that do not travel in this direction are never required. */
function changedRequired(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  const isSent = (side: Side) => (name: Json) =>
    !isHidden(resolvedOn(pair, side, object(pair[side].properties)[name as string]), pair.direction);
  const gained = missingFrom(old, now)?.filter(isSent('head')) ?? [];
  const lost = missingFrom(now, old)?.filter(isSent('base')) ?? [];
  if (gained.length > 0)
    tellKeyword(pair, keyword, 'required-properties-added', `Properties became required: ${said(gained)}.`);
  if (lost.length > 0)
    tellKeyword(pair, keyword, 'required-properties-removed', `Properties are no longer required: ${said(lost)}.`);
}

function changedDefault(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  const rule = old === undefined ? 'changed' : now === undefined ? 'default-removed' : 'default-changed';
  tellKeyword(pair, keyword, rule, difference(keyword, old, now));
}

function changedDiscriminator(pair: Pair, keyword: string, before: Json | undefined, after: Json | undefined): void {
  const [old, now] = [object(before), object(after)];
  const isKept = Object.keys(object(old.mapping)).every((value) => value in object(now.mapping));
  const isBroken = before !== undefined && !(old.propertyName === now.propertyName && isKept);
  tellKeyword(pair, keyword, isBroken ? 'discriminator-changed' : 'changed', 'The discriminator changed.');
}

/** For a schema that is not a property's. A property is told by its name. */
function changedAccess(pair: Pair, keyword: string, old: Json | undefined, now: Json | undefined): void {
  tellKeyword(pair, keyword, 'changed', difference(keyword, old, now));
}

function compareProperties(pair: Pair): void {
  for (const [name, old, now] of membersOf(pair.base.properties, pair.head.properties)) {
    const wasHidden = isHidden(resolvedOn(pair, 'base', old), pair.direction);
    if (old === undefined) tell(pair, { side: 'head', node: now, rule: 'added', what: `\`${name}\` was added.` });
    else if (now !== undefined) compareProperty(pair, name, old, now, wasHidden);
    else if (!wasHidden)
      tell(pair, { side: 'base', node: old, rule: 'property-removed', what: `Property \`${name}\` was removed.` });
  }
}

/** The schema of a property is compared when it travels on both sides. */
function compareProperty(pair: Pair, name: string, old: Json, now: Json, wasHidden: boolean): void {
  const isNowHidden = isHidden(resolvedOn(pair, 'head', now), pair.direction);
  if (!wasHidden && !isNowHidden) return compareParts(pair, old, now);
  if (wasHidden && isNowHidden) return;
  const isRequest = pair.direction === 'request';
  const access = isRequest ? 'read-only' : 'write-only';
  const told = { side: 'head', node: now } as const;
  if (isNowHidden) {
    const rule = isRequest ? 'property-became-read-only' : 'property-became-write-only';
    return tell(pair, { ...told, rule, what: `Property \`${name}\` is now ${access}.` });
  }
  const mustBeSent = isRequest && list(pair.head.required).includes(name);
  const what = `Property \`${name}\` is no longer ${access}${mustBeSent ? ', and must be sent' : ''}.`;
  tell(pair, { ...told, rule: mustBeSent ? 'required-properties-added' : 'changed', what });
}
