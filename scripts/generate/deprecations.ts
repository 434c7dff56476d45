import { CommandError } from '../../src/commands/command.ts';
import {
  type Json,
  type JsonObject,
  list,
  object,
  parametersOf,
  resolve,
  type FoundOperation,
} from '../../contract-gate/src/index.ts';

/** Returns the deprecated parts of an operation, as paths into a request: `query/name`, `body/people/[]/name`. */
export function listDeprecations(document: JsonObject, found: FoundOperation): JsonObject[] {
  const { operation } = found;
  const parameters = parametersOf(document, found);
  const notices = [
    ...buildNotices('operation', operation),
    ...parameters.flatMap((parameter) =>
      buildNotices(`${parameter.in as string}/${parameter.name as string}`, parameter),
    ),
    ...bodyNotices(document, operation),
  ];
  if (notices.length > 0 && list(operation.security ?? document.security).length === 0) {
    throw new CommandError(
      `${operation.operationId as string} needs no key, so its responses have no deprecation headers; it cannot be deprecated`,
    );
  }
  return notices;
}

/** Adds the dates and the replacement to the descriptions of all deprecated parts. */
export function describeDeprecations(node: Json): void {
  if (typeof node !== 'object' || node === null) return;
  Object.values(node).forEach(describeDeprecations);
  const { 'x-deprecation': notice, description } = object(node);
  if (!notice) return;
  const { since, sunset, use } = object(notice) as Record<string, string>;
  const words = `Deprecated since ${since}; works at least until ${sunset}. Use ${use} instead.`;
  (node as JsonObject).description = [(description as string | undefined)?.trimEnd(), words]
    .filter(Boolean)
    .join('\n\n');
}

function buildNotices(at: string, node: JsonObject): JsonObject[] {
  if (node.deprecated !== true) return [];
  const { since, sunset } = object(node['x-deprecation']);
  return [{ at, since: since!, sunset: sunset! }];
}

function bodyNotices(document: JsonObject, operation: JsonObject): JsonObject[] {
  const content = object(operation.requestBody && resolve(document, operation.requestBody).content);
  return Object.entries(content).flatMap(([mediaType, type]) => {
    const found = schemaNotices(document, object(type).schema, 'body', []);
    if (found.length > 0 && mediaType !== 'application/json') {
      throw new CommandError(
        `${operation.operationId as string} deprecates a part of a ${mediaType} body; only parts of JSON bodies can have deprecation headers`,
      );
    }
    return found;
  });
}

/** @param above the enclosing schemas; a recursive schema is not visited again */
function schemaNotices(document: JsonObject, schema: Json | undefined, at: string, above: JsonObject[]): JsonObject[] {
  const node = resolve(document, schema ?? null);
  if (above.includes(node)) return [];
  const inside = (child: Json | undefined, step = '') => schemaNotices(document, child, at + step, [...above, node]);
  return [
    ...Object.entries(object(node.properties)).flatMap(([name, property]) => [
      ...buildNotices(`${at}/${name}`, resolve(document, property)),
      ...inside(property, `/${name}`),
    ]),
    ...(node.items === undefined ? [] : inside(node.items, '/[]')),
    ...list(node.oneOf).flatMap((variant) => inside(variant)),
  ];
}
