// Policies and their results as of a day of the past (src/resources/learners/shared/past.ts).
//
// - A policy is listed if a version had been published by then, with the name of the last such version. Versions that
//   were recorded late count from their publication. Policies that were deleted later are included.
// - Requests, reminders and visits are those that the service had recorded by then.
// - Signatures have dates and corrections. The latest one of the day counts, also if it was recorded later, unless it is
//   voided by what is known. As `signature-event-repository.ts` does, a signature that was recorded late assigns the
//   policy if it was not assigned then, and an assignment that came from a signature follows the latest one.
import { requireFound } from '../../contract/errors.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type Parameters, pointQuery } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import type { Past } from '../learners/shared/past.ts';

/** Selects columns of the versions that had been published by the day, of policies that existed then. */
const publishedVersions = (p: Parameters<Past>, columns: Sql, isWanted: Sql): Sql => {
  const isPublished = sql`
    company_id = ${p.companyId} and ${isWanted} and published_at < ${p.asOfEnd}::timestamptz
    and coalesce(recorded_at, published_at) < ${p.knownUntil}::timestamptz`;
  return sql`
    select ${columns}
      from (select policy_id as id, name, id as version_id, published_at from policy_versions where ${isPublished}
             union all
            select policy_id, name, version_id, published_at from removed_policy_versions
             where ${isPublished}
               and (removed_at >= ${p.knownUntil}::timestamptz
                    or is_policy_removed and removed_at >= ${p.asOfEnd}::timestamptz)) as v`;
};

/** Source of the published policies as of the day, which Postgres reads once for all learners. */
export const pastPolicies = (p: Parameters<Past & { policyId: string | null }>): Sql => sql`
  (${publishedVersions(p, sql`distinct on (v.id) v.*`, sql`(${p.policyId}::uuid is null or policy_id = ${p.policyId})`)}
    order by v.id, v.published_at desc, v.version_id desc
   offset 0)`;

/** Condition that a policy had been published by the day. */
export const wasPublished = (p: Parameters<Past>, policyId: Sql): Sql =>
  sql`exists (${publishedVersions(p, sql`v.id`, sql`policy_id = ${policyId}`)})`;

/**
 * Source of the result of a learner `l` and a policy as recorded at the end of the day. A row that was written before
 * versions were kept can have later times, which are left out. The results of two learners who were merged can overlap:
 * the latest request counts.
 */
const recordedResult = (p: Parameters<Past>, policyId: Sql): Sql => {
  const columns = sql`
    assigned_at, asked_at, reminded_at, sent_version_id, visited_at, visited_version_id, signed, recorded_at`;
  const isRecorded = sql`
    company_id = ${p.companyId} and learner_id = l.id and policy_id = ${policyId}
    and recorded_at < ${p.asOfEnd}::timestamptz`;
  const until = (value: Sql, time = value, otherwise = sql`null`) =>
    sql`case when ${time} < ${p.asOfEnd}::timestamptz then ${value} else ${otherwise} end`;
  return sql`
    (select ${until(sql`assigned_at`)} as assigned_at, sent_version_id, signed, recorded_at,
            ${until(sql`asked_at`, sql`asked_at`, until(sql`assigned_at`))} as asked_at,
            ${until(sql`reminded_at`)} as reminded_at, ${until(sql`visited_at`)} as visited_at,
            ${until(sql`visited_version_id`, sql`visited_at`)} as visited_version_id
       from (select ${columns}, 'infinity'::timestamptz as superseded_at from policy_results where ${isRecorded}
              union all
             select ${columns}, superseded_at from policy_result_versions
              where ${isRecorded} and superseded_at >= ${p.asOfEnd}::timestamptz) as recorded
      order by recorded.asked_at desc nulls last, superseded_at desc limit 1)`;
};

/** Condition that a record `e` of a signature counts by what is known. */
const counts = (p: Parameters<Past>): Sql => sql`
  case when ${p.knownUntil}::timestamptz = 'infinity' then e.voided_at is null
       else coalesce((
         select c.action from corrections c
          where c.company_id = ${p.companyId} and c.kind = 'policy_signature' and c.event_id = e.event_id
            and c.corrected_at < ${p.knownUntil}::timestamptz
          order by c.id desc limit 1), 'restore') = 'restore' end`;

/** Source of the latest signature of a learner `l` and a policy as of the day. */
const latestSignature = (p: Parameters<Past>, policyId: Sql): Sql => sql`
  (select e.signed, e.version_id, bool_and(e.offline) as offline
     from signature_events e
    where e.company_id = ${p.companyId} and e.learner_id = l.id and e.policy_id = ${policyId}
      and e.signed < ${p.asOfEnd}::timestamptz and e.received_at < ${p.knownUntil}::timestamptz and ${counts(p)}
    group by e.signed, e.version_id order by e.signed desc, e.version_id desc limit 1)`;

/** Source of the result of a learner `l` and a policy as of the day, with the columns of `policy_results`. */
export const pastPolicyResult = (p: Parameters<Past>, policyId: Sql): Sql => sql`
  (select a.assigned_at, case when a.is_by_signature then s.signed else v.asked_at end as asked_at, v.reminded_at,
          v.sent_version_id, v.visited_at, v.visited_version_id, s.signed, s.version_id as signed_version_id,
          s.offline as signed_offline
     from (select) as pair
     left join ${recordedResult(p, policyId)} as v on true
     left join ${latestSignature(p, policyId)} as s on true
    cross join lateral (
      select v.assigned_at is not null and v.asked_at = v.signed as follows_signature,
             v.assigned_at is null and s.signed >= coalesce(v.recorded_at, '-infinity') as was_signed_late) as known
    cross join lateral (
      select known.follows_signature or known.was_signed_late as is_by_signature,
             case when known.follows_signature and s.signed is null then null
                  when known.was_signed_late then s.signed else v.assigned_at end as assigned_at) as a)`;

/** Source of the ids of the policies of which a learner `l` has results or signatures, whenever. */
export const policyIdsOfLearner = (p: Parameters<object>): Sql => {
  const isOfLearner = sql`company_id = ${p.companyId} and learner_id = l.id`;
  return sql`
    (select policy_id from policy_results where ${isOfLearner}
      union
     select policy_id from policy_result_versions where ${isOfLearner}
      union
     select policy_id from signature_events where ${isOfLearner})`;
};

const existed = pointQuery<{ policyId: string }, { id: string }>(
  'past_policy_exists',
  (p) => sql`
    select id from policies where company_id = ${p.companyId} and id = ${p.policyId}
     union
    select policy_id from removed_policy_versions where company_id = ${p.companyId} and policy_id = ${p.policyId}`,
);

/** @throws not_found, if the company never had the policy */
export async function requirePastPolicy(tenant: TenantReader, policyId: string): Promise<void> {
  requireFound(await tenant.queryOne(existed, { policyId }), 'policy');
}
