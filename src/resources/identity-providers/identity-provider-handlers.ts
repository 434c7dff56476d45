import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../auth/caller.ts';
import { requireAllOf } from '../../auth/roles.ts';
import type { SealedSecrets } from '../../auth/sealed-secrets.ts';
import type { Handler, Schemas } from '../../contract/contract.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { queueAdminNotices } from '../../mail/outbox.ts';
import { keepCustomRole } from '../admins/admin-repository.ts';
import { type AddressRules, judgeAddress } from '../webhooks/sending/address-guard.ts';
import * as repository from './identity-provider-repository.ts';
import {
  changeClaims,
  DEFAULT_CLAIMS,
  judgeTest,
  readRolesOfGroups,
  requirePlace,
  withAddresses,
} from './identity-provider-rules.ts';

export interface ProviderServices {
  sealedSecrets: SealedSecrets;
  /** The address of the service, without a slash at the end. */
  publicUrl: string;
  /** Rules for the addresses of webhooks and of identity providers. */
  webhookRules: AddressRules;
}

/** A provider with which somebody has signed in to test it. */
interface TestedProvider {
  identityProviderId: string;
  issuer: string;
  clientId: string;
}

interface ProviderHandlers {
  listIdentityProviders: Handler<'listIdentityProviders'>;
  createIdentityProvider: Handler<'createIdentityProvider'>;
  updateIdentityProvider: Handler<'updateIdentityProvider'>;
  deleteIdentityProvider: Handler<'deleteIdentityProvider'>;
  recordProviderTest: (input: TestedProvider, tenant: TenantWriter) => Promise<void>;
}

export function createProviderHandlers({ sealedSecrets, publicUrl, webhookRules }: ProviderServices): ProviderHandlers {
  return {
    listIdentityProviders: async (_input, tenant) => {
      const providers = await repository.listProviders(tenant);
      return providers.map((provider) => withAddresses(provider, tenant.companyId, publicUrl));
    },

    createIdentityProvider: ({ body }, tenant, caller) => {
      const { name, protocol, issuer, clientId, clientSecret, claims, roles = [], createsLearners = false } = body;
      requireOwner(caller);
      requireIssuer(issuer);
      const id = uuidv7();
      const sealedSecret = seal(clientSecret, id);
      return tenant.transaction(async (tx) => {
        requirePlace(await repository.lockProviderCount(tx));
        const settings = {
          name,
          protocol,
          issuer,
          clientId,
          createsLearners,
          claims: changeClaims(DEFAULT_CLAIMS, claims),
        };
        const unused = { admins: 'off', learners: 'off', testedAt: null } as const;
        const stored = { id, sealedSecret, ...settings, ...unused, roles: await readRoles(tx, roles) };
        const created = await repository.insertProvider(tx, stored);
        await queueAdminNotices(tx, 'sign_in_settings_changed', [id]);
        return withAddresses(created, tx.companyId, publicUrl);
      });
    },

    updateIdentityProvider: ({ identityProviderId, body }, tenant, caller) => {
      const { clientSecret, claims, roles, ...fields } = body;
      requireOwner(caller);
      if (body.issuer !== undefined) requireIssuer(body.issuer);
      return tenant.transaction(async (tx) => {
        const before = await repository.lockProvider(tx, identityProviderId);
        const sealedSecret = clientSecret === undefined ? before.sealedSecret : seal(clientSecret, identityProviderId);
        const after = { ...before, ...fields, sealedSecret, claims: changeClaims(before.claims, claims) };
        if (roles) after.roles = await readRoles(tx, roles);
        const testedAt = judgeTest(before, after);
        if (body.admins === 'required' && before.admins !== 'required') await requireEmergencyAdmin(tx);
        const updated = await repository.updateProvider(tx, { ...after, testedAt });
        await queueAdminNotices(tx, 'sign_in_settings_changed', [identityProviderId]);
        return withAddresses(updated, tx.companyId, publicUrl);
      });
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
     * @throws identity_provider_untested if the provider was exchanged during the test
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

  /** @throws secrets_key_missing */
  function seal(secret: string | null | undefined, id: string): Buffer | null {
    return secret ? sealedSecrets.seal(secret, id) : null;
  }

  /** @throws invalid_request */
  function requireIssuer(issuer: string): void {
    // The OpenID library would take such an address for that of the configuration, and then accept any issuer.
    const isOfConfiguration = URL.canParse(issuer) && new URL(issuer).href.includes('/.well-known/');
    const reason = isOfConfiguration
      ? 'must not be the address of the configuration'
      : judgeAddress(issuer, webhookRules);
    if (reason !== undefined) throw invalidField('body/issuer', reason);
  }
}

/** Requires a caller who can do everything, because a provider can sign in every admin. @throws insufficient_scope */
function requireOwner(caller: Caller): void {
  requireAllOf(caller, null);
}

/** Returns the roles of groups, and keeps those of the company until the transaction ends. @throws not_found */
async function readRoles(
  tx: TenantWriter,
  sent: readonly Schemas['RoleOfGroupInput'][],
): Promise<Schemas['RoleOfGroup'][]> {
  const roles = readRolesOfGroups(sent);
  for (const { roleId } of roles) if (roleId !== null) await keepCustomRole(tx, roleId);
  return roles;
}

/** @throws emergency_access_missing */
async function requireEmergencyAdmin(tx: TenantWriter): Promise<void> {
  if (await repository.hasEmergencyAdmin(tx)) return;
  throw new ApiError(
    'emergency_access_missing',
    'Nobody could sign in without the identity provider; give an active owner with a passkey emergencyAccess first.',
  );
}
