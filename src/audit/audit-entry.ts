import { sql } from '../db/sql.ts';
import { mutation } from '../db/statement.ts';
import type { Actor } from '../auth/caller.ts';
import type { Target } from './audit-rules.ts';

/** An entry of the audit log of a company. */
export interface AuditEntry {
  actor: Actor;
  /** The company of the actor: the company of the log, or a company that manages it. */
  actorCompanyId: string;
  /** An operationId, or another name that the contract allows for `operation`, such as `signIn`. */
  operation: string;
  outcome: 'done' | 'denied';
  /** The error code of a denied call; null if it was not denied. */
  code: string | null;
  targets: Target[];
  fields: string[];
  requestId: string | null;
  address: string | null;
}

/**
 * The values of an entry, all as text: the entry follows other statements, and the driver does not convert its values
 * there.
 */
type Row = Omit<AuditEntry, 'actor' | 'targets' | 'fields'> & {
  actorType: string;
  actorId: string;
  /** The targets as JSON. */
  targets: string;
  /** The fields as an array literal of Postgres. */
  fields: string;
  force: 'true' | 'false';
};

/**
 * The statement that writes an entry. Unless `force` is set, it writes only if an earlier statement of its transaction
 * has changed or locked a row. The service cannot insert entries itself: the function takes the company from the
 * session and the time from the clock.
 */
export const insertEntry = mutation<Row>(
  'audit_entry_insert',
  (p) => sql`
    select from write_audit_entry(${p.actorType}, ${p.actorId}, ${p.actorCompanyId}::uuid, ${p.operation}, ${p.outcome},
                                  ${p.code}, ${p.targets}::jsonb, ${p.fields}::text[], ${p.requestId}, ${p.address},
                                  ${p.force}::boolean)`,
  { actorType: 'key', operation: 'updateGroup', outcome: 'done', targets: '[]', fields: '{}', force: 'false' },
);

/** Converts an entry to the parameters of `insertEntry`. */
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
