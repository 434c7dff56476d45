import type { Knex } from 'knex';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import type { AccountType } from '../../auth/caller.ts';
import { CommandError, UsageError } from '../command.ts';
import { type Command, type Row, optional, printRows, required, requiredName } from './command.ts';

interface Company {
  id: string;
  name: string;
  account_type: AccountType;
  parent_id: string | null;
  managed_by: string[];
  plan_name: string;
  learner_limit: number | null;
  domain: string | null;
  domain_lock: boolean;
  created_at: Date;
}

interface ListedCompany extends Company {
  active_learners: number;
}

/** The accounts that may stand directly above an account of each kind. */
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
const HOST_NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const MAX_LEARNERS = 2_147_483_647;

export const createCompany: Command = {
  summary: 'create a company of any kind, and print its id',
  help: `Creates a company and prints its id. It has no key yet: see issue.

Usage: keys create-company --name <text> --kind <kind> [options]

  --name <text>        its name, up to 200 characters
  --kind <kind>        tenant, prospect, msp or distributor
  --parent <id>        the company that manages it: for a tenant or a prospect an MSP or
                       a distributor, for an MSP a distributor; a distributor has none
  --plan <name>        its plan, business unless given; freeTrial is the free trial
  --learner-limit <n>  how many active learners it may have; no limit unless given
  --domain <name>      its e-mail domain, such as example.org
  --domain-lock        accept learners of that domain only

Example:
  keys create-company --name 'Example Ltd' --kind tenant --domain example.org --domain-lock`,
  options: {
    name: { type: 'string' },
    kind: { type: 'string' },
    parent: { type: 'string' },
    plan: { type: 'string' },
    'learner-limit': { type: 'string' },
    domain: { type: 'string' },
    'domain-lock': { type: 'boolean' },
  },
  prepare(values) {
    const row = {
      id: uuidv7(),
      name: requiredName(values, 'name'),
      account_type: kindOf(required(values, 'kind')),
      plan_name: values.plan === undefined ? 'business' : requiredName(values, 'plan'),
      learner_limit: learnerLimit(optional(values, 'learner-limit')),
      domain: domain(optional(values, 'domain')),
      domain_lock: values['domain-lock'] === true,
    };
    if (row.domain_lock && row.domain === null) throw new UsageError('--domain-lock needs --domain.');
    const parentId = optional(values, 'parent');
    return async (database) => {
      const parent = parentId === undefined ? undefined : await findCompany(database, parentId);
      if (parent) requireParentKind(row.account_type, parent);
      await database('companies').insert({
        ...row,
        parent_id: parent?.id ?? null,
        managed_by: parent ? [parent.id, ...parent.managed_by] : [],
      });
      console.log(row.id);
      process.stderr.write(`Created ${row.name}. A key for it: keys issue --company ${row.id} --name <text>\n`);
    };
  },
};

export const companies: Command = {
  summary: 'list the companies',
  help: `Lists the companies, eldest first: id, name, kind, plan, active learners of how many
allowed, domain (locked or not) and parent.

Usage: keys companies [--json]`,
  options: { json: { type: 'boolean' } },
  prepare: (values) => async (database) => {
    const rows = await database('companies')
      .leftJoin('company_seats as s', 's.company_id', 'companies.id')
      .select<ListedCompany[]>('companies.*', database.raw('coalesce(s.active, 0) as active_learners'))
      .orderBy(['created_at', 'id']);
    const asJson = values.json === true;
    printRows(rows.map(asJson ? describe : summarise), asJson, 'There are no companies.');
  },
};

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
    parent: row.parent_id,
  };
}

/** @throws {CommandError} when there is no company of this id. */
export async function findCompany(database: Knex, id: string): Promise<Company> {
  const found = isUuid(id) ? await database<Company>('companies').where({ id }).first() : undefined;
  if (!found) throw new CommandError(`There is no company ${id}. See: keys companies`);
  return found;
}

function requireParentKind(kind: AccountType, parent: Company): void {
  const allowed = PARENT_KINDS[kind];
  if (allowed.includes(parent.account_type)) return;
  const kinds = allowed.map((one) => WITH_ARTICLE[one]).join(' or ');
  const rule = kinds ? `The parent of ${WITH_ARTICLE[kind]} must be ${kinds}` : 'A distributor has no parent';
  throw new CommandError(`${rule}; ${parent.name} is ${WITH_ARTICLE[parent.account_type]}.`);
}

function kindOf(text: string): AccountType {
  if (!Object.hasOwn(PARENT_KINDS, text)) {
    throw new CommandError(`--kind must be one of ${Object.keys(PARENT_KINDS).join(', ')}.`);
  }
  return text as AccountType;
}

function learnerLimit(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,10}$/.test(text) || Number(text) > MAX_LEARNERS) {
    throw new CommandError(`--learner-limit must be a whole number from 0 to ${MAX_LEARNERS}.`);
  }
  return Number(text);
}

function domain(text: string | undefined): string | null {
  if (text === undefined) return null;
  const name = text.toLowerCase();
  if (!HOST_NAME.test(name)) throw new CommandError('--domain must be a domain name such as example.org.');
  return name;
}
