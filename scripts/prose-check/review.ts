import type { Finding } from './languagetool.ts';
import { countLines, type Passage, joinSource } from './passages.ts';
import type { AcceptedWords, Exception } from './reviewed.ts';

/** A finding with its location. */
export interface Report {
  rule: string;
  /** `file:line`, or `file#pointer`. */
  place: string;
  sentence: string;
  /** The words that the finding is about. */
  words: string;
  message: string;
  replacements: string[];
}

const SENTENCE_END = /[.!?:]["”»)]*\s/g;

/** Returns a finding with its location and its sentence. */
export function locate(finding: Finding, passages: readonly Passage[]): Report {
  const { file, pointer, line, parts } = passages[finding.id]!;
  const source = joinSource(parts);
  const { rule, replacements } = finding;
  return {
    rule,
    place: pointer ? `${file}#${pointer}` : `${file}:${line + countLines(source.slice(0, finding.offset))}`,
    sentence: sentenceAt(source, finding.offset),
    words: source.slice(finding.offset, finding.offset + finding.length),
    message: finding.message.replaceAll(/<\/?suggestion>/g, '“').replaceAll(/\s+/g, ' '),
    replacements,
  };
}

/** Reports whether a finding is only about code or placeholders, such as the second of two adjacent code spans. */
export function isAboutMarkup({ id, offset, length }: Finding, passages: readonly Passage[]): boolean {
  let begin = 0;
  let hasMarkup = false;
  for (const part of passages[id]!.parts) {
    const source = joinSource([part]);
    const inside = source.slice(Math.max(0, offset - begin), Math.max(0, offset + length - begin));
    if (!('text' in part)) hasMarkup ||= inside !== '';
    else if (/\p{L}/u.test(inside)) return false;
    begin += source.length;
  }
  return hasMarkup;
}

function sentenceAt(source: string, offset: number): string {
  const ends = [...source.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length);
  const begin = ends.findLast((end) => end <= offset) ?? 0;
  const end = ends.find((candidate) => candidate > offset) ?? source.length;
  return source.slice(begin, end).replaceAll(/\s+/g, ' ').trim();
}

/** Removes the reports that an exception covers, and returns the exceptions that cover none. */
export function applyExceptions(
  reports: readonly Report[],
  exceptions: readonly Exception[],
): { remaining: Report[]; unused: Exception[] } {
  const used = new Set<Exception>();
  const remaining = reports.filter(({ rule, sentence }) => {
    const exception = exceptions.find((candidate) => candidate.rule === rule && sentence.includes(candidate.text));
    if (exception) used.add(exception);
    return !exception;
  });
  return { remaining, unused: exceptions.filter((exception) => !used.has(exception)) };
}

/** Returns the accepted words that no passage of their language contains, or no passage at all for words of `all`. */
export function unusedWords(words: AcceptedWords, passages: readonly Passage[]): string[] {
  return Object.entries(words).flatMap(([language, accepted]) => {
    const own = passages.filter((passage) => language === 'all' || passage.language === language);
    const text = own.map(({ parts }) => joinSource(parts)).join('\n');
    const lower = text.toLowerCase();
    return accepted.filter((word) => !(word === word.toLowerCase() ? lower : text).includes(word));
  });
}

/** Formats a report for the terminal. */
export function formatReport({ place, rule, words, message, sentence, replacements }: Report): string {
  const suggestion = replacements.length > 0 ? `\n  suggestion: ${replacements.join(' | ')}` : '';
  return `${place}: ${rule}: ${message}\n  “${words}” in: ${sentence}${suggestion}`;
}
