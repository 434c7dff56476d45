import { randomBytes } from 'node:crypto';
import type { SimulationsConfig } from '../../config/simulation-settings.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import * as repository from './own-simulation-repository.ts';
import { type Draft, isToCancel, toPlan } from './own-simulation-rules.ts';
import { examineDraft, requireRecipients } from './sending/plan-references.ts';

/** Context of a draft, and the path under which errors are reported. */
interface Context {
  /** Settings of simulations; undefined if simulations are disabled. */
  simulations: SimulationsConfig | undefined;
  place: string;
  now: Date;
}

/** Creates a draft. Returns its id. @throws invalid_request or not_found, naming the field */
export async function createDraft(
  tx: TenantWriter,
  draft: Draft,
  context: Context,
  campaignRound?: repository.CampaignRound,
): Promise<string> {
  await requireRecipients(tx, draft.recipients, `${context.place}/recipients`);
  const columns = await buildColumns(tx, draft, { ...context, seed: randomBytes(16).toString('hex') });
  return repository.insertOwnSimulation(tx, columns, campaignRound);
}

/**
 * Examines a draft and converts it to the form in which it is stored.
 * @throws invalid_request or not_found, naming the field
 */
export async function buildColumns(
  tx: TenantWriter,
  draft: Draft,
  { seed, ...context }: Context & { seed: string },
): Promise<repository.OwnColumns> {
  const { deliveryMethod, course } = await examineDraft(tx, draft, context);
  const [startDate, endDate] = [inUtc(draft.startDate), inUtc(draft.endDate)];
  return { name: draft.name, startDate, endDate, deliveryMethod, course, plan: toPlan(draft, seed) };
}

/** Converts a time to UTC, because Postgres accepts only offsets below 16 hours. */
function inUtc(date: string): string {
  return new Date(date).toISOString();
}

/**
 * Cancels a simulation that the service runs, unless it is already cancelled.
 * @throws not_found, forbidden or simulation_ended
 */
export async function cancelOwnSimulation(tx: TenantWriter, simulationId: string): Promise<void> {
  const stored = await repository.lockOwnSimulation(tx, simulationId);
  if (isToCancel(stored)) await tx.mutate(repository.setCancelled, { simulationId });
}
