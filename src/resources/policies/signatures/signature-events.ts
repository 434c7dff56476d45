import type { Schemas } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { findLearnersByKeys } from '../../learners/shared/learner-keys.ts';
import { lockPolicies } from '../policy-repository.ts';
import * as repository from './signature-event-repository.ts';
import { judgeSignatures, latestSignatures } from './signature-event-rules.ts';

type Inputs = readonly Schemas['PolicySignatureInput'][];

/** Records signatures made elsewhere, in the caller's transaction. Returns the outcome of each signature. */
export async function recordSignatures(
  tenant: TenantWriter,
  inputs: Inputs,
): Promise<Schemas['RecordedPolicySignatures']> {
  // Locks policies before learners, like assigning does. No version can be published in the meantime.
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
    // A concurrent call used one of the ids for another policy: judge again, now with the records of that call.
    if (inserted.size === added.length) return outcome;
  }
}
