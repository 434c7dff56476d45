// Signatures: which learners must sign which policies, who has signed, and the evidence of each signature.
//
// `policy_results` holds the state of a learner and a policy: when the policy was assigned, and when the learner was
// last asked and last signed. A signature is in force if it is not older than the latest request. These are the states
// (policy-signing-rules.ts):
//
// - `not_asked`: the policy is not assigned.
// - `to_sign`: the policy is assigned, and no signature is in force.
// - `signed`: a signature on the live version is in force.
// - `newer_version`: a signature on an earlier version is in force; the learner can sign the live version.
//
// Requests. Learners are asked to sign when a policy is assigned or published with `resend`, and by the nightly job.
// The settings of the policy or of the company say when signatures are due: on fixed days, an interval after the last
// signature, or only for learners who have not signed (signature-rules.ts, signature-repository.ts). The job asks each
// learner at most once a day, in a single message about all policies that are due.
//
// Ways to sign:
// - On the service's pages (this file). The learner must have opened the live version, entered their own name and
//   agreed (policy-signing-rules.ts). The receipt is queued with the signature.
// - In another system or on paper, reported with an `eventId` (signature-events.ts). A repeated report changes nothing.
//
// Evidence. Each signature is a row of `signatures`, with the version and the SHA-256 of its file. A trigger on
// `policy_results` writes the row, so every signature has one. Reported signatures, however old, are written to
// `signatures` first (evidence-repository.ts). The service can change these rows only by marking them as voided. The
// rows outlive the learner and the policy by SIGNATURE_RETENTION_DAYS. The name and e-mail address of the signer are
// stored separately, and are deleted with the learner.
//
// Corrections. Each signature has a record with an `eventId` in `signature_events`, even if it was given on the
// service's pages. An admin can void and restore records. A signature is voided if none of its records counts: lists
// and figures leave it out, and the learner must sign as if they had never signed (correct-signatures.ts).
//
// Locks: policies before learners, so that no version is published while a learner is signing another.
//
// Failures: if the version is no longer live, or there is nothing to sign, the call fails with `changed_meanwhile`.
//
// Not for: proof of identity beyond the sign-in. The IP address of the signer, and a change of the e-mail address
// within the week before the signature, are recorded for auditors.
import { addInterval } from '../../../db/expressions.ts';
import { sql } from '../../../db/sql.ts';
import { mutation } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { ApiError } from '../../../contract/errors.ts';
import { learnerMessages } from '../../../mail/outbox/outbox.ts';
import { lockLearnerStates } from '../../learners/shared/learner-locks.ts';
import { getPolicyOfLearner } from '../policy-of-learner.ts';
import { requirePolicy } from '../policy-repository.ts';
import { isSignable } from './policy-signing-rules.ts';

interface Signing {
  learnerId: string;
  policyId: string;
  /** Version that the learner saw. */
  versionId: string;
  /** IP address of the signer. */
  signedFrom: string | null;
}

// The trigger on `policy_results` writes the evidence. Reported signatures can be slightly ahead of our clock.
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
 * @throws {ApiError} `not_found`; `changed_meanwhile` if the version is no longer live, or there is nothing to sign
 */
export async function signPolicy(tenant: TenantWriter, signing: Signing): Promise<void> {
  const { learnerId, policyId, versionId } = signing;
  await tenant.transaction(async (tx) => {
    // Locks policies before learners, like assigning does. No version can be published in the meantime.
    await requirePolicy(tx, policyId);
    const isInactive = (await lockLearnerStates(tx, [learnerId])).get(learnerId) ?? true;
    const policy = await getPolicyOfLearner(tx, { learnerId, policyId });
    if (isInactive || policy.versionId !== versionId || !isSignable(policy)) {
      throw new ApiError('changed_meanwhile', 'This version cannot be signed now; read the policy again.');
    }
    await tx.mutate(sign, signing);
  });
}
