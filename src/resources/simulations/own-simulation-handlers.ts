import { randomBytes } from 'node:crypto';
import type { Handler } from '../../contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { SimulationsConfig } from '../../environment/simulation-settings.ts';
import * as repository from './own-simulation-repository.ts';
import {
  type Draft,
  draftOf,
  isIntake,
  isToCancel,
  planOf,
  requireDraft,
  storedDraft,
} from './own-simulation-rules.ts';
import { examineDraft, requireRecipients } from './plan-references.ts';
import { takeInSimulation } from './simulation-intake-repository.ts';

export interface OwnSimulationServices {
  /** Undefined: the operator has not switched simulations on. */
  simulations: SimulationsConfig | undefined;
}

export function createDraftHandlers({ simulations }: OwnSimulationServices) {
  const createSimulation: Handler<'createSimulation'> = ({ body }, tenant) => {
    if (isIntake(body)) return tenant.transaction((tx) => takeInSimulation(tx, body));
    const draft = draftOf(body);
    return tenant.transaction(async (tx) => {
      const columns = await columnsOf(tx, draft, randomBytes(16).toString('hex'));
      return repository.getOverview(tx, await repository.insertOwnSimulation(tx, columns));
    });
  };

  const updateSimulation: Handler<'updateSimulation'> = ({ simulationId, body }, tenant) => {
    return tenant.transaction(async (tx) => {
      const stored = await repository.lockOwnSimulation(tx, simulationId);
      requireDraft(stored);
      const columns = await columnsOf(tx, { ...storedDraft(stored), ...body }, stored.seed);
      await repository.updateOwnSimulation(tx, simulationId, columns);
      return repository.getOverview(tx, simulationId);
    });
  };

  async function columnsOf(tx: TenantWriter, draft: Draft, seed: string): Promise<repository.OwnColumns> {
    const { deliveryMethod, course } = await examineDraft(tx, draft, { simulations, now: new Date(), place: 'body' });
    await requireRecipients(tx, draft.recipients, 'body/recipients');
    const { name, startDate, endDate } = draft;
    return { name, startDate, endDate, deliveryMethod, course, plan: planOf(draft, seed) };
  }

  return { createSimulation, updateSimulation };
}

export const cancelSimulation: Handler<'cancelSimulation'> = ({ simulationId }, tenant) => {
  return tenant.transaction(async (tx) => {
    const stored = await repository.lockOwnSimulation(tx, simulationId);
    if (isToCancel(stored)) await tx.run(repository.setCancelled, { simulationId });
    return repository.getOverview(tx, simulationId);
  });
};

export const deleteSimulation: Handler<'deleteSimulation'> = ({ simulationId }, tenant) => {
  return tenant.transaction(async (tx) => {
    requireDraft(await repository.lockOwnSimulation(tx, simulationId));
    await tx.run(repository.removeDraft, { simulationId });
    return { id: simulationId };
  });
};
