// The words of a search: how many learners they lead to, and which list reads these (learner-list.ts).
import { literal, type Sql, sql } from '../../db/sql.ts';
import { type Parameters, query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { ANY_NUMBER, unionAll } from './shared/learner-profile.ts';

/** Maximum number of different words whose learners a list merges. */
const MAX_MERGED = 6;
/** Names of the parameters with these words. */
const WORDS = ['word1', 'word2', 'word3', 'word4', 'word5', 'word6'] as const;
export type MergedWords = Record<(typeof WORDS)[number], string | null>;

/** Selects the learners of the merged words, each once and in their order, as `learner_id`. */
export function selectLearnersOfWords(p: Parameters<MergedWords>, continued: (column: Sql) => Sql): Sql {
  const ofEach = WORDS.map(
    (name) => sql`
      (select w.learner_id from learner_search_words w
        where w.company_id = ${p.companyId} and w.word = ${p[name]} and ${continued(sql`w.learner_id`)}
        order by w.learner_id ${ANY_NUMBER})`,
  );
  return sql`select distinct merged.learner_id from (${unionAll(ofEach)}) as merged`;
}

/** The first words of learners that a word begins, one more than a list merges. */
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

/** Minimum number of words of learners from which a list merges: sorting 2,000 learners takes 3 ms. */
const MERGED_FROM = 2000;

/** Minimum number of words that a frequent word of `q` begins. Counting them takes about 5 ms. */
export const FREQUENT = 50_000;

/**
 * The word of `q` that begins the fewest words of learners, among the three longest; null if it begins none. No row if
 * `q` has no word.
 */
const rarestWord = query<{ q: string }, { word: string | null; count: number }>(
  'learner_rarest_word',
  (p) => sql`
    select case when counted.count > 0 then sought.word end as word, counted.count
      from (select word from unnest(split_query(${p.q})) as word order by length(word) desc, word limit 3) as sought
     cross join lateral (
       select count(*)::integer from (
         select from learner_search_words w
          where w.company_id = ${p.companyId} and w.word >= sought.word and w.word < sought.word || chr(1114111)
          limit ${literal(FREQUENT)}) as beginning) as counted (count)
     order by counted.count, sought.word limit 1`,
  { q: 'learner1' },
);

interface RarestWord {
  word: string | null;
  count: number;
}

/** Finds the rarest word of `q`, and the words to merge, if it begins many words of learners but few different ones. */
export async function findSearchWords(
  tenant: TenantReader,
  q: string,
): Promise<{ rarest: RarestWord; merged: MergedWords | undefined }> {
  const [rarest = { word: null, count: 0 }] = await tenant.queryAll(rarestWord, { q });
  if (rarest.word === null || rarest.count < MERGED_FROM) return { rarest, merged: undefined };
  const words = (await tenant.queryAll(beginningWords, { word: rarest.word })).map(({ word }) => word);
  return { rarest, merged: words.length > MAX_MERGED ? undefined : toMergedWords(words) };
}

export function toMergedWords(words: readonly string[]): MergedWords {
  return Object.fromEntries(WORDS.map((name, index) => [name, words[index] ?? null])) as MergedWords;
}
