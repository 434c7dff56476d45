import pg from 'pg';
import { adminId, companies, groupId, id, learnerId, managedCourses, ownCourseId } from '../support/world.ts';
import { identityProviderId } from '../support/world-identity-providers.ts';
import { learnerImportId } from '../support/world-imports.ts';

/** Enough rows that reading all of them costs many times more than finding one. */
const MANY = 20_000;
/** Maximum number of copies in the tables with fewer rows. */
const MAX_SOME = 5000;

/**
 * Gives `tenant` most rows of every table of a database, then analyzes. The rows are copies of the test world's, inserted
 * without triggers and foreign keys in a few seconds. Test files that need statistics of all rows clone the result with
 * `"TEST_DATABASE": "grown"`.
 */
export async function growTenant(database: string, { analyze = true, many = MANY } = {}): Promise<void> {
  const size = { many, some: Math.min(MAX_SOME, many) };
  const url = new URL(process.env.TEST_ADMIN_URL!);
  url.pathname = database;
  const admin = new pg.Client(url.href);
  await admin.connect();
  try {
    await admin.query(`set session_replication_role = replica; ${firstRows(size)}`);
    for (const copies of COPIES) await insertCopies(admin, size, copies);
    await admin.query('insert into company_seats select id, 0 from companies on conflict do nothing');
    await admin.query('insert into company_figures select id, now() from companies on conflict do nothing');
    await admin.query('insert into event_readers select id, now() from companies on conflict do nothing');
    await admin.query(KEPT_FIGURES);
    if (analyze) await admin.query('analyze');
  } finally {
    await admin.end();
  }
}

/** Numbers of copies: in most tables, and in those with fewer rows. */
interface Size {
  many: number;
  some: number;
}

const OF_TENANT = `company_id = '${companies.tenant}'`;
const BREACH = id('e', 0);

/** A message that tests must create themselves, because the test world has none. */
export const MESSAGE = id('d', 1);

/** First rows for tables that the test world leaves empty. */
const firstRows = ({ many, some }: Size): string => `
  update learners set department = 'Sales' where company_id = '${companies.tenant}';
  insert into messages (company_id, id, kind, learner_id, subject_ids)
  values ('${companies.tenant}', '${MESSAGE}', 'course_reminder', '${learnerId('tenant', 1)}', '{}');
  insert into mail_bounces (company_id, id, event_id, learner_id, address_hash, class, reason, source, occurred_at)
  select '${companies.tenant}', gen_random_uuid(), 'bounce-' || n,
         (select id from learners where ${OF_TENANT} order by id offset n % 2 limit 1), sha256('address'), 'soft',
         'mailbox_full', 'mailbox', now() from generate_series(1, ${many}) as n;
  insert into signature_events (company_id, event_id, learner_id, policy_id, signed, version_id, offline)
  select company_id, 'first', learner_id, policy_id, signed, version_id, true from signatures
   where company_id = '${companies.tenant}' limit 1;
  insert into directory_learners
  values ('${companies.tenant}', '${learnerId('tenant', 1)}', 'first', 'first', 'external', 'First', now());
  insert into used_assertions values ('${companies.tenant}', '${identityProviderId('tenant')}', sha256('first'), now());
  insert into directory_groups values ('${companies.tenant}', '${groupId('tenant', 1)}', 'external');
  insert into deprecated_uses (company_id, api_key_id, operation_id, part)
  select '${companies.tenant}', gen_random_uuid(), 'listCourses', 'operation' from generate_series(1, ${some});
  insert into risk_history values ('${companies.tenant}', '2020-01-01', 10, 1, 0, 0, 0);
  insert into learner_risks values ('${companies.tenant}', '${learnerId('tenant', 1)}', '2020-01-01', 10);
  insert into group_risks values ('${companies.tenant}', '${groupId('tenant', 1)}', '2020-01-01', 2, null, 10);
  insert into company_settings select case when n > 1 then gen_random_uuid() else '${companies.tenant}' end, 5
    from generate_series(1, ${many}) as n;
  insert into sync_index (company_id, transaction_id, kind, id, at, ids, targets)
  select '${companies.tenant}', '5', kind, gen_random_uuid(), now(), array[gen_random_uuid()], array[gen_random_uuid()]
    from unnest(array['person', 'learner', 'group', 'enrollment', 'policy_result']) as k (kind);
  insert into events (company_id, transaction_id, type, data) values ('${companies.tenant}', '5', 'group.created', '{}');
  insert into enrollment_attempts (company_id, learner_id, course_id, attempt_id, attempt, course_owner_id, enroll_date,
                                   start_date, finish_date, score, passed)
  select company_id, learner_id, course_id, new_id(), 1, course_owner_id, enroll_date, enroll_date, enroll_date, 50, false
    from enrollments where company_id = '${companies.tenant}' limit 1;
  insert into course_result_events (company_id, event_id, learner_id, course_id, course_owner_id, finished_at)
  select '${companies.tenant}', 'result-' || n, case when n > 2000 then gen_random_uuid() else '${learnerId('tenant', 1)}' end,
         '${ownCourseId('tenant')}', '${companies.tenant}', now() from generate_series(1, ${many}) as n;
  insert into corrections (company_id, kind, event_id, learner_id, action, reason)
  select company_id, 'course_result', event_id, learner_id, 'void', 'A mistake' from course_result_events
   where company_id = '${companies.tenant}';
  insert into learner_merges (company_id, learner_id, into_learner_id, current_learner_id, email_key, external_learner_id,
                              actor_type, actor_id, moved)
  select '${companies.tenant}', gen_random_uuid(), id, id, 'former' || n || '@tenant.test', 'former-' || n, 'key', 'key', '{}'
    from learners, generate_series(1, ${many}) as n
   where company_id = '${companies.tenant}' and id = '${learnerId('tenant', 1)}';
  insert into learner_merge_records (company_id, merge_id, table_name, is_of_merged, rows)
  select company_id, id, 'messages', true, '[]' from learner_merges where ${OF_TENANT};
  insert into learner_imports (company_id, columns, status, actor_type, actor_id)
  select '${companies.tenant}', '{E-mail}', 'applied', 'key', 'key' from generate_series(1, ${some}) as n;
  insert into board_recipients (company_id, id, schedule_id, name, email)
  select '${companies.tenant}', gen_random_uuid(), gen_random_uuid(), 'Chair', 'chair@tenant.test'
    from generate_series(1, ${some});
  insert into board_reports (company_id, id, schedule_id, due_on, period_from, period_to, drawn_at, created_at)
  select '${companies.tenant}', gen_random_uuid(), gen_random_uuid(), '2026-04-05', '2026-01-06', '2026-04-05', now(),
         '2026-04-05Z' from generate_series(1, ${some});
  insert into board_deliveries (company_id, id, schedule_id, report_id, name, email, token_hash, status, settled_at)
  select '${companies.tenant}', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'Chair', 'chair@tenant.test',
         sha256(n::text::bytea), 'sent', now() from generate_series(1, ${many}) as n;
  insert into learner_import_rows (company_id, import_id, number, cells, learner_id)
  select '${companies.tenant}', case when n > 1000 then gen_random_uuid() else '${learnerImportId('tenant')}' end, n + 1, '[]',
         gen_random_uuid() from generate_series(1, ${many}) as n;
  insert into campaigns (company_id, id, name, status, everyone, includes_newcomers, keeps_open, start_at, due_days,
                         repeats_yearly)
  select '${companies.tenant}', gen_random_uuid(), 'Another', 'draft', true, true, false, now(), 14, false
    from generate_series(1, ${some}) as n;
  insert into campaign_conditions (company_id, campaign_id, position, excludes, countries)
  select company_id, id, 1, false, '{GB}' from campaigns where ${OF_TENANT};
  insert into campaign_items (company_id, campaign_id, item_id, position, course_owner_id, course_id)
  select company_id, id, '${managedCourses.phishing}', 2, managed_catalogue(), '${managedCourses.phishing}' from campaigns
   where ${OF_TENANT};
  insert into campaign_assignments (company_id, campaign_id, item_id, learner_id, round, due_on, due_at, results_from)
  select c.company_id, c.id, '${managedCourses.phishing}', '${learnerId('tenant', 1)}', n, '2026-03-16', '2026-03-17', '2026-03-02'
    from campaigns c, generate_series(1, 10) as n where c.${OF_TENANT};
  insert into campaign_digests (company_id, time_zone, next_at)
  select '${companies.tenant}', 'Etc/GMT' || n, now() + interval '1 year' from generate_series(1, ${some}) as n;
  insert into campaign_mail_days (company_id, learner_id, mailed_on)
  select company_id, id, '2026-03-02' from learners where ${OF_TENANT} on conflict do nothing;
  insert into campaign_changes (company_id, learner_id)
  select '${companies.tenant}', gen_random_uuid() from generate_series(1, ${some});
  insert into group_versions (company_id, group_id, name, recorded_at, superseded_at)
  select '${companies.tenant}', gen_random_uuid(), 'Former', now() - interval '1 day', now() from generate_series(1, ${some});
  insert into membership_periods (company_id, group_id, learner_id, first_day, last_day)
  select '${companies.tenant}', case when n > 300 then gen_random_uuid() else '${groupId('tenant', 1)}' end,
         gen_random_uuid(), date '2020-01-01' + n % 1000, date '2024-01-01'
    from generate_series(1, ${many}) as n;
  insert into removed_policy_versions (company_id, policy_id, version_id, name, published_at, recorded_at, is_policy_removed)
  select '${companies.tenant}', gen_random_uuid(), gen_random_uuid(), 'Removed', now(), now(), true
    from generate_series(1, ${some});
  insert into course_progress (company_id, learner_id, course_id, attempt_id, begun_at, parts)
  select company_id, learner_id, course_id, attempt_id, now(), '{}' from enrollments where ${OF_TENANT} limit 1;
  insert into auto_enrolled_courses (company_id, course_id, course_owner_id)
  select case when n > 20 then gen_random_uuid() else '${companies.tenant}' end, gen_random_uuid(), managed_catalogue()
    from generate_series(1, ${some}) as n;
  insert into course_contents (company_id, course_id, state, revision, files, size_bytes, saved_at)
  select '${companies.tenant}', gen_random_uuid(), 'draft', gen_random_uuid(), '{}', 2, now() from generate_series(1, ${some}) as n;
  insert into course_packages (company_id, id, course_id, sha256, standard, launch_path, size_bytes, unpacked_bytes, file_count)
  select company_id, gen_random_uuid(), gen_random_uuid(), sha256, standard, launch_path, size_bytes, unpacked_bytes, 1
    from course_packages, generate_series(1, ${some}) where company_id = '${companies.tenant}';
  insert into package_contents (company_id, sha256, content)
  select '${companies.tenant}', sha256(n::text::bytea), '' from generate_series(1, ${some}) as n;
  insert into package_files (company_id, package_id, path, path_key, content_type, size_bytes, packed_offset, packed_bytes, is_deflated)
  select '${companies.tenant}', gen_random_uuid(), 'index.html', 'index.html', 'text/html', 1, 1, 1, false
    from generate_series(1, ${many}) as n;
  insert into package_progress (company_id, learner_id, course_id, attempt_id, package_id, begun_at, state, token_hash, opened_at)
  select '${companies.tenant}', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), '{}',
         sha256(n::text::bytea), now() from generate_series(1, ${many}) as n;
  insert into simulation_templates (owner_id, id, name, delivery_method, difficulty, locales, content)
  select '${companies.tenant}', gen_random_uuid(), 'Parcel notice', 'email', 1, '{en}', '{}' from generate_series(1, ${some});
  insert into simulation_events (company_id, event_id, simulation_id, learner_id, type, occurred_at, evidence)
  select company_id, 'event-' || n, simulation_id, learner_id, 'opened', now(), jsonb_build_object('address', '10.0.' || n % 200 || '.1')
    from generate_series(1, 20000) as n
   cross join lateral (select * from simulation_recipients where company_id = '${companies.tenant}' limit 1) as r;
  insert into simulation_versions (company_id, simulation_id, name, status, delivery_method, superseded_at)
  select '${companies.tenant}', gen_random_uuid(), 'Former', 'draft', 'email', now() from generate_series(1, ${some});
  insert into simulation_recipient_versions (company_id, learner_id, simulation_id, superseded_at)
  select company_id, learner_id, simulation_id, now() from simulation_recipients where ${OF_TENANT} limit 1;
  insert into former_recipient_versions (company_id, simulation_id, id, superseded_at)
  select '${companies.tenant}', gen_random_uuid(), gen_random_uuid(), now() from generate_series(1, ${some});
  insert into simulation_domains (company_id, id, domain, challenge)
  select '${companies.tenant}', gen_random_uuid(), 'added' || n || '.test', '' from generate_series(1, ${some}) as n;
  insert into simulation_exclusions (company_id, id, learner_id)
  select '${companies.tenant}', gen_random_uuid(), gen_random_uuid() from generate_series(1, ${some});
  insert into simulation_settings (company_id, header_secret)
  select case when n > 1 then gen_random_uuid() else '${companies.tenant}' end, '' from generate_series(1, ${many}) as n;
  insert into audit_log (company_id, occurred_at, actor_type, actor_id, actor_company_id, operation, outcome, targets, fields)
  select '${companies.tenant}', now() - n * interval '1 minute', 'key', 'key', '${companies.tenant}', 'createGroup', 'done', '[]', '{}'
    from generate_series(1, ${many}) as n;
  insert into idempotency_keys (company_id, key_hash, fingerprint)
  select '${companies.tenant}', sha256(n::text::bytea), sha256('asked') from generate_series(1, ${many}) as n;
  insert into sign_in_links (company_id, token_hash, learner_id, expires_at)
  values ('${companies.tenant}', sha256('link'), '${learnerId('tenant', 1)}', now() + interval '1 day');
  insert into person_sessions (company_id, token_hash, learner_id, expires_at, method)
  values ('${companies.tenant}', sha256('session'), '${learnerId('tenant', 1)}', now() + interval '1 day', 'sign_in_link');
  insert into sign_ins (company_id, occurred_at, kind, person_id, method, reason)
  select '${companies.tenant}', now() - n * interval '1 minute', 'learner', '${learnerId('tenant', 1)}', 'sign_in_link',
         case when n % 3 = 0 then 'link_used' end
    from generate_series(1, ${many}) as n;
  insert into passkeys (company_id, id, admin_id, credential_id, public_key, counter, name)
  values ('${companies.tenant}', '${id('e', 0x9000)}', '${adminId('tenant', 1)}', sha256('passkey'), '', 0, 'Laptop');
  insert into provider_identities (company_id, provider_id, kind, subject, person_id, learner_id)
  values ('${companies.tenant}', '${identityProviderId('tenant')}', 'learner', 'subject', '${learnerId('tenant', 1)}',
          '${learnerId('tenant', 1)}');
  insert into certificates (company_id, learner_id, attempt_id, number, course_name, finish_date)
  values ('${companies.tenant}', '${learnerId('tenant', 1)}', gen_random_uuid(), '0123456789ABCDEFGHJK', 'Course', '2026-05-04');
  insert into breaches values ('${BREACH}', 'Breach', 'Breach', 'Website', null, '{}');
  insert into breached_accounts values ('tenant.test', 'learner1@tenant.test', '${BREACH}');`;

/** Replaces the running totals by those of the copies, for which no trigger ran. */
const KEPT_FIGURES = `
  delete from running_totals where ${OF_TENANT};
  insert into running_totals (company_id, subject_id, kind, assigned)
  select company_id, course_id, 'course', count(*) from enrollments where ${OF_TENANT} group by 1, 2
  union all
  select company_id, policy_id, 'policy', count(assigned_at) from policy_results where ${OF_TENANT} group by 1, 2
  union all
  select company_id, group_id, 'group', count(*) from group_learners where ${OF_TENANT} group by 1, 2`;

/** A table, the number of copies, the kind of their own ids, if any, and the rows to copy from. */
type Copies = [table: string, times: keyof Size, kind?: string, of?: string];
const COPIES: Copies[] = [
  ['companies', 'some', 'c', `id = '${companies.other}'`],
  ['learners', 'many', '1'],
  ['roles', 'some', '3'],
  ['admins', 'some', '3'],
  ['identity_providers', 'some', '3'],
  ['provider_identities', 'many'],
  ['used_assertions', 'some'],
  ['groups', 'some', '2'],
  ['group_learners', 'many'],
  ['group_managers', 'some'],
  ['directory_learners', 'many'],
  ['directory_groups', 'some'],
  ['courses', 'some', '5', `owner_id = '${companies.tenant}'`],
  ['enrollments', 'many'],
  ['enrollment_attempts', 'many'],
  ['course_progress', 'many'],
  ['messages', 'many', 'd'],
  ['file_contents', 'some'],
  ['policy_files', 'some', '8'],
  ['policies', 'some', '6'],
  ['policy_versions', 'some', '7'],
  ['policy_drafts', 'some'],
  ['policy_results', 'many', 'b'],
  ['signatures', 'many'],
  ['signature_names', 'many'],
  ['signature_events', 'many'],
  ['policy_templates', 'some', '9'],
  ['policy_template_drafts', 'some'],
  ['simulations', 'some', 'a'],
  ['simulation_recipients', 'many', 'b'],
  ['simulation_recipient_versions', 'many'],
  ['risk_history', 'some'],
  ['learner_risks', 'many'],
  ['group_risks', 'some'],
  ['board_schedules', 'some', 'e'],
  ['sources', 'some', 'e'],
  ['sync_index', 'many', '4'],
  ['events', 'many', '4'],
  ['webhook_endpoints', 'some', 'e'],
  ['sign_in_links', 'many'],
  ['person_sessions', 'many', undefined, `${OF_TENANT} and learner_id is not null`],
  ['passkeys', 'some', 'e'],
  ['certificates', 'many'],
  ['breaches', 'some', 'e', 'true'],
  ['breached_accounts', 'many', undefined, 'true'],
];

/** The columns that differ in copy `n`, for the tables that have them. */
const changesOf = ({ some }: Size): Record<string, string> => ({
  email: `'added' || n || '@tenant.test'`,
  email_key: `'added' || n || '@tenant.test'`,
  name: `'added ' || n`,
  subject: `'added ' || n`,
  external_learner_id: `'added-' || n`,
  user_name: `'added' || n || '@tenant.test'`,
  user_name_key: `'added' || n || '@tenant.test'`,
  event_id: `'added-' || n`,
  sha256: 'sha256(n::text::bytea)',
  token_hash: 'sha256(n::text::bytea)',
  assertion_hash: 'sha256(n::text::bytea)',
  credential_id: 'sha256(n::text::bytea)',
  date: `date '2020-01-01' + n`,
  learner_id: idOf('1', 'n'),
  person_id: idOf('1', 'n'),
  group_id: idOf('2', `n % ${some}`),
  policy_id: idOf('6', `n % ${some}`),
  live_version_id: idOf('7', 'n'),
  template_id: idOf('9', 'n'),
  simulation_id: idOf('a', `n % ${some}`),
  breach_id: idOf('e', `n % ${some}`),
});

/** The columns that differ only in the copies of one table. An admin has few passkeys. */
const OWN_CHANGES: Record<string, Record<string, string>> = { passkeys: { admin_id: idOf('3', 'n') } };

async function insertCopies(admin: pg.Client, size: Size, [table, times, kind, of = OF_TENANT]: Copies): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const columns = rows.map(({ name }) => name);
  const changes: Record<string, string> = {
    ...changesOf(size),
    ...OWN_CHANGES[table],
    ...(kind && { id: idOf(kind, 'n') }),
  };
  await admin.query(`insert into ${table} (${columns.join(', ')})
    select ${columns.map((column) => changes[column] ?? `original.${column}`).join(', ')}
      from (select * from ${table} where ${of} order by 1, 2 limit 1) as original, generate_series(1, ${size[times]}) as n`);
}

/** Returns an SQL expression for an id like the test world's, in a free range. */
function idOf(kind: string, number: string): string {
  return `('0192a3b4-0000-7000-8000-${kind}' || lpad(to_hex(${number} + 65536), 11, '0'))::uuid`;
}
