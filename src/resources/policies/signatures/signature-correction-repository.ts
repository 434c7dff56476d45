import { asText, sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { learnerMessages } from '../../../mail/outbox/outbox.ts';
import type { CorrectedResult, SignedResult } from './signature-correction-rules.ts';
import type { ResultKey } from './signature-event-rules.ts';

const setVoided = mutation<{ eventIds: string[]; isVoided: boolean }>(
  'signature_set_voided',
  (p) => sql`
    update signature_events set voided_at = case when ${p.isVoided} then t.now end
      from (select now() as now) as t
     where company_id = ${p.companyId} and event_id = any(${p.eventIds}::text[])`,
);

/** Voids or restores signature records of locked learners. */
export async function setSignaturesVoided(tenant: TenantWriter, eventIds: string[], isVoided: boolean): Promise<void> {
  if (eventIds.length > 0) await tenant.mutate(setVoided, { eventIds, isVoided });
}

interface KeyColumns {
  learnerIds: string[];
  policyIds: string[];
}

// A signature is voided if all of its records are voided.
const evidence = mutation<KeyColumns>(
  'signature_update_evidence',
  (p) => sql`
    update signatures s
       set voided_at = (select case when bool_and(e.voided_at is not null) then max(e.voided_at) end
                          from signature_events e
                         where e.company_id = ${p.companyId} and e.learner_id = s.learner_id
                           and e.policy_id = s.policy_id and e.signed = s.signed and e.version_id = s.version_id)
      from unnest(${p.learnerIds}::uuid[], ${p.policyIds}::uuid[]) as pair (learner_id, policy_id)
     where s.company_id = ${p.companyId} and s.learner_id = pair.learner_id and s.policy_id = pair.policy_id`,
);

/** Updates whether the signatures of learners and policies are voided, to match their records. */
export async function updateEvidence(tenant: TenantWriter, keys: readonly ResultKey[]): Promise<void> {
  await tenant.mutate(evidence, toKeyColumns(keys));
}

const signedResults = query<KeyColumns, ResultKey & SignedResult>(
  'signature_results',
  (p) => sql`
    select pair.learner_id as "learnerId", pair.policy_id as "policyId", r.id is not null as "hasResult",
           r.assigned_at as "assignedAt", r.asked_at as "askedAt",
           exists (select from signature_events e
                    where e.company_id = ${p.companyId} and e.learner_id = pair.learner_id
                      and e.policy_id = pair.policy_id and e.signed = r.asked_at) as "isAssignedBySignature",
           s.latest
      from unnest(${p.learnerIds}::uuid[], ${p.policyIds}::uuid[]) as pair (learner_id, policy_id)
      join learners l on l.company_id = ${p.companyId} and l.id = pair.learner_id
      left join policy_results r on r.company_id = ${p.companyId} and r.learner_id = pair.learner_id
                                and r.policy_id = pair.policy_id
      left join lateral (
        select json_build_object('signed', ${asText(sql`s.signed`)}, 'versionId', s.version_id,
                                 'signedFrom', s.signed_from, 'offline', (
                 select bool_and(e.offline) from signature_events e
                  where e.company_id = ${p.companyId} and e.learner_id = s.learner_id and e.policy_id = s.policy_id
                    and e.signed = s.signed and e.version_id = s.version_id and e.voided_at is null)) as latest
          from signatures s
         where s.company_id = ${p.companyId} and s.learner_id = pair.learner_id and s.policy_id = pair.policy_id
           and s.voided_at is null
         order by s.signed desc, s.version_id desc limit 1) as s on true`,
);

/** Returns the results of learners and policies, each with the latest signature that counts. */
export function findSignedResults(
  tenant: TenantWriter,
  keys: readonly ResultKey[],
): Promise<(ResultKey & SignedResult)[]> {
  return tenant.queryAll(signedResults, toKeyColumns(keys));
}

const remove = mutation<KeyColumns>(
  'signature_remove_results',
  (p) => sql`
    delete from policy_results r
     using unnest(${p.learnerIds}::uuid[], ${p.policyIds}::uuid[]) as pair (learner_id, policy_id)
     where r.company_id = ${p.companyId} and r.learner_id = pair.learner_id and r.policy_id = pair.policy_id`,
);

/** Removes the results of learners and policies that have neither a signature nor an assignment. */
export async function removeResults(tenant: TenantWriter, keys: readonly ResultKey[]): Promise<void> {
  if (keys.length > 0) await tenant.mutate(remove, toKeyColumns(keys));
}

interface ResultColumns extends KeyColumns {
  assignedAts: (string | null)[];
  askedAts: (string | null)[];
  times: (string | null)[];
  versionIds: (string | null)[];
  offlines: boolean[];
  addresses: (string | null)[];
}

const save = mutation<ResultColumns>(
  'signature_save_results',
  (p) => sql`
    insert into policy_results as r (company_id, id, learner_id, policy_id, assigned_at, asked_at, signed,
                                     signed_version_id, signed_offline, signed_from)
    select ${p.companyId}, new_id(), new.*
      from unnest(${p.learnerIds}::uuid[], ${p.policyIds}::uuid[], ${p.assignedAts}::timestamptz[],
                  ${p.askedAts}::timestamptz[], ${p.times}::timestamptz[], ${p.versionIds}::uuid[],
                  ${p.offlines}::boolean[], ${p.addresses}::text[])
        as new (learner_id, policy_id, assigned_at, asked_at, signed, version_id, offline, signed_from)
     order by new.learner_id, new.policy_id
    on conflict (company_id, learner_id, policy_id) do update
       set asked_at = excluded.asked_at, signed = excluded.signed, signed_version_id = excluded.signed_version_id,
           signed_offline = excluded.signed_offline, signed_from = excluded.signed_from`,
  { addresses: [null, null] },
);

/** Stores the results of learners and policies with the latest signatures. */
export async function saveResults(
  tenant: TenantWriter,
  results: readonly (ResultKey & CorrectedResult & Pick<SignedResult, 'latest'>)[],
): Promise<void> {
  if (results.length === 0) return;
  await tenant.mutate(save, {
    ...toKeyColumns(results),
    assignedAts: results.map(({ assignedAt }) => assignedAt),
    askedAts: results.map(({ askedAt }) => askedAt),
    times: results.map(({ latest }) => latest?.signed ?? null),
    versionIds: results.map(({ latest }) => latest?.versionId ?? null),
    offlines: results.map(({ latest }) => latest?.offline ?? false),
    addresses: results.map(({ latest }) => latest?.signedFrom ?? null),
  });
}

const notify = mutation<{ eventIds: string[] }>(
  'signature_notify_signers',
  (p) => sql`
    with signers as (
      select distinct e.learner_id, e.policy_id
        from signature_events e
        join signatures s on s.company_id = ${p.companyId} and s.learner_id = e.learner_id
             and s.policy_id = e.policy_id and s.signed = e.signed and s.version_id = e.version_id
             and s.voided_at is not null
        join learners l on l.company_id = ${p.companyId} and l.id = e.learner_id and not l.inactive
       where e.company_id = ${p.companyId} and e.event_id = any(${p.eventIds}::text[])
    ), ${learnerMessages(p, { kind: 'signature_voided', recipients: sql`signers`, subject: sql`policy_id`, isNewCause: true })}`,
);

/** Queues a message to each active learner whose signatures no longer count, naming the policies that they signed. */
export async function notifySigners(tenant: TenantWriter, signatures: readonly { eventId: string }[]): Promise<void> {
  if (signatures.length > 0) await tenant.mutate(notify, { eventIds: signatures.map(({ eventId }) => eventId) });
}

const notifyRestored = mutation<{ eventIds: string[] }>(
  'signature_notify_restored',
  (p) => sql`
    with signers as (
      select distinct e.learner_id, e.policy_id
        from signature_events e
        join learners l on l.company_id = ${p.companyId} and l.id = e.learner_id and not l.inactive
       cross join lateral (
         select c.corrected_at from corrections c
          where c.company_id = ${p.companyId} and c.kind = 'policy_signature' and c.event_id = e.event_id
            and c.action <> 'restore'
          order by c.id desc limit 1) as void
       where e.company_id = ${p.companyId} and e.event_id = any(${p.eventIds}::text[])
         and exists (select from messages m
                      where m.company_id = ${p.companyId} and m.learner_id = e.learner_id and m.kind = 'signature_voided'
                        and m.status = 'sent' and m.created_at >= void.corrected_at and e.policy_id = any(m.subject_ids))
    ), ${learnerMessages(p, { kind: 'signature_restored', recipients: sql`signers`, subject: sql`policy_id`, isNewCause: true })}`,
);

/**
 * Queues a message to each active learner who was told by email that one of these signatures no longer counts. If that
 * message is still queued, it is cancelled when its turn comes, so the learner needs no further message.
 */
export async function notifyRestoredSigners(
  tenant: TenantWriter,
  signatures: readonly { eventId: string }[],
): Promise<void> {
  if (signatures.length > 0)
    await tenant.mutate(notifyRestored, { eventIds: signatures.map(({ eventId }) => eventId) });
}

function toKeyColumns(keys: readonly ResultKey[]): KeyColumns {
  return {
    learnerIds: keys.map(({ learnerId }) => learnerId),
    policyIds: keys.map(({ policyId }) => policyId),
  };
}
