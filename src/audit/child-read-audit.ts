import { sql } from '../db/sql.ts';
import { mutation } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';
import type { AuditEntry } from './audit-entry.ts';

const HOUR_MS = 3_600_000;

const recordReads = mutation<{ childIds: string[]; entry: string }>(
  'audit_reads_of_children',
  (p) => sql`select audit_child_reads(${p.childIds}::uuid[], ${p.entry}::jsonb)`,
  { childIds: [], entry: '{"actorType": "key", "operation": "listEvents"}' },
);

/** A read of children, without the companies: the actor, the operation and the origin. */
export type ReadOfChildren = Pick<AuditEntry, 'actor' | 'operation' | 'requestId' | 'address'>;

/**
 * Records reads of several children at once in the audit log of each child, once per actor, operation, child and hour.
 */
export class ChildReadAudit {
  /** The reads that this process recorded in this hour. The set saves queries when a list is polled. */
  readonly #entered = new Set<string>();
  #hour = 0;

  /**
   * Records a read. @param own the handle of the actor's company
   * @param companyIds the children whose rows are about to be sent
   */
  async record(own: TenantWriter, read: ReadOfChildren, companyIds: readonly string[]): Promise<void> {
    this.#forgetPastHours();
    const { actor, ...entry } = read;
    const formatReadKey = (companyId: string) => `${actor.id} ${entry.operation} ${companyId}`;
    const childIds = [...new Set(companyIds)].filter((companyId) => !this.#entered.has(formatReadKey(companyId)));
    if (childIds.length === 0) return;
    const text = JSON.stringify({ ...entry, actorType: actor.type, actorId: actor.id });
    await own.mutate(recordReads, { childIds, entry: text });
    for (const companyId of childIds) this.#entered.add(formatReadKey(companyId));
  }

  #forgetPastHours(): void {
    const hour = Math.floor(Date.now() / HOUR_MS);
    if (hour !== this.#hour) this.#entered.clear();
    this.#hour = hour;
  }
}
