import type { TenantWriter } from '../../../db/tenant.ts';
import { askForDueSignatures, lockScheduledPolicies } from './signature-repository.ts';
import { dueSignatures } from './signature-rules.ts';

/** Asks the learners of a company for the signatures that are due today. Repeating the call asks nobody twice. */
export function requestSignatures(tenant: TenantWriter, today: string): Promise<void> {
  return tenant.transaction(async (tx) => {
    const policies = await tx.mutate(lockScheduledPolicies, {});
    const due = policies.flatMap((policy) => {
      const dueSignature = dueSignatures(policy, policy, today);
      return dueSignature ? [{ policyId: policy.id, due: dueSignature }] : [];
    });
    await askForDueSignatures(tx, due);
  });
}
