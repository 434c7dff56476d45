/** A page, or a section of a page, in the search index. */
export interface SearchEntry {
  group: string;
  title: string;
  /** The identifier in the contract, such as `createLearner`. */
  name?: string;
  path: string;
  /** Beginning of the text, for the list of results. */
  text: string;
  /** Further words of the text, each once, separated by spaces. */
  words: string;
}

export interface SearchGroup {
  group: string;
  entries: SearchEntry[];
}

/** The entries of the index with their words, as `search` reads them. */
export interface PreparedIndex {
  rows: readonly { entry: SearchEntry; title: string[]; text: string[] }[];
  vocabulary: readonly string[];
}

export function splitWords(text: string): string[];
export function prepare(entries: readonly SearchEntry[]): PreparedIndex;
export function search(index: PreparedIndex, query: string): SearchGroup[];
