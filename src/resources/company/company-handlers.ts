import type { Handler } from '../../contract/contract.ts';
import { requireAllScopes } from '../../auth/roles.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';
import { timeZoneName } from '../../contract/geography.ts';
import { TIME_ZONE } from '../../contract/validation-messages.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { queueAdminNotices } from '../../mail/outbox/outbox.ts';
import { isKnownTimeZone } from '../learners/shared/company-days.ts';
import * as repository from './company-repository.ts';
import * as settings from './settings-repository.ts';

export const getCompany: Handler<'getCompany'> = (_input, tenant) => repository.getCompany(tenant);

export const getCompanyFeatures: Handler<'getCompanyFeatures'> = async (_input, tenant) => {
  return (await repository.getCompany(tenant)).features;
};

export const listCompanies: Handler<'listCompanies'> = ({ id = null }, tenant) =>
  tenant.stream(repository.listChildren, { id });

export const getCompanySettings: Handler<'getCompanySettings'> = (_input, tenant) => settings.findSettings(tenant);

export const updateCompanySettings: Handler<'updateCompanySettings'> = async ({ body }, tenant, caller) => {
  const { timeZone = null, adminPasskeys } = body;
  if (adminPasskeys !== undefined) requireAllScopes(caller, null);
  if (timeZone !== null && !(timeZoneName(timeZone) && (await isKnownTimeZone(tenant, timeZone)))) {
    throw invalidField('body/timeZone', TIME_ZONE);
  }
  return tenant.transaction(async (tx) => {
    if (adminPasskeys !== undefined) await prepareAdminPasskeys(tx, adminPasskeys);
    const updated = await settings.updateSettings(tx, body);
    if (body.reporting !== undefined) await requireButtonAddress(tx);
    return updated;
  });
};

/**
 * Requires that an enabled report button has an address. The preceding update has locked the row that
 * `replaceReportButton` writes, so the two operations cannot together leave a button without an address.
 * @throws {ApiError} `invalid_request`
 */
async function requireButtonAddress(tx: TenantWriter): Promise<void> {
  if (await settings.lacksButtonAddress(tx))
    throw invalidField(
      'body/reporting/address',
      'is required while the report button is enabled without an address of its own; set its forwardTo or disable it',
    );
}

/** Notifies all admins about a change to the passkey rule. @throws owner_passkey_missing */
async function prepareAdminPasskeys(tx: TenantWriter, wanted: 'optional' | 'required'): Promise<void> {
  if (wanted === (await settings.findSettings(tx)).adminPasskeys) return;
  if (wanted === 'required' && !(await settings.hasOwnerPasskey(tx)))
    throw new ApiError(
      'owner_passkey_missing',
      'Nobody could sign in to the console; an active owner must add a passkey first.',
    );
  await queueAdminNotices(tx, 'admin_passkeys_changed', [tx.companyId]);
}
