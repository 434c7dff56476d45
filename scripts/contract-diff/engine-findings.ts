import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, list, object, child, resolved, stepsOf } from './contract-document.ts';
import { type EngineChange, engineChanges } from './engine.ts';
import { breaking, compatible, type Direction, type Located } from './findings.ts';
import type { NormalForm } from './normal-document.ts';

const rejected = 'callers who send what was allowed until now are refused';
const surprised = 'clients that read it meet what they were promised not to';
const missing = 'clients that read it no longer find it';

/** What follows from each rule of the engine: why it breaks, and for whom. One that is judged by direction has an entry for each. */
const explanations: Record<string, Partial<Record<Direction | 'any', [why: string, whom: string]>>> = {
  'enum-values-added': {
    response: ['a value that they do not know arrives', 'clients that read the value and branch on it'],
  },
  'enum-values-removed': { request: [rejected, 'callers who send one of the other values'] },
  'media-type-removed': {
    request: ['bodies of that type are refused', 'callers who send that content type'],
    response: ['no answer of that type comes any more', 'clients that accept only that content type'],
  },
  'operation-id-changed': { any: ['the generated method has another name', 'SDK users who call the operation'] },
  'parameter-became-required': { request: ['calls without it are refused', 'callers who leave the parameter out'] },
  'parameter-removed': { request: ['an unknown parameter is refused', 'callers who send the parameter'] },
  'parameter-serialization-changed': {
    request: ['the same value is written another way', 'callers who send the parameter, and SDK users'],
  },
  'property-removed': {
    request: ['an unknown property is refused', 'callers who send the property'],
    response: [missing, 'clients that read the property'],
  },
  'request-body-became-required': { request: ['calls without a body are refused', 'callers who send no body'] },
  'request-body-removed': { request: ['the body is no longer read', 'callers who send a body'] },
  'required-properties-added': { request: ['bodies without them are refused', 'callers who leave the properties out'] },
  'required-properties-removed': {
    response: ['they may be absent', 'clients that rely on the properties being there'],
  },
  'response-header-removed': { response: [missing, 'clients that read the header'] },
  'response-removed': { response: ['the answer they know no longer comes', 'clients that handle the status'] },
  'schema-combinator-changed': {
    request: [rejected, 'callers who send a variant that no longer fits'],
    response: [surprised, 'clients that read the value and tell its variants apart'],
  },
  'schema-constraint-changed': {
    request: [rejected, 'callers who send values outside the new limits'],
    response: [surprised, 'clients that read the value and rely on the old limits'],
  },
  'schema-type-changed': {
    request: [rejected, 'callers who send a value of the old type'],
    response: ['a value of another type arrives', 'clients that read the value'],
  },
  'security-requirement-changed': {
    any: ['what authenticated them no longer does', 'callers who authenticate as before'],
  },
  'security-scheme-changed': { any: ['credentials are sent another way', 'callers who authenticate as before'] },
  'server-removed': { any: ['calls to that address fail', 'callers and SDK users who use that address'] },
};

/** What Redocly's engine finds between the operations that both documents have. */
export async function engineFindings(base: NormalForm, head: NormalForm): Promise<Located[]> {
  const changes = await engineChanges(onlyShared(base, head), onlyShared(head, base));
  return changes.flatMap((change) => locate(base, head, change));
}

/** Operations of one side alone are told as such; left in, they would be matched with others that look alike. */
function onlyShared(form: NormalForm, other: NormalForm): JsonObject {
  const paths = Object.entries(object(form.document.paths)).map(([path, item]) => {
    const shared = Object.entries(object(item)).filter(([method]) => other.operations.has(`${method} ${path}`));
    return [path, Object.fromEntries(shared)] as const;
  });
  return { ...form.document, paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)) };
}

function locate(base: NormalForm, head: NormalForm, change: EngineChange): Located[] {
  const document = isGone(change) ? 'base' : 'head';
  const promised = change.verdicts.filter(({ ruleId }) => !isAllowed(base, head, change, ruleId));
  if (promised.length > 0)
    return promised.flatMap(({ ruleId, message }) =>
      directionsOf(ruleId, message, change).flatMap((direction) => {
        const [why, whom] = explanations[ruleId]?.[direction ?? 'any'] ?? [surprised, 'callers'];
        const verdict = breaking(ruleId, wordingOf(ruleId, message, change), why, whom);
        return placesOf(base, head, change).map((pointer) => ({ verdict, document, pointer, direction }) as const);
      }),
    );
  if (change.path.startsWith('#/components')) return [];
  const verdict = compatible(change.kind, describe(change));
  return placesOf(base, head, change).map((pointer) => ({ verdict, document, pointer, direction: null }));
}

/** The engine names a schema by one of the places that share it; the pointer says it for all of them. */
function wordingOf(rule: string, message: string, change: EngineChange): string {
  if (rule === 'schema-type-changed') return typeWording(change.base?.value, change.revision?.value);
  const isOfSchema = /^(enum|property|required|schema)-/.test(rule);
  return isOfSchema ? message.replace(/ of `[^`]*`/, '').replace(/^Enum /, 'The list of values ') : message;
}

/** To the engine every type that is left is narrowed, and every one that is new is widened, also where both is true. */
function typeWording(before: Json | undefined, after: Json | undefined): string {
  const [old, now] = [before, after].map((value) => [value ?? 'any'].flat() as string[]);
  const takes = (types: string[], type: string) =>
    types.includes(type) || types.includes('any') || (type === 'integer' && types.includes('number'));
  const [isWider, isNarrower] = [old!.every((type) => takes(now!, type)), now!.every((type) => takes(old!, type))];
  const verb = isWider ? 'was widened' : isNarrower ? 'was narrowed' : 'changed';
  const said = (types: string[]) =>
    [...types.filter((type) => type !== 'null'), ...types.filter((type) => type === 'null')].join(' or ');
  return `The type ${verb} from ${said(old!)} to ${said(now!)}.`;
}

/** What has another name is gone under the old one. */
function isGone({ kind, property, revision, verdicts }: EngineChange): boolean {
  const isRenamed = property === 'key' || verdicts.some(({ ruleId }) => ruleId === 'parameter-removed');
  return kind === 'removed' || (kind === 'modified' && (isRenamed || revision!.value === undefined));
}

function placesOf(base: NormalForm, head: NormalForm, change: EngineChange): string[] {
  const [side, form] = isGone(change) ? (['base', base] as const) : (['revision', head] as const);
  const { pointer } = change[side]!.location;
  if (change.verdicts.some(({ ruleId }) => ruleId === 'security-requirement-changed'))
    return [securityPlace(base, head, form, pointer)];
  const isAnother = side === 'base' && (change.property === 'name' || change.property === 'in');
  return [form.original(isAnother ? pointer.replace(/\/(name|in)$/, '') : pointer)];
}

/** What operations inherit on both sides changed once, for all of them. */
function securityPlace(base: NormalForm, head: NormalForm, form: NormalForm, pointer: string): string {
  const [, path, method] = stepsOf(pointer);
  const operations = [base, head, form].map(({ operations }) => operations.get(`${method} ${path}`)!);
  const [before, after, there] = operations.map(({ source }) => source.security !== undefined);
  if (there) return form.original(pointer);
  return before || after ? operations[2]!.pointer : child('#', 'security', ...stepsOf(pointer).slice(4));
}

/** Where the engine's rule would accuse a change that no caller can tell from what was promised. */
function isAllowed(base: NormalForm, head: NormalForm, change: EngineChange, rule: string): boolean {
  // A scheme in use cannot go without the requirements that name it, and these are told.
  if (rule === 'security-scheme-changed') return change.kind === 'removed';
  // Fields are added to answers at any time, so that an answer without unknown fields promised nothing.
  if (rule === 'schema-constraint-changed' && change.property === 'additionalProperties')
    return change.base?.value === false;
  if (rule === 'parameter-serialization-changed') return isAnotherParameter(base, head, change);
  if (rule === 'schema-combinator-changed') return isUnionAroundTheOld(base, head, change);
  return false;
}

/** Two parameters that the engine took for one are told as one that is gone. */
function isAnotherParameter(base: NormalForm, head: NormalForm, { node }: EngineChange): boolean {
  const [before] = resolved(base.document, node.base?.value);
  const [after] = resolved(head.document, node.revision?.value);
  return before.name !== after.name || before.in !== after.in;
}

/** A request that also takes other variants, or an answer that is always one of those it could be. */
function isUnionAroundTheOld(base: NormalForm, head: NormalForm, change: EngineChange): boolean {
  const { parent } = change.node;
  if (change.kind === 'modified' || !parent?.base || !parent.revision) return false;
  const [before] = resolved(base.document, parent.base.value);
  const [after] = resolved(head.document, parent.revision.value);
  const [union, single, unionForm, singleForm] =
    change.kind === 'added' ? [after, before, head, base] : [before, after, base, head];
  return [...list(union.oneOf), ...list(union.anyOf)].some((variant) =>
    isDeepStrictEqual(resolved(unionForm.document, variant)[0], resolved(singleForm.document, single)[0]),
  );
}

function directionsOf(rule: string, message: string, change: EngineChange): (Direction | null)[] {
  const known = Object.keys(explanations[rule] ?? { any: [] });
  if (known.includes('any')) return [null];
  if (known.length === 1) return known as Direction[];
  if (rule === 'schema-type-changed') return [message.includes('narrowed') ? 'request' : 'response'];
  if (rule === 'schema-constraint-changed') return constraintDirections(change);
  if (rule === 'schema-combinator-changed') {
    const isAnother = /\/(oneOf|anyOf)\/[^/]+$/.test(change.path);
    return [(change.kind === 'added') === isAnother ? 'response' : 'request'];
  }
  return known as Direction[];
}

/** A bound that tightens hurts those who send, one that loosens those who read; of a changed pattern nobody can tell. */
function constraintDirections({ kind, property, base, revision }: EngineChange): Direction[] {
  if (kind !== 'modified') return [kind === 'added' ? 'request' : 'response'];
  const [before, after] = [base!.value, revision!.value];
  if (isOpen(property, before) !== isOpen(property, after)) return [isOpen(property, before) ? 'request' : 'response'];
  if (typeof before !== 'number' || typeof after !== 'number') return ['request', 'response'];
  if (property === 'multipleOf' && before % after === 0) return ['response'];
  if (property === 'multipleOf' && after % before === 0) return ['request'];
  if (/^(min|exclusiveMin)/.test(property!)) return [after > before ? 'request' : 'response'];
  if (/^(max|exclusiveMax)/.test(property!)) return [after < before ? 'request' : 'response'];
  return ['request', 'response'];
}

function isOpen(property: string | undefined, value: Json | undefined): boolean {
  if (property === 'uniqueItems') return value !== true;
  return value === undefined || value === true;
}

function describe(change: EngineChange): string {
  const steps = change.path.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = `\`${change.property ?? steps.findLast((step) => step !== '$ref') ?? ''}\``;
  const { name: parameter, in: place } = object((change.revision ?? change.base)?.value);
  if (change.kind !== 'modified' && typeof parameter === 'string' && typeof place === 'string')
    return `\`${parameter}\` ${place} parameter was ${change.kind}.`;
  if (change.kind !== 'modified') return `${name} was ${change.kind}.`;
  const [before, after] = [change.base?.value, change.revision?.value];
  if (Array.isArray(before) && Array.isArray(after)) return `${name}${listChange(before, after)}.`;
  const [was, is] = [before, after].map((value) => (value === undefined ? 'nothing' : JSON.stringify(value)));
  return `${name} changed from ${was} to ${is}.`;
}

function listChange(before: Json[], after: Json[]): string {
  const [gained, lost] = [
    after.filter((value) => !before.includes(value)),
    before.filter((value) => !after.includes(value)),
  ].map((values) => values.map((value) => JSON.stringify(value)).join(', '));
  const changes = [gained && `gained ${gained}`, lost && `lost ${lost}`].filter(Boolean);
  return ` ${changes.join(' and ') || 'changed its order'}`;
}
