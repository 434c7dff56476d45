import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../auth/caller.ts';
import { requireAllScopes } from '../../auth/roles.ts';
import type { Handler, PreflightHandler, Schemas } from '../../contract/contract.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { queueAdminNotices } from '../../mail/outbox/outbox.ts';
import { keepCustomRole } from '../admins/admin-repository.ts';
import { findEmailPolicy } from '../learners/shared/email-policy.ts';
import { requireEmergencyAccess } from './emergency-access.ts';
import * as repository from './identity-provider-repository.ts';
import {
  applyChanges,
  buildEntityId,
  changeClaims,
  DEFAULT_CLAIMS,
  judgeTest,
  NO_PROTOCOL_FIELDS,
  readRolesOfGroups,
  requirePlace,
  withAddresses,
} from './identity-provider-rules.ts';
import { type ProtocolServices, ProtocolSettings, requireComplete, requireProtocol } from './protocol-settings.ts';

export interface ProviderServices extends ProtocolServices {
  /** Public URL of the service, without a trailing slash. */
  publicUrl: string;
}

/** A provider with which an admin has signed in to test it. */
interface TestedProvider {
  identityProviderId: string;
  issuer: string;
  clientId: string;
}

interface ProviderHandlers {
  listIdentityProviders: Handler<'listIdentityProviders'>;
  createIdentityProvider: PreflightHandler<'createIdentityProvider'>;
  updateIdentityProvider: PreflightHandler<'updateIdentityProvider'>;
  deleteIdentityProvider: Handler<'deleteIdentityProvider'>;
  recordProviderTest: (input: TestedProvider, tenant: TenantWriter) => Promise<void>;
}

export function createProviderHandlers({ publicUrl, ...services }: ProviderServices): ProviderHandlers {
  const settings = new ProtocolSettings(services);
  return {
    listIdentityProviders: async (_input, tenant) => {
      const providers = await repository.listProviders(tenant);
      return providers.map((provider) => withAddresses(provider, tenant.companyId, publicUrl));
    },

    createIdentityProvider: {
      preflight: async ({ body }, _reader, caller) => {
        const { name, protocol, claims, roles = [], createsLearners = false } = body;
        requireOwner(caller);
        requireProtocol(protocol, body);
        requireComplete(protocol, body);
        const id = uuidv7();
        const clientId = buildEntityId(publicUrl, caller.companyId, id);
        const reading = await settle(settings.read(body, id));
        const chosen = { name, protocol, createsLearners, claims: changeClaims(DEFAULT_CLAIMS[protocol], claims) };
        const unused = { admins: 'off', learners: 'off', testedAt: null } as const;
        return (_input, tenant) =>
          tenant.transaction(async (tx) => {
            requirePlace(await repository.lockProviderCount(tx));
            if (createsLearners) await requireLockedDomain(tx);
            const own = { ...NO_PROTOCOL_FIELDS, clientId, ...reading() };
            const created = await repository.insertProvider(tx, {
              ...{ id, ...own, ...chosen, ...unused, roles: await readRoles(tx, roles) },
            });
            await queueAdminNotices(tx, 'sign_in_settings_changed', [id]);
            return withAddresses(created, tx.companyId, publicUrl);
          });
      },
    },

    updateIdentityProvider: {
      preflight: async ({ identityProviderId, body }, reader, caller) => {
        requireOwner(caller);
        requireProtocol(await repository.findProtocol(reader, identityProviderId), body);
        const reading = await settle(settings.read(body, identityProviderId));
        return (_input, tenant) =>
          tenant.transaction(async (tx) => {
            const before = await repository.lockProvider(tx, identityProviderId);
            const after = { ...applyChanges(before, body), ...reading() };
            if (body.roles) after.roles = await readRoles(tx, body.roles);
            if (after.createsLearners && !before.createsLearners) await requireLockedDomain(tx);
            const testedAt = judgeTest(before, after);
            if (body.admins === 'required' && before.admins !== 'required') await requireEmergencyAccess(tx);
            const updated = await repository.updateProvider(tx, { ...after, testedAt });
            await queueAdminNotices(tx, 'sign_in_settings_changed', [identityProviderId]);
            return withAddresses(updated, tx.companyId, publicUrl);
          });
      },
    },

    deleteIdentityProvider: ({ identityProviderId }, tenant, caller) => {
      requireOwner(caller);
      return tenant.transaction(async (tx) => {
        await repository.lockProvider(tx, identityProviderId);
        await repository.removeProvider(tx, identityProviderId);
        await queueAdminNotices(tx, 'sign_in_settings_changed', [identityProviderId]);
        return { id: identityProviderId };
      });
    },

    /**
     * Records that an admin has signed in with a provider to test it.
     * @throws identity_provider_untested if the provider was replaced during the test
     */
    recordProviderTest: ({ identityProviderId, issuer, clientId }, tenant) => {
      return tenant.transaction(async (tx) => {
        const provider = await repository.lockProvider(tx, identityProviderId);
        if (provider.issuer !== issuer || provider.clientId !== clientId)
          throw new ApiError(
            'identity_provider_untested',
            'The identity provider was changed during the test; test it again.',
          );
        await repository.updateProvider(tx, { ...provider, testedAt: new Date().toISOString() });
      });
    },
  };
}

/**
 * Awaits settings, and returns a function that returns or throws the outcome. A repeated call with an Idempotency-Key
 * therefore gets its stored response, even if the metadata URL no longer responds.
 */
async function settle<Value>(reading: Promise<Value>): Promise<() => Value> {
  try {
    const value = await reading;
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Requires a caller who can do everything, because a provider can sign in every admin. @throws insufficient_scope */
function requireOwner(caller: Caller): void {
  requireAllScopes(caller, null);
}

/**
 * Requires that learners can only have e-mail addresses in the company's domain. Otherwise, everybody with an account
 * at the provider would become a learner.
 * @throws invalid_request
 */
async function requireLockedDomain(tx: TenantWriter): Promise<void> {
  if ((await findEmailPolicy(tx)).domainLock) return;
  throw invalidField(
    'body/createsLearners',
    'requires that the company is locked to its e-mail domain; ask the operator of the service to lock it',
  );
}

/**
 * Returns the roles that groups give. Prevents the deletion of the company's own roles until the transaction ends.
 * @throws not_found
 */
async function readRoles(
  tx: TenantWriter,
  sent: readonly Schemas['RoleOfGroupInput'][],
): Promise<Schemas['RoleOfGroup'][]> {
  const roles = readRolesOfGroups(sent);
  for (const { roleId } of roles) if (roleId !== null) await keepCustomRole(tx, roleId);
  return roles;
}
