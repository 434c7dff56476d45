import { type Command, type Row, optional, printRows } from './command.ts';
import { findCompany } from './company-commands.ts';

export const deprecatedUses: Command = {
  summary: 'list the keys that still use deprecated parts of the contract',
  help: `Lists the keys that used a deprecated operation, parameter or field in the last 30
days, by operation. The time of the last use is exact to a minute.

Usage: keys deprecated-uses [--company <id>] [--json]

  --company <id>  only keys of this company
  --json          print JSON, with company ids and full dates`,
  options: { company: { type: 'string' }, json: { type: 'boolean' } },
  prepare(values) {
    const companyId = optional(values, 'company');
    return async (database) => {
      const uses = database('deprecated_uses as u')
        .join('api_keys as k', 'k.id', 'u.api_key_id')
        .join('companies as c', 'c.id', 'u.company_id')
        .whereRaw("u.last_used_at > now() - interval '30 days'")
        .orderBy(['u.operation_id', 'u.part', 'c.name', 'k.public_id']);
      if (companyId !== undefined) void uses.where('u.company_id', (await findCompany(database, companyId)).id);
      const rows: Row[] = await uses.select({
        operation: 'u.operation_id',
        part: 'u.part',
        company: 'c.name',
        ...(values.json ? { companyId: 'c.id' } : {}),
        publicId: 'k.public_id',
        name: 'k.name',
        firstUsed: 'u.first_used_at',
        lastUsed: 'u.last_used_at',
      });
      printRows(rows, values.json === true, 'No deprecated uses found.');
    };
  },
};
