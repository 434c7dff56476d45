import { readFile } from 'node:fs/promises';
import type { ErrorObject } from 'ajv';
import { createAjv } from '../../contract/ajv.ts';
import { languageTag, languageTags } from '../../contract/languages.ts';
import { formatValidationError } from '../../contract/validation-messages.ts';
import { CommandError } from '../command.ts';

const MAX_FAULTS = 20;

/** The operator's settings of a course, in the columns of its row. */
export interface CourseContent {
  external_id: string | null;
  name: string;
  display_name: string;
  /** Names by language. */
  localized_names: Record<string, string>;
  subject: string;
  difficulty: number;
  description: string | null;
  duration_minutes: number | null;
  pass_mark: number;
  valid_for_months: number | null;
  locales: string[];
}

/** A course in the file. */
export interface TargetCourse {
  id: string | undefined;
  type: 'training' | 'gap_analysis';
  /** Whether the course is retired; undefined to keep the stored value. */
  retired: boolean | undefined;
  content: CourseContent;
}

interface Entry {
  id?: string;
  externalId?: string;
  name: string;
  displayName?: string;
  localizedNames?: Record<string, string>;
  subject: string;
  difficulty: number;
  description?: string;
  durationMinutes?: number;
  passMark: number;
  validForMonths?: number;
  locales: string[];
  type?: 'training' | 'gap_analysis';
  retired?: boolean;
}

/** Reads a catalogue. @throws {CommandError} that names the line and the field of each fault */
export async function readCatalogue(text: string): Promise<TargetCourse[]> {
  const file = parse(text);
  const validate = createAjv({ allErrors: true, validateFormats: false }).compile(await fileSchema());
  const errors = validate(file) ? [] : validate.errors!.filter(({ keyword }) => keyword !== 'anyOf');
  if (errors.length > 0) throw refusal(errors.map(toCatalogueFault), text);
  const { courses } = file as { courses: Entry[] };
  const twins = findTwins(courses);
  if (twins.length > 0) throw refusal(twins, text);
  return courses.map(toTargetCourse);
}

interface Fault {
  /** Path in the file, such as `courses/3/passMark`. */
  place: string;
  words: string;
}

function refusal(faults: readonly Fault[], text: string): CommandError {
  const lines = faults.slice(0, MAX_FAULTS).map((fault) => findFaultLine(text, fault));
  if (faults.length > MAX_FAULTS) lines.push(`and ${faults.length - MAX_FAULTS} more`);
  return new CommandError(['The catalogue is invalid:', ...lines].join('\n  '));
}

function parse(text: string): unknown {
  const wellFormed = (_: string, value: unknown) => {
    if (typeof value === 'string' && !value.isWellFormed())
      throw new Error(`${JSON.stringify(value)} is not valid UTF-8`);
    return value;
  };
  try {
    return JSON.parse(text, wellFormed);
  } catch (error) {
    throw new CommandError(`The catalogue is not valid JSON: ${(error as Error).message}`);
  }
}

interface Contract {
  components: { schemas: Record<'CreateCourseInput', { properties: Record<string, object>; required: string[] }> };
}

/** Builds the schema of the file. A managed course has the bounds that the contract defines for a company's courses. */
async function fileSchema(): Promise<object> {
  const contract = new URL('../../../generated/openapi.json', import.meta.url);
  const { components } = JSON.parse(await readFile(contract, 'utf8')) as Contract;
  const { properties, required } = components.schemas.CreateCourseInput;
  const operators = {
    id: { $ref: '#/components/schemas/Id' },
    type: { enum: ['training', 'gap_analysis'] },
    retired: { type: 'boolean' },
    localizedNames: {
      ...{ type: 'object', maxProperties: 100 },
      ...{
        propertyNames: { $ref: '#/components/schemas/LocaleInput' },
        additionalProperties: properties.name,
      },
    },
  };
  // Not a setting of the operator, because each company decides who is enrolled.
  const fields = Object.entries({ ...properties, ...operators }).filter(([name]) => name !== 'autoEnrol');
  const course = {
    ...{ type: 'object', additionalProperties: false, required, properties: Object.fromEntries(fields) },
    anyOf: [{ required: ['externalId'] }, { required: ['id'] }],
  };
  const courses = { type: 'array', items: course };
  return { components, type: 'object', additionalProperties: false, required: ['courses'], properties: { courses } };
}

function toCatalogueFault({ instancePath, keyword, params, message }: ErrorObject): Fault {
  const field = keyword === 'additionalProperties' ? `/${params.additionalProperty}` : '';
  const missing = keyword === 'required' ? `/${params.missingProperty}` : '';
  const words = keyword === 'additionalProperties' ? 'is unknown' : missing ? 'is missing' : message!;
  return { place: `${instancePath}${field}${missing}`.slice(1), words: formatValidationError('', words) };
}

function findFaultLine(text: string, { place, words }: Fault): string {
  const index = /^courses\/(\d+)/.exec(place)?.[1];
  const line = index === undefined ? '' : `line ${findLineNumber(text, Number(index))}, `;
  return `${line}${place || 'the file'}: ${words}`;
}

/** Returns the line on which an entry of the list begins. */
function findLineNumber(text: string, index: number): number {
  let depth = 0;
  let entry = -1;
  for (const { 0: sign, index: at } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (sign === '{' && depth === 2 && ++entry === index) return text.slice(0, at).split('\n').length;
    if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') depth--;
  }
  return 1;
}

/** Finds ids and external ids that occur twice, and a second gap analysis. */
function findTwins(courses: readonly Entry[]): Fault[] {
  const seen = new Map<string, number>();
  return courses.flatMap(({ id, externalId, type }, index) => {
    const names = { id, externalId: externalId?.trim(), type: type === 'gap_analysis' ? type : undefined };
    return Object.entries(names).flatMap(([field, value]) => {
      if (value === undefined) return [];
      const before = seen.get(`${field} ${value}`);
      seen.set(`${field} ${value}`, index);
      if (before === undefined) return [];
      return [{ place: `courses/${index}/${field}`, words: `courses/${before} has the same value` }];
    });
  });
}

function toTargetCourse({ id, type = 'training', retired = false, ...entry }: Entry): TargetCourse {
  const { externalId, name, displayName, localizedNames = {}, subject, difficulty } = entry;
  const { description, durationMinutes, passMark, validForMonths } = entry;
  const content = {
    ...{ external_id: externalId?.trim() ?? null, name, display_name: displayName ?? name, subject, difficulty },
    ...{ description: description ?? null, duration_minutes: durationMinutes ?? null, pass_mark: passMark },
    valid_for_months: validForMonths ?? null,
    localized_names: Object.fromEntries(
      Object.entries(localizedNames).map(([locale, localName]): [string, string] => [languageTag(locale)!, localName]),
    ),
    locales: languageTags(entry.locales),
  };
  return { id, type, retired, content };
}
