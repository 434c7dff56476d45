import { identifier, list, sql } from '../../db/sql.ts';
import { mutation, query } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { deriveResults } from '../policies/signatures/correct-signatures.ts';
import { haveSame, recordJoinedResults, recordedRows } from './recorded-rows.ts';
import type { Merge } from './move-rows.ts';

const moveOthers = mutation<Merge>(
  'merge_move_policy_results',
  (p) => sql`
    update policy_results t set learner_id = ${p.intoLearnerId}
     where t.company_id = ${p.companyId} and t.learner_id = ${p.learnerId}
       and not exists (select from policy_results w
                        where w.company_id = ${p.companyId} and w.learner_id = ${p.intoLearnerId} and w.policy_id = t.policy_id)`,
);

// The later signature counts. If both were given at the same time, a signature in the service takes precedence over one
// on paper.
const joinResults = mutation<Merge>(
  'merge_join_policy_results',
  (p) => sql`
    with joined as (
      select w.id, least(w.assigned_at, d.assigned_at) as assigned_at, greatest(w.asked_at, d.asked_at) as asked_at,
             greatest(w.reminded_at, d.reminded_at) as reminded_at,
             coalesce(w.sent_version_id, d.sent_version_id) as sent_version_id, (seen.row).visited_at,
             (seen.row).visited_version_id, (last.row).signed, (last.row).signed_version_id, (last.row).signed_offline,
             (last.row).signed_from
        from policy_results w
        join policy_results d on d.company_id = ${p.companyId} and d.learner_id = ${p.learnerId} and d.policy_id = w.policy_id
       cross join lateral (
         select case when w.visited_at >= d.visited_at or d.visited_at is null then w else d end as row) as seen
       cross join lateral (
         select case when d.signed is null
                       or (w.signed, w.signed_version_id, not w.signed_offline)
                          >= (d.signed, d.signed_version_id, not d.signed_offline) then w else d end as row) as last
       where w.company_id = ${p.companyId} and w.learner_id = ${p.intoLearnerId}
    )
    update policy_results r
       set assigned_at = joined.assigned_at, asked_at = joined.asked_at, reminded_at = joined.reminded_at,
           sent_version_id = joined.sent_version_id, visited_at = joined.visited_at,
           visited_version_id = joined.visited_version_id, signed = joined.signed,
           signed_version_id = joined.signed_version_id, signed_offline = joined.signed_offline,
           signed_from = joined.signed_from
      from joined where r.company_id = ${p.companyId} and r.id = joined.id`,
);

/** Moves the duplicate's policy results. Joins the results of policies for which both learners have one. */
export async function joinPolicies(tenant: TenantWriter, merge: Merge): Promise<void> {
  await tenant.mutate(moveOthers, merge);
  await tenant.mutate(joinResults, merge);
  await recordJoinedResults(tenant, merge.mergeId, merge.intoLearnerId);
}

const SIGNED_COLUMNS = ['signed', 'signed_version_id', 'signed_offline'] as const;
const SIGNED = list(SIGNED_COLUMNS.map((name) => identifier(name)));
const OLD_SIGNED = list(SIGNED_COLUMNS.map((name) => sql`old.${identifier(name)}`));

const returnOthers = mutation<Merge>(
  'merge_return_policy_results',
  (p) => sql`
    update policy_results t set learner_id = ${p.learnerId}
      from ${recordedRows(p, { table: 'policy_results' })}
     where t.company_id = ${p.companyId} and t.learner_id = ${p.intoLearnerId} and t.id = old.id
       and (t.signed, t.signed_version_id, t.signed_offline) is not distinct from (${OLD_SIGNED})`,
);

// Keeps a row that has changed since the merge. Deletes rows, because an update could not revoke a signature.
const removeJoined = mutation<Merge, { policyId: string }>(
  'merge_remove_joined_results',
  (p) => sql`
    delete from policy_results t
     where t.company_id = ${p.companyId} and t.learner_id = ${p.intoLearnerId}
       and exists (select from ${recordedRows(p, { table: 'policy_results', name: 'joined_results', isOfMerged: false })}
                    where to_jsonb(old) - 'recorded_at' = to_jsonb(t) - 'recorded_at')
       and exists (select from ${recordedRows(p, { table: 'policy_results', isOfMerged: false })}
                    where old.id = t.id and to_jsonb(old) - 'recorded_at' <> to_jsonb(t) - 'recorded_at')
    returning t.policy_id as "policyId"`,
);

// The restored row is in force from now on; the earlier versions of this row and of the joined row have ended.
const restoreFormer = mutation<{ mergeId: string; policyIds: string[] }>(
  'merge_restore_former_results',
  (p) => sql`
    insert into policy_results
    select (jsonb_populate_record(null::policy_results, to_jsonb(old) || jsonb_build_object('recorded_at', now()))).*
      from ${recordedRows(p, { table: 'policy_results', isOfMerged: false })}
     where old.policy_id = any(${p.policyIds}::uuid[])
    on conflict do nothing`,
);

// If a result has changed since the merge, it keeps its requests, but not the duplicate's signature.
const restoreSignatures = mutation<Merge>('merge_restore_signed_results', (p) => {
  const joined = recordedRows(p, { table: 'policy_results', name: 'joined_results', isOfMerged: false });
  const former = recordedRows(p, { table: 'policy_results', isOfMerged: false });
  return sql`
    with removed as (
      delete from policy_results t
       where t.company_id = ${p.companyId} and t.learner_id = ${p.intoLearnerId}
         and exists (select from ${joined} where old.id = t.id and ${haveSame(SIGNED_COLUMNS, 't', 'old')})
         and exists (select from ${former} where old.id = t.id and not ${haveSame(SIGNED_COLUMNS, 't', 'old')})
      returning t.*
    )
    insert into policy_results
    select (jsonb_populate_record(null::policy_results, to_jsonb(removed) || jsonb_build_object(
             'signed', old.signed, 'signed_version_id', old.signed_version_id, 'signed_offline', old.signed_offline,
             'signed_from', old.signed_from, 'recorded_at', now()))).*
      from removed join ${former} on old.id = removed.id
    returning policy_id`;
});

// If the learner who stays has signed a result since the merge, that result keeps its id, and the duplicate's result
// gets a new id.
const restoreOthers = mutation<Merge>(
  'merge_restore_policy_results',
  (p) => sql`
    insert into policy_results (company_id, id, policy_id, learner_id, assigned_at, asked_at, reminded_at, sent_version_id,
                                visited_at, visited_version_id, ${SIGNED}, signed_from, recorded_at)
    select old.company_id,
           case when exists (select from policy_results t where t.company_id = ${p.companyId} and t.id = old.id)
                then new_id() else old.id end,
           old.policy_id, old.learner_id, old.assigned_at, old.asked_at, old.reminded_at, old.sent_version_id,
           old.visited_at, old.visited_version_id, ${OLD_SIGNED}, old.signed_from, old.recorded_at
      from ${recordedRows(p, { table: 'policy_results' })}
     where exists (select from policy_results t
                    where t.company_id = ${p.companyId} and t.learner_id = ${p.intoLearnerId} and t.policy_id = old.policy_id)
    on conflict do nothing`,
);

/** Moves policy results back to the duplicate, and separates those that the merge had joined. */
export async function separatePolicies(tenant: TenantWriter, merge: Merge): Promise<void> {
  await tenant.mutate(returnOthers, merge);
  await tenant.mutate(restoreOthers, merge);
  const removed = await tenant.mutate(removeJoined, merge);
  const policyIds = removed.map(({ policyId }) => policyId);
  if (policyIds.length > 0) await tenant.mutate(restoreFormer, { mergeId: merge.mergeId, policyIds });
  await tenant.mutate(restoreSignatures, merge);
}

const corrected = query<Merge, { policyId: string }>(
  'merge_corrected_policies',
  (p) => sql`
    select distinct e.policy_id as "policyId"
      from learner_merges m
      join signature_events e on e.company_id = ${p.companyId} and e.learner_id = ${p.intoLearnerId}
     where m.company_id = ${p.companyId} and m.id = ${p.mergeId} and e.voided_at >= m.merged_at`,
);

/** If a signature was voided after the merge, derives the results of the learner who stays again. */
export async function deriveCorrectedPolicies(tenant: TenantWriter, merge: Merge): Promise<void> {
  const policies = await tenant.queryAll(corrected, merge);
  if (policies.length === 0) return;
  await deriveResults(
    tenant,
    policies.map(({ policyId }) => ({ learnerId: merge.intoLearnerId, policyId })),
  );
}
