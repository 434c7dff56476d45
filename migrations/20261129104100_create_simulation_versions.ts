import type { Knex } from 'knex';

const TABLES = ['simulation_versions', 'simulation_recipient_versions', 'former_recipient_versions'];

const MILESTONES = ['sent_at', 'opened_at', 'visited_at', 'compromised_at', 'reported_at'];
const TIMES = [...MILESTONES, 'failed_at'];
const SIMULATION = ['name', 'status', 'delivery_method', 'start_date', 'end_date'];
const RECIPIENT = ['scheduled_at', ...TIMES, 'withdrawn_at', 'withdrawn_because'];

const isChanged = (column: string): string => `old.${column} is distinct from new.${column}`;

/**
 * Condition that a time changed in a way that reports cannot derive from the new time. A first time that was recorded
 * at once needs no version, because every day before it ended without it. Days begin at a full quarter of an hour in
 * every time zone.
 */
function isChangedLate(column: string): string {
  const quarter = (time: string) => `date_bin('15 minutes', ${time}, timestamptz '2000-01-01Z')`;
  return `${isChanged(column)} and (old.${column} is not null or ${quarter(`new.${column}`)} <> ${quarter('now()')})`;
}

/**
 * Creates the former versions of simulations and recipients, from which reports on a past day are computed.
 *
 * A version was in force until `superseded_at`, and since the version before it or the creation of the row. Both times
 * are the start times of transactions. The milestones of former recipients keep their versions, without anything that
 * identifies the learner. Recipients that already exist count as recorded by this migration.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table simulation_recipients add column created_at timestamptz(3) not null default now();
    alter table former_recipients add column created_at timestamptz(3) not null default now();

    create table simulation_versions (
      company_id uuid not null,
      simulation_id uuid not null,
      name text not null,
      status text not null,
      delivery_method text not null,
      start_date timestamptz(3),
      end_date timestamptz(3),
      superseded_at timestamptz(3) not null,
      primary key (company_id, simulation_id, superseded_at),
      constraint simulation_versions_simulation foreign key (company_id, simulation_id)
        references simulations on delete cascade
    );

    create table simulation_recipient_versions (
      company_id uuid not null,
      learner_id uuid not null,
      simulation_id uuid not null,
      scheduled_at timestamptz(3),
      ${TIMES.map((time) => `${time} timestamptz(3),`).join('\n      ')}
      withdrawn_at timestamptz(3),
      withdrawn_because text,
      superseded_at timestamptz(3) not null,
      primary key (company_id, learner_id, simulation_id, superseded_at),
      constraint simulation_recipient_versions_recipient foreign key (company_id, simulation_id, learner_id)
        references simulation_recipients on delete cascade
    );
    grant update (learner_id) on simulation_recipient_versions to awareness_service;
    create trigger simulation_recipient_versions_learner before update of learner_id on simulation_recipient_versions
      for each row when (new.learner_id is distinct from old.learner_id) execute function guard_learner_of_row();

    create table former_recipient_versions (
      company_id uuid not null,
      simulation_id uuid not null,
      id uuid not null,
      ${MILESTONES.map((time) => `${time} timestamptz(3),`).join('\n      ')}
      superseded_at timestamptz(3) not null,
      primary key (company_id, simulation_id, id, superseded_at),
      constraint former_recipient_versions_recipient foreign key (company_id, simulation_id, id)
        references former_recipients on delete cascade
    );

    -- Keeps one version for each transaction. Leaves out the version of a transaction that began before the last
    -- change, because both changes count as made at the same time.
    create function keep_simulation_version() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      insert into simulation_versions (company_id, simulation_id, ${SIMULATION.join(', ')}, superseded_at)
      select old.company_id, old.id, ${SIMULATION.map((column) => `old.${column}`).join(', ')}, now()
       where old.created_at < now()::timestamptz(3)
         and not exists (select from simulation_versions v
                          where v.company_id = old.company_id and v.simulation_id = old.id
                            and v.superseded_at >= now()::timestamptz(3));
      return null;
    end $$;
    create trigger simulations_version_kept after update on simulations
      for each row when (${SIMULATION.map(isChanged).join(' or ')}) execute function keep_simulation_version();

    create function keep_recipient_version() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      insert into simulation_recipient_versions (company_id, learner_id, simulation_id, ${RECIPIENT.join(', ')},
                                                 superseded_at)
      select old.company_id, new.learner_id, old.simulation_id,
             ${RECIPIENT.map((column) => `old.${column}`).join(', ')}, now()
       where old.created_at < now()::timestamptz(3)
         and not exists (select from simulation_recipient_versions v
                          where v.company_id = old.company_id and v.learner_id = new.learner_id
                            and v.simulation_id = old.simulation_id and v.superseded_at >= now()::timestamptz(3));
      return null;
    end $$;
    create trigger simulation_recipients_version_kept after update on simulation_recipients
      for each row when (${[
        ...['scheduled_at', 'withdrawn_at', 'withdrawn_because'].map(isChanged),
        ...TIMES.map(isChangedLate),
      ].join(' or ')}) execute function keep_recipient_version();

    create or replace function archive_recipient_figures() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    declare
      simulations uuid[];
      ids uuid[];
    begin
      with added as (
        insert into former_recipients (company_id, simulation_id, id, ${MILESTONES.join(', ')}, created_at)
        select r.company_id, r.simulation_id, gen_random_uuid(), ${MILESTONES.map((time) => `r.${time}`).join(', ')},
               r.created_at
          from simulation_recipients r
          join simulations s on s.company_id = r.company_id and s.id = r.simulation_id
         where r.company_id = old.company_id and r.learner_id = old.id
           and (r.sent_at is not null or s.status in ('completed', 'cancelled'))
        returning simulation_id, id
      )
      select array_agg(added.simulation_id), array_agg(added.id) into simulations, ids from added;
      insert into former_recipient_versions (company_id, simulation_id, id, ${MILESTONES.join(', ')}, superseded_at)
      select v.company_id, v.simulation_id, former.id, ${MILESTONES.map((time) => `v.${time}`).join(', ')},
             v.superseded_at
        from simulation_recipient_versions v
        join unnest(simulations, ids) as former (simulation_id, id) on former.simulation_id = v.simulation_id
       where v.company_id = old.company_id and v.learner_id = old.id;
      return old;
    end $$;
    revoke all on function keep_simulation_version, keep_recipient_version from public;

    -- Undoing a merge inserts the stored rows unchanged.
    update learner_merge_records r
       set rows = (select jsonb_agg(kept || jsonb_build_object('created_at', now())) from jsonb_array_elements(r.rows) as kept)
     where r.table_name = 'simulation_recipients';`);
  for (const table of TABLES) {
    await knex.raw(`
      alter table ${table} enable row level security;
      create policy own_company on ${table} to awareness_service
        using (company_id = current_company()) with check (company_id = current_company());
      grant select, insert on ${table} to awareness_service`);
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function archive_recipient_figures() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      insert into former_recipients (company_id, simulation_id, id, sent_at, opened_at, visited_at, compromised_at,
                                     reported_at)
      select r.company_id, r.simulation_id, gen_random_uuid(), r.sent_at, r.opened_at, r.visited_at, r.compromised_at,
             r.reported_at
        from simulation_recipients r
        join simulations s on s.company_id = r.company_id and s.id = r.simulation_id
       where r.company_id = old.company_id and r.learner_id = old.id
         and (r.sent_at is not null or s.status in ('completed', 'cancelled'));
      return old;
    end $$;
    drop function keep_simulation_version, keep_recipient_version cascade;
    drop table ${TABLES.join(', ')};
    alter table former_recipients drop column created_at;
    alter table simulation_recipients drop column created_at;`);
}
