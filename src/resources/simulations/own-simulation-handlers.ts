import { randomBytes } from 'node:crypto';
import type { PreflightHandler, Handler } from '../../contract/contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { SimulationsConfig } from '../../config/simulation-settings.ts';
import { approveScheduled } from './sending/approve-simulation.ts';
import { lookForProofs } from './settings/domain-repository.ts';
import type { FindTexts } from './settings/find-texts.ts';
import * as repository from './own-simulation-repository.ts';
import {
  type Draft,
  toDraft,
  isIntake,
  isToCancel,
  toPlan,
  requireDraft,
  requireSwitchedOn,
  storedDraft,
} from './own-simulation-rules.ts';
import { examineDraft, requireRecipients } from './sending/plan-references.ts';
import { scheduleDraft } from './sending/schedule-simulation.ts';
import { takeInSimulation } from './events/simulation-intake-repository.ts';
import { getOverview, requireSimulation } from './simulation-repository.ts';

export interface OwnSimulationServices {
  /** Settings of simulations; undefined if simulations are disabled. */
  simulations: SimulationsConfig | undefined;
  findTexts: FindTexts;
}

export function createOwnHandlers({ simulations, findTexts }: OwnSimulationServices) {
  const createSimulation: Handler<'createSimulation'> = ({ body }, tenant) => {
    if (isIntake(body)) return tenant.transaction((tx) => takeInSimulation(tx, body));
    const draft = toDraft(body);
    return tenant.transaction(async (tx) => {
      await requireRecipients(tx, draft.recipients, 'body/recipients');
      const columns = await buildColumns(tx, draft, randomBytes(16).toString('hex'));
      return getOverview(tx, await repository.insertOwnSimulation(tx, columns));
    });
  };

  const updateSimulation: Handler<'updateSimulation'> = ({ simulationId, body }, tenant) => {
    return tenant.transaction(async (tx) => {
      const stored = await repository.lockOwnSimulation(tx, simulationId);
      requireDraft(stored);
      await requireRecipients(tx, body.recipients ?? {}, 'body/recipients');
      const columns = await buildColumns(tx, { ...storedDraft(stored), ...body }, stored.seed);
      await repository.updateOwnSimulation(tx, simulationId, columns);
      return getOverview(tx, simulationId);
    });
  };

  async function buildColumns(tx: TenantWriter, draft: Draft, seed: string): Promise<repository.OwnColumns> {
    const { deliveryMethod, course } = await examineDraft(tx, draft, { simulations, now: new Date(), place: 'body' });
    const [startDate, endDate] = [inUtc(draft.startDate), inUtc(draft.endDate)];
    return { name: draft.name, startDate, endDate, deliveryMethod, course, plan: toPlan(draft, seed) };
  }

  const scheduleSimulation: PreflightHandler<'scheduleSimulation'> = {
    preflight: async (_input, reader) => {
      const now = new Date();
      const proofs = simulations ? await lookForProofs(reader, findTexts, now) : [];
      return async ({ simulationId }, tenant, caller) => {
        await requireSimulation(tenant, simulationId);
        const config = requireSwitchedOn(simulations);
        return tenant.transaction(async (tx) => {
          await scheduleDraft(tx, simulationId, { simulations: config, proofs, caller, now });
          return getOverview(tx, simulationId);
        });
      };
    },
  };

  const approveSimulation: Handler<'approveSimulation'> = async ({ simulationId }, tenant, caller) => {
    await requireSimulation(tenant, simulationId);
    requireSwitchedOn(simulations);
    return tenant.transaction(async (tx) => {
      await approveScheduled(tx, simulationId, caller);
      return getOverview(tx, simulationId);
    });
  };

  return { createSimulation, updateSimulation, scheduleSimulation, approveSimulation };
}

/** Converts a time to UTC, because Postgres accepts only offsets below 16 hours. */
function inUtc(date: string): string {
  return new Date(date).toISOString();
}

export const cancelSimulation: Handler<'cancelSimulation'> = ({ simulationId }, tenant) => {
  return tenant.transaction(async (tx) => {
    const stored = await repository.lockOwnSimulation(tx, simulationId);
    if (isToCancel(stored)) await tx.mutate(repository.setCancelled, { simulationId });
    return getOverview(tx, simulationId);
  });
};

export const deleteSimulation: Handler<'deleteSimulation'> = ({ simulationId }, tenant) => {
  return tenant.transaction(async (tx) => {
    requireDraft(await repository.lockOwnSimulation(tx, simulationId));
    await tx.mutate(repository.removeDraft, { simulationId });
    return { id: simulationId };
  });
};
