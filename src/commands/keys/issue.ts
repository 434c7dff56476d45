import { createApiKey } from '../../auth/api-key.ts';
import { scopes } from '../../contract/contract.ts';
import { CommandError, UsageError } from '../command.ts';
import { type Command, optional, required, requiredName, type Values } from './command.ts';
import { findCompany } from './company-commands.ts';
import { issueForChildren } from './issue-for-children.ts';
import { insertKeys, type KeySettings, formatExpiry } from './key-rows.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

export const issue: Command = {
  summary: 'issue a key for a company, and show it once',
  help: `Issues an API key for a company and prints it once to standard output. The service
stores only a hash, from which nobody can recover the key. --children-of issues a key for
each child of an MSP or a distributor, into a new file that only you can read.

Usage: keys issue --company <id> --name <text> [--scopes <names>] [--expires <date>]
       keys issue --children-of <id> --out <file> --name <text> [...]

  --company <id>      the company of the key (see companies)
  --children-of <id>  the MSP or distributor whose child tenants each get a key
  --out <file>        the file for their keys, as JSON; it must not exist yet
  --name <text>       the purpose of the key, up to 200 characters
  --scopes <names>    the scopes of the key, separated by commas: learners:read,groups:read
                      (default all). The operations of the contract name their scopes
  --expires <date>    the last day on which it works (2027-03-31, in UTC), or the time when
                      it stops working (2027-03-31T18:00:00Z); by default it never expires

Example:
  keys issue --company 018d7...02 --name 'HR import' --expires 2027-03-31`,
  options: {
    company: { type: 'string' },
    'children-of': { type: 'string' },
    out: { type: 'string' },
    name: { type: 'string' },
    scopes: { type: 'string' },
    expires: { type: 'string' },
  },
  prepare(values) {
    const parentId = optional(values, 'children-of');
    if (parentId !== undefined && values.company !== undefined)
      throw new UsageError('--company cannot be combined with --children-of.');
    if (parentId === undefined && values.out !== undefined) throw new UsageError('--out requires --children-of.');
    const [companyId, file] = parentId === undefined ? [required(values, 'company')] : ['', required(values, 'out')];
    const settings = parseKeySettings(values);
    return async (database) => {
      const company = await findCompany(database, parentId ?? companyId);
      if (file !== undefined) return issueForChildren(database, company, settings, file);
      const key = createApiKey();
      await database.transaction((change) => insertKeys(change, [{ companyId: company.id, key }], settings));
      console.log(key.key);
      process.stderr.write(
        `This key of ${company.name} works ${formatExpiry(settings)}. Store it now; it is not shown again.\n`,
      );
    };
  },
};

function parseKeySettings(values: Values): KeySettings {
  const name = requiredName(values, 'name');
  const [scopeText, expires] = [optional(values, 'scopes'), optional(values, 'expires')];
  return {
    name,
    scopes: scopeText === undefined ? null : scopesIn(scopeText),
    expires_at: expires === undefined ? null : futureMoment(expires),
  };
}

function scopesIn(text: string): string[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const contractScopes: readonly string[] = scopes;
  if (!names.every((name) => contractScopes.includes(name)))
    throw new CommandError(`--scopes must be a comma-separated list of scopes: ${contractScopes.join(', ')}.`);
  return names;
}

/** Parses a time, or a date, which stands for the end of its day in UTC. @throws {CommandError} */
function futureMoment(text: string): Date {
  const day = DATE.test(text) ? text : DATE_TIME.exec(text)?.[1];
  const moment = new Date(DATE.test(text) ? `${text}T23:59:59.999Z` : text);
  // Date converts 30 February to 1 or 2 March. Only an existing day is formatted back unchanged.
  const exists = day !== undefined && isSameDay(day) && !Number.isNaN(moment.getTime());
  if (!exists)
    throw new CommandError('--expires must be a date such as 2027-03-31 or a time such as 2027-03-31T18:00:00Z.');
  if (moment.getTime() <= Date.now()) throw new CommandError(`--expires must be in the future, not ${text}.`);
  return moment;
}

function isSameDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
