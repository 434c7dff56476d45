import type { Knex } from 'knex';

/** Creates breaches and breached accounts, as the breach feed reports them, and the risk history of companies. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Breaches that the breach feed reported. They belong to no company: a company sees the accounts of the domains
    -- that it watches. The service writes breaches and accounts through two functions, each of which replaces the data
    -- of one response.
    create table breaches (
      id uuid default new_id() primary key,
      -- The feed's key of the breach, which never changes.
      name text not null unique,
      title text not null,
      category text not null,
      breach_date date,
      data_classes text[] not null
    );
    alter table breaches enable row level security;
    create policy everyones on breaches for select to awareness_service using (true);
    grant select on breaches to awareness_service;

    create table breached_accounts (
      domain text not null,
      email text not null,
      breach_id uuid not null references breaches (id) on delete cascade,
      primary key (domain, email, breach_id),
      check (domain = lower(domain) and email = lower(email))
    );
    create index breached_accounts_breach on breached_accounts (breach_id, domain);
    alter table breached_accounts enable row level security;
    create policy of_watched_domains on breached_accounts for select to awareness_service
      using (domain = any (array(select lower(unnest(c.smbreachprodomains)) from companies c
                                  where c.id = current_company() and c.smbreachproenabled)));
    grant select on breached_accounts to awareness_service;

    create table breach_feed_answers (
      -- A domain, or * for the list of all breaches.
      subject text primary key,
      source text not null,
      answered_at timestamptz(3),
      -- End of the lease with which a caller refreshes this response.
      refresh_lease_until timestamptz(3)
    );
    alter table breach_feed_answers enable row level security;
    create policy everyones on breach_feed_answers for select to awareness_service using (true);
    grant select on breach_feed_answers to awareness_service;

    -- Returns true to the one caller that must query the feed. Other callers get false, and wait for the response or
    -- until the lease ends. Also returns false if a newer response than the known one is stored.
    create function lease_breach_feed_refresh(subject text, source text, known timestamptz, seconds integer)
      returns boolean
      language sql security definer set search_path = public, pg_temp as $$
      select require_at_least('seconds', seconds, 1);
      select require_at_least('3600 less the seconds', 3600 - seconds, 0);
      with mine as (
        insert into breach_feed_answers as a (subject, source, refresh_lease_until)
        values (subject, source, now() + make_interval(secs => seconds))
        on conflict (subject) do update set refresh_lease_until = excluded.refresh_lease_until
          where (a.refresh_lease_until is null or a.refresh_lease_until < now())
            and (a.source <> excluded.source or a.answered_at is not distinct from known)
        returning true
      ) select exists (select from mine)
    $$;

    create function release_breach_feed_refresh(subject text) returns void
      language sql security definer set search_path = public, pg_temp as $$
      update breach_feed_answers a set refresh_lease_until = null where a.subject = $1
    $$;

    create function record_breach_feed_answer(subject text, source text) returns void
      language sql set search_path = public, pg_temp as $$
      insert into breach_feed_answers (subject, source, answered_at) values (subject, source, now())
      on conflict (subject) do update set source = excluded.source, answered_at = now(), refresh_lease_until = null
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

    -- Replaces the list of breaches. Deletes the data of any other feed, because the names of breaches are specific to
    -- a feed.
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
      perform record_breach_feed_answer('*', source);
    end $$;

    -- Replaces the accounts of a domain. Stores a breach that is missing from the list of breaches with only its name.
    -- Uses arrays, because Citus cannot join a reference table with a temporary one.
    create function store_breached_accounts(domain text, source text, list jsonb) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      emails text[];
      names text[];
      new_emails text[];
      new_breaches uuid[];
    begin
      perform forget_other_breach_feeds(source);
      select array_agg(reported.email), array_agg(reported.breach) into emails, names
        from (select distinct lower(s.email) as email, s.breach
                from jsonb_to_recordset(list) as s (email text, breach text)) as reported;
      insert into breaches (name, title, category, data_classes)
      select distinct reported.breach, reported.breach, 'Website', '{}'::text[] from unnest(names) as reported (breach) order by 1
      on conflict (name) do nothing;
      -- NOT IN lets Postgres look each value up in a hash table, whatever length it estimates for the list.
      delete from breached_accounts a
       where a.domain = $1
         and (a.email, a.breach_id) not in (
           select reported.email, b.id from unnest(emails, names) as reported (email, breach)
             join breaches b on b.name = reported.breach);
      with added as (
        insert into breached_accounts (domain, email, breach_id)
        select $1, reported.email, b.id from unnest(emails, names) as reported (email, breach)
          join breaches b on b.name = reported.breach
        on conflict do nothing returning email, breach_id
      ) select array_agg(added.email), array_agg(added.breach_id) into new_emails, new_breaches from added;
      perform emit_breach_events($1, new_emails, new_breaches);
      perform record_breach_feed_answer($1, source);
    end $$;

    create function emit_breach_events(domain text, emails text[], breaches uuid[]) returns void
      language plpgsql set search_path = public, pg_temp as $$
    declare
      company uuid;
      types text[];
      facts jsonb[];
    begin
      for company in
        select c.id from companies c
         where c.smbreachproenabled and $1 in (select lower(watched) from unnest(c.smbreachprodomains) as watched)
           and events_are_read(c.id)
      loop
        select array_agg('breach.found'::text),
               array_agg(jsonb_build_object('breachId', found.breach_id, 'learnerId', l.id)) into types, facts
          from unnest(emails, breaches) as found (email, breach_id)
          left join lateral (select id from learners where company_id = company and email_key = found.email offset 0) as l
                 on true;
        perform write_events(company, types, facts);
      end loop;
    end $$;

    -- The average risk score of each company, and the number of its learners at each level, at the end of each day.
    create table risk_history (
      company_id uuid not null references companies (id),
      date date not null,
      average_score numeric(4,1) not null check (average_score between 0 and 100),
      low_count integer not null check (low_count >= 0),
      moderate_count integer not null check (moderate_count >= 0),
      high_count integer not null check (high_count >= 0),
      critical_count integer not null check (critical_count >= 0),
      primary key (company_id, date)
    );
    alter table risk_history enable row level security;
    create policy own_company on risk_history to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on risk_history to awareness_service;

    revoke all on function lease_breach_feed_refresh, release_breach_feed_refresh, record_breach_feed_answer,
      forget_other_breach_feeds, store_breaches, store_breached_accounts, emit_breach_events from public;
    grant execute on function lease_breach_feed_refresh, release_breach_feed_refresh, store_breaches,
      store_breached_accounts to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table risk_history, breach_feed_answers, breached_accounts, breaches cascade;
    drop function emit_breach_events, store_breached_accounts, store_breaches, forget_other_breach_feeds,
      record_breach_feed_answer, release_breach_feed_refresh, lease_breach_feed_refresh cascade;`);
}
