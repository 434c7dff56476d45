import { type JsonObject, object, text } from '../document.ts';
import type { NormalForm, NormalOperation } from '../normal/normal-document.ts';
import { compareContent, compareHeaders, compareMembers, compareValues } from './content-rules.ts';
import {
  compareUnjudged,
  isSame,
  pairMembers,
  type Pair,
  selectParts,
  resolvedOn,
  startPair,
  addFinding,
  tellNotJudged,
  type Walk,
} from './pairs.ts';
import { pairedStatuses } from './ranges.ts';

/** Compares the requests and responses of operations, and the messages of webhooks. */
export function messageFindings(base: NormalForm, head: NormalForm): Pick<Walk, 'found' | 'notJudged'> {
  const walk: Walk = {
    forms: { base, head },
    found: [],
    notJudged: [],
    compared: new Set(),
    comparedNodes: new WeakMap(),
  };
  for (const [key, before] of base.operations) {
    const after = head.operations.get(key);
    if (after) compareMessages(walk, before, after);
  }
  return walk;
}

function compareMessages(walk: Walk, before: NormalOperation, after: NormalOperation): void {
  const request = startPair(walk, before.normal, after.normal, 'request');
  compareMembers(request, pairMembers(before.normal.parameters, after.normal.parameters), {
    subject: (_name, parameter) => getName(parameter),
    removed: 'parameter-removed',
    added: (parameter) => (parameter.required === true ? 'parameter-became-required' : 'added'),
    compare: compareParameter,
  });
  comparePlaces(request);
  compareBody(request);
  const response: Pair = { ...request, direction: 'response' };
  compareMembers(response, pairedStatuses(before.normal.responses, after.normal.responses), {
    subject: (status) => `Response ${status}`,
    removed: 'response-removed',
    compare: compareResponse,
  });
}

function getName(parameter: JsonObject): string {
  return `\`${text(parameter.name)}\` ${text(parameter.in)} parameter`;
}

function compareParameter(pair: Pair): void {
  const { base, head } = pair;
  const subject = getName(head);
  if (base.required !== head.required) {
    const [rule, what] =
      head.required === true
        ? (['parameter-became-required', 'became required'] as const)
        : (['changed', 'may be left out'] as const);
    addFinding(pair, { side: 'head', keyword: 'required', rule, what: `${subject} ${what}.` });
  }
  compareUnjudged(pair);
  compareValues({ ...pair, isOptional: base.required !== true }, subject);
}

const places = new Set(['path', 'query', 'header', 'cookie']);

/** Reports parameters in a place that no rule knows. */
function comparePlaces(pair: Pair): void {
  for (const [, old, now] of pairMembers(pair.base.parameters, pair.head.parameters)) {
    const [side, node] = now === undefined ? (['base', old] as const) : (['head', now] as const);
    const parameter = resolvedOn(pair, side, node);
    if (places.has(text(parameter.in)) || isSame(pair, old, now)) continue;
    tellNotJudged({ ...pair, [side]: parameter }, 'in', side === 'head');
  }
}

function compareBody(pair: Pair): void {
  const [old, now] = [pair.base.requestBody, pair.head.requestBody];
  const isRequired = object(now).required === true;
  const rule = isRequired ? 'request-body-became-required' : 'changed';
  if (old === undefined) {
    const what = `${isRequired ? 'A required' : 'An optional'} request body was added.`;
    if (now !== undefined) addFinding(pair, { side: 'head', node: now, rule, what });
    return;
  }
  if (now === undefined)
    return addFinding(pair, {
      side: 'base',
      node: old,
      rule: 'request-body-removed',
      what: 'The request body was removed.',
    });
  const what = `The request body ${isRequired ? 'became required' : 'may be left out'}.`;
  if (isRequired !== (object(old).required === true))
    addFinding(pair, { side: 'head', node: now, keyword: 'required', rule, what });
  const parts = selectParts(pair, old, now);
  if (!parts) return;
  compareUnjudged(parts);
  compareContent({ ...parts, isOptional: object(old).required !== true });
}

function compareResponse(pair: Pair): void {
  compareUnjudged(pair);
  compareHeaders(pair, 'Response header');
  compareContent(pair);
}
