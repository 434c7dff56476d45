import type { Knex } from 'knex';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import type { AccountType } from '../../auth/caller.ts';
import { CommandError } from '../command.ts';
import { type Command, type Row, optional, printRows, required } from './command.ts';
import { recordAsOperator, buildCompanyEntry } from './operator-entries.ts';
import {
  MODULES,
  SETTING_OPTIONS,
  type Settings,
  parseCompanySettings,
  settle,
  TRIAL_LEARNERS,
} from './company-settings.ts';

export interface Company extends Settings {
  id: string;
  account_type: AccountType;
  parent_id: string | null;
  managed_by: string[];
  created_at: Date;
}

export interface ListedCompany extends Company {
  active_learners: number;
}

/** The account kinds that can be the direct parent of each account kind. */
const PARENT_KINDS: Record<AccountType, AccountType[]> = {
  tenant: ['msp', 'distributor'],
  prospect: ['msp', 'distributor'],
  msp: ['distributor'],
  distributor: [],
};
const WITH_ARTICLE: Record<AccountType, string> = {
  tenant: 'a tenant',
  prospect: 'a prospect',
  msp: 'an MSP',
  distributor: 'a distributor',
};
const BASIC_PLAN = { plan_name: 'business', learner_limit: null, domain: null, domain_lock: false };

export const createCompany: Command = {
  summary: 'create a company, and print its id',
  help: `Creates a company and prints its id. Then issue a key for it (see issue).

Usage: keys create-company --name <text> --kind <kind> [options]

  --name <text>        its name, up to 200 characters
  --kind <kind>        tenant, prospect, msp or distributor
  --parent <id>        the company that manages it: an MSP or a distributor for a tenant or
                       a prospect, a distributor for an MSP, none for a distributor
  --plan <name>        its plan (default business); freeTrial is the free trial
  --learner-limit <n>  the maximum number of active learners (default no limit, or ${TRIAL_LEARNERS}
                       for a free trial)
  --domain <name>      its e-mail domain, such as example.org
  --domain-lock        accept learners of that domain only
  --enable <modules>   modules to enable, separated by commas (default smlearn, smphish and
                       smpolicy, but not smbreachproenabled)
  --disable <modules>  modules to disable
  --watched-domains <names>  the domains to report breaches of, separated by commas

Example:
  keys create-company --name 'Example Ltd' --kind tenant --domain example.org --domain-lock`,
  options: { ...SETTING_OPTIONS, kind: { type: 'string' }, parent: { type: 'string' } },
  prepare(values) {
    const name = required(values, 'name');
    const settings = parseCompanySettings(values);
    const row = {
      id: uuidv7(),
      name,
      account_type: parseAccountType(required(values, 'kind')),
      ...settings,
      ...settle(BASIC_PLAN, settings),
    };
    const parentId = optional(values, 'parent');
    return async (database) => {
      const parent = parentId === undefined ? undefined : await findCompany(database, parentId);
      if (parent) requireParentKind(row.account_type, parent);
      const { fields } = buildCompanyEntry('createCompany', row.id, values);
      await database.transaction((change) => insertCompany(change, row, { parent, fields }));
      console.log(row.id);
      process.stderr.write(`Created ${row.name}. To issue a key: keys issue --company ${row.id} --name <text>\n`);
    };
  },
};

type NewCompany = Pick<Company, 'id' | 'name' | 'account_type'> & Partial<Settings>;

/**
 * Inserts a company, and records it in its audit log. Missing settings come from the basic plan.
 * @param options the company's parent, and the names of the options that the command was given
 */
export async function insertCompany(
  change: Knex.Transaction,
  company: NewCompany,
  { parent, fields }: { parent?: Company | undefined; fields: string[] },
): Promise<void> {
  const above = { parent_id: parent?.id ?? null, managed_by: managersBelow(parent) };
  await change('companies').insert({ ...BASIC_PLAN, ...company, ...above });
  const target = { field: 'companyId', id: company.id };
  await recordAsOperator(change, [{ companyId: company.id, operation: 'createCompany', target, fields }]);
}

export const companies: Command = {
  summary: 'list the companies',
  help: `Lists the companies, oldest first: id, name, kind, plan, active learners and their
limit, domain (locked or not), modules, watched domains and parent.

Usage: keys companies [--json]`,
  options: { json: { type: 'boolean' } },
  prepare: (values) => async (database) => {
    printCompanies(await listed(database).orderBy(['created_at', 'id']), values.json === true);
  },
};

/** Selects the companies with their active learners. */
export function listed(database: Knex) {
  return database<Company>('companies')
    .leftJoin('company_seats as s', 's.company_id', 'companies.id')
    .select<ListedCompany[]>('companies.*', database.raw('coalesce(s.active, 0) as active_learners'));
}

export function printCompanies(rows: ListedCompany[], asJson: boolean): void {
  printRows(rows.map(asJson ? describe : summarise), asJson, 'No companies found.');
}

function describe(row: ListedCompany): Row {
  return {
    id: row.id,
    name: row.name,
    kind: row.account_type,
    plan: row.plan_name,
    learnerCount: row.active_learners,
    learnerLimit: row.learner_limit,
    domain: row.domain,
    domainLock: row.domain_lock,
    modules: listEnabledModules(row),
    watchedDomains: row.smbreachprodomains,
    parent: row.parent_id,
    created: row.created_at,
  };
}

function summarise(row: ListedCompany): Row {
  return {
    id: row.id,
    name: row.name,
    kind: row.account_type,
    plan: row.plan_name,
    learners: `${row.active_learners} of ${row.learner_limit ?? 'any'}`,
    domain: row.domain_lock ? `${row.domain} (locked)` : row.domain,
    modules: listEnabledModules(row),
    watchedDomains: row.smbreachprodomains,
    parent: row.parent_id,
  };
}

function listEnabledModules(row: Settings): string[] {
  return MODULES.filter((name) => row[name]);
}

/** @throws {CommandError} if no company has this id */
export async function findCompany(database: Knex, id: string): Promise<Company> {
  const company = isUuid(id) ? await database<Company>('companies').where({ id }).first() : undefined;
  if (!company) throw new CommandError(`Company ${id} not found. See: keys companies`);
  return company;
}

/** Returns the managers of a company below this parent, the nearest first. */
export function managersBelow(parent: Company | undefined): string[] {
  return parent ? [parent.id, ...parent.managed_by] : [];
}

/** @throws {CommandError} */
export function requireParentKind(kind: AccountType, parent: Company): void {
  const allowed = PARENT_KINDS[kind];
  if (allowed.includes(parent.account_type)) return;
  const kinds = allowed.map((one) => WITH_ARTICLE[one]).join(' or ');
  const rule = kinds ? `The parent of ${WITH_ARTICLE[kind]} must be ${kinds}` : 'A distributor has no parent';
  throw new CommandError(`${rule}; ${parent.name} is ${WITH_ARTICLE[parent.account_type]}.`);
}

function parseAccountType(text: string): AccountType {
  if (!Object.hasOwn(PARENT_KINDS, text)) {
    throw new CommandError(`--kind must be one of ${Object.keys(PARENT_KINDS).join(', ')}.`);
  }
  return text as AccountType;
}
