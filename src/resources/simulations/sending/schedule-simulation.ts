import type { Caller } from '../../../auth/caller.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { giveWay } from '../../../limits/give-way.ts';
import type { SimulationsConfig } from '../../../config/simulation-settings.ts';
import { type DomainLookup, recordProofs } from '../settings/domain-repository.ts';
import { lockOwnSimulation, lockUnapproved, setScheduled } from '../own-simulation-repository.ts';
import {
  approvalBy,
  needsApproval,
  requireDraft,
  requireForeignSender,
  requireProved,
  requireSendable,
  getSchedulerId,
  storedDraft,
} from '../own-simulation-rules.ts';
import { examineDraft, lockTemplates } from './plan-references.ts';
import { planMessages } from './plan-rules.ts';
import { findRecipients, insertRecipients } from './planned-recipient-repository.ts';

interface Scheduling {
  simulations: SimulationsConfig;
  /** Results of the DNS lookups for the company's domains. */
  proofs: readonly DomainLookup[];
  /** The caller; for a simulation that a campaign starts, the campaign's id as `keyId`. */
  caller: Pick<Caller, 'actor' | 'keyId'>;
  now: Date;
}

/**
 * Fixes the recipients of a draft, and the template and time of each message. Must run in a transaction, because it
 * locks the simulation.
 * @throws the errors that the contract documents for the operation
 */
export async function scheduleDraft(
  tenant: TenantWriter,
  simulationId: string,
  { simulations, proofs, caller, now }: Scheduling,
): Promise<void> {
  const stored = await lockOwnSimulation(tenant, simulationId);
  requireDraft(stored);
  const domains = requireProved(await recordProofs(tenant, proofs));
  requireForeignSender(stored.plan.senderDomain, domains);
  await lockTemplates(tenant, stored.plan.templateIds);
  const { spans, templates } = await examineDraft(tenant, storedDraft(stored), {
    simulations,
    now,
    place: 'simulation',
  });
  const learners = await findRecipients(tenant, stored.plan.recipients, domains);
  requireSendable(learners.length);
  for (const messages of planMessages(stored.seed, { learners, templates, spans })) {
    // Planning 100,000 recipients takes a second, so the loop yields between steps.
    await giveWay();
    if (messages.length > 0) await insertRecipients(tenant, simulationId, messages);
  }
  const waits = needsApproval(learners.length + (await lockUnapproved(tenant)));
  await tenant.mutate(setScheduled, {
    simulationId,
    now: now.toISOString(),
    scheduledBy: getSchedulerId(caller),
    needsApproval: waits,
    approvedBy: approvalBy(caller),
    blockedBecause: waits ? 'approval' : null,
  });
}
