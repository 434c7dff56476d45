import type { Handler } from '../../contract/contract.ts';
import * as repository from './connection-repository.ts';

export const listConnections: Handler<'listConnections'> = (_input, tenant) =>
  tenant.stream(repository.listConnections, {});

export const endConnection: Handler<'endConnection'> = async ({ connectionId }, tenant) => {
  await repository.endConnection(tenant, connectionId);
  return { id: connectionId };
};
