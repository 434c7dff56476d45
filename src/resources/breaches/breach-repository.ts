import type { Knex } from 'knex';
import type { components } from '../../../generated/api-types.ts';
import { type Parameter, statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader } from '../../db/tenant.ts';

type Schemas = components['schemas'];
/** As the feed gives them: an employee is an active learner. */
export type AccountType = Exclude<Schemas['ExposedAccountType'], 'employee'>;

export interface AccountRow {
  email: string;
  domain: string;
  external_learner_id: string | null;
  account_type: AccountType;
}

export interface ExposedAccountRow extends AccountRow {
  breaches: { id: string; title: string; breach_date: string | null }[];
}

export interface BreachRow {
  id: string;
  title: string;
  category: string;
  breach_date: string | null;
  data_classes: string[];
}

export interface BreachedServiceRow extends BreachRow {
  accounts: AccountRow[];
}

interface WatchedRow {
  domains: string[];
}

const watched = statement<object, WatchedRow>('breach_watched_domains', (sql, param) =>
  sql.raw(
    `select array(select distinct lower(domain) from unnest(smbreachprodomains) as domain order by 1) as domains
       from companies where id = ? and smbreachproenabled`,
    [param('companyId')],
  ),
);

/** The domains whose accounts the company watches, in lower case; none without the module. */
export async function findWatchedDomains(tenant: TenantReader): Promise<string[]> {
  return (await tenant.find(watched, {}))?.domains ?? [];
}

interface AccountFilter {
  domains: string[];
  accountType: AccountType | null;
}

const ACCOUNT_TYPE = `case when l.id is null then 'nonLearner'
  when l.inactive then 'inactiveLearner' else 'activeLearner' end`;

/** The accounts in breaches, each with the learner who has its address. Row-level security knows the domains, too. */
function selectAccounts<P extends AccountFilter>(sql: Knex, param: Parameter<P>): Knex.QueryBuilder {
  return sql('breached_accounts as a')
    .leftJoin('learners as l', (on) => {
      on.on('l.company_id', '=', sql.raw('?', [param('companyId')])).on('l.email_key', '=', 'a.email');
    })
    .where(sql.raw('a.domain = any(?::text[])', [param('domains')]))
    .where(sql.raw(`coalesce(${ACCOUNT_TYPE} = ?, true)`, [param('accountType')]));
}

const accounts = statement<AccountFilter, ExposedAccountRow>('breach_accounts', (sql, param) =>
  selectAccounts(sql, param)
    .join('breaches as b', 'b.id', 'a.breach_id')
    .groupBy('a.email', 'a.domain', 'l.external_learner_id', 'l.id', 'l.inactive')
    .select('a.email', 'a.domain', 'l.external_learner_id', sql.raw(`${ACCOUNT_TYPE} as account_type`))
    .select(
      sql.raw(`json_agg(json_build_object('id', b.id, 'title', b.title, 'breach_date', b.breach_date)
                        order by b.breach_date desc nulls last, b.id) as breaches`),
    )
    .orderBy('a.email'),
);

/** The accounts of the domains that are in breaches, by address. */
export function listAccounts(tenant: TenantReader, filter: AccountFilter): Rows<ExposedAccountRow> {
  return tenant.rows(accounts, filter);
}

interface ServiceFilter extends AccountFilter {
  hasAffectedAccounts: boolean | null;
}

const BREACH_COLUMNS = ['b.id', 'b.title', 'b.category', 'b.breach_date', 'b.data_classes'];
const NEWEST_FIRST = 'b.breach_date desc nulls last, b.id';

const services = statement<ServiceFilter, BreachedServiceRow>('breach_services', (sql, param) =>
  sql('breaches as b')
    .leftJoin(
      selectAccounts(sql, param)
        .groupBy('a.breach_id')
        .select(
          'a.breach_id',
          sql.raw(`json_agg(json_build_object('email', a.email, 'domain', a.domain,
                     'external_learner_id', l.external_learner_id, 'account_type', ${ACCOUNT_TYPE})
                   order by a.email) as accounts`),
        )
        .as('affected'),
      'affected.breach_id',
      'b.id',
    )
    .select(BREACH_COLUMNS)
    .select(sql.raw(`coalesce(affected.accounts, '[]') as accounts`))
    .where(sql.raw('coalesce((affected.breach_id is not null) = ?::boolean, true)', [param('hasAffectedAccounts')]))
    .orderByRaw(NEWEST_FIRST),
);

/** A row holds all accounts of a breach, so few are in memory at once. */
const SERVICES_TO_A_BATCH = 10;

/** The known breaches, newest first, each with the accounts of the domains that it exposed. */
export function listServices(tenant: TenantReader, filter: ServiceFilter): Rows<BreachedServiceRow> {
  return tenant.rows(services, filter, SERVICES_TO_A_BATCH);
}

const ofLearner = statement<{ learnerId: string; domains: string[] }, BreachRow>('breach_of_learner', (sql, param) =>
  sql('learners as l')
    .join('breached_accounts as a', 'a.email', 'l.email_key')
    .join('breaches as b', 'b.id', 'a.breach_id')
    .where({ 'l.company_id': param('companyId'), 'l.id': param('learnerId') })
    .where(sql.raw('a.domain = any(?::text[])', [param('domains')]))
    .select(BREACH_COLUMNS)
    .orderByRaw(NEWEST_FIRST),
);

/** The breaches that hold a learner's address, newest first. */
export function listBreachesOfLearner(tenant: TenantReader, learnerId: string, domains: string[]): Rows<BreachRow> {
  return tenant.rows(ofLearner, { learnerId, domains });
}
