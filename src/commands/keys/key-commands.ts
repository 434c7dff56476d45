import { CommandError } from '../command.ts';
import { type Command, type Row, optional, printRows } from './command.ts';
import { findCompany } from './company-commands.ts';
import { recordAsOperator, type OperatorEntry } from './operator-entries.ts';

export const list: Command = {
  summary: 'list keys with company, age, last use and state',
  help: `Lists keys, oldest first, with their scopes. The state of a key is active, expired or
revoked. The time of the last use is exact to a minute. Apps are the applications that
somebody has connected with the key.

Usage: keys list [--company <id>] [--json]

  --company <id>  only keys of this company
  --json          print JSON, with company ids and full dates`,
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
        scopes: values.json ? 'k.scopes' : database.raw(`coalesce(k.scopes, '{all}')`),
      });
      printRows(rows, values.json === true, 'No keys found.');
    };
  },
};

export const revoke: Command = {
  summary: 'revoke a key; it stops working within seconds',
  help: `Revokes a key permanently. It stops working within seconds, and the applications that
are connected with it lose their access at once. Revoking it again changes nothing.

Usage: keys revoke <publicId>

  <publicId>  the 12 characters after sk_ in the key, as list shows them`,
  options: {},
  positionals: ['<publicId>'],
  prepare(_values, [publicId]) {
    // The message does not repeat the invalid value, which could be a whole key.
    if (!/^[0-9a-z]{12}$/.test(publicId!)) {
      throw new CommandError('The public id must be the 12 characters after sk_ in the key. See: keys list');
    }
    return async (database) => {
      const key = { public_id: publicId };
      const isRevoked = await database.transaction(async (change) => {
        const revoked = await change('api_keys')
          .where(key)
          .whereNull('revoked_at')
          .update({ revoked_at: change.fn.now() })
          .returning<{ id: string; company_id: string }[]>(['id', 'company_id']);
        await recordAsOperator(change, revoked.map(buildRevocationEntry));
        return revoked.length > 0;
      });
      if (isRevoked) return console.log(`Revoked ${publicId}; it stops working within seconds.`);
      if (!(await database('api_keys').where(key).first('id'))) throw new CommandError(`Key ${publicId} not found.`);
      console.log(`${publicId} was already revoked.`);
    };
  },
};

function buildRevocationEntry({ id, company_id: companyId }: { id: string; company_id: string }): OperatorEntry {
  return { companyId, operation: 'revokeApiKey', target: { field: 'apiKeyId', id }, fields: [] };
}
