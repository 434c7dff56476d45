import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, LANGUAGES } from '../../src/contract/languages.ts';

/** A finding that is right as it is. */
export interface Exception {
  rule: string;
  /** A part of the sentence, exactly as it is in the file. */
  text: string;
  because: string;
}

const HERE = import.meta.dirname;

/** Rules that are off, with the reason of each. */
export const RULES_OFF: Record<string, string> = {
  ID_CASING: 'We write id and ids in lower case, as in names of fields.',
  FILE_EXTENSIONS_CASE: 'Extensions of files are in lower case, as in names of files.',
  OXFORD_SPELLING_Z_NOT_S: 'We spell -ise, as in organisation.',
  UPPERCASE_SENTENCE_START: 'List items, table cells and names of fields begin in lower case.',
  UNNECESSARY_COMMA: 'It takes the comma before a second noun for that of an introduction.',
  ENGLISH_WORD_REPEAT_BEGINNING_RULE: 'A term keeps its word in every sentence.',
  KIND_OF_A: 'The type of a course is a field of it.',
  AN_INVITE: 'An invite is the message; an invitation is what it offers.',
  ANY_BODY: 'A response without a body has no body.',
  WHETHER: 'It asks to leave out the "or not" of "the same whether or not".',
  POINT: 'Titles and labels have no full stop.',
  POINTS_2: 'Titles and labels have no full stop.',
  PAS_DE_VIRGULE: 'A comma before et separates two clauses with subjects of their own.',
  RECOMMENDED_COMPOUNDS: 'A user name is two words.',
  SUBJUNKTION_KOMMA_2: 'The answer to a question is a clause with dass.',
  DOPPELTES_AUSRUFEZEICHEN: 'Repeated signs are a cue of some phishing messages.',
  NO_COMMA_BEFORE_SO: 'A comma before the so of a consequence is right.',
  COMMA_COMPOUND_SENTENCE: 'Short clauses need no comma before and, or, but.',
  COMMA_COMPOUND_SENTENCE_2: 'Short clauses need no comma before and, or, but.',
};

/** Categories of rules that are off, with the reason of each. */
export const CATEGORIES_OFF: Record<string, string> = {};

/** Reads words.txt: a heading `# en` for each language, and one word a line below it. */
export function readWords(text = readFileSync(join(HERE, 'words.txt'), 'utf8')): Record<Language, string[]> {
  const words: Record<Language, string[]> = { en: [], de: [], fr: [] };
  let language: Language | undefined;
  for (const line of text.split('\n').filter((candidate) => candidate !== '')) {
    const heading = LANGUAGES.find((candidate) => line === `# ${candidate}`);
    if (heading) language = heading;
    else if (language) words[language].push(line);
    else throw new Error(`words.txt: ${line} is below no language`);
  }
  return words;
}

/** Reads exceptions.json. */
export function readExceptions(): Exception[] {
  return JSON.parse(readFileSync(join(HERE, 'exceptions.json'), 'utf8')) as Exception[];
}
