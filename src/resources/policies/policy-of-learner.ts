import type { Schemas } from '../../contract/contract.ts';
import { SIGNED_IN_FORCE } from '../../db/expressions.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pointQuery, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';
import { type DueDate, firstDue } from '../learners/shared/due-dates.ts';
import { resultSignaturesSql } from './signatures/evidence-repository.ts';

export type PolicySignature = Schemas['PolicySignature'];

interface OfLearner {
  learnerId: string;
  policyId: string;
}

/** The live version of a policy, and its state for a learner. */
export interface PolicyOfLearner {
  policyId: string;
  name: string;
  versionId: string;
  majorVersion: number;
  minorVersion: number;
  publishedAt: string;
  sizeBytes: number;
  pageCount: number;
  isAssigned: boolean;
  /** Whether a signature on any version is in force. */
  isSigned: boolean;
  signedVersionId: string | null;
  /** Whether the latest signature was given on the service's own pages. */
  isSignedHere: boolean;
  /** Time at which the learner first opened the version `visitedVersionId`. */
  visit: string | null;
  visitedVersionId: string | null;
  /** The learner's signatures of the policy that count, oldest first. */
  signatures: PolicySignature[];
}

// Learners can read live policies that are public or assigned to them.
const ofLearner = query<OfLearner, PolicyOfLearner>(
  'own_policy',
  (p) => sql`
    select p.id as "policyId", v.name, v.id as "versionId", v.major_version as "majorVersion",
           v.minor_version as "minorVersion", v.published_at as "publishedAt", f.size_bytes as "sizeBytes",
           f.page_count as "pageCount", r.assigned_at is not null as "isAssigned", ${SIGNED_IN_FORCE} as "isSigned",
           r.signed_version_id as "signedVersionId", r.visited_at as visit, r.visited_version_id as "visitedVersionId",
           exists (select from signature_events e
                    where e.company_id = ${p.companyId} and e.learner_id = ${p.learnerId} and e.policy_id = p.id
                      and e.signed = r.signed and e.version_id = r.signed_version_id and e.is_own
                      and e.voided_at is null) as "isSignedHere",
           ${resultSignaturesSql(p)} as signatures
      from policies p
      join policy_versions v on v.company_id = ${p.companyId} and v.id = p.live_version_id
      join policy_files f on f.company_id = ${p.companyId} and f.id = v.file_id
      left join policy_results r
             on r.company_id = ${p.companyId} and r.policy_id = p.id and r.learner_id = ${p.learnerId}
     where p.company_id = ${p.companyId} and p.id = ${p.policyId} and (p.is_public or r.assigned_at is not null)`,
);

/** @throws not_found, also if the policy is not live, or neither public nor assigned to the learner */
export async function getPolicyOfLearner(tenant: TenantReader, ids: OfLearner): Promise<PolicyOfLearner> {
  return requireFound(await tenant.queryOne(ofLearner, ids), 'policy');
}

const readable = pointQuery<OfLearner & { versionId: string }, { isReadable: boolean }>(
  'policy_version_readable',
  (p) => sql`
    select v.id = p.live_version_id and (p.is_public or r.assigned_at is not null)
           or exists (select from signatures s
                       where s.company_id = ${p.companyId} and s.learner_id = ${p.learnerId}
                         and s.policy_id = ${p.policyId} and s.version_id = v.id
                         and s.voided_at is null) as "isReadable"
      from policy_versions v
      join policies p on p.company_id = ${p.companyId} and p.id = v.policy_id
      left join policy_results r
             on r.company_id = ${p.companyId} and r.policy_id = p.id and r.learner_id = ${p.learnerId}
     where v.company_id = ${p.companyId} and v.policy_id = ${p.policyId} and v.id = ${p.versionId}`,
);

/**
 * Requires that a learner can read a version: the version is live and readable, or the learner has signed it.
 * @throws not_found
 */
export async function requireReadable(tenant: TenantReader, version: OfLearner & { versionId: string }): Promise<void> {
  const policy = await tenant.queryOne(readable, version);
  requireFound(policy?.isReadable || undefined, 'version');
}

const visit = mutation<OfLearner & { versionId: string }>(
  'policy_visit',
  (p) => sql`
    update policy_results r
       set visited_at = greatest(r.visited_at, statement_timestamp()), visited_version_id = ${p.versionId}
      from policies p
     where r.company_id = ${p.companyId} and r.policy_id = ${p.policyId} and r.learner_id = ${p.learnerId}
       and p.company_id = ${p.companyId} and p.id = r.policy_id and p.live_version_id = ${p.versionId}
       and r.visited_version_id is distinct from ${p.versionId}`,
);

/**
 * Records that a learner has opened a version. Keeps the time of the first opening, so that it precedes the signature.
 * Records nothing if the version is not live, or if the learner has no result for the policy.
 */
export async function recordVisit(tenant: TenantWriter, version: OfLearner & { versionId: string }): Promise<void> {
  await tenant.mutate(visit, version);
}

/** A live policy that a learner can read. */
export interface ReadablePolicy extends DueDate {
  policyId: string;
  name: string;
  isAssigned: boolean;
  isSigned: boolean;
}

const readableBy = query<{ learnerId: string }, ReadablePolicy>(
  'own_policies',
  (p) => sql`
    select p.id as "policyId", v.name, r.assigned_at is not null as "isAssigned",
           coalesce(${SIGNED_IN_FORCE}, false) as "isSigned", due.*
      from policies p
      join policy_versions v on v.company_id = ${p.companyId} and v.id = p.live_version_id
      left join policy_results r
             on r.company_id = ${p.companyId} and r.policy_id = p.id and r.learner_id = ${p.learnerId}
      left join lateral ${firstDue(p, sql`${p.learnerId}`, sql`p.id`)} as due on true
     where p.company_id = ${p.companyId} and (p.is_public or r.assigned_at is not null)
     order by due."dueOn", v.name, p.id`,
);

/** Lists the live policies that are public or assigned to the learner: ordered by due date, then by name. */
export function listPoliciesOfLearner(tenant: TenantReader, learnerId: string): Promise<ReadablePolicy[]> {
  return tenant.queryAll(readableBy, { learnerId });
}
