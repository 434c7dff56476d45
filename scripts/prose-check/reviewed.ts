import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, LANGUAGES } from '../../src/contract/languages.ts';

/** A finding about correct text. */
export interface Exception {
  rule: string;
  /** A part of the sentence, exactly as it is in the file. */
  text: string;
  because: string;
}

const HERE = import.meta.dirname;

/** Disabled rules, each with its reason. */
export const RULES_OFF: Record<string, string> = {
  ID_CASING: 'We write id and ids in lower case, as in names of fields.',
  FILE_EXTENSIONS_CASE: 'File extensions are in lower case, as in file names.',
  OXFORD_SPELLING_Z_NOT_S: 'We spell -ise, as in organisation.',
  UPPERCASE_SENTENCE_START: 'List items, table cells and names of fields begin in lower case.',
  UNNECESSARY_COMMA: 'It mistakes the comma before a second noun for the comma after an introduction.',
  ENGLISH_WORD_REPEAT_BEGINNING_RULE: 'A term keeps its word in every sentence.',
  KIND_OF_A: 'The type of a course is one of its fields.',
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
  SIGN_IN_HYPHEN: 'A sign-in is a noun here; the verb is spelled without a hyphen.',
  SENT_AN_EMAIL: 'To send an email is as good as to email.',
  SEHR_GEEHRTER_NAME: 'Some phishing messages address a whole group.',
  FR_REPEATEDWORDS: 'A term keeps its word in every sentence.',
  NOMBRES_EN_LETTRES_2: 'Messages give numbers in digits.',
  NOMBRES_EN_LETTRES_2_IMPROVED: 'Messages give numbers in digits.',
  ESPACE_UNITES: 'Numbers of documents have no spaces.',
  VIRGULE_DEBUT_DE_PHRASE: 'The comma after a short introduction is optional.',
  PLACE_DE_LA_VIRGULE: 'The comma after a short introduction is optional.',
  VIRG_NON_TROUVEE: 'The comma after a short introduction is optional.',
  OU_LEQUEL: 'The pronoun où is right for places and occasions.',
  IL_FAUT: 'The courses use the familiar mieux vaut.',
  COMMA_COMPOUND_SENTENCE_2: 'Short clauses need no comma before and, or, but.',
  THE_SUPERLATIVE: 'Lists are ordered newest first.',
  CONFUSION_DUE_DO: 'Due is a word of campaigns.',
  SEND_PRP_AN_EMAIL: 'To send an email is as good as to email.',
  NOMBRES_EN_LETTRES: 'Messages give numbers in digits.',
};

/** Disabled categories of rules, each with its reason. */
export const CATEGORIES_OFF: Record<string, string> = {};

/** The words that the spelling rules accept in one language or in all. */
export type AcceptedWords = Record<Language | 'all', string[]>;

/** Reads words.txt: a heading `# all` or `# en`, and one word a line below it. */
export function readWords(text = readFileSync(join(HERE, 'words.txt'), 'utf8')): AcceptedWords {
  const words: AcceptedWords = { all: [], en: [], de: [], fr: [] };
  let list: keyof AcceptedWords | undefined;
  for (const line of text.split('\n').filter((candidate) => candidate !== '')) {
    const heading = (['all', ...LANGUAGES] as const).find((candidate) => line === `# ${candidate}`);
    if (heading) list = heading;
    else if (list) words[list].push(line);
    else throw new Error(`words.txt: ${line} has no heading above it`);
  }
  return words;
}

/** Reads exceptions.json. */
export function readExceptions(): Exception[] {
  return JSON.parse(readFileSync(join(HERE, 'exceptions.json'), 'utf8')) as Exception[];
}
