import { CORE_SCHEMA, load } from 'js-yaml';
import { isObject, write } from './course-files.ts';

/** A question with answers to choose from, in one language. */
export interface ChoiceQuestion {
  ask: string;
  case: string;
  answers: { id: string; text: string; right: boolean; because: string }[];
  /** Fields that the form does not show. */
  rest: Record<string, unknown>;
}

/** Parses an entry that has answers to choose from. Returns undefined for emails, scenarios and unreadable entries. */
export function readChoiceQuestion(entry: string): ChoiceQuestion | undefined {
  const read = parse(entry);
  if (read === undefined || (read.kind !== 'one' && read.kind !== 'many')) return undefined;
  const { ask, case: situation, answers, ...rest } = read;
  const list = Array.isArray(answers) ? answers.filter(isObject) : [];
  return {
    ...{ ask: toText(ask), case: toText(situation), rest },
    answers: list.map(({ id, text, right, because }) => {
      return { id: toText(id), text: toText(text), right: right === true, because: toText(because) };
    }),
  };
}

/** Writes a question with answers to choose from. */
export function writeChoiceQuestion({ ask, case: situation, answers, rest }: ChoiceQuestion): string {
  const { id, lesson, pool, kind, ...more } = rest;
  const place = { ...(lesson !== undefined && { lesson }), ...(pool !== undefined && { pool }) };
  return write([{ id, ...place, kind, ...more, ...(situation !== '' && { case: situation }), ask, answers }]);
}

function parse(entry: string): Record<string, unknown> | undefined {
  try {
    const read = load(entry, { schema: CORE_SCHEMA });
    return Array.isArray(read) && read.length === 1 && isObject(read[0]) ? read[0] : undefined;
  } catch {
    return undefined;
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
