import type { TenantWriter } from '../../db/tenant.ts';
import {
  type AskedPairs,
  inParts,
  type Judge,
  type PairOutcome,
  pairOutcome,
  partsOf,
  requireFewPairs,
} from '../people/learner-pairs.ts';
import { lockLearnerStates } from '../people/learner-locks.ts';
import * as repository from './assignment-repository.ts';
import { lockPolicies } from './policy-repository.ts';
import {
  judgeAssignment,
  judgeReminder,
  judgeRemoval,
  type PolicyFacts,
  type PolicyFailureCode,
  policyFailureMessages,
} from './policy-rules.ts';

export type PolicyOutcome = PairOutcome<'policyId', PolicyFailureCode>;

/** Assigns each policy to each learner, and queues one message for each learner who is new to one. */
export function assign(tenant: TenantWriter, pairs: AskedPairs): Promise<PolicyOutcome> {
  return decide(tenant, pairs, async (tx, facts) => {
    for (const part of partsOf(pairs)) await repository.insertAssignments(tx, part);
    return judgeAssignment(facts);
  });
}

/** Queues one message for each learner who has one of the policies to sign. */
export function remind(tenant: TenantWriter, pairs: AskedPairs): Promise<PolicyOutcome> {
  return decide(tenant, pairs, async (tx, facts) => {
    for (const part of partsOf(pairs)) await repository.remindOfAssignments(tx, part);
    return judgeReminder(facts, await inParts(pairs, (part) => repository.findAssignments(tx, part)));
  });
}

/** Ends the assignment of each policy to each learner. */
export function remove(tenant: TenantWriter, pairs: AskedPairs): Promise<PolicyOutcome> {
  return decide(tenant, pairs, async (tx, facts) => {
    return judgeRemoval(facts, await inParts(pairs, (part) => repository.removeAssignments(tx, part)));
  });
}

/** Acts in one transaction in which learners and policies stay as they are, and says what became of each pair. */
async function decide(
  tenant: TenantWriter,
  pairs: AskedPairs,
  act: (tx: TenantWriter, facts: PolicyFacts) => Promise<Judge<PolicyFailureCode>>,
): Promise<PolicyOutcome> {
  requireFewPairs(pairs, 'body/policyIds');
  const judge = await tenant.transaction(async (tx) => {
    // Policies come first, as they do for whoever publishes one and asks its learners again.
    const live = await lockPolicies(tx, pairs.targetIds);
    return act(tx, { live, inactive: await lockLearnerStates(tx, pairs.learnerIds) });
  });
  return pairOutcome(pairs, 'policyId', judge, policyFailureMessages);
}
