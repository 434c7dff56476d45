import {
  at,
  child,
  type FoundOperation,
  type Json,
  type JsonObject,
  list,
  object,
  operationsAndWebhooksIn,
  resolvePointer,
  splitPointer,
} from './document.ts';
import type { Direction } from './findings.ts';
import { formatLabel } from './normal/normal-document.ts';

/** An operation that contains or uses a part of the document, and the direction in which the part is sent. */
export interface Use {
  operation: string;
  direction: Direction | null;
}

/** Returns a function that finds the operations that use the part at a pointer. */
export function buildUsage(document: JsonObject): (pointer: string) => Use[] {
  const uses = new Map<string, Use[]>();
  const operations = operationsAndWebhooksIn(document).map((found) => usingOperation(document, found));
  const addUse = (place: string, use: Use) => {
    const known = uses.get(place);
    if (known) known.push(use);
    else uses.set(place, [use]);
  };
  for (const { label, schemes } of operations) for (const scheme of schemes) addUse(scheme, use(label));
  for (const direction of ['request', 'response'] as const) {
    const closure = buildClosure(document, direction);
    for (const { label, parts } of operations)
      for (const component of closure(parts.filter((part) => part.direction === direction).map(({ value }) => value)))
        addUse(component, { operation: label, direction });
  }
  return (pointer) => {
    const steps = splitPointer(pointer);
    const referring = steps.flatMap((_step, index) => uses.get(child('#', ...steps.slice(0, index + 1))) ?? []);
    if (steps[0] === 'security') return operations.filter(({ inherits }) => inherits).map(({ label }) => use(label));
    return [...usesOfOperations(operations, pointer), ...referring];
  };
}

/** Returns the operations that a part of a path or a webhook belongs to. Several paths can refer to one component. */
function usesOfOperations(operations: UsingOperation[], pointer: string): Use[] {
  return operations.flatMap(({ found, label }) => {
    if (pointer !== found.itemPointer && !pointer.startsWith(`${found.itemPointer}/`)) return [];
    const [method, part] = splitPointer(pointer.slice(found.itemPointer.length));
    if (method === undefined || method === 'parameters' || method === 'servers')
      return [{ operation: label, direction: getDirection(method, found.isWebhook) }];
    return found.method === method ? [{ operation: label, direction: getDirection(part, found.isWebhook) }] : [];
  });
}

function use(operation: string): Use {
  return { operation, direction: null };
}

/** Returns the direction of a part of an operation. Webhooks are reversed: receivers read the request body. */
function getDirection(part: string | undefined, isWebhook: boolean): Direction | null {
  const [inwards, outwards] = isWebhook ? (['response', 'request'] as const) : (['request', 'response'] as const);
  if (part === 'parameters' || part === 'requestBody') return inwards;
  return part === 'responses' ? outwards : null;
}

interface UsingOperation {
  found: FoundOperation;
  label: string;
  parts: { value: Json; direction: Direction | null }[];
  /** True if the operation inherits the security of the document. */
  inherits: boolean;
  schemes: string[];
}

function usingOperation(document: JsonObject, found: FoundOperation): UsingOperation {
  const { item, operation, isWebhook } = found;
  const names = ['parameters', 'requestBody', 'responses'];
  const parts = [...names.map((name) => [name, operation[name]] as const), ['parameters', item.parameters] as const];
  const requirements = isWebhook ? [] : list(operation.security ?? document.security);
  return {
    found,
    label: formatLabel(found),
    parts: parts.map(([name, value]) => ({ value: value ?? null, direction: getDirection(name, isWebhook) })),
    inherits: !isWebhook && operation.security === undefined,
    schemes: requirements
      .flatMap((one) => Object.keys(object(one)))
      .map((name) => child('#/components/securitySchemes', name)),
  };
}

/** Returns a function that finds all components that values refer to, directly or not. Caches direct references. */
function buildClosure(document: JsonObject, direction: Direction): (values: Json[]) => Set<string> {
  const direct = new Map<string, Set<string>>();
  const referred = (value: Json) =>
    new Set([...referencesIn(value, { direction })].map((reference) => resolvePointer(document, reference)));
  return (values) => {
    const reached = new Set(values.flatMap((value) => [...referred(value)]));
    for (const component of reached) {
      if (!direct.has(component)) direct.set(component, referred(at(document, component) ?? null));
      for (const next of direct.get(component)!) reached.add(next);
    }
    return reached;
  };
}

/** Reports whether values of the schema are not sent in that direction. */
export function isHidden(schema: Json | undefined, direction: Direction): boolean {
  return object(schema)[direction === 'request' ? 'readOnly' : 'writeOnly'] === true;
}

interface Search {
  parent?: string;
  /** Leaves out schemas that are not sent in this direction. */
  direction?: Direction;
  found?: Set<string>;
}

/**
 * Returns the references in a value, except for examples. Keys of `properties` are field names, even if one is
 * `example`.
 */
export function referencesIn(value: Json, { parent = '', direction, found = new Set() }: Search = {}): Set<string> {
  if (!value || typeof value !== 'object' || (direction && isHidden(value, direction))) return found;
  for (const [key, one] of Object.entries(value)) {
    const isExample = parent !== 'properties' && (key === 'example' || key === 'examples');
    if (key === '$ref' && typeof one === 'string') found.add(one);
    else if (!isExample) referencesIn(one, { parent: key, ...(direction && { direction }), found });
  }
  return found;
}
