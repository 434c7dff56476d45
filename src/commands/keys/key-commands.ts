import { v7 as uuidv7 } from 'uuid';
import { createApiKey } from '../../auth/api-key.ts';
import { CommandError } from '../command.ts';
import { type Command, type Row, optional, printRows, required, requiredName } from './command.ts';
import { findCompany } from './company-commands.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

export const issue: Command = {
  summary: 'issue a key for a company, and show it this once',
  help: `Issues an API key for a company. The key goes to standard output, once: what is kept
of it is a hash, from which nobody can get it back.

Usage: keys issue --company <id> --name <text> [--expires <date>]

  --company <id>    whose key it is: see companies
  --name <text>     what it is for, to tell it from others, up to 200 characters
  --expires <date>  the last day on which it works (2027-03-31, in UTC), or the moment
                    when it stops (2027-03-31T18:00:00Z); it never expires unless given

Example:
  keys issue --company 018d7...02 --name 'HR import' --expires 2027-03-31`,
  options: { company: { type: 'string' }, name: { type: 'string' }, expires: { type: 'string' } },
  prepare(values) {
    const companyId = required(values, 'company');
    const name = requiredName(values, 'name');
    const expires = optional(values, 'expires');
    const expiresAt = expires === undefined ? null : futureMoment(expires);
    return async (database) => {
      const company = await findCompany(database, companyId);
      const { key, publicId, keyHash } = createApiKey();
      await database('api_keys').insert({
        id: uuidv7(),
        company_id: company.id,
        public_id: publicId,
        key_hash: keyHash,
        name,
        expires_at: expiresAt,
      });
      console.log(key);
      const until = expiresAt ? `until ${expiresAt.toISOString()}` : 'until it is revoked';
      process.stderr.write(`This key of ${company.name} works ${until}. Keep it now: it is not shown again.\n`);
    };
  },
};

export const list: Command = {
  summary: 'list keys: whose, how old, when last used, whether they work',
  help: `Lists keys, eldest first. A key's state is active, expired or revoked. When it was last
used is exact to a minute. Apps are the applications that somebody has connected with it.

Usage: keys list [--company <id>] [--json]

  --company <id>  the keys of this company only
  --json          the same as JSON, with company ids and full dates`,
  options: { company: { type: 'string' }, json: { type: 'boolean' } },
  prepare(values) {
    const companyId = optional(values, 'company');
    return async (database) => {
      const keys = database('api_keys as k')
        .join('companies as c', 'c.id', 'k.company_id')
        .orderBy(['k.created_at', 'k.id']);
      if (companyId !== undefined) void keys.where('k.company_id', (await findCompany(database, companyId)).id);
      const rows: Row[] = await keys.select({
        publicId: 'k.public_id',
        name: 'k.name',
        company: 'c.name',
        ...(values.json ? { companyId: 'c.id' } : {}),
        created: 'k.created_at',
        expires: 'k.expires_at',
        lastUsed: 'k.last_used_at',
        apps: database.raw(
          '(select count(*)::integer from oauth_grants g where g.api_key_id = k.id and g.expires_at > now())',
        ),
        state: database.raw(`case when k.revoked_at is not null then 'revoked'
          when k.expires_at <= now() then 'expired' else 'active' end`),
      });
      printRows(rows, values.json === true, 'There are no keys.');
    };
  },
};

export const revoke: Command = {
  summary: 'revoke a key: within seconds it works no more',
  help: `Revokes a key for good. It stops working within seconds, and the applications that were
connected with it lose their access at once. Revoking it again does no harm.

Usage: keys revoke <publicId>

  <publicId>  the 12 characters after sk_ in the key; list shows them`,
  options: {},
  positionals: ['<publicId>'],
  prepare(_values, [publicId]) {
    // What is wrong is not repeated: it may be a whole key.
    if (!/^[0-9a-z]{12}$/.test(publicId!)) {
      throw new CommandError('A public id is the 12 characters after sk_ in the key. See: keys list');
    }
    return async (database) => {
      const key = { public_id: publicId };
      const revoked = await database('api_keys')
        .where(key)
        .whereNull('revoked_at')
        .update({ revoked_at: database.fn.now() });
      if (revoked > 0) return console.log(`Revoked ${publicId}: it stops working within seconds.`);
      if (!(await database('api_keys').where(key).first('id'))) throw new CommandError(`There is no key ${publicId}.`);
      console.log(`${publicId} was revoked before.`);
    };
  },
};

/** The end of a day, or a moment. */
function futureMoment(text: string): Date {
  const day = DATE.test(text) ? text : DATE_TIME.exec(text)?.[1];
  const moment = new Date(DATE.test(text) ? `${text}T23:59:59.999Z` : text);
  // Date takes 30 February for 1 March; only a day that exists comes back as it was.
  const exists = day !== undefined && isSameDay(day) && !Number.isNaN(moment.getTime());
  if (!exists)
    throw new CommandError('--expires must be a date such as 2027-03-31, or a moment such as 2027-03-31T18:00:00Z.');
  if (moment.getTime() <= Date.now()) throw new CommandError(`--expires ${text} is in the past.`);
  return moment;
}

function isSameDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
