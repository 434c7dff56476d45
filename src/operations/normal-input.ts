// Normalisation: systems spell the same value in several ways. Swift and SQL Server write UUIDs in capitals, HR systems
// put white space around names, addresses and numbers, Unix writes `de_CH.UTF-8`.
//
// The contract states which strings have a canonical spelling: ids by their format, others by `x-normalize`. Strings
// are converted to this spelling before validation, so that everything from `uniqueItems` to the database sees only
// this spelling. A string that cannot be normalised is left unchanged, and its schema rejects it.
import { countryCode, timeZoneName } from '../contract/geography.ts';
import { languageTag, languageTags } from '../contract/languages.ts';

/** Normalises a value to the spelling of its schema. Changes objects and lists in place. */
export type Normalize = (value: unknown) => unknown;

/** A schema whose references have been resolved. */
export interface NormalizedSchema {
  format?: string;
  pattern?: string;
  'x-normalize'?: string;
  properties?: Record<string, NormalizedSchema>;
  items?: NormalizedSchema;
  allOf?: NormalizedSchema[];
  anyOf?: NormalizedSchema[];
  oneOf?: NormalizedSchema[];
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const SPELLINGS: Partial<Record<string, (text: string) => string>> = {
  // Leaves other strings unchanged, since a schema can allow more than ids.
  id: (text) => (ID.test(text) ? text.toLowerCase() : text),
  text: (text) => text.trim(),
  locale: (text) => languageTag(text) ?? text,
  country: (text) => countryCode(text) ?? text,
  timeZone: (text) => timeZoneName(text) ?? text,
};

/** Lists whose items can be the same value in two spellings; only one of them is kept. */
const LIST_SPELLINGS: Partial<Record<string, (items: readonly unknown[]) => unknown>> = {
  // A repeated or invalid locale is left for the schema, which reports its position.
  locales: (items) =>
    items.every((item) => typeof item === 'string' && languageTag(item)) && new Set(items).size === items.length
      ? languageTags(items as readonly string[])
      : items,
};

/** Creates the function that normalises values of a schema. Returns undefined if there is nothing to normalise. */
export function createNormalizer(schema: NormalizedSchema): Normalize | undefined {
  const name = schema['x-normalize'] ?? (isId(schema) ? 'id' : '');
  const [spelling, listSpelling] = [SPELLINGS[name], LIST_SPELLINGS[name]];
  const steps: (Normalize | undefined)[] = [
    spelling && ((value) => (typeof value === 'string' ? spelling(value) : value)),
    listSpelling && ((value) => (Array.isArray(value) ? listSpelling(value) : value)),
    schema.properties && inProperties(schema.properties),
    schema.items && inItems(schema.items),
    ...[schema.allOf, schema.anyOf, schema.oneOf].flatMap((schemas) => schemas?.map(createNormalizer)),
  ];
  const all = steps.filter((step) => step !== undefined);
  if (all.length === 0) return undefined;
  return all.length === 1 ? all[0] : (value) => all.reduce((before, step) => step(before), value);
}

/** Reports whether a schema is an id. The schemas of tools define ids only by a pattern. */
function isId({ format, pattern = '' }: NormalizedSchema): boolean {
  return format === 'uuid' || /^\^\(?\[0-9a-f\]\{8\}/.test(pattern);
}

function inProperties(properties: Record<string, NormalizedSchema>): Normalize | undefined {
  const steps = Object.entries(properties).flatMap(([name, schema]) => {
    const step = createNormalizer(schema);
    return step ? [[name, step] as const] : [];
  });
  if (steps.length === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const fields = value as Record<string, unknown>;
    for (const [name, step] of steps) if (Object.hasOwn(fields, name)) fields[name] = step(fields[name]);
    return value;
  };
}

function inItems(items: NormalizedSchema): Normalize | undefined {
  const step = createNormalizer(items);
  if (!step) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return value;
    for (let place = 0; place < value.length; place++) value[place] = step(value[place]);
    return value as unknown;
  };
}
