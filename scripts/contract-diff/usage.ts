import { type Json, type JsonObject, list, object } from '../contract-document.ts';
import type { Direction } from './findings.ts';
import { labelOf, methods } from './normal-document.ts';
import { at, child, resolved, stepsOf } from './pointers.ts';

/** An operation that a place of the document belongs to or is used by, and which way it travels there. */
export interface Use {
  operation: string;
  direction: Direction | null;
}

/** Tells of any pointer into the document which operations it touches. */
export function usageOf(document: JsonObject): (pointer: string) => Use[] {
  const uses = new Map<string, Use[]>();
  const closure = closureOf(document);
  const operations = operationsOf(document);
  for (const { label, schemes } of operations)
    for (const scheme of schemes) uses.set(scheme, [...(uses.get(scheme) ?? []), use(label)]);
  for (const { label, request, response } of operations)
    for (const [direction, values] of [
      ['request', request],
      ['response', response],
    ] as const)
      for (const component of closure(values)) {
        const known = uses.get(component) ?? [];
        uses.set(component, [...known, { operation: label, direction }]);
      }
  return (pointer) => {
    const steps = stepsOf(pointer);
    if (steps[0] === 'components') return uses.get(child('#', ...steps.slice(0, 3))) ?? [];
    if (steps[0] === 'security') return operations.filter(({ inherits }) => inherits).map(({ label }) => use(label));
    if (steps[0] !== 'paths') return [];
    const [item] = resolved(document, object(document.paths)[steps[1]!]);
    const [method, part] = methods.includes(steps[2]!) ? [steps[2]!, steps[3]] : [undefined, steps[2]];
    return methods
      .filter((one) => one in item && (method ?? one) === one)
      .map((one) => ({ operation: labelOf(one, steps[1]!, object(item[one])), direction: directionOf(part) }));
  };
}

function use(operation: string): Use {
  return { operation, direction: null };
}

function directionOf(part: string | undefined): Direction | null {
  if (part === 'parameters' || part === 'requestBody') return 'request';
  return part === 'responses' ? 'response' : null;
}

interface UsingOperation {
  label: string;
  request: Json[];
  response: Json[];
  /** Its security is that of the whole document. */
  inherits: boolean;
  schemes: string[];
}

function operationsOf(document: JsonObject): UsingOperation[] {
  return Object.entries(object(document.paths)).flatMap(([path, value]) => {
    const [item] = resolved(document, value);
    return methods
      .filter((method) => method in item)
      .map((method) => {
        const operation = object(item[method]);
        const request = [...list(item.parameters), ...list(operation.parameters), operation.requestBody ?? null];
        const requirements = list(operation.security ?? document.security).flatMap((one) => Object.keys(object(one)));
        return {
          label: labelOf(method, path, operation),
          request,
          response: [operation.responses ?? null],
          inherits: operation.security === undefined,
          schemes: requirements.map((name) => child('#/components/securitySchemes', name)),
        };
      });
  });
}

/** Every component that values refer to, directly or through others; what each refers to directly is looked up once. */
function closureOf(document: JsonObject): (values: Json[]) => Set<string> {
  const direct = new Map<string, Set<string>>();
  return (values) => {
    const reached = new Set(values.flatMap((value) => [...referencesIn(value)]));
    for (const component of reached) {
      if (!direct.has(component)) direct.set(component, referencesIn(at(document, component) ?? null));
      for (const next of direct.get(component)!) reached.add(next);
    }
    return reached;
  };
}

/** What a value refers to, its examples aside; `properties` names fields, which may be called anything. */
export function referencesIn(value: Json, parent = '', found = new Set<string>()): Set<string> {
  if (!value || typeof value !== 'object') return found;
  for (const [key, one] of Object.entries(value)) {
    const isExample = parent !== 'properties' && (key === 'example' || key === 'examples');
    if (key === '$ref' && typeof one === 'string') found.add(one);
    else if (!isExample) referencesIn(one, key, found);
  }
  return found;
}
