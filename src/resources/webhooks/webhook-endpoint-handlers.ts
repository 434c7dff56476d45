import { v7 as uuidv7 } from 'uuid';
import { type Caller, hasScope, getCallerKeyId } from '../../auth/caller.ts';
import type { SealedSecrets } from '../../auth/sealed-secrets.ts';
import { type Handler, operations } from '../../contract/contract.ts';
import { ApiError, insufficientScope, invalidField } from '../../contract/errors.ts';
import { findEndOfLog, readDatabaseName, requireEventsOfChildren } from '../events/log/event-log.ts';
import { recordEventReader } from '../events/log/event-readers.ts';
import { type AddressRules, judgeAddress } from './sending/address-guard.ts';
import { newSecret } from './sending/signing.ts';
import * as repository from './webhook-endpoint-repository.ts';

const MOST = 20;

export const listWebhookEndpoints: Handler<'listWebhookEndpoints'> = (_input, tenant) =>
  tenant.stream(repository.listEndpoints, {});

export const deleteWebhookEndpoint: Handler<'deleteWebhookEndpoint'> = async ({ webhookEndpointId }, tenant) => {
  await repository.removeEndpoint(tenant, webhookEndpointId);
  return { id: webhookEndpointId };
};

export const testWebhookEndpoint: Handler<'testWebhookEndpoint'> = ({ webhookEndpointId }, tenant) => {
  const eventId = uuidv7();
  const { companyId } = tenant;
  const event = { id: eventId, type: 'webhook.test', timestamp: new Date().toISOString(), companyId, data: {} };
  return repository.queueTest(tenant, { webhookEndpointId, eventId, body: JSON.stringify(event) });
};

interface EndpointHandlers {
  createWebhookEndpoint: Handler<'createWebhookEndpoint'>;
  updateWebhookEndpoint: Handler<'updateWebhookEndpoint'>;
  rotateWebhookSecret: Handler<'rotateWebhookSecret'>;
}

export function createEndpointHandlers(secrets: SealedSecrets, rules: AddressRules): EndpointHandlers {
  return {
    createWebhookEndpoint: ({ body }, tenant, caller) => {
      const { url, types = null, simulationIds = [], groupIds = [], children = false } = body;
      requireEventsRead(caller);
      requireAddress(url);
      if (children) requireChildren(caller);
      const [id, secret] = [uuidv7(), newSecret()];
      const sealedSecret = secrets.seal(secret, id);
      return tenant.transaction(async (tx) => {
        await repository.requireFilters(tx, { webhookEndpointId: null, simulationIds, groupIds });
        if (children) await requireEventsOfChildren(tx);
        await recordEventReader(tx, children ? 'children' : 'own');
        const place = { ...(await findEndOfLog(tx)), log: await readDatabaseName(tx) };
        const filters = { types, simulationIds, groupIds, ofChildren: children };
        const row = { id, url, ...filters, sealedSecret, ...place, max: MOST, createdBy: getCallerKeyId(caller) };
        await tx.mutate(repository.lockPlaces, {});
        const [endpoint] = await tx.mutate(repository.insertEndpoint, row);
        if (!endpoint)
          throw new ApiError(
            'webhook_endpoint_limit_reached',
            `The company already has the maximum of ${MOST} endpoints; delete one first.`,
          );
        return { ...endpoint, secret };
      });
    },

    updateWebhookEndpoint: async ({ webhookEndpointId, body }, tenant, caller) => {
      const { url = null, types, simulationIds = null, groupIds = null, enabled = null } = body;
      requireEventsRead(caller);
      if (url !== null) requireAddress(url);
      const filters = { simulationIds: simulationIds ?? [], groupIds: groupIds ?? [] };
      await repository.requireFilters(tenant, { webhookEndpointId, ...filters });
      const changedTypes = { changesTypes: types !== undefined, types: types ?? null };
      const changes = { webhookEndpointId, url, ...changedTypes, simulationIds, groupIds, enabled };
      return repository.updateEndpoint(tenant, changes);
    },

    rotateWebhookSecret: async ({ webhookEndpointId }, tenant) => {
      const secret = newSecret();
      const sealedSecret = secrets.seal(secret, webhookEndpointId);
      return { ...(await repository.rotateSecret(tenant, { webhookEndpointId, sealedSecret })), secret };
    },
  };

  /** @throws invalid_request */
  function requireAddress(url: string): void {
    const reason = judgeAddress(url, rules);
    if (reason !== undefined) throw invalidField('body/url', reason);
  }
}

/** @throws forbidden */
function requireChildren({ accountType }: Caller): void {
  if (accountType === 'msp' || accountType === 'distributor') return;
  throw new ApiError('forbidden', 'Only an MSP or a distributor has child companies; leave `children` out.');
}

/**
 * Requires the scope to read events, because the caller decides where the events are sent.
 * @throws insufficient_scope
 */
function requireEventsRead(caller: Caller): void {
  const { scope } = operations.listEvents;
  if (!hasScope(caller, scope)) throw insufficientScope(scope);
}
