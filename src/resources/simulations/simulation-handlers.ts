import type { Handler } from '../../contract.ts';
import { toSimulation, toSimulationDay, toSimulationListItem, toSimulationTotals } from './simulation-mapper.ts';
import * as repository from './simulation-repository.ts';

export const listSimulations: Handler<'listSimulations'> = (_input, tenant) => {
  return repository.listSimulations(tenant).map(toSimulationListItem);
};

export const getSimulation: Handler<'getSimulation'> = async ({ simulationId }, tenant) => {
  const simulation = toSimulation(await repository.getSimulation(tenant, simulationId));
  return { ...simulation, timeline: repository.listSimulationDays(tenant, simulationId).map(toSimulationDay) };
};

export const getSimulationMetrics: Handler<'getSimulationMetrics'> = async (_input, tenant) => {
  const simulations = await repository.readSimulations(tenant);
  return { totalMetrics: toSimulationTotals(simulations), simulations: simulations.map(toSimulationListItem) };
};
