import { sql } from '../db/sql.ts';
import { mutation } from '../db/statement.ts';
import type { Caller } from './caller.ts';
import type { TenantAccess } from './tenant-access.ts';

/** As exact as the time of the last use is. */
const RECORDED_EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

interface Use {
  operationId: string;
  /** `operation`, or where a request has it, such as `query/name`. */
  part: string;
}

const recordUse = mutation<Use & { apiKeyId: string }>(
  'deprecated_use_record',
  (p) => sql`
    insert into deprecated_uses (company_id, api_key_id, operation_id, part)
    values (${p.companyId}, ${p.apiKeyId}, ${p.operationId}, ${p.part})
    on conflict (company_id, api_key_id, operation_id, part) do update set last_used_at = excluded.last_used_at`,
);

/** Records which key uses what is deprecated, at most once a minute in each process. */
export class DeprecatedUses {
  readonly #access: TenantAccess;
  /** When a use was last recorded, in milliseconds since the epoch. */
  readonly #recordedAt = new Map<string, number>();

  constructor(access: TenantAccess) {
    this.#access = access;
  }

  async record(caller: Caller, operationId: string, parts: readonly string[]): Promise<void> {
    // Sources have no key.
    if (caller.source) return;
    for (const part of parts) await this.#recordOne(caller, { operationId, part });
  }

  async #recordOne(caller: Caller, use: Use): Promise<void> {
    const id = `${caller.keyId} ${use.operationId} ${use.part}`;
    const now = Date.now();
    if (now - (this.#recordedAt.get(id) ?? 0) < RECORDED_EVERY_MS) return;
    if (this.#recordedAt.size >= MAX_REMEMBERED) this.#recordedAt.clear();
    this.#recordedAt.set(id, now);
    const recorded = this.#access.ofReader(caller).mutate(recordUse, { ...use, apiKeyId: caller.keyId });
    // No call fails for want of this record, such as a read while the database takes no changes: the next one tries again.
    await recorded.catch(() => this.#recordedAt.delete(id));
  }
}
