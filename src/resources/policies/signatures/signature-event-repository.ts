import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import type { PublishedVersion, SignatureEvent } from './signature-event-rules.ts';

const versions = query<{ policyIds: string[] }, PublishedVersion & { policyId: string }>(
  'signature_versions',
  (p) => sql`
    select policy_id as "policyId", id, published_at as "publishedAt" from policy_versions
     where company_id = ${p.companyId} and policy_id = any(${p.policyIds}::uuid[])`,
);

/** Returns the published versions of policies, by policy. */
export async function findVersions(
  tenant: TenantWriter,
  policyIds: string[],
): Promise<Map<string, PublishedVersion[]>> {
  const versionsByPolicy = new Map<string, PublishedVersion[]>(policyIds.map((policyId) => [policyId, []]));
  for (const { policyId, ...version } of await tenant.queryAll(versions, { policyIds }))
    versionsByPolicy.get(policyId)!.push(version);
  return versionsByPolicy;
}

const recorded = query<{ eventIds: string[] }, SignatureEvent>(
  'signature_event_recorded',
  (p) => sql`
    select event_id as "eventId", learner_id as "learnerId", policy_id as "policyId", version_id as "versionId",
           signed, offline, note
      from signature_events where company_id = ${p.companyId} and event_id = any(${p.eventIds}::text[])`,
);

/** Returns the recorded signatures with the given ids, by id. */
export async function findRecordedSignatures(
  tenant: TenantWriter,
  eventIds: string[],
): Promise<Map<string, SignatureEvent>> {
  const rows = await tenant.queryAll(recorded, { eventIds });
  return new Map(rows.map((signature) => [signature.eventId, signature]));
}

interface SignatureColumns {
  learnerIds: string[];
  policyIds: string[];
  versionIds: string[];
  times: string[];
  offlines: boolean[];
}

interface EventColumns extends SignatureColumns {
  eventIds: string[];
  notes: (string | null)[];
}

// A single statement, so that an event leaves no evidence if a concurrent call has used its id. Inserts in the order of
// the ids, so that two calls with the same ids wait for each other instead of deadlocking. A voided signature counts
// again if another record describes it.
const insert = mutation<EventColumns, { eventId: string }>(
  'signature_event_insert',
  (p) => sql`
    with added as (
      insert into signature_events (company_id, event_id, learner_id, policy_id, signed, version_id, offline, note)
      select ${p.companyId}, event_id, learner_id, policy_id, signed, version_id, offline, note
        from unnest(${p.eventIds}::text[], ${p.learnerIds}::uuid[], ${p.policyIds}::uuid[], ${p.times}::timestamptz[],
                    ${p.versionIds}::uuid[], ${p.offlines}::boolean[], ${p.notes}::text[])
          as new (event_id, learner_id, policy_id, signed, version_id, offline, note)
       order by event_id
      on conflict (company_id, event_id) do nothing
      returning event_id, learner_id, policy_id, signed, version_id, offline
    ), evidence as (
      insert into signatures (company_id, learner_id, policy_id, policy_name, version_id, major_version, minor_version,
                              file_sha256, signed, signed_offline, email_changed_at)
      select ${p.companyId}, a.learner_id, v.policy_id, v.name, v.id, v.major_version, v.minor_version, f.sha256,
             a.signed, a.offline, l.email_changed_at
        from added a
        left join learners l on l.company_id = ${p.companyId} and l.id = a.learner_id
             and l.email_changed_at between a.signed - interval '7 days' and a.signed
        join policy_versions v on v.company_id = ${p.companyId} and v.id = a.version_id
        join policy_files f on f.company_id = ${p.companyId} and f.id = v.file_id
      on conflict do nothing
    ), named as (
      insert into signature_names (company_id, learner_id, policy_id, signed, version_id, learner_name, learner_email)
      select ${p.companyId}, l.id, a.policy_id, a.signed, a.version_id, l.first_name || ' ' || l.last_name, l.email
        from added a join learners l on l.company_id = ${p.companyId} and l.id = a.learner_id
      on conflict do nothing
    ), restored as (
      update signatures s set voided_at = null
        from added a
       where s.company_id = ${p.companyId} and s.learner_id = a.learner_id and s.policy_id = a.policy_id
         and s.signed = a.signed and s.version_id = a.version_id and s.voided_at is not null
    )
    select event_id as "eventId" from added`,
);

/**
 * Adds signatures of locked learners and policies to the evidence. Returns the event ids of the added signatures,
 * without those that a concurrent call has added.
 */
export async function insertSignatures(
  tenant: TenantWriter,
  signatures: readonly SignatureEvent[],
): Promise<Set<string>> {
  if (signatures.length === 0) return new Set();
  const inserted = await tenant.mutate(insert, {
    ...toSignatureColumns(signatures),
    eventIds: signatures.map(({ eventId }) => eventId),
    notes: signatures.map(({ note }) => note),
  });
  return new Set(inserted.map(({ eventId }) => eventId));
}

// `asked_at` is the time of the signature, so that the signature is in force.
const assign = mutation<SignatureColumns>(
  'signature_assign',
  (p) => sql`
    insert into policy_results as r (company_id, id, policy_id, learner_id, assigned_at, asked_at, signed,
                                     signed_version_id, signed_offline)
    select ${p.companyId}, new_id(), policy_id, learner_id, statement_timestamp(), signed, signed, version_id, offline
      from unnest(${p.learnerIds}::uuid[], ${p.policyIds}::uuid[], ${p.times}::timestamptz[], ${p.versionIds}::uuid[],
                  ${p.offlines}::boolean[])
        as new (learner_id, policy_id, signed, version_id, offline)
     order by learner_id, policy_id
    on conflict (company_id, learner_id, policy_id) do update
       set assigned_at = excluded.assigned_at, asked_at = greatest(r.signed, excluded.asked_at)
     where r.assigned_at is null`,
);

// If a signature caused the assignment, `asked_at` follows the latest signature, in whatever order signatures are
// reported.
const sign = mutation<SignatureColumns>(
  'signature_sign',
  (p) => sql`
    update policy_results r
       set signed = new.signed, signed_version_id = new.version_id, signed_offline = new.offline, signed_from = null,
           asked_at = case when r.asked_at = r.signed then new.signed else r.asked_at end
      from unnest(${p.learnerIds}::uuid[], ${p.policyIds}::uuid[], ${p.times}::timestamptz[], ${p.versionIds}::uuid[],
                  ${p.offlines}::boolean[])
        as new (learner_id, policy_id, signed, version_id, offline)
     where r.company_id = ${p.companyId} and r.learner_id = new.learner_id and r.policy_id = new.policy_id
       and (r.signed is null or (new.signed, new.version_id, not new.offline)
                                > (r.signed, r.signed_version_id, not r.signed_offline))`,
);

/** Assigns the signed policies. Updates each result whose signature, if any, is older than the given one. */
export async function showSignatures(tenant: TenantWriter, latest: readonly SignatureEvent[]): Promise<void> {
  const columns = toSignatureColumns(latest);
  await tenant.mutate(assign, columns);
  await tenant.mutate(sign, columns);
}

function toSignatureColumns(signatures: readonly SignatureEvent[]): SignatureColumns {
  return {
    learnerIds: signatures.map(({ learnerId }) => learnerId),
    policyIds: signatures.map(({ policyId }) => policyId),
    versionIds: signatures.map(({ versionId }) => versionId),
    times: signatures.map(({ signed }) => signed),
    offlines: signatures.map(({ offline }) => offline),
  };
}
