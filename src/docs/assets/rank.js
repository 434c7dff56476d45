// Finds entries of the search index. The server (`search-routes.ts`) and the pages (`docs.js`) load this module, so
// both show the same results.
//
// A query matches an entry if, for each word of the query, a word of the entry starts with it. Words in the title count
// most. If a word matches no entry at all, the most similar word of the index replaces it, so that typing errors do not
// matter.

const PREFIX_IN_TEXT = 1;
const WORD_IN_TEXT = 2;
const PREFIX_IN_TITLE = 6;
const WORD_IN_TITLE = 10;
/** Score of an entry whose title equals the query, such as an operationId or an error code. */
const IS_TITLE = 100;
/** Score of an entry whose title begins with the query, such as the guide of a topic. */
const BEGINS_TITLE = 20;

/** Maximum number of words of a query; further words are ignored. */
const MAX_WORDS = 8;
const MAX_QUERY_LENGTH = 100;

/**
 * Splits text into words in lower case. An identifier such as createLearner or email_taken is a word, and so is each of
 * its parts.
 */
export function splitWords(text) {
  return identifiers(text).flatMap((word) => {
    const parts = word.split(/[_.]|(?<=[\p{Ll}\d])(?=\p{Lu})/u);
    return (parts.length > 1 ? [word, ...parts] : parts).map((part) => part.toLowerCase());
  });
}

function identifiers(text) {
  return text.match(/[\p{L}\p{N}]+(?:[_.][\p{L}\p{N}]+)*/gu) ?? [];
}

/** Prepares the entries of the index for many queries. */
export function prepare(entries) {
  const rows = entries.map((entry) => ({
    entry,
    title: [...new Set([...splitWords(entry.title), ...splitWords(entry.name ?? '')])],
    text: [...new Set([...splitWords(entry.text), ...entry.words.split(' ')])],
  }));
  const vocabulary = [...new Set(rows.flatMap(({ title, text }) => [...title, ...text]))];
  return { rows, vocabulary };
}

/** Finds the entries that match a query, best first, by group. The group of the best entry comes first. */
export function search({ rows, vocabulary }, query) {
  const text = query.slice(0, MAX_QUERY_LENGTH).trim();
  const words = identifiers(text)
    .slice(0, MAX_WORDS)
    .map((word) => corrected(word.toLowerCase(), vocabulary));
  if (words.length === 0) return [];
  const found = rows
    .map((row) => ({ entry: row.entry, score: computeScore(row, words, text.toLowerCase()) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const groups = new Map();
  for (const { entry } of found) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups].map(([group, entries]) => ({ group, entries }));
}

function computeScore({ entry, title, text }, words, query) {
  const names = [entry.title, entry.name ?? ''].map((name) => name.toLowerCase());
  let score = names.includes(query) ? IS_TITLE : names[0].startsWith(query) ? BEGINS_TITLE : 0;
  for (const word of words) {
    const points = best(title, word, WORD_IN_TITLE, PREFIX_IN_TITLE) || best(text, word, WORD_IN_TEXT, PREFIX_IN_TEXT);
    if (points === 0) return 0;
    score += points;
  }
  // If two titles have the same matches, the shorter one is closer to the query.
  return score - Math.min(title.length, 20) / 50;
}

function best(given, word, asWord, asPrefix) {
  let points = 0;
  for (const one of given) {
    if (one === word) return asWord;
    if (one.startsWith(word)) points = asPrefix;
  }
  return points;
}

/** Replaces a word that does not begin any word of the index with the most similar one, if it is similar enough. */
function corrected(word, vocabulary) {
  if (word.length < 4 || vocabulary.some((one) => one.startsWith(word))) return word;
  const allowed = word.length < 8 ? 1 : 2;
  const near = vocabulary
    .filter((one) => Math.abs(one.length - word.length) <= allowed && one[0] === word[0])
    .map((one) => ({ one, distance: editDistance(one, word) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.one ?? word;
}

/** Counts the letters to insert, remove, replace or swap with a neighbour. */
function editDistance(a, b) {
  let [before, last] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      next[column] = Math.min(last[column] + 1, next[column - 1] + 1, last[column - 1] + cost);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) next[column] = Math.min(next[column], before[column - 2] + 1);
    }
    [before, last] = [last, next];
  }
  return last[b.length];
}
