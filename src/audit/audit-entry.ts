import { sql } from '../db/sql.ts';
import { mutation } from '../db/statement.ts';
import type { Actor } from '../auth/caller.ts';
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
  force: 'true' | 'false';
};

/**
 * Unless `force`, writes the entry only where a statement before it in its transaction has changed or locked a row. The
 * service cannot insert entries itself: the function takes the company from the session and the time from the clock.
 */
export const insertEntry = mutation<Row>(
  'audit_entry_insert',
  (p) => sql`
    select from write_audit_entry(${p.actorType}, ${p.actorId}, ${p.actorCompanyId}::uuid, ${p.operation}, ${p.outcome},
                                  ${p.code}, ${p.targets}::jsonb, ${p.fields}::text[], ${p.requestId}, ${p.address},
                                  ${p.force}::boolean)`,
  { actorType: 'key', operation: 'updateGroup', outcome: 'done', targets: '[]', fields: '{}', force: 'false' },
);

/** @param force false: see `insertEntry` */
export function toAuditRow({ actor, targets, fields, ...entry }: AuditEntry, force: boolean): Row {
  return {
    ...entry,
    actorType: actor.type,
    actorId: actor.id,
    targets: JSON.stringify(targets),
    fields: `{${fields.join(',')}}`,
    force: force ? 'true' : 'false',
  };
}
