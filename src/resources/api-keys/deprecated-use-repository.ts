import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { pagedQuery } from '../../db/statement.ts';

type Use = Omit<Schemas['DeprecatedUse'], 'sunset'>;

export const listDeprecatedUses = pagedQuery<object, Use>(
  'deprecated_use_list',
  { apiKeyId: 'uuid', operationId: 'text', part: 'text' },
  (p) => sql`
    select api_key_id as "apiKeyId", operation_id as "operationId", part, first_used_at as "firstUsedAt",
           last_used_at as "lastUsedAt"
      from deprecated_uses
     where company_id = ${p.companyId} and last_used_at > now() - interval '30 days'`,
);
