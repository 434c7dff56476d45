import { campaignId } from '../support/world-campaigns.ts';
import {
  adminId,
  type CompanyName,
  companies,
  groupId,
  learnerId,
  managedCourses,
  spareKeyId,
} from '../support/world.ts';
import { learnerImportId } from '../support/world-imports.ts';
import { policyId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';

const numbered = (kind: string) => `('0192b00${kind}-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

/**
 * Adds rows number `first` to `last` to all tables of a company. Most rows of a table are alike except for their ids.
 * In lists ordered by id, each row comes after the rows with lower numbers. Then analyzes: planned with the statistics of
 * the few earlier rows, the statements of paged-statements.test.ts cost Postgres 36 s instead of 22 s (2026-12-01).
 */
export async function addRows(company: CompanyName, first: number, last: number): Promise<void> {
  for (const text of insertsOf(company, `generate_series(${first}, ${last}) as n`)) await testService.query(text);
  await testService.query('analyze');
}

function insertsOf(company: CompanyName, series: string): string[] {
  const own = `'${companies[company]}'::uuid`;
  const learner = learnerId(company, 1);
  const many = `company_id = ${own} and email like 'many%'`;
  return [
    `insert into learners (company_id, id, email, first_name, last_name, inactive, department)
     select ${own}, ${numbered('0')}, 'many' || n || '@many.test', 'Zoë 🦊', 'No ' || n, n % 7 = 0,
            case when n % 2 = 0 then 'Sales' else ' SÁLES' end
       from ${series} order by random()`,
    `update learners set department = 'Sales' where company_id = ${own} and id = '${learner}'`,
    `insert into groups (company_id, id, name) select ${own}, ${numbered('1')}, 'Numbered ' || n from ${series}`,
    `insert into admins (company_id, id, email, first_name, last_name, status)
     select ${own}, ${numbered('2')}, 'same' || n || '@msp.test', 'Same', 'Name', 'active' from ${series}`,
    `insert into passkeys (company_id, id, admin_id, credential_id, public_key, counter, name)
     select ${own}, ${numbered('a')}, '${adminId(company, 2)}', ('same' || n || ' of ${company}')::bytea, 'same', 0, 'Same'
       from ${series}`,
    ...[`admin_id, '${adminId(company, 2)}'`, `learner_id, '${learner}'`].map(
      (
        person,
      ) => `insert into person_sessions (company_id, token_hash, expires_at, id, method, ${person.split(', ')[0]})
     select ${own}, sha256((n || '${person.slice(0, 5)} of ${company}')::bytea), '2099-01-01Z', ${numbered('b')}, 'setup',
            ${person.split(', ')[1]}
       from ${series}`,
    ),
    `insert into sign_ins (company_id, id, occurred_at, kind, person_id, method, reason)
     select ${own}, ${numbered('b')}, '2026-03-02Z', case when n % 2 = 0 then 'admin' else 'learner' end,
            case when n % 2 = 0 then '${adminId(company, 2)}'::uuid else '${learner}' end, 'same',
            case when n % 2 = 1 then 'link_used' end
       from ${series}`,
    `insert into messages (company_id, id, kind, learner_id, subject_ids)
     select ${own}, ${numbered('b')}, 'course_reminder', '${learner}', array[${numbered('b')}] from ${series}`,
    `insert into mail_bounces (company_id, id, event_id, learner_id, address_hash, class, reason, source, occurred_at)
     select ${own}, ${numbered('b')}, 'same' || n, '${learner}', sha256('same'), 'blocked', 'blocked', 'mailbox', '2026-03-02Z'
       from ${series}`,
    `insert into simulations (company_id, id, name, status, delivery_method, start_date)
     select ${own}, ${numbered('3')}, 'Same', 'running', 'email', '2026-01-01Z' from ${series}`,
    `insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, sent_at)
     select ${own}, s.id, l.id, '2030-01-01Z', case when l.id = '${learner}' then null else timestamptz '2030-01-01Z' end
       from simulations s, learners l where s.company_id = ${own} and l.company_id = ${own} and s.name = 'Same'
        and l.id in ('${learner}', '${learnerId(company, 2)}')
     on conflict do nothing`,
    `insert into simulation_recipients (company_id, simulation_id, learner_id)
     select ${own}, '${simulationId(company, 2)}', id from learners where ${many} on conflict do nothing`,
    `update simulation_recipients set sent_at = '2026-03-02Z', compromised_at = '2026-03-02Z', reported_at = '2026-03-02Z'
      where company_id = ${own} and simulation_id = '${simulationId(company, 2)}' and sent_at is null`,
    `insert into simulation_events (company_id, event_id, simulation_id, learner_id, type, occurred_at, evidence)
     select ${own}, 'same' || n, '${simulationId(company, 2)}', ${numbered('0')}, 'visited', '2026-03-02Z', '{}' from ${series}`,
    `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
     select ${own}, ${numbered('4')}, 'training', 'Same', 'Same', 'Same', 1, 80, '{en}' from ${series}`,
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     select ${own}, '${learner}', id, ${own}, '2026-03-02' from courses where owner_id = ${own} and name = 'Same'
     on conflict do nothing`,
    ...[managedCourses.passwords, managedCourses.gapAnalysis].map(
      (course) => `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     select ${own}, id, '${course}', managed_catalogue(), '2026-03-02' from learners where ${many} on conflict do nothing`,
    ),
    `insert into course_result_events (company_id, event_id, learner_id, course_id, course_owner_id, started_at)
     select ${own}, 'same' || n, '${learner}', '${managedCourses.passwords}', managed_catalogue(), '2026-03-02Z' from ${series}`,
    `insert into corrections (company_id, id, kind, event_id, learner_id, action, reason)
     select ${own}, ${numbered('b')}, 'course_result', 'same' || n, '${learner}', 'restore', 'Same' from ${series}`,
    `insert into learner_merges (company_id, id, learner_id, into_learner_id, current_learner_id, email_key, actor_type,
                                 actor_id, moved)
     select ${own}, ${numbered('b')}, ${numbered('b')}, '${learner}', '${learner}', 'same', 'key', 'same', '{}' from ${series}`,
    `insert into learner_imports (company_id, id, columns, status, counts, actor_type, actor_id)
     select ${own}, ${numbered('b')}, '{Same}', 'applied', '{"rows":0,"new":0,"changed":0,"unchanged":0,"rejected":0,"skipped":0}',
            'key', 'same' from ${series}`,
    `insert into board_schedules (company_id, id, name, language, period, day, month, is_paused, next_on)
     select ${own}, ${numbered('b')}, 'Same', 'en', 'month', 1, 1, true, '2026-05-01' from ${series}`,
    `insert into board_deliveries (company_id, id, schedule_id, report_id, name, email, status, created_at, settled_at)
     select ${own}, ${numbered('b')}, schedule_id, report_id, 'Same', 'same' || n || '@same.test', 'sent', '2026-05-01Z',
            '2026-05-01Z' from board_deliveries, ${series} where company_id = ${own} and name like 'Chair%'`,
    `insert into learner_import_rows (company_id, import_id, number, cells)
     select ${own}, '${learnerImportId(company)}', n + 1, '["Same"]' from ${series}`,
    `insert into course_contents (company_id, course_id, state, revision, files, size_bytes, saved_at)
     select ${own}, id, 'draft', id, '{}', 2, now() from courses where owner_id = ${own} on conflict do nothing`,
    `insert into campaigns (company_id, id, name, status, everyone, includes_newcomers, keeps_open, start_at, due_days,
                            repeats_yearly)
     select ${own}, ${numbered('b')}, 'Same', 'draft', true, true, false, '2026-03-02Z', 14, false from ${series}`,
    `insert into campaign_items (company_id, campaign_id, item_id, position, course_owner_id, course_id)
     select ${own}, id, '${managedCourses.passwords}', 2, managed_catalogue(), '${managedCourses.passwords}' from campaigns
      where company_id = ${own} on conflict do nothing`,
    `insert into campaign_assignments (company_id, campaign_id, item_id, learner_id, round, due_on, due_at, results_from)
     select ${own}, '${campaignId(company)}', '${managedCourses.passwords}', '${learner}', n, '2026-03-16', '2026-03-17Z',
            '2026-03-02' from ${series}`,
    `insert into policies (company_id, id, name, is_public, major_version, minor_version, file_id)
     select company_id, ${numbered('5')}, 'Same', false, 1, 0, file_id from policies, ${series}
      where company_id = ${own} and id = '${policyId(company, 3)}'`,
    `insert into policy_results (company_id, id, policy_id, learner_id, assigned_at, asked_at)
     select ${own}, ('0192b006' || substr(id::text, 9))::uuid, id, '${learner}', now(), now() from policies
      where company_id = ${own} and name = 'Same' on conflict do nothing`,
    `insert into policy_templates (company_id, id, name, locales)
     select ${own}, ${numbered('7')}, 'Same', '{en}' from ${series}`,
    `insert into companies (id, name, account_type, parent_id, managed_by, plan_name)
     select ${numbered('8')}, 'Same', 'tenant', ${own}, array[${own}], 'business' from ${series}`,
    `insert into company_figures (company_id, counted_at, average_risk_score, overdue_learners, overdue_rate, sent_count,
                                  click_rate, report_rate, last_activity_at)
     select id, '2026-03-02Z', 30, 1, 0.2, 5, 0.1, 0.3, '2026-03-01Z' from companies
      where name = 'Same' and right(id::text, 1) < '8' on conflict do nothing`,
    `insert into risk_history (company_id, date, average_score, low_count, moderate_count, high_count, critical_count)
     select ${own}, date '2026-01-01' + n - 1, 30, 1, 1, 0, 0 from ${series}`,
    `insert into learner_risks (company_id, learner_id, date, score)
     select ${own}, '${learner}', date '2026-01-01' + n - 1, 30 from ${series}`,
    `insert into group_risks (company_id, group_id, date, learner_count, average_score)
     select ${own}, '${groupId(company, 1)}', date '2026-01-01' + n - 1, 9, 30 from ${series}`,
    `insert into membership_periods (company_id, group_id, learner_id, first_day, last_day)
     select ${own}, '${groupId(company, 1)}', '${learner}', date '2020-01-01' + n, date '2020-01-01' + n from ${series}`,
    `insert into breaches (name, title, category, breach_date, data_classes)
     select 'same' || n, 'Same', 'x', case when n % 2 = 0 then date '2023-01-01' end, array['Names'] from ${series}`,
    `insert into breached_accounts (domain, email, breach_id)
     select 'msp.test', 'learner1@msp.test', id from breaches where title = 'Same'
     union select 'msp.test', 'same' || n || '@msp.test', id from breaches, ${series} where name = 'same1'
     on conflict do nothing`,
    `insert into api_keys (id, company_id, public_id, key_hash, name)
     select new_id(), ${own}, 'same' || n, sha256(n::text::bytea), 'Same' from ${series}`,
    `insert into oauth_grants (id, api_key_id, client_id, payload, expires_at)
     select 'same' || n, '${spareKeyId(company)}', 'same', '{}', '2099-01-01Z' from ${series}`,
    `insert into deprecated_uses (company_id, api_key_id, operation_id, part)
     select ${own}, ${numbered('b')}, 'listCourses', 'operation' from ${series}`,
    `insert into simulation_domains (company_id, id, domain, challenge)
     select ${own}, new_id(), 'same' || n || '.test', 'same' from ${series}`,
    `insert into simulation_exclusions (company_id, id, from_date, to_date)
     select ${own}, new_id(), '2026-01-01', '2026-01-01' from ${series}`,
    `insert into simulation_templates (owner_id, id, name, delivery_method, difficulty, locales, content)
     select ${own}, ${numbered('9')}, 'Same', 'email', 1, '{en}', '{}' from ${series}`,
    `insert into sources (company_id, id, name, kind, secret_hash)
     select ${own}, new_id(), 'Same', 'xapi', sha256(n::text::bytea) from ${series}`,
  ];
}
