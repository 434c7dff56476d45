// Simulations of campaigns: one for each template among the items, in each round.
//
// The worker calls `beginSimulations` at the beginning of each evaluation of a running campaign. For each template whose
// round has begun, in one transaction:
//
// 1. Lock the campaign, and read the item again.
// 2. Create a draft for the learners who are in the audience now, with the window of the round (round-rules.ts).
// 3. Schedule the draft as `scheduleSimulation` does: same checks, same plan, same approvals.
// 4. Record the round in the item.
//
// If the simulation cannot be scheduled, the transaction is rolled back and the reason is recorded in the item. Later
// evaluations try again until the due date of the round.
//
// Guarantees: a campaign begins at most one simulation for each template and round, by a unique index. A round whose
// simulation was cancelled is not sent again. A change that pauses or ends the campaign, or removes the template, waits
// for the lock and then cancels the simulation (`stopSimulations`), so nothing begins after it.
//
// Not for: assignments. A simulation asks nothing of a learner, so it is never due or overdue.
import type { SimulationsConfig } from '../../../config/simulation-settings.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { findLearnerIds } from '../../learners/shared/known-learners.ts';
import { cancelOwnSimulation, createDraft } from '../../simulations/own-simulation-drafts.ts';
import { requireSendable, requireSwitchedOn } from '../../simulations/own-simulation-rules.ts';
import { scheduleDraft } from '../../simulations/sending/schedule-simulation.ts';
import { type FoundProof, lookForProofs } from '../../simulations/settings/domain-repository.ts';
import type { FindTexts } from '../../simulations/settings/find-texts.ts';
import { lockCampaign } from '../campaign-repository.ts';
import { findAudience } from './find-audience.ts';
import * as repository from './round-repository.ts';
import { findPeriod, findRound, type Recipients, toDraft } from './round-rules.ts';

export interface SimulationServices {
  /** Settings of simulations; undefined if simulations are disabled. */
  simulations: SimulationsConfig | undefined;
  findTexts: FindTexts;
}

interface Context {
  simulations: SimulationsConfig | undefined;
  proofs: readonly FoundProof[];
  now: Date;
}

/** Begins the simulations of a campaign whose round has begun. Must not run in a transaction. */
export async function beginSimulations(
  tenant: TenantWriter,
  campaignId: string,
  { simulations, findTexts }: SimulationServices,
): Promise<void> {
  const items = await tenant.queryAll(repository.templateItems, { campaignId });
  const due = items.filter((item) => item.status === 'running' && findRound(item));
  if (due.length === 0) return;
  const now = new Date();
  const proofs = simulations ? await lookForProofs(tenant, findTexts, now) : [];
  for (const item of due) await begin(tenant, item, { simulations, proofs, now });
}

async function begin(tenant: TenantWriter, item: repository.TemplateItem, context: Context): Promise<void> {
  const { campaignId, templateId } = item;
  try {
    await tenant.transaction((tx) => schedule(tx, { campaignId, templateId }, context));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { round, beganOn } = findRound(item)!;
    await tenant.mutate(repository.recordFailure, { campaignId, templateId, round, beganOn, failure: error.message });
  }
}

async function schedule(
  tx: TenantWriter,
  { campaignId, templateId }: Pick<repository.TemplateItem, 'campaignId' | 'templateId'>,
  { simulations, proofs, now }: Context,
): Promise<void> {
  await lockCampaign(tx, campaignId);
  const items = await tx.queryAll(repository.templateItems, { campaignId });
  const item = items.find((one) => one.templateId === templateId && one.status === 'running');
  const round = item && findRound(item);
  if (!round) return;
  const config = requireSwitchedOn(simulations);
  const draft = toDraft(item, round, { recipients: await findRecipients(tx, item), senders: config.senders });
  const campaignRound = { campaignId, itemId: templateId, round: round.round };
  const simulationId = await createDraft(tx, draft, { simulations, now, place: 'simulation' }, campaignRound);
  await scheduleDraft(tx, simulationId, { simulations: config, proofs, caller: { keyId: campaignId }, now });
  await tx.mutate(repository.recordRound, { campaignId, templateId, round: round.round, beganOn: round.beganOn });
}

/** Finds the learners in the audience, and keeps them from being deleted until the transaction ends. */
async function findRecipients(tx: TenantWriter, { isForEveryone, campaignId }: repository.TemplateItem) {
  if (isForEveryone) return { everyone: true } satisfies Recipients;
  const learnerIds = [...(await findLearnerIds(tx, await findAudience(tx, campaignId)))];
  requireSendable(learnerIds.length);
  return { learnerIds } satisfies Recipients;
}

/** Keeps a new recurrence from beginning a round for a period that has begun already. Templates without a round stay. */
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
