import type { Handler } from '../../contract.ts';
import * as recipients from './recipient-repository.ts';
import { toRecipient, toSimulation, toSimulationListItem, toSimulationTotals } from './simulation-mapper.ts';
import * as repository from './simulation-repository.ts';

export const listSimulations: Handler<'listSimulations'> = (_input, tenant) => {
  return repository.listSimulations(tenant).map(toSimulationListItem);
};

export const getSimulation: Handler<'getSimulation'> = async ({ simulationId, outcome }, tenant) => {
  return {
    ...toSimulation(await repository.getSimulation(tenant, simulationId)),
    recipients: recipients.listRecipients(tenant, { simulationId, outcome: outcome ?? null }).map(toRecipient),
  };
};

export const getSimulationMetrics: Handler<'getSimulationMetrics'> = async (_input, tenant) => {
  const simulations = await repository.readSimulations(tenant);
  return { totalMetrics: toSimulationTotals(simulations), simulations: simulations.map(toSimulationListItem) };
};
