import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';
import { createAjv } from '../../../contract/ajv.ts';
import { formatValidationError } from '../../../contract/validation-messages.ts';
import { type Language, LANGUAGES } from '../../../contract/languages.ts';
import type { Fault } from './course.ts';
import { isYamlTooDeep } from './nesting.ts';
import type { WrittenPiece } from './pieces.ts';

/** `course.yaml` as authors write it. */
export interface Manifest {
  id: string;
  names: Record<Language, string>;
  summaries: Record<Language, string>;
  minutes: number;
  passMark: number;
  languages: Language[];
  /** Number of questions that an attempt includes from each pool. */
  pools?: Record<string, number>;
  pieces?: WrittenPiece[];
  reviewed: string;
}

export const TEXT = { type: 'string', minLength: 1, pattern: '\\S' };
export const NAME = { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' };
export const ID = { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' };
export const DATE = { type: 'string', format: 'date' };
const PATTERN_MESSAGES: Record<string, string> = {
  [TEXT.pattern]: 'must not be blank',
  [NAME.pattern]: 'must be lower-case letters and digits, with single hyphens between them',
};
const IN_EACH = { type: 'object', additionalProperties: false, properties: inEach(TEXT) };
const IN_ALL = { ...IN_EACH, required: ['en'] };

const manifestSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'names', 'summaries', 'minutes', 'passMark', 'languages', 'reviewed'],
  properties: {
    id: ID,
    names: IN_ALL,
    summaries: IN_ALL,
    minutes: { type: 'integer', minimum: 1, maximum: 60 },
    passMark: { type: 'integer', minimum: 1, maximum: 100 },
    languages: { type: 'array', uniqueItems: true, contains: { const: 'en' }, items: { enum: LANGUAGES } },
    pools: { type: 'object', propertyNames: NAME, additionalProperties: { type: 'integer', minimum: 1, maximum: 50 } },
    pieces: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'lessons'],
        properties: {
          id: ID,
          lessons: { type: 'array', minItems: 1, uniqueItems: true, items: NAME },
          minutes: { type: 'integer', minimum: 1, maximum: 10 },
        },
      },
    },
    reviewed: DATE,
  },
};

function inEach(schema: object): Record<string, object> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, schema]));
}

const ajv = createAjv({ allErrors: true });
const isManifest = ajv.compile<Manifest>(manifestSchema);

/** A company's own course does not require English, takes its id from its URL, and has no pieces. */
const isOwnManifest = ajv.compile<Manifest>({
  ...manifestSchema,
  required: manifestSchema.required.filter((name) => name !== 'id'),
  properties: {
    ...Object.fromEntries(Object.entries(manifestSchema.properties).filter(([name]) => name !== 'pieces')),
    names: IN_EACH,
    summaries: IN_EACH,
    languages: { type: 'array', minItems: 1, uniqueItems: true, items: { enum: LANGUAGES } },
  },
});

interface ManifestFile {
  file: string;
  text: string;
  /** Id of a company's own course; undefined for a course of the content folder. */
  ownId: string | undefined;
}

/** Reads a `course.yaml`. Returns undefined if it is malformed. */
export function readManifest({ file, text, ownId }: ManifestFile, faults: Fault[]): Manifest | undefined {
  const read = readYaml(file, text, ownId === undefined ? isManifest : isOwnManifest, faults);
  const manifest = read && { ...read, id: ownId ?? read.id };
  if (!manifest) return undefined;
  for (const field of ['names', 'summaries'] as const) {
    for (const language of manifest.languages) {
      if (manifest[field][language] === undefined)
        faults.push({ file, place: `${field}/${language}`, message: 'is required' });
    }
  }
  return manifest;
}

type Validate<T> = ReturnType<typeof ajv.compile<T>>;

/** Parses and validates a YAML file. Returns undefined if it has faults. */
export function readYaml<T>(file: string, text: string, validate: Validate<T>, faults: Fault[]): T | undefined {
  if (isYamlTooDeep(text)) {
    faults.push({ file, place: '', message: 'is nested too deeply' });
    return undefined;
  }
  let read: unknown;
  try {
    read = load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    if (error instanceof RangeError) faults.push({ file, place: '', message: 'is nested too deeply' });
    else if (error instanceof YAMLException)
      faults.push({ file, place: `line ${(error.mark?.line ?? 0) + 1}`, message: error.reason });
    else throw error;
    return undefined;
  }
  if (!isWithin(read, MAX_REPETITION * text.length + MAX_REPETITION)) {
    faults.push({ file, place: '', message: 'repeats too much through aliases; write the text out' });
    return undefined;
  }
  if (validate(read)) return read as T;
  for (const { instancePath, message = 'is invalid', params } of validate.errors ?? []) {
    const { additionalProperty, missingProperty }: Record<string, string | undefined> = params;
    const field = additionalProperty ?? missingProperty;
    const place = field === undefined ? instancePath : `${instancePath}/${field}`;
    faults.push({ file, place: place.slice(1), message: formatFault(message, params) });
  }
  return undefined;
}

/** Maximum total length of a YAML file's values, as a multiple of the file's length. Aliases can repeat a value. */
const MAX_REPETITION = 4;

/** Reports whether the total length of all values is within a limit. Stops counting beyond the limit. */
function isWithin(value: unknown, maxLength: number): boolean {
  let left = maxLength;
  const take = (part: unknown): boolean => {
    left -= typeof part === 'string' ? part.length + 1 : 1;
    if (left < 0) return false;
    return part === null || typeof part !== 'object' || Object.values(part).every(take);
  };
  return take(value);
}

function formatFault(message: string, { pattern, allowedValues }: Record<string, unknown>): string {
  const values = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
  return PATTERN_MESSAGES[pattern as string] ?? formatValidationError('', message + values);
}
