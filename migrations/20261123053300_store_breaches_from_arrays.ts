import type { Knex } from 'knex';

/** Keeps what the feed said of a domain in arrays: Citus joins a reference table with no temporary one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function store_breached_accounts(domain text, source text, list jsonb) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      emails text[];
      names text[];
    begin
      perform forget_other_breach_feeds(source);
      select array_agg(said.email), array_agg(said.breach) into emails, names
        from (select distinct lower(s.email) as email, s.breach
                from jsonb_to_recordset(list) as s (email text, breach text)) as said;
      insert into breaches (name, title, category, data_classes)
      select distinct said.breach, said.breach, 'Website', '{}'::text[] from unnest(names) as said (breach) order by 1
      on conflict (name) do nothing;
      -- NOT IN a list of values: Postgres looks each one up in a hash table, however long it takes the list to be.
      delete from breached_accounts a
       where a.domain = $1
         and (a.email, a.breach_id) not in (
           select said.email, b.id from unnest(emails, names) as said (email, breach)
             join breaches b on b.name = said.breach);
      insert into breached_accounts (domain, email, breach_id)
      select $1, said.email, b.id from unnest(emails, names) as said (email, breach)
        join breaches b on b.name = said.breach
      on conflict do nothing;
      perform note_breach_feed_answer($1, source);
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function store_breached_accounts(domain text, source text, list jsonb) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform forget_other_breach_feeds(source);
      create temporary table said on commit drop as
        select distinct lower(s.email) as email, s.breach from jsonb_to_recordset(list) as s (email text, breach text);
      insert into breaches (name, title, category, data_classes)
      select distinct breach, breach, 'Website', '{}'::text[] from said order by 1
      on conflict (name) do nothing;
      delete from breached_accounts a
       where a.domain = $1
         and not exists (select from said join breaches b on b.name = said.breach
                          where said.email = a.email and b.id = a.breach_id);
      insert into breached_accounts (domain, email, breach_id)
      select $1, said.email, b.id from said join breaches b on b.name = said.breach
      on conflict do nothing;
      perform note_breach_feed_answer($1, source);
      drop table said;
    end $$;
  `);
}
