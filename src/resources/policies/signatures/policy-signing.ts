import { addInterval } from '../../../db/expressions.ts';
import { sql } from '../../../db/sql.ts';
import { mutation } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { ApiError } from '../../../contract/errors.ts';
import { learnerMessages } from '../../../mail/outbox.ts';
import { lockLearnerStates } from '../../learners/shared/learner-locks.ts';
import { getPolicyOfLearner } from '../policy-of-learner.ts';
import { requirePolicy } from '../policy-repository.ts';
import { isSignable } from './policy-signing-rules.ts';

interface Signing {
  learnerId: string;
  policyId: string;
  /** The version that the learner was shown. */
  versionId: string;
  /** The address that the signature comes from. */
  signedFrom: string | null;
}

// The evidence is written by the trigger of `policy_results`. Signatures from elsewhere may be a little ahead of our clock.
const sign = mutation<Signing, { queued: number }>(
  'policy_sign',
  (p) => sql`
    with signed as (
      update policy_results r
         set signed = greatest(statement_timestamp(), ${addInterval(sql`r.signed`, sql`interval '1 millisecond'`)}),
             signed_version_id = ${p.versionId}, signed_offline = false, signed_from = ${p.signedFrom}
       where r.company_id = ${p.companyId} and r.policy_id = ${p.policyId} and r.learner_id = ${p.learnerId}
      returning r.learner_id, r.policy_id
    ), ${learnerMessages(p, { kind: 'policy_receipt', recipients: sql`signed`, subject: sql`policy_id`, isNewCause: true })}`,
);

/**
 * Signs the live version of a policy for a learner, and queues the receipt.
 * @throws {ApiError} `not_found`; `changed_meanwhile` when the version is not live any more, or there is nothing to sign
 */
export async function signPolicy(tenant: TenantWriter, signing: Signing): Promise<void> {
  const { learnerId, policyId, versionId } = signing;
  await tenant.transaction(async (tx) => {
    // Policies are locked before learners, as where they are assigned. No version is published meanwhile.
    await requirePolicy(tx, policyId);
    const isInactive = (await lockLearnerStates(tx, [learnerId])).get(learnerId) ?? true;
    const policy = await getPolicyOfLearner(tx, { learnerId, policyId });
    if (isInactive || policy.versionId !== versionId || !isSignable(policy)) {
      throw new ApiError('changed_meanwhile', 'This version can not be signed now.');
    }
    await tx.mutate(sign, signing);
  });
}
