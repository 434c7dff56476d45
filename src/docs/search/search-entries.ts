import { splitWords, type SearchEntry } from '../assets/rank.js';
import { type ContractDocument, listOperations, resolve } from '../document.ts';
import { describeError, errorPath, listErrorCodes } from '../error-pages.ts';
import { splitSections, toSlug } from '../markdown.ts';
import { CHANGELOG, EVENT_TYPES, OPERATIONS, SCHEMAS } from '../pages.ts';
import { listPageSchemas } from '../schema-pages.ts';
import type { TextPage } from '../text-page.ts';

/** Length of the text that a list of results shows, in characters. */
const MAX_TEXT_LENGTH = 160;

/**
 * Builds the search index: each section of each guide, and each operation, error, schema and event of the contract. A query
 * scans the whole index in a few milliseconds, so the search needs no library and no service.
 */
export function buildSearchEntries(document: ContractDocument, written: readonly TextPage[]): SearchEntry[] {
  return [
    ...written.flatMap(buildGuideEntries),
    ...buildOperationEntries(document),
    ...buildErrorEntries(),
    ...buildEventEntries(document),
    ...buildSchemaEntries(document),
  ];
}

/** Lists the sections of a guide. The first section is the guide itself. */
function buildGuideEntries({ path, markdown }: TextPage): SearchEntry[] {
  const [first, ...sections] = splitSections(markdown);
  const guide = { group: 'Guides', title: first!.title, path };
  // The changelog repeats the words of every other page.
  if (path === CHANGELOG.path) return [createEntry(guide, '')];
  return [
    createEntry(guide, first!.text),
    ...sections.map(({ title, id, text }) =>
      createEntry({ group: 'Guides', title: `${title} · ${first!.title}`, path: `${path}#${id}` }, text),
    ),
  ];
}

function buildOperationEntries(document: ContractDocument): SearchEntry[] {
  return listOperations(document).map(({ method, path, operation }) => {
    const { operationId: name, summary: title, description, parameters = [], tags } = operation;
    const names = parameters.map((given) => resolve(document, given).name);
    const target = { group: 'Operations', title, name, path: `${OPERATIONS.path}/${name}` };
    return createEntry(target, `${method} ${path}. ${toPlain(description)}`, [name, ...tags, ...names]);
  });
}

function buildErrorEntries(): SearchEntry[] {
  return listErrorCodes().map((code) =>
    createEntry({ group: 'Errors', title: code, name: code, path: errorPath(code) }, toPlain(describeError(code))),
  );
}

function buildEventEntries({ webhooks }: ContractDocument): SearchEntry[] {
  return Object.entries(webhooks).map(([name, { post }]) => {
    const path = `${EVENT_TYPES.path}#${toSlug(name)}`;
    return createEntry({ group: 'Events', title: name, name, path }, toPlain(post.description));
  });
}

function buildSchemaEntries(document: ContractDocument): SearchEntry[] {
  return listPageSchemas(document).map(({ name, schema }) => {
    const fields = Object.keys(schema.properties ?? {});
    const values = (schema.enum ?? schema['x-extensible-enum'] ?? []).map(String);
    const text = toPlain(schema.description ?? '') || [...fields, ...values].join(', ');
    return createEntry({ group: 'Schemas', title: name, name, path: `${SCHEMAS.path}/${name}` }, text, [
      ...fields,
      ...values,
    ]);
  });
}

function toPlain(markdown: string): string {
  return splitSections(markdown)
    .map(({ text }) => text)
    .join(' ');
}

function createEntry(
  target: Pick<SearchEntry, 'group' | 'title' | 'name' | 'path'>,
  text: string,
  names: readonly string[] = [],
): SearchEntry {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const shown = line.length <= MAX_TEXT_LENGTH ? line : `${line.slice(0, MAX_TEXT_LENGTH).replace(/\s\S*$/, '')} …`;
  const known = new Set([...splitWords(target.title), ...splitWords(shown)]);
  const words = new Set([...splitWords(line), ...names.flatMap(splitWords)]);
  return { ...target, text: shown, words: [...words].filter((word) => !known.has(word)).join(' ') };
}
