import { v7 as uuidv7 } from 'uuid';
import type { Handler } from '../../../contract/contract.ts';
import * as repository from './exclusion-repository.ts';
import { judgeExclusion } from './exclusion-rules.ts';

export const listSimulationExclusions: Handler<'listSimulationExclusions'> = (_input, tenant) =>
  tenant.stream(repository.listExclusions, {});

export const createSimulationExclusion: Handler<'createSimulationExclusion'> = ({ body }, tenant) => {
  judgeExclusion(body);
  const { learnerId = null, groupId = null, from = null, to = null, note = null } = body;
  return repository.insertExclusion(tenant, { id: uuidv7(), learnerId, groupId, from, to, note });
};

export const deleteSimulationExclusion: Handler<'deleteSimulationExclusion'> = async (
  { simulationExclusionId },
  tenant,
) => {
  await repository.removeExclusion(tenant, simulationExclusionId);
  return { id: simulationExclusionId };
};
