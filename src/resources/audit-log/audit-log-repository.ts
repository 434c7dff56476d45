import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { pagedQuery } from '../../db/statement.ts';

/** Filters of the audit log; null for no filter. */
export interface AuditLogFilter {
  since: string | null;
  until: string | null;
  operation: string | null;
  actorId: string | null;
  outcome: string | null;
}

/**
 * Lists the company's entries, newest first. A missing time bound becomes infinite, so that a given bound prunes
 * partitions under any plan.
 */
export const listEntries = pagedQuery<AuditLogFilter, Schemas['AuditEntry']>(
  'audit_log_entries',
  { occurredAt: 'timestamptz desc', id: 'uuid desc' },
  (p) => sql`
    select id, occurred_at as "occurredAt", actor_type as "actorType", actor_id as "actorId",
           actor_company_id as "actorCompanyId", operation, outcome, code, targets, fields, request_id as "requestId", address
      from audit_log
     where company_id = ${p.companyId}
       and occurred_at >= coalesce(${p.since}::timestamptz, '-infinity')
       and occurred_at < coalesce(${p.until}::timestamptz, 'infinity')
       and (${p.operation}::text is null or operation = ${p.operation}::text)
       and (${p.actorId}::text is null or actor_id = ${p.actorId}::text)
       and (${p.outcome}::text is null or outcome = ${p.outcome}::text)`,
  { since: null, until: null },
);
