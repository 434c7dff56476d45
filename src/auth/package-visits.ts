import type pg from 'pg';
import { createTenantReader } from '../db/tenant-session.ts';
import type { TenantReader } from '../db/tenant.ts';
import { readPersonToken } from './person-token.ts';

/** A window that asks for a file of a package, by the secret in its address. */
export interface PackageVisit {
  tenant: TenantReader;
  tokenHash: Buffer;
}

/**
 * The frame of a package has no cookies, so the addresses of its files have a secret instead. It opens the files of one
 * package while one window has it open, and nothing else.
 */
export class PackageVisits {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Undefined for what is no such secret. Whether there is such a window, its statement says. */
  find(token: string): PackageVisit | undefined {
    const asked = readPersonToken(token);
    if (!asked) return undefined;
    const { companyId, tokenHash } = asked;
    return { tenant: createTenantReader(this.#pool, companyId, companyId), tokenHash };
  }
}
