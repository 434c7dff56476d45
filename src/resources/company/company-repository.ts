import { type AccountType, MANAGED_ACCOUNT_TYPES } from '../../auth/caller.ts';
import { statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { notFound } from '../../errors.ts';
import type { EmailPolicy } from '../people/person-rules.ts';

export interface CompanyRow {
  id: string;
  name: string;
  account_type: AccountType;
  plan_name: string;
  learner_limit: number | null;
  active_learner_count: number;
  domain: string | null;
  domain_lock: boolean;
  smlearn: boolean;
  smphish: boolean;
  smpolicy: boolean;
  smbreachproenabled: boolean;
  smbreachprodomains: string[];
}

const COLUMNS = [
  'id',
  'name',
  'account_type',
  'plan_name',
  'learner_limit',
  'active_learner_count',
  'domain',
  'domain_lock',
  'smlearn',
  'smphish',
  'smpolicy',
  'smbreachproenabled',
  'smbreachprodomains',
];

const own = statement<object, CompanyRow>('company_own', (sql, param) =>
  sql('companies').select(COLUMNS).where('id', param('companyId')),
);

/** The company of the handle. */
export async function getCompany(tenant: TenantReader): Promise<CompanyRow> {
  const row = await tenant.find(own, {});
  if (!row) throw notFound('company');
  return row;
}

const children = statement<object, CompanyRow>('company_children', (sql, param) =>
  sql('companies')
    .select(COLUMNS)
    .whereRaw('managed_by @> array[?::uuid]', [param('companyId')])
    .whereIn('account_type', [...MANAGED_ACCOUNT_TYPES])
    .orderBy('id'),
);

/** The tenants that the company manages, at whatever depth. */
export function listChildren(tenant: TenantReader): Rows<CompanyRow> {
  return tenant.rows(children, {});
}

const managed = statement<{ companyIds: string[] }, { id: string }>('company_managed_among', (sql, param) =>
  sql('companies')
    .select('id')
    .where(sql.raw('id = any(?::uuid[])', [param('companyIds')]))
    .whereRaw('managed_by @> array[?::uuid]', [param('companyId')])
    .whereIn('account_type', [...MANAGED_ACCOUNT_TYPES]),
);

/** Those of the ids that are child tenants of the company. */
export async function findManagedIds(tenant: TenantWriter, companyIds: string[]): Promise<Set<string>> {
  if (companyIds.length === 0) return new Set();
  return new Set((await tenant.all(managed, { companyIds })).map((row) => row.id));
}

/** What decides which addresses people of the company may have. */
export async function findEmailPolicy(tenant: TenantReader): Promise<EmailPolicy> {
  const { domain, domain_lock } = await getCompany(tenant);
  return { domain, domainLock: domain_lock };
}
