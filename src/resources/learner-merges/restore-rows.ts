import { identifier, type Sql, sql } from '../../db/sql.ts';
import { type Mutation, mutation, type Parameters } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { recordedRows } from './recorded-rows.ts';
import type { Merge } from './move-rows.ts';

const LEARNER = sql`
  company_id, id, email, first_name, last_name, external_learner_id, locale, department, job_title, country, location,
  time_zone, absent_until, inactive, excluded_from_auto_enrol, risk_score, created_at, updated_at, email_key, email_changed_at`;

const insertLearner = mutation<{ mergeId: string }, { id: string }>(
  'merge_restore_learner',
  (p) => sql`
    insert into learners (${LEARNER}, recorded_at, manager_id)
    select ${LEARNER}, recorded_at,
           coalesce(
             (select g.current_learner_id from learner_merges g
               where g.company_id = ${p.companyId} and g.learner_id = old.manager_id),
             (select m.id from learners m where m.company_id = ${p.companyId} and m.id = old.manager_id))
      from ${recordedRows(p, { table: 'learners' })}
    returning id`,
);

/**
 * Inserts the duplicate again. Returns whether its row was kept.
 * @throws email_taken, learner_limit_reached and others
 */
export async function restoreLearner(tenant: TenantWriter, mergeId: string): Promise<boolean> {
  return (await tenant.mutate(insertLearner, { mergeId })).length > 0;
}

type Restoration = Mutation<Merge, object>;

/** Tables in which a merge leaves rows with the duplicate instead of moving them. */
const NOT_MOVED = [
  ...(['learner_risks', 'learner_versions', 'membership_versions', 'policy_result_versions'] as const),
  ...(['directory_learners', 'signature_names'] as const),
] as const;

/** Builds the statement that inserts the duplicate's rows that the merge did not move. */
const makeRestoration = (table: (typeof NOT_MOVED)[number]): Restoration =>
  mutation<Merge>(
    `merge_restore_${table}`,
    (p) => sql`
      insert into ${identifier(table)} select old.* from ${recordedRows(p, { table })}
      on conflict do nothing`,
  );

/** Condition that a membership `t` is not newer than the merge. Manager roles have no time of creation. */
const isOfMerge = (p: Parameters<Merge>, table: string): Sql =>
  table === 'group_managers'
    ? sql`true`
    : sql`t.recorded_at <= (select m.merged_at from learner_merges m where m.company_id = ${p.companyId} and m.id = ${p.mergeId})`;

/** Restores memberships or manager roles in groups that still exist, and removes those that the merge had added. */
const restoreInGroups = (table: 'group_learners' | 'group_managers'): Restoration[] => [
  mutation<Merge>(
    `merge_restore_${table}`,
    (p) => sql`
      insert into ${identifier(table)} select old.* from ${recordedRows(p, { table })}
       where exists (select from groups g where g.company_id = ${p.companyId} and g.id = old.group_id)
         and exists (select from ${identifier(table)} t
                      where t.company_id = ${p.companyId} and t.learner_id = ${p.intoLearnerId} and t.group_id = old.group_id
                        and ${isOfMerge(p, table)})
      on conflict do nothing`,
  ),
  mutation<Merge>(
    `merge_remove_${table}`,
    (p) => sql`
      delete from ${identifier(table)} t
       where t.company_id = ${p.companyId} and t.learner_id = ${p.intoLearnerId} and ${isOfMerge(p, table)}
         and t.group_id in (select old.group_id from ${recordedRows(p, { table })})
         and t.group_id not in (select old.group_id from ${recordedRows(p, { table, isOfMerged: false })})`,
  ),
];

const restorations: Restoration[] = [
  ...NOT_MOVED.map(makeRestoration),
  ...restoreInGroups('group_learners'),
  ...restoreInGroups('group_managers'),
  // The merge did not move these rows, because the learner who stays had an assignment of the same round.
  mutation<Merge>(
    'merge_restore_assignments',
    (p) => sql`
      insert into campaign_assignments select old.* from ${recordedRows(p, { table: 'campaign_assignments' })}
       where exists (select from campaign_items i
                      where i.company_id = ${p.companyId} and i.campaign_id = old.campaign_id and i.item_id = old.item_id)
      on conflict do nothing`,
  ),
  // The figures of a former recipient identify nobody, so any row with the same times can be taken as the duplicate's.
  mutation<Merge>(
    'merge_restore_recipients',
    (p) => sql`
      with restored as (
        insert into simulation_recipients select old.* from ${recordedRows(p, { table: 'simulation_recipients' })}
         where exists (select from simulations s where s.company_id = ${p.companyId} and s.id = old.simulation_id)
        on conflict do nothing
        returning simulation_id, sent_at, opened_at, visited_at, compromised_at, reported_at
      )
      delete from former_recipients f using restored r
       where f.company_id = ${p.companyId} and f.simulation_id = r.simulation_id
         and f.id = (select o.id from former_recipients o
                      where o.company_id = ${p.companyId} and o.simulation_id = r.simulation_id
                        and (o.sent_at, o.opened_at, o.visited_at, o.compromised_at, o.reported_at)
                            is not distinct from
                            (r.sent_at, r.opened_at, r.visited_at, r.compromised_at, r.reported_at)
                      order by o.id limit 1)`,
  ),
  // If a message was queued for the duplicate, it is queued again when it is due.
  mutation<Merge>(
    'merge_release_recipients',
    (p) => sql`
      update simulation_recipients r set message_id = null, token_hash = null
       where r.company_id = ${p.companyId} and r.learner_id = ${p.learnerId} and r.sent_at is null and r.failed_at is null
         and r.message_id is not null
         and not exists (select from messages m where m.company_id = ${p.companyId} and m.id = r.message_id)`,
  ),
  mutation<Merge>(
    'merge_restore_addresses',
    (p) => sql`
      insert into simulation_recipient_addresses
      select old.* from ${recordedRows(p, { table: 'simulation_recipient_addresses' })}
       where exists (select from simulation_recipients s
                      where s.company_id = ${p.companyId} and s.learner_id = ${p.learnerId} and s.simulation_id = old.simulation_id)
      on conflict do nothing`,
  ),
  mutation<Merge>(
    'merge_restore_recipient_versions',
    (p) => sql`
      insert into simulation_recipient_versions
      select old.* from ${recordedRows(p, { table: 'simulation_recipient_versions' })}
       where exists (select from simulation_recipients s
                      where s.company_id = ${p.companyId} and s.learner_id = ${p.learnerId} and s.simulation_id = old.simulation_id)
      on conflict do nothing`,
  ),
  mutation<Merge>(
    'merge_restore_events',
    (p) => sql`
      insert into simulation_events (company_id, event_id, simulation_id, learner_id, type, occurred_at, evidence, signals,
                                     verdict, reasons, received_at, voided_at)
      select old.company_id, old.event_id, old.simulation_id, old.learner_id, old.type, old.occurred_at, old.evidence,
             old.signals, old.verdict, old.reasons, old.received_at, old.voided_at
        from ${recordedRows(p, { table: 'simulation_events' })}
       where exists (select from simulation_recipients s
                      where s.company_id = ${p.companyId} and s.learner_id = ${p.learnerId} and s.simulation_id = old.simulation_id)
      on conflict do nothing`,
  ),
  mutation<Merge>(
    'merge_restore_reports',
    (p) => sql`
      update learners l set manager_id = ${p.learnerId}, updated_at = now()
       where l.company_id = ${p.companyId} and l.id <> ${p.learnerId}
         and l.id in (select old.id from ${recordedRows(p, { table: 'learners', name: 'reports' })})
         and (l.manager_id = ${p.intoLearnerId} or l.id = ${p.intoLearnerId} and l.manager_id is null)`,
  ),
  mutation<Merge>(
    'merge_restore_earlier_merges',
    (p) => sql`
      update learner_merges m set current_learner_id = ${p.learnerId}
       where m.company_id = ${p.companyId} and m.current_learner_id = ${p.intoLearnerId}
         and m.id in (select old.id from ${recordedRows(p, { table: 'learner_merges', name: 'earlier_merges' })})`,
  ),
];

/** Restores rows of the duplicate that the merge had deleted. */
export async function restoreRows(tenant: TenantWriter, merge: Merge): Promise<void> {
  for (const restoration of restorations) await tenant.mutate(restoration, merge);
}
