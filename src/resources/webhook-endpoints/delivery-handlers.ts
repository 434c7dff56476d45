import type { Handler } from '../../contract.ts';
import * as repository from './try-repository.ts';
import { requireEndpoint } from './webhook-endpoint-repository.ts';

export const listWebhookDeliveries: Handler<'listWebhookDeliveries'> = async (input, tenant) => {
  const { webhookEndpointId, eventId, outcome } = input;
  await requireEndpoint(tenant, webhookEndpointId);
  if (eventId !== undefined) {
    return tenant.rows(repository.listTriesOfEvent, { webhookEndpointId, eventId, outcome: outcome ?? null });
  }
  if (outcome === 'failed') return tenant.rows(repository.listFailed, { webhookEndpointId });
  return tenant.rows(outcome === 'delivered' ? repository.listDelivered : repository.listTries, { webhookEndpointId });
};
