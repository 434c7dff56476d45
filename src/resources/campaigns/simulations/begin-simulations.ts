// Simulations of campaigns: one for each template among the items, in each round.
//
// The worker calls `beginSimulations` at the end of each evaluation of a running campaign, and finds the audience once
// for all templates. It takes these steps for each template whose round has begun, in one transaction:
//
// 1. Extend the claim, which locks the campaign. A changed campaign has no claim, so the evaluation begins again.
// 2. Create a draft for the learners in the audience, with the window of the round (round-rules.ts).
// 3. Schedule the draft as `scheduleSimulation` does: with the same checks, plan and approvals.
// 4. Record the round in the campaign item.
//
// If the simulation cannot be scheduled, the transaction is rolled back and the reason is recorded in the campaign
// item. Later evaluations retry until the due date of the round.
//
// Guarantees: a unique index ensures that a campaign starts at most one simulation for each template and round. A round
// whose simulation was cancelled is not sent again. A change that pauses or ends the campaign, or removes the template,
// waits for the lock and then cancels the simulation (`stopSimulations`), so no simulation starts after it.
//
// Not for: assignments. A simulation requires nothing of a learner, so a simulation is never due or overdue.
import type { SimulationsConfig } from '../../../config/simulation-settings.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { findLearnerIds } from '../../learners/shared/known-learners.ts';
import { cancelOwnSimulation, createDraft } from '../../simulations/own-simulation-drafts.ts';
import { requireSendable, requireSwitchedOn } from '../../simulations/own-simulation-rules.ts';
import { scheduleDraft } from '../../simulations/sending/schedule-simulation.ts';
import { type DomainLookup, lookForProofs } from '../../simulations/settings/domain-repository.ts';
import type { FindTexts } from '../../simulations/settings/find-texts.ts';
import { type Claim, extendClaim } from '../evaluation-repository.ts';
import { findAudience } from './find-audience.ts';
import * as repository from './round-repository.ts';
import { findPeriod, findRound, type Recipients, toDraft } from './round-rules.ts';

export interface SimulationServices {
  /** Settings of simulations; undefined if simulations are disabled. */
  simulations: SimulationsConfig | undefined;
  findTexts: FindTexts;
}

interface Beginning {
  item: repository.TemplateItem;
  simulations: SimulationsConfig | undefined;
  proofs: readonly DomainLookup[];
  now: Date;
  /** Ids of the learners in the audience; empty if all active learners get the simulations. */
  audience: string[];
}

/**
 * Starts the simulations of a campaign whose round has begun. Returns the claim; undefined if it was lost or the signal
 * was aborted. Must not run in a transaction.
 */
export async function beginSimulations(
  tenant: TenantWriter,
  first: Claim,
  { simulations, findTexts, signal }: SimulationServices & { signal: AbortSignal },
): Promise<Claim | undefined> {
  const { campaignId } = first;
  const items = await tenant.queryAll(repository.templateItems, { campaignId });
  const due = items.filter((item) => item.status === 'running' && findRound(item));
  if (due.length === 0) return first;
  const now = new Date();
  const proofs = simulations ? await lookForProofs(tenant, findTexts, now) : [];
  const audience = due[0]!.isForEveryone ? [] : await findAudience(tenant, campaignId);
  let claim: Claim | undefined = first;
  for (const item of due) {
    if (!claim || signal.aborted) return undefined;
    claim = await begin(tenant, claim, { item, simulations, proofs, now, audience });
  }
  return claim;
}

/** Starts a simulation, or records why it cannot start. Returns the claim; undefined if it was lost. */
async function begin(tenant: TenantWriter, claim: Claim, beginning: Beginning): Promise<Claim | undefined> {
  const { campaignId, templateId } = beginning.item;
  try {
    return await tenant.transaction(async (tx) => {
      const [kept] = await tx.mutate(extendClaim, claim);
      if (kept) await schedule(tx, beginning);
      return kept && { ...claim, ...kept };
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { round, beganOn } = findRound(beginning.item)!;
    await tenant.mutate(repository.recordFailure, { campaignId, templateId, round, beganOn, failure: error.message });
    return claim;
  }
}

async function schedule(tx: TenantWriter, { item, simulations, proofs, now, audience }: Beginning): Promise<void> {
  const { campaignId, templateId } = item;
  const round = findRound(item)!;
  const config = requireSwitchedOn(simulations);
  const recipients = await keepRecipients(tx, item, audience);
  const draft = toDraft(item, round, { recipients, senders: config.senders });
  const campaignRound = { campaignId, itemId: templateId, round: round.round };
  const simulationId = await createDraft(tx, draft, { simulations, now, place: 'simulation' }, campaignRound);
  await scheduleDraft(tx, simulationId, { simulations: config, proofs, caller: { keyId: campaignId }, now });
  await tx.mutate(repository.recordRound, { campaignId, templateId, round: round.round, beganOn: round.beganOn });
}

/** Keeps the learners in the audience from being deleted until the transaction ends. */
async function keepRecipients(
  tx: TenantWriter,
  { isForEveryone }: repository.TemplateItem,
  audience: string[],
): Promise<Recipients> {
  if (isForEveryone) return { everyone: true } satisfies Recipients;
  const learnerIds = [...(await findLearnerIds(tx, audience))];
  requireSendable(learnerIds.length);
  return { learnerIds } satisfies Recipients;
}

/**
 * Prevents a new recurrence from starting a round for a period that has already begun. Leaves templates without a round
 * unchanged.
 */
export async function keepRounds(tx: TenantWriter, campaignId: string): Promise<void> {
  const [item] = await tx.queryAll(repository.templateItems, { campaignId });
  if (!item) return;
  const { beganOn } = findPeriod(item);
  await tx.mutate(repository.postponeRounds, { campaignId, beganOn, today: item.today });
}

/** Cancels the open simulations of a campaign that is paused or ended, and of templates that were removed from it. */
export async function stopSimulations(tx: TenantWriter, campaignId: string): Promise<void> {
  for (const { id } of await tx.mutate(repository.lockStopped, { campaignId })) await cancelOwnSimulation(tx, id);
}
