import type { Schemas } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { findLearnersByKeys } from '../../learners/shared/learner-keys.ts';
import { lockPolicies } from '../policy-repository.ts';
import * as repository from './signature-event-repository.ts';
import { judgeSignatures, latestSignatures } from './signature-event-rules.ts';

type Inputs = readonly Schemas['PolicySignatureInput'][];

/** Records signatures that were made elsewhere, in a transaction. Returns what became of each. */
export async function recordSignatures(
  tenant: TenantWriter,
  inputs: Inputs,
): Promise<Schemas['RecordedPolicySignatures']> {
  // Policies are locked before learners, as where they are assigned. No version is published meanwhile.
  const policies = await lockPolicies(tenant, [...new Set(inputs.map(({ policyId }) => policyId))]);
  const versionsByPolicy = await repository.findVersions(tenant, [...policies.keys()]);
  const findLearnerId = await findLearnersByKeys(
    tenant,
    inputs.map(({ learner }) => learner),
  );
  const eventIds = [...new Set(inputs.map(({ eventId }) => eventId))];
  for (;;) {
    const recorded = await repository.findRecordedSignatures(tenant, eventIds);
    const { added, outcome } = judgeSignatures(inputs, { now: new Date(), findLearnerId, versionsByPolicy, recorded });
    if (added.length === 0) return outcome;
    const inserted = await repository.insertSignatures(tenant, added);
    await repository.showSignatures(tenant, latestSignatures(added.filter(({ eventId }) => inserted.has(eventId))));
    // A call about another policy has used one of the ids meanwhile: what is on record now decides.
    if (inserted.size === added.length) return outcome;
  }
}
