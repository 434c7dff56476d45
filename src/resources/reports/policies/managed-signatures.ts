import { sql } from '../../../db/sql.ts';
import { aggregate } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { findManagerId } from '../../learners/shared/managed-learners.ts';
import {
  type LearnersFilter,
  readLearnersFilter,
  sampleLearners,
  selectLearners,
} from '../../learners/shared/reported-learners.ts';

/** Number of signed pairs of a learner and a policy, and the number of all pairs. */
export interface SignedShare {
  completed: number;
  all: number;
}

/** Counts the rows that `getPolicyResultsReport` lists for a manager. */
const shareOfPeople = aggregate<LearnersFilter, SignedShare>(
  'policy_share_of_people',
  (p) => sql`
    select coalesce(sum(r.signed), 0)::integer as completed,
           (count(*) * (select count(*) from policies p
                         where p.company_id = ${p.companyId} and p.live_version_id is not null))::integer as "all"
      from ${selectLearners('profile', p, () => sql`true`)}
     cross join lateral (
       select count(*) as signed from policy_results r
        where r.company_id = ${p.companyId} and r.learner_id = l.id and r.signed is not null and exists (
          select from policies p
           where p.company_id = ${p.companyId} and p.id = r.policy_id and p.live_version_id is not null offset 0)
       offset 0) as r`,
  sampleLearners('profile'),
);

/** Counts the signed policies of a manager's learners. Admins with other roles have no learners. */
export async function countManagedSignatures(
  { adminId }: { adminId: string },
  tenant: TenantReader,
): Promise<SignedShare> {
  const managerId = await findManagerId(tenant, adminId);
  return (await tenant.queryOne(shareOfPeople, readLearnersFilter({ managerId })))!;
}
