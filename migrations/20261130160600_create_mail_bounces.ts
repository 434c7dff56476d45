import type { Knex } from 'knex';

/**
 * Creates the bounces of messages to learners, and the mail status of learners that follows from them
 * (src/mail/bounces/record-bounce.ts).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table learners
      add column mail_status text not null default 'deliverable'
        constraint learners_mail_status_known check (mail_status in ('deliverable', 'bouncing', 'undeliverable')),
      -- The reason of the last bounce; null while the address is deliverable.
      add column mail_status_reason text,
      -- Time at which the status last changed; null if it has never changed.
      add column mail_status_since timestamptz(3),
      add constraint learners_mail_status_reason check ((mail_status = 'deliverable') = (mail_status_reason is null));
    create index learners_mail_status on learners (company_id, mail_status, id) where mail_status <> 'deliverable';

    -- Clears the status, because the new address has not bounced.
    create function reset_mail_status() returns trigger language plpgsql as $$
    begin
      new.mail_status := 'deliverable';
      new.mail_status_reason := null;
      new.mail_status_since := now();
      return new;
    end $$;
    create trigger learners_mail_status_reset before update on learners
      for each row when (old.mail_status <> 'deliverable' and lower(old.email) <> lower(new.email))
      execute function reset_mail_status();

    -- A row trigger, because few updates change the status.
    create function emit_mail_status_event() returns trigger language plpgsql as $$
    begin
      if public.events_are_read(new.company_id) then
        perform public.write_events(new.company_id, array['learner.mail_status.changed'], array[jsonb_build_object(
          'learnerId', new.id, 'mailStatus', new.mail_status, 'previousMailStatus', old.mail_status)]);
      end if;
      return null;
    end $$;
    create trigger learners_mail_status_events after update on learners
      for each row when (old.mail_status <> new.mail_status) execute function emit_mail_status_event();

    create table mail_bounces (
      company_id uuid not null references companies (id),
      id uuid not null,
      -- Identifies the bounce for its sender: a bounce that arrives again changes nothing.
      event_id text not null check (char_length(event_id) between 1 and 210),
      learner_id uuid not null,
      -- The message that bounced; null if the report did not name it. Messages are deleted earlier than bounces.
      message_id uuid,
      -- The hash of the address that bounced (address_hash).
      address_hash bytea not null,
      class text not null check (class in ('hard', 'soft', 'blocked')),
      reason text not null,
      -- The enhanced status code (RFC 3463); null if the bounce had none.
      status text,
      source text not null check (source in ('smtp', 'mailbox', 'provider', 'report')),
      occurred_at timestamptz(3) not null check (isfinite(occurred_at)),
      received_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      constraint mail_bounces_event unique (company_id, event_id),
      constraint mail_bounces_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    create index mail_bounces_of_learner on mail_bounces (learner_id, company_id, received_at);
    create index mail_bounces_received on mail_bounces (received_at, company_id);
    alter table mail_bounces enable row level security;
    create policy own_company on mail_bounces to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on mail_bounces to awareness_service;

    -- A bounce names its message, but not the company.
    -- The index omits the company: with it, Postgres would skip through the index to find a company's messages.
    create index messages_id on messages (id);
    create function find_company_of_message(message uuid) returns uuid
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      return (select m.company_id from messages m where m.id = message limit 1);
    end $$;

    -- Deletes up to max_rows bounces that were received more than the given number of days ago. Returns whether there
    -- might be more.
    create function purge_mail_bounces(days integer, max_rows integer) returns boolean
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      company uuid;
      ends timestamptz := now() - days * interval '1 day';
    begin
      perform require_at_least('days', days, 30);
      perform require_at_least('max_rows', max_rows, 1);
      select b.company_id into company from mail_bounces b where b.received_at < ends limit 1;
      if company is null then return false; end if;
      delete from mail_bounces b using (
        select l.id from mail_bounces l where l.company_id = company and l.received_at < ends limit max_rows) as old
       where b.company_id = company and b.id = old.id;
      return true;
    end $$;

    -- Makes up to max_rows bouncing addresses of one company deliverable that have not bounced for the given number of
    -- days. Returns whether there might be more.
    create function settle_bouncing_addresses(days integer, max_rows integer) returns boolean
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      company uuid;
      begins timestamptz := now() - days * interval '1 day';
    begin
      perform require_at_least('days', days, 1);
      perform require_at_least('max_rows', max_rows, 1);
      select l.company_id into company from learners l
       where l.mail_status = 'bouncing' and l.mail_status_since < begins
         and not exists (select from mail_bounces b where b.company_id = l.company_id and b.learner_id = l.id
                            and b.received_at >= begins)
       limit 1;
      if company is null then return false; end if;
      update learners l
         set mail_status = 'deliverable', mail_status_reason = null, mail_status_since = now(), updated_at = now()
       where l.company_id = company and l.id in (
         select o.id from learners o
          where o.company_id = company and o.mail_status = 'bouncing' and o.mail_status_since < begins
            and not exists (select from mail_bounces b where b.company_id = company and b.learner_id = o.id
                               and b.received_at >= begins)
          order by o.id limit max_rows for no key update);
      return true;
    end $$;

    revoke all on function reset_mail_status, emit_mail_status_event, find_company_of_message, purge_mail_bounces,
      settle_bouncing_addresses from public;
    grant execute on function find_company_of_message, purge_mail_bounces, settle_bouncing_addresses
      to awareness_service`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table mail_bounces cascade;
    drop trigger learners_mail_status_events on learners;
    drop trigger learners_mail_status_reset on learners;
    drop function settle_bouncing_addresses, purge_mail_bounces, find_company_of_message, emit_mail_status_event,
      reset_mail_status;
    drop index messages_id;
    alter table learners drop column mail_status, drop column mail_status_reason, drop column mail_status_since`);
}
