import { sql } from '../db/sql.ts';
import { change } from '../db/statement.ts';
import type { Actor } from './caller.ts';
import type { Target } from './audit-rules.ts';

/** What is told of a call in the audit log of a company. */
export interface AuditEntry {
  actor: Actor;
  /** The company of the actor: that of the log, or one above it. */
  actorCompanyId: string;
  /** An operationId, or `finishAdminSetup`. */
  operation: string;
  outcome: 'done' | 'denied';
  /** Why it was denied. */
  code: string | null;
  targets: Target[];
  fields: string[];
  requestId: string | null;
  address: string | null;
}

/** All of it is text: it is sent behind other statements, where the driver does not turn values into text. */
type Row = Omit<AuditEntry, 'actor' | 'targets' | 'fields'> & {
  actorType: string;
  actorId: string;
  /** JSON. */
  targets: string;
  /** An array of Postgres. */
  fields: string;
  always: 'true' | 'false';
};

/** Unless `always`, writes the entry only where a statement before it in its transaction has changed or locked a row. */
export const insertEntry = change<Row>(
  'audit_entry_insert',
  (p) => sql`
    insert into audit_log (company_id, actor_type, actor_id, actor_company_id, operation, outcome, code, targets, fields,
                           request_id, address)
    select ${p.companyId}, ${p.actorType}, ${p.actorId}, ${p.actorCompanyId}, ${p.operation}, ${p.outcome}, ${p.code},
           ${p.targets}::jsonb, ${p.fields}::text[], ${p.requestId}, ${p.address}
     where ${p.always}::boolean or pg_current_xact_id_if_assigned() is not null
    on conflict do nothing`,
  { actorType: 'key', outcome: 'done', targets: '[]', fields: '{}', always: 'true' },
);

/** @param always false: see `insertEntry` */
export function rowOf({ actor, targets, fields, ...entry }: AuditEntry, always: boolean): Row {
  return {
    ...entry,
    actorType: actor.type,
    actorId: actor.id,
    targets: JSON.stringify(targets),
    fields: `{${fields.join(',')}}`,
    always: always ? 'true' : 'false',
  };
}
