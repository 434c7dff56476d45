import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, object, text } from '../document.ts';
import { difference, type Located } from '../findings.ts';
import type { NormalForm, NormalOperation } from '../normal/normal-document.ts';
import { membersOf, type Pair, partsOf, resolvedOn, startPair, tell, type Walk } from './pairs.ts';
import type { Rule } from './reasons.ts';
import { compareSchemas } from './schema-rules.ts';

/** What changed in what operations take and answer, and webhooks send. */
export function messageFindings(base: NormalForm, head: NormalForm): Located[] {
  const walk: Walk = { forms: { base, head }, found: [], compared: new Set() };
  for (const [key, before] of base.operations) {
    const after = head.operations.get(key);
    if (after) compareMessages(walk, before, after);
  }
  return walk.found;
}

function compareMessages(walk: Walk, before: NormalOperation, after: NormalOperation): void {
  const request = startPair(walk, before.normal, after.normal, 'request');
  compareMembers(request, 'parameters', {
    subject: (_name, parameter) => nameOf(parameter),
    removed: 'parameter-removed',
    added: (parameter) => (parameter.required === true ? 'parameter-became-required' : 'added'),
    compare: compareParameter,
  });
  compareBody(request);
  compareMembers({ ...request, direction: 'response' }, 'responses', {
    subject: (status) => `Response ${status}`,
    removed: 'response-removed',
    compare: compareResponse,
  });
}

interface Members {
  subject: (name: string, node: JsonObject) => string;
  removed: Rule;
  added?: (node: JsonObject) => Rule;
  compare: (pair: Pair) => void;
}

/** Compares what both sides have under the same name, and tells of what came and went. */
function compareMembers(pair: Pair, keyword: string, { subject, removed, added, compare }: Members): void {
  for (const [name, old, now] of membersOf(pair.base[keyword], pair.head[keyword])) {
    const parts = old !== undefined && now !== undefined ? partsOf(pair, old, now) : undefined;
    if (parts) compare(parts);
    if (now === undefined) {
      const what = `${subject(name, resolvedOn(pair, 'base', old))} was removed.`;
      tell(pair, { side: 'base', node: old, rule: removed, what });
    } else if (old === undefined) {
      const node = resolvedOn(pair, 'head', now);
      tell(pair, {
        side: 'head',
        node: now,
        rule: added?.(node) ?? 'added',
        what: `${subject(name, node)} was added.`,
      });
    }
  }
}

function nameOf(parameter: JsonObject): string {
  return `\`${text(parameter.name)}\` ${text(parameter.in)} parameter`;
}

function compareParameter(pair: Pair): void {
  const { base, head } = pair;
  const subject = nameOf(head);
  if (base.required !== head.required) {
    const [rule, what] =
      head.required === true
        ? (['parameter-became-required', 'became required'] as const)
        : (['changed', 'may be left out'] as const);
    tell(pair, { side: 'head', keyword: 'required', rule, what: `${subject} ${what}.` });
  }
  compareValues(pair, subject);
}

function compareBody(pair: Pair): void {
  const [old, now] = [pair.base.requestBody, pair.head.requestBody];
  const isRequired = object(now).required === true;
  const rule = isRequired ? 'request-body-became-required' : 'changed';
  if (old === undefined) {
    const what = `${isRequired ? 'A required' : 'An optional'} request body was added.`;
    if (now !== undefined) tell(pair, { side: 'head', node: now, rule, what });
    return;
  }
  if (now === undefined)
    return tell(pair, { side: 'base', node: old, rule: 'request-body-removed', what: 'The request body was removed.' });
  const what = `The request body ${isRequired ? 'became required' : 'may be left out'}.`;
  if (isRequired !== (object(old).required === true))
    tell(pair, { side: 'head', node: now, keyword: 'required', rule, what });
  const parts = partsOf(pair, old, now);
  if (parts) compareContent(parts);
}

function compareResponse(pair: Pair): void {
  compareMembers(pair, 'headers', {
    subject: (name) => `Response header \`${name}\``,
    removed: 'response-header-removed',
    compare: compareHeader,
  });
  compareContent(pair);
}

function compareHeader(pair: Pair): void {
  const { base, head } = pair;
  if (base.required !== head.required) {
    const [rule, what] =
      base.required === true
        ? (['response-header-became-optional', 'is no longer always sent'] as const)
        : (['changed', 'is now always sent'] as const);
    tell(pair, { side: 'head', rule, what: `The response header ${what}.` });
  }
  compareValues(pair, 'the response header');
}

/** Of a parameter or a header: how its value is written, and its schema, or its content of some type. */
function compareValues(pair: Pair, subject: string): void {
  const rule = 'parameter-serialization-changed';
  for (const keyword of ['style', 'explode', 'allowReserved', 'allowEmptyValue']) {
    const [old, now] = [pair.base[keyword], pair.head[keyword]];
    const what = `Of ${subject}, ${difference(keyword, old, now)}`;
    if (old !== now) tell(pair, { side: 'head', keyword, rule, what });
  }
  if ((pair.base.schema === undefined) !== (pair.head.schema === undefined))
    return tell(pair, { side: 'head', rule, what: `Of ${subject}, the content type changed.` });
  compareSchemaOf(pair);
  compareContent(pair);
}

function compareContent(pair: Pair): void {
  compareMembers(pair, 'content', {
    subject: (type) => `Content type \`${type}\``,
    removed: 'media-type-removed',
    compare: (media) => {
      compareSchemaOf(media);
      compareEncoding(media);
    },
  });
}

function compareSchemaOf(pair: Pair): void {
  const parts = partsOf(pair, pair.base.schema, pair.head.schema);
  if (parts) compareSchemas(parts);
}

/** Which content types the parts of a form may have. */
function compareEncoding(pair: Pair): void {
  for (const [part, before, after] of membersOf(pair.base.encoding, pair.head.encoding)) {
    const [old, now] = [before, after].map((value) => typesIn(object(value).contentType)) as [string[], string[]];
    if (isDeepStrictEqual(old, now)) continue;
    const isNarrower = now.length > 0 && !(old.length > 0 && old.every((type) => now.includes(type)));
    const what = `Part \`${part}\` takes ${isNarrower ? 'fewer' : 'more'} content types: ${now.join(', ') || 'any'}.`;
    tell(pair, { side: 'head', rule: isNarrower ? 'part-content-type-removed' : 'changed', what });
  }
}

function typesIn(value: Json | undefined): string[] {
  return text(value)
    .split(',')
    .map((type) => type.trim().toLowerCase())
    .filter(Boolean)
    .toSorted();
}
