import type { Knex } from 'knex';

/** A table for which former versions of rows are kept. */
interface Versioned {
  table: string;
  versions: string;
  /** The column of the company or owner, and the other columns of the key. */
  key: string[];
  /** The key columns of the versions table, if their names differ from `key`. */
  versionKey?: string[];
  /** Columns besides the key. A change of one creates a new version. */
  columns: string[];
  /** The changes that create a version. A learner's versions are deleted with the learner. */
  on: ('update' | 'delete')[];
  /** The condition that a row `r` is only a copy of another one, which keeps the version. */
  isCopy?: string;
}

// The emails of an attempt are recorded in `enrollments` only, so a version of its copy would hide them.
const IS_COPY = `(select e.learner_id from enrollments e
                       where e.company_id = r.company_id and e.learner_id = r.learner_id and e.course_id = r.course_id
                         and e.attempt_id = r.attempt_id and e.recorded_at = r.recorded_at limit 1) is not null`;

const ATTEMPT = [
  ...['attempt_id', 'attempt', 'course_owner_id', 'enroll_date', 'start_date', 'finish_date', 'score', 'passed'],
  ...['asked_at', 'reminder_sent_at', 'mail_failed_at'],
];

const VERSIONED: Versioned[] = [
  {
    table: 'learners',
    versions: 'learner_versions',
    key: ['company_id', 'id'],
    versionKey: ['company_id', 'learner_id'],
    columns: ['email', 'first_name', 'last_name', 'external_learner_id', 'inactive'],
    on: ['update'],
  },
  {
    table: 'groups',
    versions: 'group_versions',
    key: ['company_id', 'id'],
    versionKey: ['company_id', 'group_id'],
    columns: ['name'],
    on: ['update', 'delete'],
  },
  {
    table: 'group_learners',
    versions: 'membership_versions',
    key: ['company_id', 'group_id', 'learner_id'],
    columns: [],
    on: ['delete'],
  },
  ...['enrollments', 'enrollment_attempts'].map((table) => ({
    table,
    versions: 'attempt_versions',
    key: ['company_id', 'learner_id', 'course_id'],
    columns: ATTEMPT,
    on: ['update', 'delete'] as Versioned['on'],
    ...(table === 'enrollment_attempts' && { isCopy: IS_COPY }),
  })),
  {
    table: 'policy_results',
    versions: 'policy_result_versions',
    key: ['company_id', 'learner_id', 'policy_id'],
    columns: [
      ...['assigned_at', 'asked_at', 'reminded_at', 'sent_version_id', 'visited_at', 'visited_version_id', 'signed'],
    ],
    on: ['update', 'delete'],
  },
  {
    table: 'courses',
    versions: 'course_versions',
    key: ['owner_id', 'id'],
    versionKey: ['owner_id', 'course_id'],
    columns: ['name', 'difficulty'],
    on: ['update'],
  },
];

/**
 * Creates the former versions of learners, groups, memberships, attempts, policy results and courses, from which
 * reports on a past day are computed.
 *
 * A row has `recorded_at`, the time of its last change. If it is changed or deleted, a trigger copies it to the table
 * of versions, with the time of the change as `superseded_at`. So a version was in force from `recorded_at` until
 * `superseded_at`. The state at any time consists of the versions in force at that time, and the current rows recorded
 * before it. Both times are the start times of transactions. Changes of one transaction therefore have the same time,
 * and a transaction that is open at midnight belongs to the day on which it began.
 */
export async function up(knex: Knex): Promise<void> {
  for (const { table } of VERSIONED)
    await knex.raw(`alter table ${table} add column recorded_at timestamptz(3) not null default now()`);
  await knex.raw(`
    create table learner_versions (
      company_id uuid not null,
      learner_id uuid not null,
      email text not null,
      first_name text not null,
      last_name text not null,
      external_learner_id text,
      inactive boolean not null,
      recorded_at timestamptz(3) not null,
      superseded_at timestamptz(3) not null,
      primary key (company_id, learner_id, superseded_at),
      constraint learner_versions_learner foreign key (company_id, learner_id) references learners on delete cascade,
      check (recorded_at < superseded_at)
    );

    -- No foreign key to groups, because a report shows a group even if it was deleted later.
    create table group_versions (
      company_id uuid not null references companies (id),
      group_id uuid not null,
      name text not null,
      recorded_at timestamptz(3) not null,
      superseded_at timestamptz(3) not null,
      primary key (company_id, group_id, superseded_at),
      check (recorded_at < superseded_at)
    );

    create table membership_versions (
      company_id uuid not null,
      group_id uuid not null,
      learner_id uuid not null,
      recorded_at timestamptz(3) not null,
      superseded_at timestamptz(3) not null,
      primary key (company_id, group_id, learner_id, superseded_at),
      constraint membership_versions_learner foreign key (company_id, learner_id) references learners on delete cascade,
      check (recorded_at < superseded_at)
    );
    create index membership_versions_of_learner on membership_versions (company_id, learner_id);

    -- An attempt can be in both tables of attempts at once, so that versions of it can be superseded together.
    create table attempt_versions (
      company_id uuid not null,
      learner_id uuid not null,
      course_id uuid not null,
      attempt_id uuid not null,
      attempt smallint not null,
      course_owner_id uuid not null,
      enroll_date date not null,
      start_date date,
      finish_date date,
      score numeric(5,2),
      passed boolean,
      asked_at timestamptz(3),
      reminder_sent_at timestamptz(3),
      mail_failed_at timestamptz(3),
      recorded_at timestamptz(3) not null,
      superseded_at timestamptz(3) not null,
      primary key (company_id, learner_id, course_id, attempt_id, superseded_at, recorded_at),
      constraint attempt_versions_learner foreign key (company_id, learner_id) references learners on delete cascade,
      check (recorded_at < superseded_at)
    );

    create table policy_result_versions (
      company_id uuid not null,
      learner_id uuid not null,
      policy_id uuid not null,
      assigned_at timestamptz(3),
      asked_at timestamptz(3),
      reminded_at timestamptz(3),
      sent_version_id uuid,
      visited_at timestamptz(3),
      visited_version_id uuid,
      signed timestamptz(3),
      recorded_at timestamptz(3) not null,
      superseded_at timestamptz(3) not null,
      primary key (company_id, learner_id, policy_id, superseded_at),
      constraint policy_result_versions_learner foreign key (company_id, learner_id) references learners
        on delete cascade,
      check (recorded_at < superseded_at)
    );

    -- Published versions that were removed. A version that was removed without its policy had been recorded by mistake.
    create table removed_policy_versions (
      company_id uuid not null references companies (id),
      policy_id uuid not null,
      version_id uuid not null,
      name text not null,
      published_at timestamptz(3) not null,
      -- Time at which the version was recorded, even if the service published it.
      recorded_at timestamptz(3) not null,
      removed_at timestamptz(3) not null default now(),
      is_policy_removed boolean not null,
      primary key (company_id, policy_id, version_id, removed_at)
    );
    create function keep_policy_versions_removed() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      insert into removed_policy_versions (company_id, policy_id, version_id, name, published_at, recorded_at,
                                           is_policy_removed)
      select r.company_id, r.policy_id, r.id, r.name, r.published_at, coalesce(r.recorded_at, r.published_at),
             (select p.id from policies p where p.company_id = r.company_id and p.id = r.policy_id) is null
        from removed r;
      return null;
    end $$;
    revoke all on function keep_policy_versions_removed from public;
    create trigger policy_versions_removed after delete on policy_versions referencing old table as removed
      for each statement execute function keep_policy_versions_removed();

    create table course_versions (
      owner_id uuid not null,
      course_id uuid not null,
      name text not null,
      difficulty smallint not null,
      recorded_at timestamptz(3) not null,
      superseded_at timestamptz(3) not null,
      primary key (owner_id, course_id, superseded_at),
      constraint course_versions_course foreign key (owner_id, course_id) references courses on delete cascade,
      check (recorded_at < superseded_at)
    );
    alter table course_versions enable row level security;
    create policy managed_and_own on course_versions for select to awareness_service
      using (owner_id = managed_catalogue() or owner_id = current_company());
    create policy own_added on course_versions for insert to awareness_service
      with check (owner_id = current_company());
    grant select, insert on course_versions to awareness_service;

    create function record_version() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      new.recorded_at := greatest(now(), old.recorded_at);
      return new;
    end $$;
    revoke all on function record_version from public;`);
  const tables = ['learner_versions', 'group_versions', 'membership_versions', 'attempt_versions'];
  for (const versions of [...tables, 'policy_result_versions', 'removed_policy_versions']) {
    await knex.raw(`
      alter table ${versions} enable row level security;
      create policy own_company on ${versions} to awareness_service
        using (company_id = current_company()) with check (company_id = current_company());
      grant select, insert on ${versions} to awareness_service`);
  }
  for (const versioned of VERSIONED) {
    if (versioned.on.includes('update')) await knex.raw(keepOnUpdate(versioned));
    if (versioned.on.includes('delete')) await knex.raw(keepOnDelete(versioned));
  }
}

/** The names of these triggers come last: the other triggers have made their changes when these run. */
function keepOnUpdate({ table, versions, key, versionKey = key, columns, isCopy }: Versioned): string {
  const all = [...key, ...columns];
  // A comparison of rows would be nested differently after a restoration from a dump.
  const isChanged = columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');
  return `
    create trigger ${table}_versioned before update on ${table}
      for each row when (${isChanged}) execute function record_version();
    -- Postgres plans the join for the first statement of a session. With the nested loop that is best for one row, a bulk
    -- statement would read all changed rows for each of them.
    create function keep_${table}_updated() returns trigger
      language plpgsql set search_path = public, pg_temp set enable_nestloop = off as $$
    begin
      insert into ${versions} (${[...versionKey, ...columns].join(', ')}, recorded_at, superseded_at)
      select ${all.map((column) => `r.${column}`).join(', ')}, r.recorded_at, a.recorded_at
        from removed r join added a on ${key.map((column) => `a.${column} = r.${column}`).join(' and ')}
       where a.recorded_at > r.recorded_at${isCopy ? ` and not ${isCopy}` : ''}
      on conflict do nothing;
      return null;
    end $$;
    revoke all on function keep_${table}_updated from public;
    create trigger ${table}_versions_kept after update on ${table} referencing old table as removed new table as added
      for each statement execute function keep_${table}_updated()`;
}

function keepOnDelete({ table, versions, key, versionKey = key, columns, isCopy }: Versioned): string {
  const ofLearner = key.includes('learner_id')
    ? 'and (select l.id from learners l where l.company_id = r.company_id and l.id = r.learner_id limit 1) is not null'
    : '';
  return `
    create function keep_${table}_deleted() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      insert into ${versions} (${[...versionKey, ...columns].join(', ')}, recorded_at, superseded_at)
      select ${[...key, ...columns].map((column) => `r.${column}`).join(', ')}, r.recorded_at, now()
        from removed r
       where r.recorded_at < now()::timestamptz(3) ${ofLearner}${isCopy ? ` and not ${isCopy}` : ''}
      on conflict do nothing;
      return null;
    end $$;
    revoke all on function keep_${table}_deleted from public;
    create trigger ${table}_versions_kept_deleted after delete on ${table} referencing old table as removed
      for each statement execute function keep_${table}_deleted()`;
}

export async function down(knex: Knex): Promise<void> {
  for (const { table, on } of VERSIONED)
    for (const change of on) await knex.raw(`drop function keep_${table}_${change}d cascade`);
  await knex.raw(`
    drop function record_version cascade;
    drop function keep_policy_versions_removed cascade;
    drop table course_versions, removed_policy_versions, policy_result_versions, attempt_versions, membership_versions,
      group_versions, learner_versions`);
  for (const { table } of VERSIONED) await knex.raw(`alter table ${table} drop column recorded_at`);
}
