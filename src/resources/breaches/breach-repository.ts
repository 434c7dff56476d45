import type { Schemas } from '../../contract/contract.ts';
import type { Rows } from '../../db/rows.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { pagedQuery, type Parameters } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';

/** Account types of the contract, without `employee`, which is an alias of `activeLearner`. */
export type AccountType = Exclude<Schemas['ExposedAccountType'], 'employee'>;

interface AccountFilter {
  domains: string[];
  accountType: AccountType | null;
}

const ACCOUNT_TYPE = sql`
  case when l.id is null then 'nonLearner' when l.inactive then 'inactiveLearner' else 'activeLearner' end`;

/**
 * Accounts in breaches, joined with the learners who have their addresses. Row-level security also filters by domain.
 */
const accountsWithLearners = (p: Parameters<AccountFilter>): Sql => sql`
  breached_accounts a left join learners l on l.company_id = ${p.companyId} and l.email_key = a.email`;

const matchesAccount = (p: Parameters<AccountFilter>): Sql => sql`
  a.domain = any(${p.domains}::text[]) and coalesce(${ACCOUNT_TYPE} = ${p.accountType}, true)`;

/** Lists the breached accounts of the domains, ordered by address. */
export const listAccounts = pagedQuery<AccountFilter, Schemas['ExposedAccount']>(
  'breach_accounts',
  { email: 'text', domain: 'text' },
  (p) => sql`
    select a.email, a.domain, l.external_learner_id as "externalLearnerId", ${ACCOUNT_TYPE} as "accountType",
           json_agg(json_build_object('id', b.id, 'name', b.title, 'breachDate', b.breach_date)
                    order by b.breach_date desc nulls last, b.id) as breaches
      from ${accountsWithLearners(p)} join breaches b on b.id = a.breach_id
     where ${matchesAccount(p)}
     group by a.email, a.domain, l.external_learner_id, l.id, l.inactive`,
);

interface ServiceFilter extends AccountFilter {
  hasAffectedAccounts: boolean | null;
}

const BREACH = sql`
  b.id, b.title as name, b.category, b.breach_date as "breachDate", b.data_classes as "dataClassNames"`;
const NEWEST_FIRST = { breachDate: 'date desc nulls last', id: 'uuid' } as const;

const services = pagedQuery<ServiceFilter, Schemas['BreachedService']>(
  'breach_services',
  NEWEST_FIRST,
  (p) => sql`
    with affected as (
      select a.breach_id, count(*)::integer as count,
             json_agg(json_build_object('email', a.email, 'domain', a.domain,
                                        'externalLearnerId', l.external_learner_id, 'accountType', ${ACCOUNT_TYPE})
                      order by a.email) as accounts
        from ${accountsWithLearners(p)}
       where ${matchesAccount(p)}
       group by a.breach_id
    )
    select ${BREACH}, coalesce(affected.count, 0) as "accountCount",
           coalesce(affected.accounts, '[]') as "affectedAccounts"
      from breaches b left join affected on affected.breach_id = b.id
     where coalesce((affected.breach_id is not null) = ${p.hasAffectedAccounts}::boolean, true)`,
);

/** Number of rows in a batch; small, because each row holds all accounts of a breach. */
const SERVICES_TO_A_BATCH = 10;

/** Lists all known breaches, newest first, each with the exposed accounts in the domains. */
export function listServices(tenant: TenantReader, filter: ServiceFilter): Rows<Schemas['BreachedService']> {
  return tenant.stream(services, filter, SERVICES_TO_A_BATCH);
}

/** Lists the breaches that contain a learner's address, newest first. */
export const listBreachesOfLearner = pagedQuery<{ learnerId: string; domains: string[] }, Schemas['LearnerBreach']>(
  'breach_of_learner',
  NEWEST_FIRST,
  (p) => sql`
    select ${BREACH}
      from learners l
      join breached_accounts a on a.email = l.email_key
      join breaches b on b.id = a.breach_id
     where l.company_id = ${p.companyId} and l.id = ${p.learnerId} and a.domain = any(${p.domains}::text[])`,
);
