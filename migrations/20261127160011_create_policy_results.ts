import type { Knex } from 'knex';

const NIL = `'00000000-0000-0000-0000-000000000000'`;

const isAfter = (row: string): string => `
             ${row}.company_id = company and (${row}.learner_id, ${row}.policy_id, ${row}.signed, ${row}.version_id)
             > (after[2]::uuid, after[3]::uuid, after[4]::timestamptz, after[5]::uuid)`;

const isInRange = (row: string): string => `${isAfter(row)}
         and (${row}.learner_id, ${row}.policy_id, ${row}.signed, ${row}.version_id)
             <= (last[2]::uuid, last[3]::uuid, last[4]::timestamptz, last[5]::uuid)`;

// The range is a condition on both tables, so that Postgres reads no rows beyond the range, whatever the plan.
const deleteOrphaned = (table: string): string => `
      delete from ${table} n using signatures s
       where ${isInRange('n')}
         and ${isInRange('s')}
         and s.learner_id = n.learner_id and s.policy_id = n.policy_id and s.signed = n.signed
         and s.version_id = n.version_id and s.orphaned_at < ends;`;

/**
 * Creates assignments of policies, and the record of signatures, which outlives policies and learners. The learner's
 * name is stored separately from the signature, so that the name is deleted with the learner.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table policy_results (
      company_id uuid not null,
      id uuid not null,
      policy_id uuid not null,
      learner_id uuid not null,
      -- Time at which the policy was assigned; null if it is no longer assigned. The row is then kept for its
      -- signature.
      assigned_at timestamptz(3),
      -- Time at which the learner was last asked to sign; earlier signatures are not in force.
      asked_at timestamptz(3),
      reminded_at timestamptz(3),
      sent_version_id uuid,
      visited_at timestamptz(3),
      visited_version_id uuid,
      signed timestamptz(3),
      signed_version_id uuid,
      signed_offline boolean not null default false,
      signed_from text,
      primary key (company_id, id),
      constraint policy_results_pair unique (company_id, learner_id, policy_id),
      constraint policy_results_learner foreign key (company_id, learner_id) references learners on delete cascade,
      constraint policy_results_policy foreign key (company_id, policy_id) references policies on delete cascade,
      constraint policy_results_sent foreign key (company_id, policy_id, sent_version_id)
        references policy_versions (company_id, policy_id, id),
      constraint policy_results_signed foreign key (company_id, policy_id, signed_version_id)
        references policy_versions (company_id, policy_id, id),
      constraint policy_results_visited foreign key (company_id, policy_id, visited_version_id)
        references policy_versions (company_id, policy_id, id),
      check ((assigned_at is null) = (asked_at is null)),
      check (assigned_at is not null or signed is not null),
      check ((visited_at is null) = (visited_version_id is null)),
      check ((signed is null) = (signed_version_id is null)),
      check (signed is not null or not signed_offline)
    );
    create index policy_results_policy_learner on policy_results (company_id, policy_id, learner_id);
    create index policy_results_unsigned on policy_results (company_id, learner_id, policy_id)
      where assigned_at is not null and not coalesce(signed >= asked_at, false);
    alter table policy_results enable row level security;
    create policy own_company on policy_results to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on policy_results to awareness_service;

    -- The evidence of every signature; policy_results holds the latest one of each learner and policy. A trigger of
    -- policy_results writes the rows, so that no code that signs can omit the evidence. No foreign key references this
    -- table: while the tables are new, the checks would read the whole table for each row.
    create table signatures (
      company_id uuid not null references companies (id),
      learner_id uuid not null,
      policy_id uuid not null,
      policy_name text not null,
      version_id uuid not null,
      major_version integer not null,
      minor_version integer not null,
      file_sha256 bytea not null,
      signed timestamptz(3) not null,
      signed_offline boolean not null,
      -- The IP address of the signer; null if it is unknown.
      signed_from text,
      -- Time at which purge_signatures found that the learner or the policy was deleted.
      orphaned_at timestamptz(3),
      -- Time at which the learner's email changed, if that was within seven days before the signature.
      email_changed_at timestamptz(3),
      -- Time at which the last of the signature's records was voided; null if one of them counts.
      voided_at timestamptz(3),
      primary key (company_id, learner_id, policy_id, signed, version_id)
    );
    -- With the learner, so that a lookup by learner and policy reads one row by this index too. With few statistics, Postgres
    -- might use it instead of the primary key.
    create index signatures_policy on signatures (company_id, policy_id, learner_id);
    alter table signatures enable row level security;
    create policy own_company on signatures to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update (voided_at) on signatures to awareness_service;

    -- The learner's name and email when the signature was recorded. Deleted with the learner.
    create table signature_names (
      company_id uuid not null,
      learner_id uuid not null,
      policy_id uuid not null,
      signed timestamptz(3) not null,
      version_id uuid not null,
      learner_name text not null,
      learner_email text not null,
      primary key (company_id, learner_id, policy_id, signed, version_id),
      constraint signature_names_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    alter table signature_names enable row level security;
    create policy own_company on signature_names to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on signature_names to awareness_service;

    -- Records of signatures. A signature that was made elsewhere has the sender's event id and note. A note might name a
    -- person, so records are deleted with the learner. If several records describe one signature, the signature counts
    -- as offline only if all of them say so. Corrections void and restore records.
    create table signature_events (
      company_id uuid not null,
      event_id text not null check (char_length(event_id) between 1 and 200),
      learner_id uuid not null,
      policy_id uuid not null,
      signed timestamptz(3) not null,
      version_id uuid not null,
      offline boolean not null,
      note text,
      received_at timestamptz(3) not null default now(),
      -- Whether the signature was given on the pages of the service, whose trigger records it.
      is_own boolean not null default false,
      -- Time at which the record was voided or replaced; null if it counts.
      voided_at timestamptz(3),
      primary key (company_id, event_id),
      constraint signature_events_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    -- The index begins with the learner. If it begins with the company, Postgres prefers the primary key for a company
    -- without statistics, and deleting learners reads all records of the company for each of them.
    create index signature_events_signature on signature_events (learner_id, company_id, policy_id, signed, version_id);
    alter table signature_events enable row level security;
    create policy own_company on signature_events to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update (voided_at) on signature_events to awareness_service;

    create table signature_defaults (
      company_id uuid primary key references companies (id),
      -- The policy that the default was copied from. The default outlives the policy.
      policy_id uuid,
      -- The signature type; null if the default was withdrawn. set_on is then the day of the withdrawal.
      type text check (type in ('fixed', 'lastSignature', 'newUsers', 'none')),
      start_date date,
      interval_length integer check (interval_length > 0),
      interval_unit text check (interval_unit in ('months', 'years')),
      set_on date not null
    );
    alter table signature_defaults enable row level security;
    create policy own_company on signature_defaults to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on signature_defaults to awareness_service;

    -- Lets visits and signatures only move forward, whoever writes them. If two signatures have the same time, the one
    -- on the later version is the latest; on the same version, the one that was given in the service. The latest
    -- signature therefore does not depend on the order in which signatures arrive. After a record of the latest signature
    -- was voided, an earlier signature or none can be the latest.
    create function guard_signatures() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'UPDATE' then
        if (old.company_id, old.policy_id, old.learner_id) <> (new.company_id, new.policy_id, new.learner_id) then
          raise exception 'the company, policy and learner of a result cannot be changed'
            using errcode = 'check_violation', constraint = 'policy_results_forward';
        end if;
        if (old.visited_at is not null and new.visited_at is null) or new.visited_at < old.visited_at then
          raise exception 'visited_at cannot be removed or moved earlier'
            using errcode = 'check_violation', constraint = 'policy_results_forward';
        end if;
        if old.signed is not null and ((new.signed, new.signed_version_id, not new.signed_offline)
                > (old.signed, old.signed_version_id, not old.signed_offline)) is not true
           and (new.signed, new.signed_version_id, new.signed_offline, new.signed_from)
               is distinct from (old.signed, old.signed_version_id, old.signed_offline, old.signed_from)
           and not exists (
             select from signature_events e
              where e.company_id = old.company_id and e.learner_id = old.learner_id and e.policy_id = old.policy_id
                and e.signed = old.signed and e.version_id = old.signed_version_id and e.voided_at is not null) then
          raise exception 'a signature can only be replaced by a later one'
            using errcode = 'check_violation', constraint = 'policy_results_forward';
        end if;
        if (new.signed, new.signed_version_id) is not distinct from (old.signed, old.signed_version_id) then
          return new;
        end if;
      end if;
      if exists (select from policy_versions v
                  where v.company_id = new.company_id and v.id = new.signed_version_id
                    and v.published_at > new.signed) then
        raise exception 'a signature cannot precede the publication of its version'
          using errcode = 'check_violation', constraint = 'policy_results_published';
      end if;
      return new;
    end $$;
    create trigger policy_results_forward before update of company_id, policy_id, learner_id, visited_at, signed,
      signed_version_id, signed_offline, signed_from on policy_results
      for each row execute function guard_signatures();
    create trigger policy_results_signed_forward before insert on policy_results
      for each row when (new.signed is not null) execute function guard_signatures();

    create function record_signature() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      insert into signatures (company_id, learner_id, policy_id, policy_name, version_id, major_version,
                              minor_version, file_sha256, signed, signed_offline, signed_from, email_changed_at)
      select v.company_id, new.learner_id, v.policy_id, v.name, v.id, v.major_version, v.minor_version, f.sha256,
             new.signed, new.signed_offline, new.signed_from, (
    select l.email_changed_at from learners l
     where l.company_id = new.company_id and l.id = new.learner_id
       and l.email_changed_at between new.signed - interval '7 days' and new.signed)
        from policy_versions v join policy_files f on f.company_id = v.company_id and f.id = v.file_id
       where v.company_id = new.company_id and v.id = new.signed_version_id
      on conflict do nothing;
      insert into signature_names (company_id, learner_id, policy_id, signed, version_id, learner_name, learner_email)
      select l.company_id, l.id, new.policy_id, new.signed, new.signed_version_id,
             rtrim(l.first_name || ' ' || l.last_name), l.email
        from learners l where l.company_id = new.company_id and l.id = new.learner_id
      on conflict do nothing;
      insert into signature_events (company_id, event_id, learner_id, policy_id, signed, version_id, offline, is_own)
      select new.company_id, 'signed-' || new_id(), new.learner_id, new.policy_id, new.signed, new.signed_version_id,
             new.signed_offline, not new.signed_offline
       where not exists (
         select from signature_events e
          where e.company_id = new.company_id and e.learner_id = new.learner_id and e.policy_id = new.policy_id
            and e.signed = new.signed and e.version_id = new.signed_version_id);
      return null;
    end $$;
    create trigger policy_results_signed_at_once after insert on policy_results
      for each row when (new.signed is not null) execute function record_signature();
    create trigger policy_results_signed_later after update of signed, signed_version_id on policy_results
      for each row
      when (new.signed is not null and (new.signed is distinct from old.signed or new.signed_version_id is distinct
        from old.signed_version_id))
      execute function record_signature();

    -- Deletes signatures whose learner or policy was deleted, with their names and reports, the given number of days
    -- after a call first found the deletion, and never earlier than thirty days after that call. Never deletes other
    -- signatures. Reads up to max_rows signatures of one company, in the order of their key and after the given key.
    -- Returns the key of the last signature, or null if none is left.
    create function purge_signatures(days integer, after text[] default '{}', max_rows integer default 5000)
      returns text[]
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      company uuid;
      last text[];
      ends timestamptz := now() - greatest(days, 30) * interval '1 day';
    begin
      perform require_at_least('days', days, 0);
      perform require_at_least('max_rows', max_rows, 1);
      -- If "after" has only a company, the comparison with nulls is true only for greater companies.
      select s.company_id into company from signatures s
       where (s.company_id, s.learner_id, s.policy_id, s.signed, s.version_id)
             > (coalesce(after[1]::uuid, ${NIL}), after[2]::uuid, after[3]::uuid, after[4]::timestamptz, after[5]::uuid)
       order by s.company_id, s.learner_id, s.policy_id, s.signed, s.version_id limit 1;
      if company is null then
        return null;
      end if;
      if after[1]::uuid is distinct from company then
        after := array[company::text, ${NIL}];
      end if;
      select array[b.company_id, b.learner_id, b.policy_id, b.signed, b.version_id]::text[] into last
        from (select * from signatures s where ${isAfter('s')}
               order by s.learner_id, s.policy_id, s.signed, s.version_id limit max_rows) as b
       order by b.learner_id desc, b.policy_id desc, b.signed desc, b.version_id desc limit 1;

      update signatures s set orphaned_at = now()
       where ${isInRange('s')} and s.orphaned_at is null
         and (not exists (select from learners l where l.company_id = company and l.id = s.learner_id)
              or not exists (select from policies p where p.company_id = company and p.id = s.policy_id));
      ${deleteOrphaned('signature_names')}
      ${deleteOrphaned('signature_events')}
      delete from signatures s where ${isInRange('s')} and s.orphaned_at < ends;
      return last;
    end $$;

    revoke all on function guard_signatures, record_signature, purge_signatures from public;
    grant execute on function purge_signatures to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table signature_defaults, signature_events, signature_names, signatures, policy_results cascade;
    drop function purge_signatures, record_signature, guard_signatures cascade;`);
}
