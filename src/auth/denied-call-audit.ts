import { ApiError } from '../contract/errors.ts';
import { type AuditedCall, toCallEntry } from '../audit/operation-audit-recorder.ts';
import type { TenantAccess } from './tenant-access.ts';

/** Maximum number of denials to record per key and minute; more would add no information. */
const MAX_PER_MINUTE = 20;
const MINUTE_MS = 60_000;
const FORBIDDEN = 403;

/**
 * Reports whether a call was denied. `recent_sign_in_required` is not a denial: the person can repeat the call after a
 * confirmation.
 */
function isDenial({ code, status }: ApiError): boolean {
  return status === FORBIDDEN && code !== 'recent_sign_in_required';
}

/** Records calls that are rejected with 403 in the audit log of the caller's company. */
export class DeniedCallAudit {
  readonly #access: TenantAccess;
  /** The number of denials in this minute, by key. */
  readonly #counts = new Map<string, number>();
  #minute = 0;

  constructor(access: TenantAccess) {
    this.#access = access;
  }

  /** Runs `act`, and records the call if it is denied. @throws what `act` throws */
  async record<T>(call: AuditedCall, act: () => Promise<T> | T): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof ApiError && isDenial(error) && this.#hasRoom(call.caller.keyId)) {
        await this.#access.recordEntry(call.caller.companyId, toCallEntry(call, { code: error.code }));
      }
      throw error;
    }
  }

  #hasRoom(keyId: string): boolean {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const count = (this.#counts.get(keyId) ?? 0) + 1;
    this.#counts.set(keyId, count);
    return count <= MAX_PER_MINUTE;
  }
}
