import type { Handler } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';
import { timeZoneName } from '../../contract/geography.ts';
import { TIME_ZONE } from '../../contract/validation-messages.ts';
import { isKnownTimeZone } from '../learners/shared/company-days.ts';
import * as repository from './company-repository.ts';
import * as settings from './settings-repository.ts';

export const getCompany: Handler<'getCompany'> = (_input, tenant) => repository.getCompany(tenant);

export const getCompanyFeatures: Handler<'getCompanyFeatures'> = async (_input, tenant) => {
  return (await repository.getCompany(tenant)).features;
};

export const listCompanies: Handler<'listCompanies'> = (_input, tenant) => tenant.stream(repository.listChildren, {});

export const getCompanySettings: Handler<'getCompanySettings'> = (_input, tenant) => settings.findSettings(tenant);

export const updateCompanySettings: Handler<'updateCompanySettings'> = async ({ body }, tenant) => {
  const { timeZone = null } = body;
  if (timeZone !== null && !(timeZoneName(timeZone) && (await isKnownTimeZone(tenant, timeZone)))) {
    throw invalidField('body/timeZone', TIME_ZONE);
  }
  return settings.updateSettings(tenant, body);
};
