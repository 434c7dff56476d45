import type { Language } from '../../src/contract/languages.ts';

/** A part of a passage: prose, or markup with the words that LanguageTool reads in its place. */
export type Part = { text: string } | { markup: string; interpretAs: string };

/** A piece of prose that is checked by itself, such as a paragraph, a table cell or a message. */
export interface Passage {
  file: string;
  /** JSON pointer of the passage, in files that are read as a whole. */
  pointer?: string;
  /** The line on which the passage begins, from 1. */
  line: number;
  language: Language;
  parts: Part[];
}

/**
 * Words that stand for code, links and placeholders. They are town names, because a name reads correctly with and
 * without an article. `beforeVowel` is used after `an` and elisions.
 */
const NOUNS: Record<Language, { noun: string; beforeVowel: string }> = {
  en: { noun: 'London', beforeVowel: 'Oslo' },
  de: { noun: 'Berlin', beforeVowel: 'Berlin' },
  fr: { noun: 'Paris', beforeVowel: 'Oslo' },
};

/** Text endings after which a word must begin with a vowel. */
const BEFORE_VOWEL = /(\ban\s|[’'])$/i;

/** Placeholders such as `{{link}}` and `{page}`, and field names in strings that have no inline code. */
const NAME = /\{\{.*?\}\}|\{\w+\}|(?<![\p{L}-])[a-z]+(?:[A-Z][a-z0-9]+)+(?![\p{L}-])/gu;

/** Collects the parts of a passage. */
export class PartsBuilder {
  readonly parts: Part[] = [];
  readonly #language: Language;
  #read = '';

  constructor(language: Language) {
    this.#language = language;
  }

  /** Adds prose, in which placeholders such as `{{link}}` and names such as `groupId` become nouns. */
  addText(text: string): void {
    let end = 0;
    for (const { 0: name, index } of text.matchAll(NAME)) {
      this.#push(text.slice(end, index));
      this.addNoun(name);
      end = index + name.length;
    }
    this.#push(text.slice(end));
  }

  /** Adds markup that LanguageTool reads as other words, or not at all. */
  addMarkup(markup: string, interpretAs = ''): void {
    if (markup === '') return;
    this.parts.push({ markup, interpretAs });
    this.#read += interpretAs;
  }

  /** Adds markup that LanguageTool reads as a noun. */
  addNoun(markup: string): void {
    const { noun, beforeVowel } = NOUNS[this.#language];
    this.addMarkup(markup, BEFORE_VOWEL.test(this.#read) ? beforeVowel : noun);
  }

  #push(text: string): void {
    if (text === '') return;
    this.parts.push({ text });
    this.#read += text;
  }
}

/** Returns the text of a passage exactly as it is in the file. */
export function joinSource(parts: readonly Part[]): string {
  return parts.map((part) => ('text' in part ? part.text : part.markup)).join('');
}

/** Reports whether a passage has a word to check. */
export function hasProse(parts: readonly Part[]): boolean {
  return parts.some((part) => 'text' in part && /\p{L}/u.test(part.text));
}

/** Counts the line breaks in a string. */
export function countLines(text: string): number {
  return text.split('\n').length - 1;
}
