import { sql } from '../db/sql.ts';
import { mutation } from '../db/statement.ts';
import type { Caller } from './caller.ts';
import type { TenantAccess } from './tenant-access.ts';

/** Minimum time between two records of the same use; the recorded time is therefore that precise. */
const RECORDED_EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

interface Use {
  operationId: string;
  /** The deprecated part: `operation`, or the path of a parameter or field, such as `query/name`. */
  part: string;
}

const recordUse = mutation<Use & { apiKeyId: string }>(
  'deprecated_use_record',
  (p) => sql`
    insert into deprecated_uses (company_id, api_key_id, operation_id, part)
    values (${p.companyId}, ${p.apiKeyId}, ${p.operationId}, ${p.part})
    on conflict (company_id, api_key_id, operation_id, part) do update set last_used_at = excluded.last_used_at`,
);

/** Records which key uses which deprecated part of the API, at most once a minute in each process. */
export class DeprecatedUses {
  readonly #access: TenantAccess;
  /** The time of the last record of each use, in milliseconds since the epoch. */
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
    // A failure to record must not fail the call, for example a read while the database is read-only. The next call
    // tries again.
    await recorded.catch(() => this.#recordedAt.delete(id));
  }
}
