import { isManaged } from '../../auth/caller.ts';
import type { Schemas } from '../../contract/contract.ts';
import { BY_ID } from '../../db/keyset.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { pointQuery, pagedQuery } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';

const IS_TRIAL = sql`plan_name = 'freeTrial'`;
const basics = (seats: Sql): Sql => sql`
  companies.id, companies.name, account_type as "accountType",
  json_build_object('name', plan_name, 'learnerCount', coalesce(${seats}, 0), 'learnerLimit', learner_limit,
                    'domainLock', domain_lock, 'domain', domain, 'isTrial', ${IS_TRIAL}) as plan`;

const FEATURES = sql`
  json_build_object('smlearn', smlearn, 'smphish', smphish, 'smpolicy', smpolicy,
                    'smbreachproenabled', smbreachproenabled, 'smbreachprodomains', smbreachprodomains) as features`;

const own = pointQuery<object, Schemas['Company']>(
  'company_own',
  (p) => sql`
    select ${basics(sql`(select active from company_seats where company_id = ${p.companyId})`)}, ${FEATURES}
      from companies where id = ${p.companyId}`,
);

export async function getCompany(tenant: TenantReader): Promise<Schemas['Company']> {
  return requireFound(await tenant.queryOne(own, {}), 'company');
}

/** Lists all tenants below the company, at any depth, or only the one with the given id. */
export const listChildren = pagedQuery<{ id: string | null }, Schemas['ChildCompany']>(
  'company_children',
  BY_ID,
  (p) => sql`
    select ${basics(sql`active`)}, ${IS_TRIAL} as "isTrial", ${FEATURES},
           case when msps.id is not null then json_build_object('id', msps.id, 'name', msps.name) end as "managedBy"
      from companies
      left join seats_of_children() as seats on seats.company_id = companies.id
      left join msps_of_children() as msps on msps.company_id = companies.id
     where ${isManaged(p)} and (${p.id}::uuid is null or companies.id = ${p.id})`,
);
