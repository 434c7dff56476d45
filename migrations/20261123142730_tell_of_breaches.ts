import type { Knex } from 'knex';

/** Stores what the feed says of a domain, as before, and tells those who watch it of the accounts that are new. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function tell_of_accounts(domain text, emails text[], breaches uuid[]) returns void
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
    revoke all on function tell_of_accounts(text, text[], uuid[]) from public;

    ${storing(`
      with added as (
        insert into breached_accounts (domain, email, breach_id)
        select $1, said.email, b.id from unnest(emails, names) as said (email, breach)
          join breaches b on b.name = said.breach
        on conflict do nothing returning email, breach_id
      ) select array_agg(added.email), array_agg(added.breach_id) into new_emails, new_breaches from added;
      perform tell_of_accounts($1, new_emails, new_breaches);`)}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${storing(`
      insert into breached_accounts (domain, email, breach_id)
      select $1, said.email, b.id from unnest(emails, names) as said (email, breach)
        join breaches b on b.name = said.breach
      on conflict do nothing;`)}
    drop function tell_of_accounts(text, text[], uuid[]);
  `);
}

const storing = (adding: string) => `
    create or replace function store_breached_accounts(domain text, source text, list jsonb) returns void
      language plpgsql security definer set search_path = public, pg_temp as $function$
    declare
      emails text[];
      names text[];${
        adding.includes('new_emails')
          ? `
      new_emails text[];
      new_breaches uuid[];`
          : ''
      }
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
             join breaches b on b.name = said.breach);${adding}
      perform note_breach_feed_answer($1, source);
    end $function$;`;
