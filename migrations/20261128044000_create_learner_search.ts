import type { Knex } from 'knex';

/** Characters that separate the parts of a word, such as those of Anne-Sophie. Compatible forms are folded first. */
const PUNCTUATION = String.raw`\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2010-\u205e\u3001-\u3003`;
/** Marks above and below the letters of Latin, Greek, Cyrillic, Hebrew and Arabic. */
const ACCENTS = String.raw`\u0300-\u036f\u0591-\u05c7\u064b-\u065f`;

/**
 * Creates the words by which learners are searched, and the index of learners by state.
 *
 * Under row-level security, Postgres uses an index only for leakproof conditions. String comparisons are leakproof;
 * LIKE, full-text search and operators of arrays are not. Each word is therefore a row, and the words with a
 * common prefix are a range.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    -- Removes case and accents.
    create function fold_words(text) returns text
      language sql immutable parallel safe
      return replace(replace(replace(replace(translate(
        regexp_replace(lower(normalize($1, NFKD)), '[${ACCENTS}]', '', 'g'),
        'øłđðħıς', 'olddhiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

    -- Returns the words of folded text, without their punctuation; some can be empty.
    create function split_words(text) returns text[]
      language sql immutable parallel safe
      return regexp_split_to_array(regexp_replace(replace($1, '@', ' '), '[${PUNCTUATION}]', '', 'g'), '\s+');

    -- Returns each of the words once, if it is not empty, and at most 100 characters of it: an index entry has at most
    -- 2,700 bytes.
    create function distinct_words(words text[]) returns text[]
      language sql immutable parallel safe
      return (select coalesce(array_agg(distinct left(word, 100)), '{}') from unnest(words) as word where word <> '');

    -- Returns the words of a learner: the words of the name, the e-mail address and the external id, and their parts
    -- between punctuation, except the parts of the domain. Jean-Luc has jeanluc, jean and luc.
    create function learner_words(name text, email text, external_id text) returns text[]
      language sql immutable parallel safe
      return distinct_words(split_words(fold_words(name || ' ' || email || ' ' || coalesce(external_id, ''))) ||
        regexp_split_to_array(
          fold_words(name || ' ' || split_part(email, '@', 1) || ' ' || coalesce(external_id, '')),
          '[\s${PUNCTUATION}]+'));

    -- Returns the words of a search, in the form of learner_words.
    create function split_query(q text) returns text[]
      language sql immutable parallel safe
      return distinct_words(split_words(fold_words(q)));

    alter table learners
      add column search_words text[] not null
        generated always as (learner_words(first_name || ' ' || last_name, email, external_learner_id)) stored;
    create index learners_state on learners (company_id, inactive, id);

    -- The words of each learner, maintained by triggers.
    create table learner_search_words (
      company_id uuid not null references companies (id),
      -- In collation C, so that the words with a common prefix are a range in every database.
      word text collate "C" not null,
      learner_id uuid not null,
      primary key (company_id, word, learner_id)
    );
    alter table learner_search_words enable row level security;
    create policy own_company on learner_search_words to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on learner_search_words to awareness_service;

    create function add_learner_words() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      insert into learner_search_words (company_id, word, learner_id)
      select a.company_id, w.word, a.id from added a cross join lateral unnest(a.search_words) as w (word);
      return null;
    end $$;
    create trigger learners_words_added after insert on learners referencing new table as added
      for each statement execute function add_learner_words();

    -- Runs for each row: a statement for all rows would read all words of the company if statistics are missing.
    create function replace_learner_words() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      delete from learner_search_words
       where company_id = old.company_id and word = any(old.search_words) and learner_id = old.id;
      if tg_op = 'UPDATE' then
        insert into learner_search_words (company_id, word, learner_id)
        select new.company_id, w.word, new.id from unnest(new.search_words) as w (word);
      end if;
      return null;
    end $$;
    -- Also handles a changed id, because the demo gives learners other ids.
    create trigger learners_words_replaced after update on learners
      for each row when (old.id <> new.id or old.search_words is distinct from new.search_words)
      execute function replace_learner_words();
    create trigger learners_words_deleted after delete on learners
      for each row execute function replace_learner_words();

    -- Adds the words of the learners who already exist.
    insert into learner_search_words (company_id, word, learner_id)
    select l.company_id, w.word, l.id from learners l cross join lateral unnest(l.search_words) as w (word);

    revoke all on function add_learner_words, replace_learner_words from public;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table learner_search_words;
    drop function add_learner_words, replace_learner_words cascade;
    drop index learners_state;
    alter table learners drop column search_words;
    drop function split_query, learner_words, distinct_words, split_words, fold_words`);
}
