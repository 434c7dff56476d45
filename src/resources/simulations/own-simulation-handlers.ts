import type { PreflightHandler, Handler } from '../../contract/contract.ts';
import type { SimulationsConfig } from '../../config/simulation-settings.ts';
import { approveScheduled } from './sending/approve-simulation.ts';
import { lookForProofs } from './settings/domain-repository.ts';
import type { FindTexts } from './settings/find-texts.ts';
import * as repository from './own-simulation-repository.ts';
import { buildColumns, cancelOwnSimulation, createDraft } from './own-simulation-drafts.ts';
import { toDraft, isIntake, requireDraft, requireSwitchedOn, storedDraft } from './own-simulation-rules.ts';
import { requireRecipients } from './sending/plan-references.ts';
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
      return getOverview(tx, await createDraft(tx, draft, { simulations, place: 'body', now: new Date() }));
    });
  };

  const updateSimulation: Handler<'updateSimulation'> = ({ simulationId, body }, tenant) => {
    return tenant.transaction(async (tx) => {
      const stored = await repository.lockOwnSimulation(tx, simulationId);
      requireDraft(stored);
      await requireRecipients(tx, body.recipients ?? {}, 'body/recipients');
      const context = { simulations, place: 'body', now: new Date(), seed: stored.seed };
      const columns = await buildColumns(tx, { ...storedDraft(stored), ...body }, context);
      await repository.updateOwnSimulation(tx, simulationId, columns);
      return getOverview(tx, simulationId);
    });
  };

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

export const cancelSimulation: Handler<'cancelSimulation'> = ({ simulationId }, tenant) => {
  return tenant.transaction(async (tx) => {
    await cancelOwnSimulation(tx, simulationId);
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
