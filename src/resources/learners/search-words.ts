// Search words: how many learners they match, and how a list reads those learners (learner-list.ts).
import { literal, type Sql, sql } from '../../db/sql.ts';
import { type Parameters, query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { ANY_NUMBER, unionAll } from './shared/learner-profile.ts';

/** Maximum number of distinct words whose learners a list merges. */
const MAX_MERGED = 6;
/** Names of the parameters that hold the words to merge. */
const WORDS = ['word1', 'word2', 'word3', 'word4', 'word5', 'word6'] as const;
export type MergedWords = Record<(typeof WORDS)[number], string | null>;

/** Selects the learners of the merged words as `learner_id`, without duplicates and ordered by id. */
export function selectLearnersOfWords(p: Parameters<MergedWords>, continued: (column: Sql) => Sql): Sql {
  const ofEach = WORDS.map(
    (name) => sql`
      (select w.learner_id from learner_search_words w
        where w.company_id = ${p.companyId} and w.word = ${p[name]} and ${continued(sql`w.learner_id`)}
        order by w.learner_id ${ANY_NUMBER})`,
  );
  return sql`select distinct merged.learner_id from (${unionAll(ofEach)}) as merged`;
}

/** Finds the first stored words that start with a search word; one more than a list can merge. */
const beginningWords = query<{ word: string }, { word: string }>(
  'learner_beginning_words',
  (p) => sql`
    with recursive beginning (word) as (
      (select w.word from learner_search_words w
        where w.company_id = ${p.companyId} and w.word >= ${p.word} and w.word < ${p.word} || chr(1114111)
        order by w.word limit 1)
      union all
      select (select w.word from learner_search_words w
               where w.company_id = ${p.companyId} and w.word > b.word and w.word < ${p.word} || chr(1114111)
               order by w.word limit 1)
        from beginning b where b.word is not null)
    select b.word from beginning b where b.word is not null limit ${literal(MAX_MERGED + 1)}`,
  { word: 'learner1' },
);

/**
 * Minimum number of matching stored words at which a list merges: below it, sorting the learners takes at most 3 ms.
 */
const MERGED_FROM = 2000;

/**
 * Minimum number of stored words that start with a word of `q` for that word to count as frequent. Counting up to this
 * number takes about 5 ms.
 */
export const FREQUENT = 50_000;

/**
 * Selects the two rarest of the three longest words of `q`, rarest first, by the number of stored words that start with
 * them. The word is null if no stored word starts with it. No row if `q` contains no word.
 */
const rarestWords = query<{ q: string }, SearchWord>(
  'learner_rarest_words',
  (p) => sql`
    select case when counted.count > 0 then sought.word end as word, counted.count
      from (select word from unnest(split_query(${p.q})) as word order by length(word) desc, word limit 3) as sought
     cross join lateral (
       select count(*)::integer from (
         select from learner_search_words w
          where w.company_id = ${p.companyId} and w.word >= sought.word and w.word < sought.word || chr(1114111)
          limit ${literal(FREQUENT)}) as beginning) as counted (count)
     order by counted.count, sought.word limit 2`,
  { q: 'learner1' },
);

interface SearchWord {
  word: string | null;
  /** Number of stored words that start with `word`, at most `FREQUENT`. */
  count: number;
}

/** Two search words; each listed learner has words that start with both. */
export type WordPair = Record<'word' | 'otherWord', string>;

/** Selects the learners who have words that start with both prefixes as `learner_id`, without duplicates. */
export function selectLearnersOfPair(p: Parameters<WordPair>, continued: (column: Sql) => Sql): Sql {
  const begunBy = (word: Parameters<WordPair>['word']) => sql`
    select w.learner_id from learner_search_words w
     where w.company_id = ${p.companyId} and w.word >= ${word} and w.word < ${word} || chr(1114111)
       and ${continued(sql`w.learner_id`)}`;
  return sql`${begunBy(p.word)} intersect ${begunBy(p.otherWord)}`;
}

/** Method by which a list finds the learners that match `q`. */
export interface SearchWords {
  rarest: SearchWord;
  /** The two rarest words, if many stored words start with each of them. */
  pair?: WordPair;
  /** The words to merge, if many stored words start with the rarest word, but few of these are distinct. */
  merged?: MergedWords;
}

/** Determines how a list finds the learners that match `q`. */
export async function findSearchWords(tenant: TenantReader, q: string): Promise<SearchWords> {
  const [rarest = { word: null, count: 0 }, second] = await tenant.queryAll(rarestWords, { q });
  if (rarest.word === null || rarest.count < MERGED_FROM) return { rarest };
  if (second && second.word !== null && second.count < FREQUENT)
    return { rarest, pair: { word: rarest.word, otherWord: second.word } };
  const words = (await tenant.queryAll(beginningWords, { word: rarest.word })).map(({ word }) => word);
  return words.length > MAX_MERGED ? { rarest } : { rarest, merged: toMergedWords(words) };
}

export function toMergedWords(words: readonly string[]): MergedWords {
  return Object.fromEntries(WORDS.map((name, index) => [name, words[index] ?? null])) as MergedWords;
}
