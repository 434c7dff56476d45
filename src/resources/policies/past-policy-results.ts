// Policies and their results as of a past day (src/resources/learners/shared/past.ts).
//
// - A policy is listed if a version had been published by the day, and has the name of the last such version. Versions
//   that were recorded late count from their publication. Policies that were deleted later are included.
// - Requests, reminders and visits are those that the service had recorded by the day.
// - Signatures have dates and corrections. The latest signature up to the day counts, even if it was recorded later,
//   unless it had been voided by `knownAt`. As in `signature-event-repository.ts`, a signature that was recorded late
//   assigns the policy if it was not assigned at that time, and an assignment that came from a signature follows the
//   latest signature.
import { requireFound } from '../../contract/errors.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type Parameters, pointQuery } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import type { Past, RowsIn } from '../learners/shared/past.ts';

/** Selects columns of the versions published by the day, for policies that existed then. */
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

/** Source of the policies that were published on the day; Postgres reads it once for all learners. */
export const pastPolicies = (p: Parameters<Past & { policyId: string | null }>): Sql => sql`
  (${publishedVersions(p, sql`distinct on (v.id) v.*`, sql`(${p.policyId}::uuid is null or policy_id = ${p.policyId})`)}
    order by v.id, v.published_at desc, v.version_id desc
   offset 0)`;

/**
 * Source of results of learners and policies as recorded at the end of the day. A row that was written before versions
 * were kept can have later times, which are left out. If the results of two merged learners overlap, the latest request
 * counts.
 */
const recordedResults = (p: Parameters<Past>, rowsIn: RowsIn): Sql => {
  const columns = sql`
    learner_id, policy_id, assigned_at, asked_at, reminded_at, sent_version_id, visited_at, visited_version_id, signed,
    recorded_at`;
  const isRecorded = sql`recorded_at < ${p.asOfEnd}::timestamptz`;
  const until = (value: Sql, time = value, otherwise = sql`null`) =>
    sql`case when ${time} < ${p.asOfEnd}::timestamptz then ${value} else ${otherwise} end`;
  return sql`
    (select distinct on (learner_id, policy_id) learner_id, policy_id, ${until(sql`assigned_at`)} as assigned_at, sent_version_id, signed, recorded_at,
            ${until(sql`asked_at`, sql`asked_at`, until(sql`assigned_at`))} as asked_at,
            ${until(sql`reminded_at`)} as reminded_at, ${until(sql`visited_at`)} as visited_at,
            ${until(sql`visited_version_id`, sql`visited_at`)} as visited_version_id
       from (select ${columns}, 'infinity'::timestamptz as superseded_at from ${rowsIn(sql`policy_results`)} as own
              where ${isRecorded}
              union all
             select ${columns}, superseded_at from ${rowsIn(sql`policy_result_versions`)} as own
              where ${isRecorded} and superseded_at >= ${p.asOfEnd}::timestamptz) as recorded
      order by learner_id, policy_id, recorded.asked_at desc nulls last, superseded_at desc)`;
};

/** Condition that a recorded signature `e` counted at `knownAt`. */
const counts = (p: Parameters<Past>): Sql => sql`
  case when ${p.knownUntil}::timestamptz = 'infinity' then e.voided_at is null
       else coalesce((
         select c.action from corrections c
          where c.company_id = ${p.companyId} and c.kind = 'policy_signature' and c.event_id = e.event_id
            and c.corrected_at < ${p.knownUntil}::timestamptz
          order by c.id desc limit 1), 'restore') = 'restore' end`;

/** Source of the latest signature of each learner and policy as of the day. */
const latestSignatures = (p: Parameters<Past>, rowsIn: RowsIn): Sql => sql`
  (select distinct on (e.learner_id, e.policy_id) e.learner_id, e.policy_id, e.signed, e.version_id,
          bool_and(e.offline) as offline
     from ${rowsIn(sql`signature_events`)} as e
    where e.signed < ${p.asOfEnd}::timestamptz and e.received_at < ${p.knownUntil}::timestamptz and ${counts(p)}
    group by e.learner_id, e.policy_id, e.signed, e.version_id
    order by e.learner_id, e.policy_id, e.signed desc, e.version_id desc)`;

/** Source of `assigned_at` for a recorded result `v` and the latest signature `s`, either of which can be missing. */
const ASSIGNMENT = sql`
  lateral (
    select known.follows_signature or known.was_signed_late as is_by_signature,
           case when known.follows_signature and s.signed is null then null
                when known.was_signed_late then s.signed else v.assigned_at end as assigned_at
      from (select v.assigned_at is not null and v.asked_at = v.signed as follows_signature,
                   v.assigned_at is null and s.signed >= coalesce(v.recorded_at, '-infinity') as was_signed_late) as known)`;

/** Time at which the learner of an assignment `a` was asked to sign. */
const ASKED_AT = sql`case when a.is_by_signature then s.signed else v.asked_at end`;

/** Source of the result of a learner `l` and a policy as of the day, with the columns of `policy_results`. */
export function pastPolicyResult(p: Parameters<Past>, policyId: Sql): Sql {
  const rowsOfPair: RowsIn = (table) => sql`
    (select * from ${table} as t where t.company_id = ${p.companyId} and t.learner_id = l.id and t.policy_id = ${policyId})`;
  return sql`
    (select a.assigned_at, ${ASKED_AT} as asked_at, v.reminded_at, v.sent_version_id, v.visited_at,
            v.visited_version_id, s.signed, s.version_id as signed_version_id, s.offline as signed_offline
       from (select) as pair
       left join ${recordedResults(p, rowsOfPair)} as v on true
       left join ${latestSignatures(p, rowsOfPair)} as s on true
      cross join ${ASSIGNMENT} as a)`;
}

/** Source of the same results for totals over published policies. Reads the results of many learners at once. */
export const countedPastPolicyResults = (p: Parameters<Past>, rowsIn: RowsIn): Sql => sql`
  (select learner_id, a.assigned_at, ${ASKED_AT} as asked_at, s.signed
     from ${recordedResults(p, rowsIn)} as v
     full join ${latestSignatures(p, rowsIn)} as s using (learner_id, policy_id)
    cross join ${ASSIGNMENT} as a
    where (policy_id in (${publishedVersions(p, sql`v.id`, sql`true`)})) is true)`;

const existed = pointQuery<{ policyId: string }, { id: string }>(
  'past_policy_exists',
  (p) => sql`
    select id from policies where company_id = ${p.companyId} and id = ${p.policyId}
     union
    select policy_id from removed_policy_versions where company_id = ${p.companyId} and policy_id = ${p.policyId}`,
);

/** @throws not_found if the company never had the policy */
export async function requirePastPolicy(tenant: TenantReader, policyId: string): Promise<void> {
  requireFound(await tenant.queryOne(existed, { policyId }), 'policy');
}
