import type { Schemas } from '../../contract/contract.ts';
import { SIGNED_IN_FORCE } from '../../db/expressions.ts';
import type { Rows } from '../../db/rows.ts';
import { BY_ID } from '../../db/keyset.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { pagedQuery, type Parameters, query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { type ChangesQuery, CHANGE_SAMPLES, changedIds, changedPairs } from '../events/log/changes.ts';
import { selectAssignment } from '../learners/shared/due-dates.ts';
import { hasAttributes, hasProfile, NO_PROFILE, type ProfileFilter } from '../learners/shared/learner-profile.ts';
import {
  ALL_LEARNERS,
  LEARNER,
  type LearnersFilter,
  type ReportLearnerRow,
  sampleLearners,
  selectLearnerId,
  selectLearners,
  splitReportLearner,
} from '../learners/shared/reported-learners.ts';
import { resultSignaturesSql } from './signatures/evidence-repository.ts';

/** Columns of a policy result `r`; the row can be missing. */
export const POLICY_FACTS = sql`
  r.asked_at as "askedAt", r.reminded_at as "remindedAt", r.visited_at as visit, r.signed,
  coalesce(r.signed_offline, false) as "signedOffline",
  r.sent_version_id as "sentVersionId", r.visited_version_id as "visitedVersionId",
  r.signed_version_id as "signedVersionId"`;

const ABOUT_POLICIES = sql`('policy_request', 'policy_reminder')`;

// Selects the time of a permanent mail failure by learner and policy, unless a later message was sent; optionally only
// before a given time. Starts from the failed messages, which are few and indexed. For each of them, max() looks up the
// sent messages, because Postgres never turns a max() into a join.
export const mailFailures = (p: Parameters<object>, condition: Sql, end?: Sql): Sql => sql`
  (select distinct on (m.learner_id, s.policy_id) m.learner_id, s.policy_id, m.settled_at as at
     from messages m cross join lateral unnest(m.subject_ids) as s (policy_id)
    where m.company_id = ${p.companyId} and m.kind in ${ABOUT_POLICIES} and m.status = 'failed' and ${condition}
      and ${isSettledBefore(sql`m`, end)}
      and (m.settled_at < (
            select max(sent.settled_at) from messages sent
             where sent.company_id = ${p.companyId} and sent.learner_id = m.learner_id
               and sent.kind in ${ABOUT_POLICIES} and sent.status = 'sent' and s.policy_id = any(sent.subject_ids)
               and ${isSettledBefore(sql`sent`, end)}
          )) is not true
    order by m.learner_id, s.policy_id, m.settled_at desc)`;

function isSettledBefore(message: Sql, end: Sql | undefined): Sql {
  return end ? sql`${message}.settled_at < ${end}` : sql`true`;
}

interface LearnerFilter {
  learnerId: string;
  policyId: string | null;
  includeSignatures: boolean;
  includeVoided: boolean;
}

/** Lists a learner's results: for all policies that were assigned or signed, or for one of them. */
export const listPolicyResults = pagedQuery<LearnerFilter, Schemas['PolicyResult']>(
  'policy_result_of_learner',
  BY_ID,
  (p) => sql`
    select r.id, r.learner_id as "learnerId", r.policy_id as "policyId", ${POLICY_FACTS}, f.at as "mailFailedAt",
           case when ${p.includeSignatures}::boolean then ${resultSignaturesSql(p, sql`${p.includeVoided}`)} end as signatures,
           due.assignment
      from policy_results r
      left join ${mailFailures(p, sql`m.learner_id = ${p.learnerId}`)} as f on f.policy_id = r.policy_id
      left join lateral ${selectAssignment(p, sql`r.learner_id`, sql`r.policy_id`)} as due on true
     where r.company_id = ${p.companyId} and r.learner_id = ${p.learnerId}
       and (${p.policyId}::uuid is null or r.policy_id = ${p.policyId})`,
);

interface PolicyFilter extends ProfileFilter {
  policyId: string;
  outcome: Schemas['PolicyOutcome'];
}

interface ResultRow extends Omit<Schemas['PolicyRecipient'], 'learner'>, ReportLearnerRow {
  learnerId: string;
}

// The learner's columns are flat; `toRecipient` nests them. Building JSON for each row takes Postgres three times as
// long.
const RESULT = sql`r.id, ${LEARNER}, ${POLICY_FACTS}, f.at as "mailFailedAt"`;

const hasOutcome = (p: Parameters<PolicyFilter>): Sql => sql`
  case ${p.outcome}::text
    when 'signed' then r.assigned_at is not null and not l.inactive and ${SIGNED_IN_FORCE}
    when 'unsigned' then r.assigned_at is not null and not l.inactive and not ${SIGNED_IN_FORCE}
    else true end`;

const ofPolicy = pagedQuery<PolicyFilter, ResultRow>(
  'policy_result_list',
  { learnerId: 'uuid' },
  (p, onwards) => sql`
    select r.learner_id as "learnerId", ${RESULT}
      from policy_results r
      join learners l on l.company_id = r.company_id and l.id = r.learner_id and ${onwards(sql`l.id`)}
      left join ${mailFailures(p, sql`s.policy_id = ${p.policyId}`)} as f on f.learner_id = r.learner_id
     where r.company_id = ${p.companyId} and r.policy_id = ${p.policyId} and ${hasOutcome(p)}`,
  { outcome: 'all' },
);

const ofPolicyAndProfile = pagedQuery<PolicyFilter & LearnersFilter, ResultRow>(
  'policy_result_profile',
  { learnerId: 'uuid' },
  (p, continued) => sql`
    select ${selectLearnerId('profile')} as "learnerId", ${RESULT}
      from ${selectLearners('profile', p, continued)}
     cross join lateral (
       select r.* from policy_results r
        where r.company_id = ${p.companyId} and r.policy_id = ${p.policyId} and r.learner_id = l.id offset 0) as r
      left join ${mailFailures(p, sql`s.policy_id = ${p.policyId}`)} as f on f.learner_id = l.id
     where ${hasOutcome(p)}`,
  { ...sampleLearners('profile'), outcome: 'all' },
);

/**
 * Lists the learners with an assignment or a signature of a policy, optionally only those with a given outcome or
 * profile.
 */
export function listResults(tenant: TenantReader, filter: PolicyFilter): Rows<Schemas['PolicyRecipient']> {
  const rows = hasProfile(filter)
    ? tenant.stream(ofPolicyAndProfile, { ...ALL_LEARNERS, ...filter })
    : tenant.stream(ofPolicy, filter);
  return rows.map(toRecipient);
}

type ChangedFilter = PolicyFilter & ChangesQuery;

// A change to a learner also changes the results that show this learner.
const changedResults = (p: Parameters<ChangedFilter>): Sql => sql`
  (select learner_id, bool_or(is_result) as is_result
     from (select learner_id, true as is_result from (${changedPairs(p, 'policy_result')}) as pair
            where target_id = ${p.policyId}
           union all
           select id, false from (${changedIds(p, 'person')}) as person) as both_of
    group by learner_id) as changed
  left join lateral (
    select l.* from learners l where l.company_id = ${p.companyId} and l.id = changed.learner_id offset 0) as l on true
  left join lateral (
    select r.* from policy_results r
     where r.company_id = ${p.companyId} and r.policy_id = ${p.policyId} and r.learner_id = changed.learner_id
    offset 0) as r on true`;

const changedOfPolicy = pagedQuery<ChangedFilter, ResultRow>(
  'policy_result_changed',
  { learnerId: 'uuid' },
  (p) => sql`
    select r.learner_id as "learnerId", ${RESULT}
      from ${changedResults(p)}
      left join ${mailFailures(p, sql`s.policy_id = ${p.policyId}`)} as f on f.learner_id = changed.learner_id
     where l.id is not null and r.id is not null and ${hasOutcome(p)} and ${hasAttributes(p)}`,
  { ...CHANGE_SAMPLES, ...NO_PROFILE, outcome: 'all' },
);

const removedOfPolicy = query<ChangedFilter, { learnerId: string }>(
  'policy_result_removed',
  (p) => sql`
    select changed.learner_id as "learnerId" from ${changedResults(p)}
     where l.id is null or (r.id is null and changed.is_result)
        or (r.id is not null and (${hasOutcome(p)} and ${hasAttributes(p)}) is not true)
     order by changed.learner_id`,
  { ...CHANGE_SAMPLES, ...NO_PROFILE, outcome: 'all' },
);

/**
 * Lists the items of `listResults` that have changed, and the changed learners who are not in that list, or no longer.
 */
export function listChangedResults(
  tenant: TenantReader,
  filter: ChangedFilter,
): { results: Rows<Schemas['PolicyRecipient']>; removed: Rows<{ learnerId: string }> } {
  return {
    results: tenant.stream(changedOfPolicy, filter).map(toRecipient),
    removed: tenant.stream(removedOfPolicy, filter),
  };
}

function toRecipient(row: ResultRow): Schemas['PolicyRecipient'] {
  const { learner, others } = splitReportLearner(row);
  const { id, learnerId, ...facts } = others;
  return { id, learner: { ...learner, id: learnerId }, ...facts };
}
