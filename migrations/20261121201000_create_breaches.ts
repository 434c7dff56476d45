import type { Knex } from 'knex';

/**
 * What the breach feed has said, with its age.
 *
 * None of this belongs to a company: who watches a domain is the company's setting, and a company sees the accounts of
 * the domains that it watches. The service writes through two functions, each of which replaces one answer of the feed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table breach_feed_answers (
      -- A domain, or * for the list of all breaches.
      subject text primary key,
      source text not null,
      answered_at timestamptz(3),
      -- Until then somebody is asking the feed.
      asking_until timestamptz(3)
    );

    create table breaches (
      id uuid primary key default new_id(),
      -- The feed's key, which does not change.
      name text not null unique,
      title text not null,
      category text not null,
      breach_date date,
      data_classes text[] not null
    );

    create table breached_accounts (
      domain text not null,
      email text not null,
      breach_id uuid not null references breaches on delete cascade,
      primary key (domain, email, breach_id),
      check (domain = lower(domain) and email = lower(email))
    );
    create index breached_accounts_breach on breached_accounts (breach_id, domain);

    -- True for the one who is to ask the feed; the others wait for the answer, or until the time given is over. Who knows
    -- an older answer than there is by now need not ask either.
    create function begin_asking_breach_feed(subject text, source text, known timestamptz, seconds integer)
      returns boolean language sql security definer set search_path = public, pg_temp as $$
      with mine as (
        insert into breach_feed_answers as a (subject, source, asking_until)
        values (subject, source, now() + make_interval(secs => seconds))
        on conflict (subject) do update set asking_until = excluded.asking_until
          where (a.asking_until is null or a.asking_until < now())
            and (a.source <> excluded.source or a.answered_at is not distinct from known)
        returning true
      ) select exists (select from mine)
    $$;

    create function end_asking_breach_feed(subject text) returns void
      language sql security definer set search_path = public, pg_temp as $$
      update breach_feed_answers a set asking_until = null where a.subject = $1
    $$;

    -- Replaces the list of breaches. What another feed once said goes: names are a feed's own.
    create function store_breaches(source text, list jsonb) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform forget_other_breach_feeds(source);
      insert into breaches as b (name, title, category, breach_date, data_classes)
      select distinct on (l.name) l.name, l.title, l.category, l.breach_date, l.data_classes
        from jsonb_to_recordset(list)
          as l (name text, title text, category text, breach_date date, data_classes text[])
       order by l.name
      on conflict (name) do update
        set title = excluded.title, category = excluded.category, breach_date = excluded.breach_date,
            data_classes = excluded.data_classes
        where (b.title, b.category, b.breach_date, b.data_classes)
              is distinct from (excluded.title, excluded.category, excluded.breach_date, excluded.data_classes);
      delete from breaches b
       where b.name not in (select l.name from jsonb_to_recordset(list) as l (name text))
         and not exists (select from breached_accounts a where a.breach_id = b.id);
      perform note_breach_feed_answer('*', source);
    end $$;

    -- Replaces the accounts of a domain. A breach that is not in the list is kept under its name alone.
    create function store_breached_accounts(domain text, source text, list jsonb) returns void
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

    create function note_breach_feed_answer(subject text, source text) returns void
      language sql set search_path = public, pg_temp as $$
      insert into breach_feed_answers (subject, source, answered_at) values (subject, source, now())
      on conflict (subject) do update set source = excluded.source, answered_at = now(), asking_until = null
    $$;

    create function forget_other_breach_feeds(source text) returns void
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if exists (select from breach_feed_answers a where a.source <> $1) then
        lock table breach_feed_answers in share row exclusive mode;
        delete from breaches;
        update breach_feed_answers a set source = $1, answered_at = null;
      end if;
    end $$;

    alter table breach_feed_answers enable row level security;
    create policy everyones on breach_feed_answers for select to awareness_service using (true);
    alter table breaches enable row level security;
    create policy everyones on breaches for select to awareness_service using (true);
    alter table breached_accounts enable row level security;
    create policy of_watched_domains on breached_accounts for select to awareness_service
      using (domain = any (array(select lower(unnest(c.smbreachprodomains)) from companies c
                                  where c.id = current_company() and c.smbreachproenabled)));
    grant select on breach_feed_answers, breaches, breached_accounts to awareness_service;

    revoke all on function begin_asking_breach_feed(text, text, timestamptz, integer), end_asking_breach_feed(text),
      store_breaches(text, jsonb), store_breached_accounts(text, text, jsonb),
      note_breach_feed_answer(text, text), forget_other_breach_feeds(text) from public;
    grant execute on function begin_asking_breach_feed(text, text, timestamptz, integer), end_asking_breach_feed(text),
      store_breaches(text, jsonb), store_breached_accounts(text, text, jsonb) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function begin_asking_breach_feed(text, text, timestamptz, integer), end_asking_breach_feed(text),
      store_breaches(text, jsonb), store_breached_accounts(text, text, jsonb),
      note_breach_feed_answer(text, text), forget_other_breach_feeds(text);
    drop table breached_accounts, breaches, breach_feed_answers;
  `);
}
