import { sql } from '../../../db/sql.ts';
import { pointQuery, query } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';

const current = pointQuery<{ learnerId: string }, { learnerId: string }>(
  'merged_learner_current',
  (p) => sql`
    select current_learner_id as "learnerId" from learner_merges
     where company_id = ${p.companyId} and learner_id = ${p.learnerId} and answers_until > now()`,
);

/** Returns the id of the learner who replaced a merged learner; for any other learner, the given id. */
export async function toCurrentLearnerId(tenant: TenantReader, learnerId: string): Promise<string> {
  return (await tenant.queryOne(current, { learnerId }))?.learnerId ?? learnerId;
}

/**
 * Returns the ids of the learners who replaced merged learners, by the former ids. Leaves out ids of other learners.
 */
export async function findCurrentLearnerIds(tenant: TenantReader, learnerIds: string[]): Promise<Map<string, string>> {
  const merged = await findMergedLearners(tenant, { learnerIds, emailKeys: [], externalLearnerIds: [] });
  return new Map(merged.map(({ id, currentLearnerId }) => [id, currentLearnerId]));
}

/** Values by which other systems identify learners. E-mail addresses are in lower case. */
interface FormerKeys {
  learnerIds: string[];
  emailKeys: string[];
  externalLearnerIds: string[];
}

/** Former id, e-mail address and external id of a merged learner. */
interface MergedKeys {
  id: string;
  emailKey: string;
  externalLearnerId: string | null;
  currentLearnerId: string;
}

// The newest merge comes last.
const byFormerKeys = query<FormerKeys, MergedKeys>(
  'merged_learner_by_keys',
  (p) => sql`
    select learner_id as id, email_key as "emailKey", external_learner_id as "externalLearnerId",
           current_learner_id as "currentLearnerId"
      from learner_merges
     where company_id = ${p.companyId} and answers_until > now()
       and (learner_id = any(${p.learnerIds}::uuid[]) or email_key = any(${p.emailKeys}::text[])
            or external_learner_id = any(${p.externalLearnerIds}::text[]))
     order by merged_at, id`,
);

/** Finds the merged learners who had one of the given keys. */
export function findMergedLearners(tenant: TenantReader, keys: FormerKeys): Promise<MergedKeys[]> {
  return tenant.queryAll(byFormerKeys, keys);
}
