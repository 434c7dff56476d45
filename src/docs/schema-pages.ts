import { type ContractDocument, listOperations, type Ref, resolve, type Schema } from './document.ts';
import { table } from './markdown-parts.ts';
import { toSlug } from './markdown.ts';
import { EVENT_TYPES, OPERATIONS, SCHEMAS } from './pages.ts';
import { formatType, listFields } from './schema-table.ts';

export interface NamedSchema {
  name: string;
  schema: Schema;
}

/** The operations and events in which a schema occurs, at any depth, as Markdown links. */
interface SchemaUses {
  requests: string[];
  responses: string[];
  events: string[];
}

/**
 * Lists the schemas with a page: objects, and values that the contract describes or enumerates. Wrappers of a response
 * have none, because they only contain `data` and another schema.
 */
export function listPageSchemas({ components }: ContractDocument): NamedSchema[] {
  return Object.entries(components.schemas as Record<string, Schema>)
    .filter(([name, schema]) => {
      if (schema.properties) return name === 'ErrorResponse' || !name.endsWith('Response');
      return schema.enum !== undefined || schema['x-extensible-enum'] !== undefined;
    })
    .map(([name, schema]) => ({ name, schema }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Renders the list of schemas, by initial. */
export function schemaIndex(document: ContractDocument): string {
  const byInitial = Map.groupBy(listPageSchemas(document), ({ name }) => name.charAt(0).toUpperCase());
  const sections = [...byInitial].map(([initial, schemas]) => {
    const links = schemas.map(({ name }) => `[${name}](${SCHEMAS.path}/${name})`);
    return `## ${initial}\n\n${links.join(', ')}`;
  });
  return `# Schemas

The objects and enumerations of the contract, with the operations that use them. Names of schemas are the names of
types in generated clients.

${sections.join('\n\n')}
`;
}

/** Renders the page of a schema: its fields, or its values, and where it occurs. */
export function schemaPage(document: ContractDocument, { name, schema }: NamedSchema): string {
  const { requests, responses, events } = findUses(document).get(name) ?? { requests: [], responses: [], events: [] };
  const parts = [
    `# ${name}`,
    schema.description?.trim() ?? '',
    schema.properties ? formatFields(document, schema) : `Values: ${formatType(document, schema)}.`,
    formatUses('Requests', requests),
    formatUses('Responses', responses),
    formatUses('Events', events),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function formatFields(document: ContractDocument, schema: Schema): string {
  const rows = listFields(document, schema).map((field) => {
    return [`\`${field.name}\``, field.type, field.required ? 'yes' : 'no', field.description];
  });
  return table(['Field', 'Type', 'Required', 'Description'], rows);
}

function formatUses(title: string, links: string[]): string {
  return links.length === 0 ? '' : `## ${title}\n\n${links.map((link) => `- ${link}`).join('\n')}`;
}

const usesByDocument = new WeakMap<ContractDocument, Map<string, SchemaUses>>();

/** Finds the uses of every schema. Computed once for each document. */
function findUses(document: ContractDocument): Map<string, SchemaUses> {
  const known = usesByDocument.get(document);
  if (known) return known;
  const uses = new Map<string, SchemaUses>();
  const record = (kind: keyof SchemaUses, link: string, node: unknown) => {
    for (const name of reachableSchemas(document, node)) {
      const use = uses.get(name) ?? { requests: [], responses: [], events: [] };
      use[kind].push(link);
      uses.set(name, use);
    }
  };
  for (const { method, path, operation } of listOperations(document)) {
    const link = `[${operation.summary}](${OPERATIONS.path}/${operation.operationId}): \`${method} ${path}\``;
    record('requests', link, [operation.parameters, operation.requestBody]);
    record('responses', link, resolve(document, operation.responses['200']!).content);
  }
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    record('events', `[\`${type}\`](${EVENT_TYPES.path}#${toSlug(type)})`, post.requestBody);
  }
  usesByDocument.set(document, uses);
  return uses;
}

/** Collects the names of the schemas that a part of the document refers to, at any depth. */
function reachableSchemas(document: ContractDocument, start: unknown): Set<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as Partial<Ref>;
    if ($ref === undefined) return Object.values(node).forEach(visit);
    const [kind, name] = $ref.slice('#/components/'.length).split('/') as [string, string];
    if (kind === 'examples' || (kind === 'schemas' && names.has(name))) return;
    if (kind === 'schemas') names.add(name);
    visit(document.components[kind]![name]);
  };
  visit(start);
  return names;
}
