import type { Handler } from '../../contract.ts';
import { toChildCompany, toCompany, toFeatures } from './company-mapper.ts';
import * as repository from './company-repository.ts';

export const getCompany: Handler<'getCompany'> = async (_input, tenant) => {
  return toCompany(await repository.getCompany(tenant));
};

export const getCompanyFeatures: Handler<'getCompanyFeatures'> = async (_input, tenant) => {
  return toFeatures(await repository.getCompany(tenant));
};

export const listCompanies: Handler<'listCompanies'> = (_input, tenant) => {
  return repository.listChildren(tenant).map(toChildCompany);
};
