import type { OperationId } from '../../generated/operations.ts';
import { sql } from '../db/sql.ts';
import { change } from '../db/statement.ts';
import { entryOfCall } from './audit-trail.ts';
import type { Caller } from './caller.ts';
import type { TenantAccess } from './tenant-access.ts';

const HOUR_MS = 3_600_000;

const enterReads = change<{ childIds: string[]; entry: string }>(
  'audit_reads_of_children',
  (p) => sql`select enter_reads_of_children(${p.childIds}::uuid[], ${p.entry}::jsonb)`,
  { childIds: [], entry: '{}' },
);

/** Enters lists of several children at once into the audit log of each child, once for each actor, child and hour. */
export class ReadsOfChildren {
  readonly #access: TenantAccess;
  /** Who is known to be entered where in this hour, so that a list that is polled asks nothing of the database. */
  readonly #entered = new Set<string>();
  #hour = 0;

  constructor(access: TenantAccess) {
    this.#access = access;
  }

  /** @param companyIds the children whose rows are about to be handed out */
  async enter(caller: Caller, operationId: OperationId, companyIds: readonly string[]): Promise<void> {
    this.#forgetPastHours();
    const { actor, ...entry } = entryOfCall({ operationId, caller, input: {} }, {});
    const markOf = (companyId: string) => `${actor.id} ${operationId} ${companyId}`;
    const childIds = [...new Set(companyIds)].filter((companyId) => !this.#entered.has(markOf(companyId)));
    if (childIds.length === 0) return;
    const text = JSON.stringify({ ...entry, actorType: actor.type, actorId: actor.id });
    await this.#access.ofReader(caller).run(enterReads, { childIds, entry: text });
    for (const companyId of childIds) this.#entered.add(markOf(companyId));
  }

  #forgetPastHours(): void {
    const hour = Math.floor(Date.now() / HOUR_MS);
    if (hour !== this.#hour) this.#entered.clear();
    this.#hour = hour;
  }
}
