// The learners of an admin with the role manager: the active learners whose effective manager is the admin.
//
// An admin is matched with the company's active learner who has the same e-mail address, ignoring case. The match is
// made on each call, so it follows changes to either address. Without a match, the admin has no learners. There is no
// match if the admin's learner is inactive, deleted, or merged into a learner with a different address.
import { v7 as uuidv7 } from 'uuid';
import { effectiveManagerId } from '../../../db/manager-in-effect.ts';
import { sql } from '../../../db/sql.ts';
import { pointQuery } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';

/**
 * Manager id that no learner has, for an admin who is not an active learner. The id differs in each process, so no
 * client can send it.
 */
export const NOBODY = uuidv7();

// An index on the e-mail address is used only if the compared address comes from a subquery, because lower() is not
// leakproof.
const ownLearner = pointQuery<{ adminId: string }, { id: string }>(
  'managed_learner_manager',
  (p) => sql`
    select l.id from learners l
     where l.company_id = ${p.companyId} and not l.inactive and l.email_key = (
       select lower(a.email) from admins a
        where a.company_id = ${p.companyId} and a.id = ${p.adminId} and a.role = 'manager')`,
);

/** Returns the id of the learner who matches an admin with the role manager; `NOBODY` if there is none. */
export async function findManagerId(tenant: TenantReader, adminId: string): Promise<string> {
  return (await tenant.queryOne(ownLearner, { adminId }))?.id ?? NOBODY;
}

export interface ManagedLearner {
  learnerId: string;
  managerId: string;
}

/** Finds a learner who is active and has this effective manager. */
export const managedLearner = pointQuery<ManagedLearner, { id: string }>(
  'managed_learner',
  (p) => sql`
    select l.id from learners l
     where l.company_id = ${p.companyId} and l.id = ${p.learnerId} and not l.inactive
       and ${effectiveManagerId(p)} = ${p.managerId}`,
);
